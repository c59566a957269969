import Foundation
internal import Imaging

/// Pixels to draw images and rectangles on. It implements `UIGraphicsImageRenderer` and
/// `UIGraphicsBeginImageContext`.
///
/// Coordinates are points from the upper left corner. Rectangles are rounded to whole pixels.
final class DrawnImage {
  let scale: CGFloat
  private let origin: CGPoint
  private let width: Int
  private let height: Int
  private let isOpaque: Bool
  /// RGBA, not premultiplied.
  private var bytes: [UInt8]
  var fillColor = SIMD4<UInt8>(0, 0, 0, 255)

  /// Returns `nil` for bounds without an area and for more pixels than a picture may have. An
  /// opaque image starts black, any other transparent.
  init?(bounds: CGRect, scale: CGFloat, isOpaque: Bool) {
    let (wide, high) = ((bounds.width * scale).rounded(.up), (bounds.height * scale).rounded(.up))
    guard wide.isFinite, high.isFinite, wide >= 1, high >= 1, wide * high <= CGFloat(DecodingLimits.standard.pixels)
    else { return nil }
    (width, height) = (Int(wide), Int(high))
    self.scale = scale
    self.isOpaque = isOpaque
    origin = bounds.origin
    bytes = [UInt8](repeating: 0, count: width * height * 4)
    if isOpaque { for alpha in stride(from: 3, to: bytes.count, by: 4) { bytes[alpha] = 255 } }
  }

  var image: UIImage {
    let pixels = PixelBuffer(width: width, height: height, channels: 4, bytes: bytes)
    return UIImage(pixels: isOpaque ? pixels.flattened() : pixels, scale: scale)
  }

  /// Draws a picture into a rectangle, scaled to fill it.
  func draw(_ pixels: PixelBuffer, in rect: CGRect) {
    guard let place = place(of: rect) else { return }
    let scaled = pixels.resized(to: PixelSize(width: place.width, height: place.height))
    let channels = scaled.channels
    scaled.bytes.withUnsafeBufferPointer { source in
      blend(place) { column, row in
        let from = (row * place.width + column) * channels
        return SIMD4(source[from], source[from + 1], source[from + 2], channels == 4 ? source[from + 3] : 255)
      }
    }
  }

  /// Fills a rectangle with `fillColor`.
  func fill(_ rect: CGRect) {
    guard let place = place(of: rect) else { return }
    let color = fillColor
    blend(place) { _, _ in color }
  }

  private struct Place {
    var left: Int
    var top: Int
    var width: Int
    var height: Int
  }

  /// Rounds a rectangle to whole pixels. Returns `nil` if it covers none, and if it is too large to
  /// draw.
  private func place(of rect: CGRect) -> Place? {
    let edges = [
      (rect.minX - origin.x) * scale, (rect.minY - origin.y) * scale, (rect.maxX - origin.x) * scale,
      (rect.maxY - origin.y) * scale,
    ]
    guard edges.allSatisfy({ abs($0) < 65_536 }) else { return nil }
    let whole = edges.map { Int($0.rounded()) }
    let place = Place(left: whole[0], top: whole[1], width: whole[2] - whole[0], height: whole[3] - whole[1])
    guard place.width > 0, place.height > 0, place.width * place.height <= DecodingLimits.standard.pixels else {
      return nil
    }
    return place
  }

  /// Draws a color over the part of a rectangle that is inside the image.
  private func blend(_ place: Place, color: (_ column: Int, _ row: Int) -> SIMD4<UInt8>) {
    let columns = max(0, -place.left)..<max(max(0, -place.left), min(place.width, width - place.left))
    let rows = max(0, -place.top)..<max(max(0, -place.top), min(place.height, height - place.top))
    bytes.withUnsafeMutableBufferPointer { target in
      for row in rows {
        for column in columns {
          let above = color(column, row)
          let to = ((place.top + row) * width + place.left + column) * 4
          guard above.w < 255 else {
            for channel in 0..<4 { target[to + channel] = above[channel] }
            continue
          }
          let (share, below) = (UInt32(above.w), UInt32(target[to + 3]) * (255 - UInt32(above.w)) / 255)
          let alpha = share + below
          guard alpha > 0 else { continue }
          for channel in 0..<3 {
            let sum = UInt32(above[channel]) * share + UInt32(target[to + channel]) * below
            target[to + channel] = UInt8(truncatingIfNeeded: (sum + alpha / 2) / alpha)
          }
          target[to + 3] = UInt8(truncatingIfNeeded: alpha)
        }
      }
    }
  }

  // MARK: The thread's images

  private static let key = "calotype.UIKit.drawnImages"

  /// The images that were begun on one thread, the current one last. An element is `nil` if its
  /// image has no area or is too large.
  private final class Stack: NSObject {
    var images: [DrawnImage?] = []
  }

  private static var stack: Stack {
    let dictionary = Thread.current.threadDictionary
    if let stack = dictionary[key] as? Stack { return stack }
    let stack = Stack()
    dictionary[key] = stack
    return stack
  }

  /// The image that was begun last on this thread.
  static var current: DrawnImage? { stack.images.last ?? nil }

  static func push(_ image: DrawnImage?) { stack.images.append(image) }

  /// Removes the image that was begun last, if there is any.
  static func pop() { _ = stack.images.popLast() }
}
