internal import LibraryStore

/// A key with its aliases, and the values that it can be compared with.
struct PredicateKey: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case identifier, date, integer, real, bits, boolean, text

    var isNumber: Bool { self == .integer || self == .real || self == .bits }

    /// The values that it can be compared with, for errors.
    var values: String {
      switch self {
      case .identifier: "identifiers or objects"
      case .date: "dates"
      case .integer, .real: "numbers"
      case .bits: "integers"
      case .boolean: "YES and NO"
      case .text: "texts"
      }
    }

    var operators: String {
      switch self {
      case .identifier: "==, != and IN"
      case .boolean: "==, != and IN"
      case .date, .integer, .real: "==, !=, <, <=, >, >=, BETWEEN and IN"
      case .bits: "==, !=, IN and & as in “(mediaSubtypes & 4) != 0”"
      case .text: "==, !=, <, <=, >, >=, BETWEEN, IN, CONTAINS, BEGINSWITH, ENDSWITH, LIKE and MATCHES"
      }
    }
  }

  /// The names. Errors and the documentation use the first one.
  let names: [String]
  let key: FetchKey
  let kind: Kind
  /// Whether PhotoKit lacks this key.
  let isExtension: Bool

  private init(_ key: FetchKey, _ kind: Kind, _ names: String..., isExtension: Bool = false) {
    self.key = key
    self.kind = kind
    self.names = names
    self.isExtension = isExtension
  }

  static let ofAssets: [PredicateKey] = [
    PredicateKey(.uuid, .identifier, "localIdentifier", "SELF", "self"),
    PredicateKey(.creationDate, .date, "creationDate"),
    PredicateKey(.modificationDate, .date, "modificationDate"),
    PredicateKey(.addedDate, .date, "addedDate"),
    PredicateKey(.mediaType, .integer, "mediaType"),
    PredicateKey(.mediaSubtypes, .bits, "mediaSubtypes", "mediaSubtype"),
    PredicateKey(.duration, .real, "duration"),
    PredicateKey(.pixelWidth, .integer, "pixelWidth"),
    PredicateKey(.pixelHeight, .integer, "pixelHeight"),
    PredicateKey(.isFavorite, .boolean, "favorite", "isFavorite"),
    PredicateKey(.isHidden, .boolean, "hidden", "isHidden"),
    PredicateKey(.burstIdentifier, .text, "burstIdentifier"),
    PredicateKey(.localDate, .date, "localCreationDate", isExtension: true),
    PredicateKey(.localDay, .integer, "localCreationDay", isExtension: true),
    PredicateKey(.hasAdjustments, .boolean, "hasAdjustments", isExtension: true),
    PredicateKey(.originalFilename, .text, "originalFilename", "filename", isExtension: true),
    PredicateKey(.fileSize, .integer, "fileSize", isExtension: true),
    PredicateKey(.uniformTypeIdentifier, .text, "uniformTypeIdentifier", isExtension: true),
    PredicateKey(.cameraModel, .text, "cameraModel", isExtension: true),
    PredicateKey(.latitude, .real, "latitude", isExtension: true),
    PredicateKey(.longitude, .real, "longitude", isExtension: true),
  ]

  static let ofCollections: [PredicateKey] = [
    PredicateKey(.uuid, .identifier, "localIdentifier", "SELF", "self"),
    PredicateKey(.title, .text, "localizedTitle", "title"),
    PredicateKey(.startDate, .date, "startDate"),
    PredicateKey(.endDate, .date, "endDate"),
    PredicateKey(.modificationDate, .date, "modificationDate", isExtension: true),
  ]

  static let assetCount = PredicateKey(.assetCount, .integer, "estimatedAssetCount")
}
