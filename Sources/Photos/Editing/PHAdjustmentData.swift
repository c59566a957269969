import Foundation
internal import LibraryStore

/// The description of an edit by the program that made it, from which the program can resume the
/// edit.
///
///     output.adjustmentData = PHAdjustmentData(
///       formatIdentifier: "com.example.filters", formatVersion: "1.0", data: Data("sepia".utf8))
///
/// Compare identifier and version before you read the data. It is immutable. At most 16 MB are
/// accepted, since it is meant for a recipe and not for pictures.
public final class PHAdjustmentData: NSObject, Sendable {
  /// The format, like `com.example.filters`.
  public let formatIdentifier: String
  /// The version of the format, in any form. The program that reads the data compares it.
  public let formatVersion: String
  /// The recipe of the edit, which only the program reads.
  public let data: Data

  /// Makes adjustment data without checks. Data that is too large fails the commit of the edit.
  public init(formatIdentifier: String, formatVersion: String, data: Data) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
  }

  static let byteLimit = 16 << 20
}

// The property list of an edit has the format of iPhones' AAE files, so that each can read the
// other's. Readers ignore keys that they don't know.

private enum Key {
  static let formatIdentifier = "adjustmentFormatIdentifier"
  static let formatVersion = "adjustmentFormatVersion"
  static let data = "adjustmentData"
  static let timestamp = "adjustmentTimestamp"
  static let originalByteCount = "calotypeOriginalByteCount"
  static let originalSHA256 = "calotypeOriginalSHA256"
}

extension PHAdjustmentData {

  /// The largest file that is read. The XML encodes the data as text, which takes more bytes.
  static let fileByteLimit = 2 * byteLimit

  convenience init?(propertyList bytes: Data) {
    guard let content = Self.content(ofPropertyList: bytes), let identifier = content[Key.formatIdentifier] as? String
    else { return nil }
    self.init(
      formatIdentifier: identifier, formatVersion: content[Key.formatVersion] as? String ?? "",
      data: content[Key.data] as? Data ?? Data())
  }

  /// Returns the date of the edit in its property list.
  static func timestamp(inPropertyList bytes: Data) -> Date? { content(ofPropertyList: bytes)?[Key.timestamp] as? Date }

  private static func content(ofPropertyList bytes: Data) -> [String: Any]? {
    FlatPropertyList.read(bytes)
  }

  func propertyList(at date: Date, ofOriginal original: EditedOriginal?) throws -> Data {
    guard data.count <= Self.byteLimit else {
      throw PHPhotosError(
        .invalidResource,
        "\(formatIdentifier): \(data.count) bytes of adjustment data, and \(Self.byteLimit) are the most")
    }
    var content: [String: Any] = [
      Key.formatIdentifier: formatIdentifier, Key.formatVersion: formatVersion, Key.data: data, Key.timestamp: date,
    ]
    if let original {
      content[Key.originalByteCount] = original.byteCount
      content[Key.originalSHA256] = original.sha256
    }
    return try PropertyListSerialization.data(fromPropertyList: content, format: .xml, options: 0)
  }
}

extension EditedOriginal {
  init?(propertyList bytes: Data) {
    guard let content = FlatPropertyList.read(bytes), let byteCount = content[Key.originalByteCount] as? Int,
      let sha256 = content[Key.originalSHA256] as? Data
    else { return nil }
    self.init(byteCount: byteCount, sha256: sha256)
  }
}
