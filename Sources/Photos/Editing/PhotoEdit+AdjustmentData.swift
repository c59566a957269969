import Foundation

// The adjustment data of an edit is one JSON object. Its keys are the properties that differ from
// those of an empty edit:
// {"crop":{"height":0.5,"width":1,"x":0,"y":0.25},"filter":"sepia","rotate":90}

extension PhotoEdit {
  public static let formatIdentifier = "org.calotype.edit"
  public static let formatVersion = "1"

  /// Reads an edit. Throws `invalidResource` for another program's edit, for a later version, and
  /// for unknown keys.
  ///
  ///     options.canHandleAdjustmentData = { (try? PhotoEdit($0)) != nil }
  public init(_ adjustmentData: PHAdjustmentData) throws {
    let (identifier, version) = (adjustmentData.formatIdentifier, adjustmentData.formatVersion)
    guard identifier == Self.formatIdentifier, version == Self.formatVersion else {
      throw PHPhotosError(
        .invalidResource,
        "the edit's format is \(identifier) \(version); only \(Self.formatIdentifier) \(Self.formatVersion) is supported"
      )
    }
    do { self = try JSONDecoder().decode(PhotoEdit.self, from: adjustmentData.data) } catch {
      throw PHPhotosError(.invalidResource, "\(identifier): \(Self.reason(error))", cause: error)
    }
  }

  /// The edit as data. Equal edits produce the same bytes.
  public var adjustmentData: PHAdjustmentData {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // Words and numbers within ranges can always be encoded.
    let data = (try? encoder.encode(self)) ?? Data("{}".utf8)
    return PHAdjustmentData(formatIdentifier: Self.formatIdentifier, formatVersion: Self.formatVersion, data: data)
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
    default: return error.localizedDescription
    }
  }
}

extension PhotoEdit: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case filter, crop, straighten, rotate, mirror, exposure, contrast, saturation, warmth
  }

  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  public init(from decoder: any Decoder) throws {
    self.init()
    // Unknown keys must not be lost, so the edit is refused.
    for key in try decoder.container(keyedBy: AnyKey.self).allKeys where Key(rawValue: key.stringValue) == nil {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [key], debugDescription: "unknown step in version \(Self.formatVersion)"))
    }
    let values = try decoder.container(keyedBy: Key.self)
    filter = try values.decodeIfPresent(Filter.self, forKey: .filter)
    crop = try values.decodeIfPresent(Crop.self, forKey: .crop)
    guard crop?.isInsideThePicture ?? true else {
      throw DecodingError.dataCorruptedError(
        forKey: .crop, in: values, debugDescription: "it is not inside the picture")
    }
    let degrees = try values.decodeIfPresent(Int.self, forKey: .rotate) ?? 0
    guard [0, 90, 180, 270].contains(degrees) else {
      throw DecodingError.dataCorruptedError(
        forKey: .rotate, in: values, debugDescription: "\(degrees) is none of 0, 90, 180, 270")
    }
    quarterTurns = degrees / 90
    isMirrored = try values.decodeIfPresent(Bool.self, forKey: .mirror) ?? false
    func number(_ key: Key, _ range: ClosedRange<Double>) throws -> Double {
      let value = try values.decodeIfPresent(Double.self, forKey: key) ?? 0
      guard range.contains(value) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: values,
          debugDescription: "\(value) is not within \(range.lowerBound) and \(range.upperBound)")
      }
      return value
    }
    straighten = try number(.straighten, Self.straightenRange)
    exposure = try number(.exposure, Self.exposureRange)
    contrast = try number(.contrast, Self.amountRange)
    saturation = try number(.saturation, Self.amountRange)
    warmth = try number(.warmth, Self.amountRange)
  }

  public func encode(to encoder: any Encoder) throws {
    let edit = normalized
    var values = encoder.container(keyedBy: Key.self)
    try values.encodeIfPresent(edit.filter, forKey: .filter)
    try values.encodeIfPresent(edit.crop, forKey: .crop)
    if edit.quarterTurns != 0 { try values.encode(edit.quarterTurns * 90, forKey: .rotate) }
    if edit.isMirrored { try values.encode(true, forKey: .mirror) }
    for (key, value) in [
      (Key.straighten, edit.straighten), (.exposure, edit.exposure), (.contrast, edit.contrast),
      (.saturation, edit.saturation), (.warmth, edit.warmth),
    ] where value != 0 {
      try values.encode(value, forKey: key)
    }
  }
}
