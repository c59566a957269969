import Foundation
internal import LibraryStore

enum PredicateEntity {
  case asset, assetCollection, collectionList, collection
  init(_ type: PHObject.Type) {
    self =
      type is PHAssetCollection.Type
      ? .assetCollection
      : type is PHCollectionList.Type ? .collectionList : type is PHCollection.Type ? .collection : .asset
  }
}

extension NSPredicate {
  func condition(for entity: PredicateEntity) throws -> Condition { .always }
}
