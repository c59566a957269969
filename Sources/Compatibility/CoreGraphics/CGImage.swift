import Foundation

/// Pixels in memory: rows of 8-bit red, green, blue and alpha in sRGB, top row first.
///
///     guard let image = CGImage(width: 2, height: 1, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 8,
///       space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue),
///       provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent) else { return }
///
/// Immutable, and any thread may use it. An image decoded from a file contains its rows as the file
/// stores them: the orientation is in `UIImage.imageOrientation` or `kCGImagePropertyOrientation`.
public final class CGImage: NSObject, Sendable {
  public let width: Int
  public let height: Int
  /// Three bytes (opaque) or four bytes per pixel, without gaps.
  package let bytes: [UInt8]
  package let channels: Int

  /// Requires exactly `width * height * channels` bytes.
  package init(width: Int, height: Int, channels: Int, bytes: [UInt8]) {
    self.width = width
    self.height = height
    self.channels = channels
    self.bytes = bytes
  }

  public var bitsPerComponent: Int { 8 }
  public var bitsPerPixel: Int { 32 }
  public var bytesPerRow: Int { width * 4 }
  /// `.last`, or `.noneSkipLast` for an opaque image: colors are never multiplied by alpha.
  public var alphaInfo: CGImageAlphaInfo { channels == 4 ? .last : .noneSkipLast }
  public var bitmapInfo: CGBitmapInfo { CGBitmapInfo(rawValue: alphaInfo.rawValue) }
  /// Always sRGB.
  public var colorSpace: CGColorSpace? { .standard }

  /// The bytes of all rows, `bytesPerRow * height` in total. Each call makes a copy.
  public var dataProvider: CGDataProvider? {
    guard channels == 3 else { return CGDataProvider(data: Data(bytes)) }
    var padded = [UInt8](repeating: 255, count: width * height * 4)
    bytes.withUnsafeBufferPointer { source in
      for pixel in 0..<width * height {
        for channel in 0..<3 { padded[pixel * 4 + channel] = source[pixel * 3 + channel] }
      }
    }
    return CGDataProvider(data: Data(padded))
  }

  /// Copies pixels with 8 bits for each color, in any order of colors and alpha.
  ///
  /// Returns `nil` for other depths, for color spaces other than sRGB, for a `decode` array, and if
  /// there are fewer bytes than the rows need.
  public convenience init?(
    width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace,
    bitmapInfo: CGBitmapInfo, provider: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
    intent: CGColorRenderingIntent
  ) {
    guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height), bitsPerComponent == 8,
      decode == nil, space == .standard, let layout = PixelLayout(bitmapInfo, bitsPerPixel: bitsPerPixel),
      bytesPerRow >= width * layout.byteCount, bytesPerRow <= Int.max / Self.longestSide
    else { return nil }
    let bytes = [UInt8](provider.bytes)
    guard bytes.count >= bytesPerRow * (height - 1) + width * layout.byteCount else { return nil }
    let channels = layout.alpha == nil ? 3 : 4
    let copy = [UInt8](unsafeUninitializedCapacity: width * height * channels) { target, filled in
      bytes.withUnsafeBufferPointer { source in
        for row in 0..<height {
          for column in 0..<width {
            layout.copy(
              source, at: row * bytesPerRow + column * layout.byteCount, to: target,
              at: (row * width + column) * channels)
          }
        }
      }
      filled = width * height * channels
    }
    self.init(width: width, height: height, channels: channels, bytes: copy)
  }

  private static let longestSide = 1 << 16

  /// Returns the part inside a rectangle, which is enlarged to whole pixels. Its origin is the
  /// upper left corner. Returns `nil` if nothing is inside.
  public func cropping(to rect: CGRect) -> CGImage? {
    let part = rect.integral.intersection(CGRect(x: 0, y: 0, width: width, height: height))
    guard !part.isNull, part.width >= 1, part.height >= 1 else { return nil }
    let (left, columns) = (Int(part.minX), Int(part.width))
    let rows = Int(part.minY)..<Int(part.maxY)
    let cropped = rows.flatMap { row in
      bytes[(row * width + left) * channels..<(row * width + left + columns) * channels]
    }
    return CGImage(width: columns, height: rows.count, channels: channels, bytes: cropped)
  }
}

/// The order of the bytes of a pixel.
private struct PixelLayout {
  let byteCount: Int
  private let red: Int
  private let step: Int
  let alpha: Int?
  private let isPremultiplied: Bool

  init?(_ info: CGBitmapInfo, bitsPerPixel: Int) {
    guard let alphaInfo = CGImageAlphaInfo(rawValue: info.rawValue & CGBitmapInfo.alphaInfoMask.rawValue),
      !info.contains(.floatComponents), bitsPerPixel == (alphaInfo == .none ? 24 : 32)
    else { return nil }
    byteCount = bitsPerPixel / 8
    let isFirst: Bool
    switch alphaInfo {
    case .none, .noneSkipLast, .last, .premultipliedLast: isFirst = false
    case .noneSkipFirst, .first, .premultipliedFirst: isFirst = true
    case .alphaOnly: return nil
    }
    let hasAlpha = [.last, .premultipliedLast, .first, .premultipliedFirst].contains(alphaInfo)
    switch info.rawValue & CGBitmapInfo.byteOrderMask.rawValue {
    case 0, CGBitmapInfo.byteOrder32Big.rawValue:
      (red, step) = (isFirst ? 1 : 0, 1)
      alpha = hasAlpha ? isFirst ? 0 : 3 : nil
    // Little-endian: the four bytes are in reverse order.
    case CGBitmapInfo.byteOrder32Little.rawValue where byteCount == 4:
      (red, step) = (isFirst ? 2 : 3, -1)
      alpha = hasAlpha ? isFirst ? 3 : 0 : nil
    default: return nil
    }
    isPremultiplied = alphaInfo == .premultipliedFirst || alphaInfo == .premultipliedLast
  }

  /// Writes red, green, blue, and alpha if the layout has it.
  func copy(
    _ source: UnsafeBufferPointer<UInt8>, at start: Int, to target: UnsafeMutableBufferPointer<UInt8>, at place: Int
  ) {
    for channel in 0..<3 { target[place + channel] = source[start + red + channel * step] }
    guard let alpha else { return }
    let share = Int(source[start + alpha])
    target[place + 3] = UInt8(share)
    guard isPremultiplied, share > 0, share < 255 else { return }
    for channel in 0..<3 {
      target[place + channel] = UInt8(min(255, (Int(target[place + channel]) * 255 + share / 2) / share))
    }
  }
}

/// The bytes of an image.
public final class CGDataProvider: Sendable {
  let bytes: Data

  public init?(data: CFData) { bytes = data }

  public var data: CFData? { bytes }
}

/// The position of alpha in a pixel, and whether colors are multiplied by alpha.
public enum CGImageAlphaInfo: UInt32, Sendable {
  case none
  case premultipliedLast
  case premultipliedFirst
  case last
  case first
  case noneSkipLast
  case noneSkipFirst
  case alphaOnly
}

/// The layout of pixels: `CGImageAlphaInfo` and the order of bytes.
public struct CGBitmapInfo: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
  public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
  public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
  public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
  public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
  public static let byteOrder16Big = CGBitmapInfo(rawValue: 3 << 12)
  public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)
}

/// The replacement of colors that a device can't show. Has no effect, since images here are in
/// sRGB.
public enum CGColorRenderingIntent: Int32, Sendable {
  case defaultIntent
  case absoluteColorimetric
  case relativeColorimetric
  case perceptual
  case saturation
}
