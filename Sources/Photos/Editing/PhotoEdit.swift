import Foundation

/// An edit as a value, and the content of the adjustment data of Calotype's own edits.
///
///     var edit = PhotoEdit()
///     edit.filter = .sepia
///     edit.crop = .init(x: 0, y: 0.25, width: 1, height: 0.5)
///     edit.turn(byQuarters: 1)
///     let brown = edit.applied(to: image)           // a CIImage, or a movie's frame
///     try await asset.edit { $0.filter = .noir }    // resumes, renders and commits in one call
///
/// The order of the steps is fixed. The upright picture is mirrored and turned, straightened, and
/// cropped. Then exposure, warmth, contrast, saturation and the filter are applied. Zero and `nil`
/// change nothing. Numbers outside their ranges are clamped.
public struct PhotoEdit: Hashable, Sendable {
  /// A filter: Core Image's photo effects by their names, and sepia.
  public enum Filter: String, Codable, CaseIterable, Sendable {
    case sepia, chrome, mono, noir, tonal, fade, process, transfer, instant
  }

  /// A part of the picture, in fractions of its sides, from the upper left corner.
  public struct Crop: Hashable, Codable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  public enum Axis: String, CaseIterable, Sendable {
    /// Exchanges left and right.
    case horizontal
    /// Exchanges top and bottom.
    case vertical
  }

  public var filter: Filter?
  /// The part of the turned and straightened picture that is kept.
  public var crop: Crop?
  /// The angle in degrees clockwise. The picture is enlarged just enough to leave no corner empty.
  public var straighten = 0.0
  /// The exposure in stops: 1 is twice the light.
  public var exposure = 0.0
  /// The contrast: -1 is half of the original, 1 is twice.
  public var contrast = 0.0
  /// The saturation: -1 is gray, 1 is twice as colorful.
  public var saturation = 0.0
  /// The warmth: below zero toward blue, above toward yellow.
  public var warmth = 0.0

  /// The number of clockwise quarter turns after mirroring, 0 to 3.
  public internal(set) var quarterTurns = 0
  /// Whether left and right are exchanged, before turning.
  public internal(set) var isMirrored = false

  public static let straightenRange = -45.0...45.0
  public static let exposureRange = -5.0...5.0
  /// The range of contrast, saturation and warmth.
  public static let amountRange = -1.0...1.0

  public init() {}

  /// Turns the edited picture clockwise, with its crop.
  public mutating func turn(byQuarters quarters: Int) {
    let quarters = (quarters % 4 + 4) % 4
    quarterTurns = (quarterTurns + quarters) % 4
    for _ in 0..<quarters {
      crop = crop.map { Crop(x: 1 - $0.y - $0.height, y: $0.x, width: $0.height, height: $0.width) }
    }
  }

  /// Mirrors the edited picture, with its crop.
  public mutating func flip(_ axis: Axis) {
    isMirrored.toggle()
    quarterTurns = (4 - quarterTurns) % 4
    straighten = straighten == 0 ? 0 : -straighten
    crop = crop.map { Crop(x: 1 - $0.x - $0.width, y: $0.y, width: $0.width, height: $0.height) }
    if axis == .vertical { turn(byQuarters: 2) }
  }

  /// Whether the edited picture equals the original.
  public var isIdentity: Bool { normalized == PhotoEdit() }

  /// Whether the edit only turns and mirrors, which needs no new encoding of a JPEG.
  public var isTurnOnly: Bool {
    var rest = normalized
    (rest.quarterTurns, rest.isMirrored) = (0, false)
    return rest == PhotoEdit()
  }

  /// The edit with its numbers clamped, and without a crop that removes nothing.
  var normalized: PhotoEdit {
    var edit = self
    edit.straighten = Self.straightenRange.nearest(to: straighten)
    edit.exposure = Self.exposureRange.nearest(to: exposure)
    for value in [\PhotoEdit.contrast, \.saturation, \.warmth] {
      edit[keyPath: value] = Self.amountRange.nearest(to: self[keyPath: value])
    }
    edit.crop = crop?.clampedToPicture
    return edit
  }
}

extension PhotoEdit.Crop {
  /// Whether the crop is not empty and inside the picture.
  public var isInsideThePicture: Bool {
    // Crops of turned pictures may contain rounding errors.
    let slack = 1e-9
    return [x, y, width, height].allSatisfy(\.isFinite) && width > 0 && height > 0 && x >= -slack && y >= -slack
      && x + width <= 1 + slack && y + height <= 1 + slack
  }

  /// The least side of a crop. It is less than a pixel of any picture, and greater than zero.
  private static let minimumSide = 1.0 / 65_536

  /// The crop clamped to the picture; `nil` if it removes nothing.
  fileprivate var clampedToPicture: Self? {
    guard [x, y, width, height].allSatisfy(\.isFinite) else { return nil }
    let (left, top) = (min(max(x, 0), 1 - Self.minimumSide), min(max(y, 0), 1 - Self.minimumSide))
    let (right, bottom) = (
      min(max(x + width, left + Self.minimumSide), 1), min(max(y + height, top + Self.minimumSide), 1)
    )
    if left == 0, top == 0, right == 1, bottom == 1 { return nil }
    return Self(x: left, y: top, width: right - left, height: bottom - top)
  }
}

extension ClosedRange<Double> {
  /// Returns the nearest value in the range; zero for NaN.
  fileprivate func nearest(to value: Double) -> Double {
    value.isNaN ? 0 : Swift.min(Swift.max(value, lowerBound), upperBound)
  }
}

extension PhotoEdit: CustomStringConvertible {
  /// The edit as a phrase for people: `sepia, cropped, turned by 90°, exposure +0.5`.
  public var description: String {
    let edit = normalized
    var parts = [edit.filter?.rawValue, edit.crop == nil ? nil : "cropped"].compactMap(\.self)
    if edit.straighten != 0 { parts.append("straightened by \(Self.text(edit.straighten))°") }
    if edit.isMirrored { parts.append("mirrored") }
    if edit.quarterTurns != 0 { parts.append("turned by \(edit.quarterTurns * 90)°") }
    for (name, value) in [
      ("exposure", edit.exposure), ("contrast", edit.contrast), ("saturation", edit.saturation),
      ("warmth", edit.warmth),
    ] where value != 0 {
      parts.append("\(name) \(value > 0 ? "+" : "")\(Self.text(value))")
    }
    return parts.isEmpty ? "no edits" : parts.joined(separator: ", ")
  }

  private static func text(_ value: Double) -> String { String(format: "%g", value) }
}
