import MediaMetadata

/// A requested size of a picture, and the part of it to show.
///
///     let request = PictureRequest(.filling(width: 300, height: 300), isExact: true)
///     // The middle of the picture, 300 × 300 pixels.
///     let pixels = try makePicture(of: file, metadata: metadata, request)
///
/// Sizes are pixels of the upright picture. An inexact picture is never enlarged and never cropped,
/// and its sides may be up to 1.5 times as long as requested.
public struct PictureRequest: Hashable, Sendable {
  public enum Size: Hashable, Sendable {
    /// The full size of the picture.
    case whole
    /// The largest size that fits inside the rectangle.
    case fitting(width: Int, height: Int)
    /// The smallest size that covers the whole rectangle.
    case filling(width: Int, height: Int)
  }

  public var size: Size
  /// The part of the picture that is cropped first. Only exact pictures are cropped.
  public var part: UnitRect
  public var isExact: Bool

  public init(_ size: Size, part: UnitRect = .whole, isExact: Bool = false) {
    self.size = size
    self.part = isExact ? part : .whole
    self.isExact = isExact
  }

  /// Returns the smallest size of the whole picture from which this request can be made. It is
  /// never larger than the picture.
  public func sourceSize(of picture: PixelSize) -> PixelSize { plan(for: picture).source }

  /// Returns the largest number of pixels that this request can produce from a picture.
  public func largestPixelCount(of picture: PixelSize) -> Int {
    // Only exact pictures are enlarged.
    let most = pixelBound(of: picture)
    return plan(for: picture).result == nil ? min(most, max(1, picture.pixels)) : most
  }

  /// The same limit, with a margin for decoders that deliver more than the file's header declares.
  private func pixelBound(of picture: PixelSize) -> Int {
    let plan = plan(for: picture)
    let size = plan.result ?? plan.source
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    // A larger result is refused, so the limit of all decoders is the bound.
    let most = DecodingLimits.standard.pixels
    return overflow || pixels > most ? most : plan.result == nil ? pixels * 9 / 4 : pixels
  }

  /// Whether a picture of this size, made from a whole of that size, is returned without resizing.
  /// The minimum is `sourceSize`; this checks the maximum.
  public func accepts(_ size: PixelSize, of whole: PixelSize) -> Bool { plan(for: whole).accepts(size) }

  /// Whether this request can result in a picture of this size. `knownSize` is the size that the
  /// file declares, or `nil` if it declares none or one that may be wrong.
  package func canGive(_ size: PixelSize, of knownSize: PixelSize?) -> Bool {
    if let knownSize {
      guard let result = plan(for: knownSize).result else {
        return size.pixels <= max(pixelBound(of: knownSize), Self.alwaysAllowedPixels)
      }
      return size == result
    }
    switch self.size {
    case .whole: return true
    case .fitting(let width, let height) where isExact:
      return size.width <= max(1, width) && size.height <= max(1, height)
    // 1.5 times the requested size.
    case .fitting(let width, let height): return size.longSide / 3 <= max(width, height) / 2
    case .filling(let width, let height): return !isExact || size == PixelSize(width: width, height: height)
    }
  }

  /// The number of pixels that any file may have, whatever it declares: that of a thumbnail.
  private static let alwaysAllowedPixels = thumbnailPixelLimit

  /// The steps that the request needs for a picture of a known size.
  package struct Plan: Equatable {
    /// The minimum size of the whole picture.
    package var source: PixelSize
    /// The part of the picture that is kept.
    package var cut: UnitRect
    /// The size to which that part is resized; `nil` keeps its size.
    package var result: PixelSize?

    /// Whether a picture may stay as large as it is. Above 1.5 times the planned side, drawing the
    /// picture would cost its receiver twice the work.
    package func accepts(_ size: PixelSize) -> Bool {
      result == nil && size.longSide <= source.longSide + source.longSide / 2
    }
  }

  package func plan(for picture: PixelSize) -> Plan {
    // A file that declares no size is treated as one pixel, to avoid a division by zero.
    let picture = PixelSize(width: max(1, picture.width), height: max(1, picture.height))
    // A part smaller than a pixel still shows one pixel.
    let width = max(1, part.width * Double(picture.width))
    let height = max(1, part.height * Double(picture.height))
    let scale: Double
    let fills: Bool
    let target: PixelSize
    switch size {
    case .whole: (scale, fills, target) = (1, false, PixelSize(width: 1, height: 1))
    case .fitting(let wide, let high):
      (scale, fills) = (min(Double(wide) / width, Double(high) / height), false)
      target = PixelSize(width: wide, height: high)
    case .filling(let wide, let high):
      (scale, fills) = (max(Double(wide) / width, Double(high) / height), true)
      target = PixelSize(width: wide, height: high)
    }
    let source = picture.scaled(by: min(scale, 1))
    guard isExact else { return Plan(source: source, cut: .whole, result: nil) }
    guard fills else {
      let result = PixelSize(
        width: max(1, Int((width * scale).rounded())), height: max(1, Int((height * scale).rounded())))
      return Plan(source: source, cut: part, result: result)
    }
    let cut = part.middle(
      width: Double(target.width) / scale / Double(picture.width),
      height: Double(target.height) / scale / Double(picture.height))
    return Plan(source: source, cut: cut, result: target)
  }
}

/// A rectangle in fractions of a picture's sides, from the upper left corner.
public struct UnitRect: Hashable, Sendable {
  public let x: Double
  public let y: Double
  public let width: Double
  public let height: Double

  public static let whole = UnitRect(uncheckedX: 0, y: 0, width: 1, height: 1)

  /// Creates the part of the rectangle that is inside the picture; `nil` if no part is.
  public init?(x: Double, y: Double, width: Double, height: Double) {
    guard x.isFinite, y.isFinite, width.isFinite, height.isFinite else { return nil }
    let left = max(0, x)
    let top = max(0, y)
    let right = min(1, x + width)
    let bottom = min(1, y + height)
    guard right > left, bottom > top else { return nil }
    self.init(uncheckedX: left, y: top, width: right - left, height: bottom - top)
  }

  package init(uncheckedX x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Returns a smaller rectangle in the middle of this one.
  fileprivate func middle(width: Double, height: Double) -> UnitRect {
    let width = min(width, self.width)
    let height = min(height, self.height)
    return UnitRect(
      uncheckedX: x + (self.width - width) / 2, y: y + (self.height - height) / 2, width: width, height: height)
  }

  /// Returns the rectangle in whole pixels of a picture, at least one in each direction.
  package func pixels(in picture: PixelSize) -> (x: Range<Int>, y: Range<Int>) {
    (Self.range(x, width, in: picture.width), Self.range(y, height, in: picture.height))
  }

  private static func range(_ start: Double, _ length: Double, in side: Int) -> Range<Int> {
    let first = min(max(0, Int((start * Double(side)).rounded())), side - 1)
    let end = min(max(first + 1, Int(((start + length) * Double(side)).rounded())), side)
    return first..<end
  }
}
