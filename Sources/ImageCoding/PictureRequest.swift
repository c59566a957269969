import MediaMetadata

/// How large a picture is wanted, and what of it.
///
///     let request = PictureRequest(.filling(width: 300, height: 300), isExact: true)
///     let pixels = try makePicture(of: file, metadata: metadata, request)      // 300 × 300, the middle of the picture
///
/// Sizes are pixels of the upright picture. A picture that need not be exact is never enlarged and never cut; it may come out
/// up to half as large again as was asked for.
public struct PictureRequest: Hashable, Sendable {
  public enum Size: Hashable, Sendable {
    /// Every pixel.
    case whole
    /// As large as fits inside.
    case fitting(width: Int, height: Int)
    /// As small as leaves nothing of it empty.
    case filling(width: Int, height: Int)
  }

  public var size: Size
  /// What is cut out of the picture first; only an exact picture is cut.
  public var part: UnitRect
  public var isExact: Bool

  public init(_ size: Size, part: UnitRect = .whole, isExact: Bool = false) {
    self.size = size
    self.part = isExact ? part : .whole
    self.isExact = isExact
  }

  /// The least size of the whole picture that this can be made of; never larger than the picture.
  public func sourceSize(of picture: PixelSize) -> PixelSize { plan(for: picture).source }

  /// The most pixels that this makes of a picture.
  public func largestPixelCount(of picture: PixelSize) -> Int {
    // Only an exact picture is enlarged.
    let most = pixelBound(of: picture)
    return plan(for: picture).result == nil ? min(most, max(1, picture.pixels)) : most
  }

  /// The same, with what decoders give beyond what a file's headers say.
  private func pixelBound(of picture: PixelSize) -> Int {
    let plan = plan(for: picture)
    let size = plan.result ?? plan.source
    let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    // More than a decoder may give is refused.
    let most = DecodingLimits.standard.pixels
    return overflow || pixels > most ? most : plan.result == nil ? pixels * 9 / 4 : pixels
  }

  /// Whether a picture of this size, of a whole of that size, is handed out as it is: large enough is told by `sourceSize`.
  public func accepts(_ size: PixelSize, of whole: PixelSize) -> Bool { plan(for: whole).accepts(size) }

  /// Whether this can have been made of a picture; `told` is the size that its file told, `nil` where it told none or one that may
  /// differ.
  package func canGive(_ size: PixelSize, of told: PixelSize?) -> Bool {
    if let told {
      guard let result = plan(for: told).result else {
        return size.pixels <= max(pixelBound(of: told), Self.alwaysGiven)
      }
      return size == result
    }
    switch self.size {
    case .whole: return true
    case .fitting(let width, let height) where isExact:
      return size.width <= max(1, width) && size.height <= max(1, height)
    // Half as large again.
    case .fitting(let width, let height): return size.longSide / 3 <= max(width, height) / 2
    case .filling(let width, let height): return !isExact || size == PixelSize(width: width, height: height)
    }
  }

  /// Pixels that a file may have beyond what it told: no more than a thumbnail's.
  private static let alwaysGiven = thumbnailPixelLimit

  /// What this comes to for a picture of a known size.
  package struct Plan: Equatable {
    /// The whole picture, at least this large.
    package var source: PixelSize
    /// What stays of it.
    package var cut: UnitRect
    /// How large that becomes; `nil`: as it is.
    package var result: PixelSize?

    /// Whether a picture need not be made smaller: whoever draws it would have twice the work, else.
    package func accepts(_ size: PixelSize) -> Bool {
      result == nil && size.longSide <= source.longSide + source.longSide / 2
    }
  }

  package func plan(for picture: PixelSize) -> Plan {
    // A file that doesn't tell its size has one all the same.
    let picture = PixelSize(width: max(1, picture.width), height: max(1, picture.height))
    // What is smaller than a pixel shows one.
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

/// A rectangle in fractions of a picture's sides, from its upper left corner.
public struct UnitRect: Hashable, Sendable {
  public let x: Double
  public let y: Double
  public let width: Double
  public let height: Double

  public static let whole = UnitRect(unchecked: 0, 0, 1, 1)

  /// The part of the rectangle that lies in the picture; `nil` where nothing does.
  public init?(x: Double, y: Double, width: Double, height: Double) {
    guard x.isFinite, y.isFinite, width.isFinite, height.isFinite else { return nil }
    let left = max(0, x)
    let top = max(0, y)
    let right = min(1, x + width)
    let bottom = min(1, y + height)
    guard right > left, bottom > top else { return nil }
    self.init(unchecked: left, top, right - left, bottom - top)
  }

  package init(unchecked x: Double, _ y: Double, _ width: Double, _ height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// A smaller rectangle in the middle of this one.
  fileprivate func middle(width: Double, height: Double) -> UnitRect {
    let width = min(width, self.width)
    let height = min(height, self.height)
    return UnitRect(unchecked: x + (self.width - width) / 2, y + (self.height - height) / 2, width, height)
  }

  /// The rectangle in whole pixels of a picture; at least one.
  package func pixels(in picture: PixelSize) -> (x: Range<Int>, y: Range<Int>) {
    (Self.range(x, width, in: picture.width), Self.range(y, height, in: picture.height))
  }

  private static func range(_ start: Double, _ length: Double, in side: Int) -> Range<Int> {
    let first = min(max(0, Int((start * Double(side)).rounded())), side - 1)
    let end = min(max(first + 1, Int(((start + length) * Double(side)).rounded())), side)
    return first..<end
  }
}
