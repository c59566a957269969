// The metadata names of AVFoundation, in its spelling.

/// A family of metadata keys.
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let common = AVMetadataKeySpace(rawValue: "comn")
  public static let quickTimeMetadata = AVMetadataKeySpace(rawValue: "mdta")
  public static let quickTimeUserData = AVMetadataKeySpace(rawValue: "udta")
}

/// A key with its family: `mdta/com.apple.quicktime.model`.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  private init(quickTime key: String) { self.init("mdta/com.apple.quicktime.\(key)") }
  private init(common key: AVMetadataKey) { self.init("common/\(key.rawValue)") }

  public static let quickTimeMetadataMake = Self(quickTime: "make")
  public static let quickTimeMetadataModel = Self(quickTime: "model")
  public static let quickTimeMetadataSoftware = Self(quickTime: "software")
  public static let quickTimeMetadataCreationDate = Self(quickTime: "creationdate")
  public static let quickTimeMetadataLocationISO6709 = Self(quickTime: "location.ISO6709")
  public static let quickTimeMetadataContentIdentifier = Self(quickTime: "content.identifier")
  public static let quickTimeMetadataTitle = Self(quickTime: "title")
  public static let quickTimeMetadataDescription = Self(quickTime: "description")
  public static let quickTimeMetadataAuthor = Self(quickTime: "author")
  public static let quickTimeMetadataArtist = Self(quickTime: "artist")
  public static let quickTimeMetadataComment = Self(quickTime: "comment")
  public static let quickTimeMetadataKeywords = Self(quickTime: "keywords")
  public static let quickTimeMetadataCopyright = Self(quickTime: "copyright")
  public static let commonIdentifierMake = Self(common: .commonKeyMake)
  public static let commonIdentifierModel = Self(common: .commonKeyModel)
  public static let commonIdentifierSoftware = Self(common: .commonKeySoftware)
  public static let commonIdentifierCreationDate = Self(common: .commonKeyCreationDate)
  public static let commonIdentifierLocation = Self(common: .commonKeyLocation)
  public static let commonIdentifierTitle = Self(common: .commonKeyTitle)
  public static let commonIdentifierDescription = Self(common: .commonKeyDescription)
  public static let commonIdentifierAuthor = Self(common: .commonKeyAuthor)
  public static let commonIdentifierArtist = Self(common: .commonKeyArtist)
  public static let commonIdentifierAlbumName = Self(common: .commonKeyAlbumName)
  public static let commonIdentifierCopyrights = Self(common: .commonKeyCopyrights)
}

/// A key that several families share.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let commonKeyMake = Self(rawValue: "make")
  public static let commonKeyModel = Self(rawValue: "model")
  public static let commonKeySoftware = Self(rawValue: "software")
  public static let commonKeyCreationDate = Self(rawValue: "creationDate")
  public static let commonKeyLocation = Self(rawValue: "location")
  public static let commonKeyTitle = Self(rawValue: "title")
  public static let commonKeyDescription = Self(rawValue: "description")
  public static let commonKeyAuthor = Self(rawValue: "author")
  public static let commonKeyArtist = Self(rawValue: "artist")
  public static let commonKeyAlbumName = Self(rawValue: "albumName")
  public static let commonKeyCopyrights = Self(rawValue: "copyrights")
}

/// A text in a movie's metadata.
///
///     let place = try await asset.load(.metadata).first { $0.identifier == .quickTimeMetadataLocationISO6709 }
///     place?.stringValue    // "+52.5200+013.4050+034.000/"
///
/// Immutable. The tracks' own items, pictures, locales and extra attributes are left out.
open class AVMetadataItem: NSObject, @unchecked Sendable {
  // Immutable after init; subclasses guard what they add.

  /// The QuickTime identifier, or the common identifier of a text that every container has.
  public let identifier: AVMetadataIdentifier?
  public let keySpace: AVMetadataKeySpace?
  private let name: String
  private let text: String
  public let commonKey: AVMetadataKey?

  /// Makes an item of a tag, as `ffprobe` names it.
  init(tag: String, value: String) {
    let prefix = "com.apple.quicktime."
    let isQuickTime = tag.hasPrefix(prefix)
    let short = isQuickTime ? String(tag.dropFirst(prefix.count)) : tag
    (name, text) = (tag, value)
    commonKey = Self.commonKeys[short]
    keySpace = isQuickTime ? .quickTimeMetadata : commonKey == nil ? .quickTimeUserData : .common
    identifier = AVMetadataIdentifier(
      isQuickTime ? "mdta/\(tag)" : commonKey.map { "common/\($0.rawValue)" } ?? "udta/\(tag)")
  }

  open var key: (any NSCopying & NSObjectProtocol)? { name as NSString }
  open var value: (any NSCopying & NSObjectProtocol)? { text as NSString }
  open var stringValue: String? { text }
  /// The text's bytes in UTF-8.
  open var dataValue: Data? { Data(text.utf8) }
  /// The text as a number, or `nil` if it is not one.
  open var numberValue: NSNumber? { Double(text).map { NSNumber(value: $0) } }
  /// The text as a date, or `nil` if it is not one.
  open var dateValue: Date? {
    for options: ISO8601DateFormatter.Options in [
      [.withInternetDateTime], [.withInternetDateTime, .withFractionalSeconds],
    ] {
      let formatter = ISO8601DateFormatter()
      formatter.formatOptions = options
      // QuickTime writes +0200, without a colon.
      let spelled = text.replacingOccurrences(
        of: "([+-][0-9]{2})([0-9]{2})$", with: "$1:$2", options: .regularExpression)
      if let date = formatter.date(from: spelled) { return date }
    }
    return nil
  }

  /// Returns the items with an identifier.
  public class func metadataItems(from items: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier)
    -> [AVMetadataItem]
  {
    items.filter { item in
      item.identifier == identifier || item.commonKey.map { "common/\($0.rawValue)" == identifier.rawValue } ?? false
    }
  }

  /// Returns the items with a key of a family. A `nil` key or family matches any.
  public class func metadataItems(from items: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?)
    -> [AVMetadataItem]
  {
    let name = (key as? AVMetadataKey)?.rawValue ?? key as? String
    return items.filter { item in
      switch keySpace {
      case .common?: item.commonKey != nil && (name == nil || item.commonKey?.rawValue == name)
      default: (keySpace == nil || item.keySpace == keySpace) && (name == nil || item.name == name)
      }
    }
  }

  private static let commonKeys: [String: AVMetadataKey] = [
    "make": .commonKeyMake, "model": .commonKeyModel, "software": .commonKeySoftware, "encoder": .commonKeySoftware,
    "creationdate": .commonKeyCreationDate, "creation_time": .commonKeyCreationDate, "date": .commonKeyCreationDate,
    "location.ISO6709": .commonKeyLocation, "location": .commonKeyLocation, "title": .commonKeyTitle,
    "description": .commonKeyDescription, "comment": .commonKeyDescription, "author": .commonKeyAuthor,
    "artist": .commonKeyArtist, "album": .commonKeyAlbumName, "copyright": .commonKeyCopyrights,
  ]
}

extension AVAsset {
  /// The items that have a common key.
  public var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }

  /// The item with the date of the recording: QuickTime's if present, else the container's.
  public var creationDate: AVMetadataItem? {
    metadata.first { $0.identifier == .quickTimeMetadataCreationDate }
      ?? metadata.first { $0.commonKey == .commonKeyCreationDate }
  }
}

extension AVAsyncProperty where Root == AVAsset, Value == [AVMetadataItem] {
  public static var metadata: AVAsyncProperty<AVAsset, [AVMetadataItem]> { .init { try $0.readMetadataItems() } }
  public static var commonMetadata: AVAsyncProperty<AVAsset, [AVMetadataItem]> {
    .init { try $0.readMetadataItems().filter { $0.commonKey != nil } }
  }
}

extension AVAsyncProperty where Root == AVAsset, Value == AVMetadataItem? {
  public static var creationDate: AVAsyncProperty<AVAsset, AVMetadataItem?> {
    .init { asset in
      _ = try asset.readMetadataItems()
      return asset.creationDate
    }
  }
}

extension AVAsyncProperty where Root == AVMetadataItem, Value == String? {
  public static var stringValue: AVAsyncProperty<AVMetadataItem, String?> { .init { $0.stringValue } }
}

extension AVAsyncProperty where Root == AVMetadataItem, Value == NSNumber? {
  public static var numberValue: AVAsyncProperty<AVMetadataItem, NSNumber?> { .init { $0.numberValue } }
}

extension AVAsyncProperty where Root == AVMetadataItem, Value == Date? {
  public static var dateValue: AVAsyncProperty<AVMetadataItem, Date?> { .init { $0.dateValue } }
}

extension AVAsyncProperty where Root == AVMetadataItem, Value == Data? {
  public static var dataValue: AVAsyncProperty<AVMetadataItem, Data?> { .init { $0.dataValue } }
}

extension AVAsyncProperty where Root == AVMetadataItem, Value == (any NSCopying & NSObjectProtocol)? {
  public static var value: AVAsyncProperty<AVMetadataItem, (any NSCopying & NSObjectProtocol)?> { .init { $0.value } }
}
