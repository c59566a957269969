import Foundation
internal import LibraryStore

/// The kind of objects that a fetch finds, which determines their keys.
///
///     PredicateEntity(PHAsset.self).key(named: "isFavorite")
enum PredicateEntity: String, Hashable, Sendable, CaseIterable {
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

  /// The first names of all keys, for errors.
  var keyNames: String { keys.map { $0.names[0] }.joined(separator: ", ") }

  /// Returns the message that there is no such key, with those that exist.
  func noKey(named name: String) -> String {
    if name == "location", self == .asset {
      return "“location” can't be used in a fetch; use latitude and longitude"
    }
    let owners = Self.allCases.filter { $0.key(named: name) != nil }
    if let owner = owners.first {
      return "“\(name)” is a key of \(owner.rawValue), not of \(rawValue); the keys of \(rawValue) are \(keyNames)"
    }
    let hint = nearestKey(to: name).map { "; did you mean “\($0)”?" } ?? ""
    return "\(rawValue) have no key “\(name)”\(hint)\(hint.isEmpty ? "; the" : " The") keys are \(keyNames)"
  }

  private func nearestKey(to name: String) -> String? {
    let known = keys.flatMap(\.names)
    if let other = known.first(where: { $0.lowercased() == name.lowercased() }) { return other }
    let nearest = known.map { (name: $0, distance: $0.editDistance(to: name)) }.min { $0.distance < $1.distance }
    return nearest.flatMap { $0.distance <= min(2, name.count / 3) ? $0.name : nil }
  }
}

extension FetchKey {
  /// Returns the key that a sort descriptor names.
  ///
  ///     try FetchKey.key(named: "creationDate", for: .asset)
  static func key(named name: String, for entity: PredicateEntity) throws -> FetchKey {
    guard let key = entity.key(named: name) else {
      throw PHPhotosError(
        .internalError, "Unsupported sort descriptor in fetch options: \(entity.noKey(named: name))")
    }
    return key.key
  }
}
