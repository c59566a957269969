import Foundation
internal import LibraryStore

/// What an edit is: the words of the program that made it, with which it can take the edit up again.
///
///     output.adjustmentData = PHAdjustmentData(
///       formatIdentifier: "com.example.filters", formatVersion: "1.0", data: Data("sepia".utf8))
///
/// Identifier and version tell a program whether it can read the data; compare both before use. Immutable. At most 16 MB
/// are taken; a recipe is meant, not pictures.
public final class PHAdjustmentData: NSObject, Sendable {
  /// In the manner of `com.example.filters`.
  public let formatIdentifier: String
  /// Of that format, in any manner: whoever reads it compares it.
  public let formatVersion: String
  /// What the program needs to make the edit anew; nobody else looks into it.
  public let data: Data

  /// Checks nothing: what is too large fails when the edit is committed.
  public init(formatIdentifier: String, formatVersion: String, data: Data) {
    self.formatIdentifier = formatIdentifier
    self.formatVersion = formatVersion
    self.data = data
  }

  static let byteLimit = 16 << 20
}

// The property list that an edit is kept as: that of the AAE files which iPhones write, so that each reads the other's.

extension PHAdjustmentData {
  private enum Key {
    static let formatIdentifier = "adjustmentFormatIdentifier"
    static let formatVersion = "adjustmentFormatVersion"
    static let data = "adjustmentData"
    static let timestamp = "adjustmentTimestamp"
  }

  /// Extension: reads the property list of an edit, `Adjustments.plist` or an iPhone's `IMG_0001.AAE`; `nil` for any other file.
  public convenience init?(contentsOf fileURL: URL) {
    guard let bytes = try? FilePath(fileURL).contents(limit: Self.fileByteLimit) else { return nil }
    self.init(propertyList: bytes)
  }

  /// The data is written in letters, which takes more.
  static let fileByteLimit = 2 * byteLimit

  convenience init?(propertyList bytes: Data) {
    guard let content = Self.content(ofPropertyList: bytes), let identifier = content[Key.formatIdentifier] as? String
    else { return nil }
    self.init(
      formatIdentifier: identifier, formatVersion: content[Key.formatVersion] as? String ?? "",
      data: content[Key.data] as? Data ?? Data())
  }

  /// When the edit was made, as its property list says.
  static func timestamp(inPropertyList bytes: Data) -> Date? { content(ofPropertyList: bytes)?[Key.timestamp] as? Date }

  private static func content(ofPropertyList bytes: Data) -> [String: Any]? {
    FlatPropertyList.read(bytes)
  }

  func propertyList(at date: Date) throws -> Data {
    guard data.count <= Self.byteLimit else {
      throw PHPhotosError(
        .invalidResource,
        "\(formatIdentifier): \(data.count) bytes of adjustment data, and \(Self.byteLimit) are the most")
    }
    let content: [String: Any] = [
      Key.formatIdentifier: formatIdentifier, Key.formatVersion: formatVersion, Key.data: data, Key.timestamp: date,
    ]
    return try PropertyListSerialization.data(fromPropertyList: content, format: .xml, options: 0)
  }
}
