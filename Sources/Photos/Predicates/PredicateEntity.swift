import Foundation
internal import LibraryStore

/// What a fetch finds, and which keys that has.
enum PredicateEntity: String, Hashable, Sendable {
  case asset = "assets"
  case assetCollection = "albums"
  case collectionList = "folders"
  case collection = "collections"

  init(_ type: PHObject.Type) {
    self =
      switch type {
      case is PHAssetCollection.Type: .assetCollection
      case is PHCollectionList.Type: .collectionList
      case is PHCollection.Type: .collection
      default: .asset
      }
  }

  var keys: [PredicateKey] {
    switch self {
    case .asset: PredicateKey.ofAssets
    case .assetCollection: PredicateKey.ofCollections + [PredicateKey.assetCount]
    case .collectionList, .collection: PredicateKey.ofCollections
    }
  }

  func key(named name: String) -> PredicateKey? { keys.first { $0.names.contains(name) } }

  /// Every name, for errors.
  var keyNames: String { keys.map { $0.names[0] }.joined(separator: ", ") }
}

/// A key with its aliases, and what it can be compared with.
struct PredicateKey: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case identifier, date, number, bits, boolean, text
  }

  let names: [String]
  let key: FetchKey
  let kind: Kind

  private init(_ key: FetchKey, _ kind: Kind, _ names: String...) {
    self.key = key
    self.kind = kind
    self.names = names
  }

  static let ofAssets: [PredicateKey] = [
    PredicateKey(.uuid, .identifier, "localIdentifier", "SELF", "self"),
    PredicateKey(.creationDate, .date, "creationDate"),
    PredicateKey(.modificationDate, .date, "modificationDate"),
    PredicateKey(.addedDate, .date, "addedDate"),
    PredicateKey(.mediaType, .number, "mediaType"),
    PredicateKey(.mediaSubtypes, .bits, "mediaSubtypes", "mediaSubtype"),
    PredicateKey(.duration, .number, "duration"),
    PredicateKey(.pixelWidth, .number, "pixelWidth"),
    PredicateKey(.pixelHeight, .number, "pixelHeight"),
    PredicateKey(.isFavorite, .boolean, "favorite", "isFavorite"),
    PredicateKey(.isHidden, .boolean, "hidden", "isHidden"),
    PredicateKey(.burstIdentifier, .text, "burstIdentifier"),
    // Extensions of PhotoKit's keys.
    PredicateKey(.localDate, .date, "localCreationDate"),
    PredicateKey(.hasAdjustments, .boolean, "hasAdjustments"),
    PredicateKey(.originalFilename, .text, "originalFilename", "filename"),
    PredicateKey(.fileSize, .number, "fileSize"),
    PredicateKey(.uniformTypeIdentifier, .text, "uniformTypeIdentifier"),
    PredicateKey(.cameraModel, .text, "cameraModel"),
    PredicateKey(.latitude, .number, "latitude"),
    PredicateKey(.longitude, .number, "longitude"),
  ]

  static let ofCollections: [PredicateKey] = [
    PredicateKey(.uuid, .identifier, "localIdentifier", "SELF", "self"),
    PredicateKey(.title, .text, "localizedTitle", "title"),
    PredicateKey(.startDate, .date, "startDate"),
    PredicateKey(.endDate, .date, "endDate"),
    PredicateKey(.modificationDate, .date, "modificationDate"),
  ]

  static let assetCount = PredicateKey(.assetCount, .number, "estimatedAssetCount")
}
