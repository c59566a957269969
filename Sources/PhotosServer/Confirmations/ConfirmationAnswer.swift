import Foundation
import Photos
import PhotosJSON

/// The answer to `GET /api/v1/confirmations`: what clients want to delete.
struct ConfirmationsAnswer: Codable, Hashable {
  var confirmations: [Confirmation]

  struct Confirmation: Codable, Hashable {
    var id: String
    var client: Client
    var since: String
    /// The number of objects that are to be deleted.
    var count: Int
    /// Whether assets are to be deleted with their files, and not moved to Recently Deleted.
    var isPermanent: Bool
    /// The assets, with the versions of their pictures.
    var assets: [Asset]
    /// The albums and folders.
    var collections: [Collection]
  }

  struct Client: Codable, Hashable {
    var name: String
    var identifier: String
  }

  struct Asset: Codable, Hashable {
    var id: String
    var version: String
  }

  struct Collection: Codable, Hashable {
    var id: String
    var title: String
  }

  /// Describes questions, as the owner sees their objects.
  init(_ questions: [Confirmations.Question], in library: PHPhotoLibrary) throws {
    confirmations = try questions.map { try Confirmation($0, in: library) }
  }
}

extension ConfirmationsAnswer.Confirmation {
  fileprivate init(_ question: Confirmations.Question, in library: PHPhotoLibrary) throws {
    let name = ForeignText.cleaned(question.client.name, limit: ClientTexts.longestName)
    self.init(
      id: question.id, client: .init(name: name, identifier: question.client.identifier),
      since: question.date.formatted(.iso8601), count: question.deletions.reduce(0) { $0 + $1.localIdentifiers.count },
      isPermanent: question.isPermanent, assets: [], collections: [])
    let options = PHFetchOptions()
    options.photoLibrary = library
    for deletion in question.deletions {
      let identifiers = deletion.localIdentifiers
      switch deletion.kind {
      case .assets:
        add(try PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: options).all())
      case .recentlyDeletedAssets:
        let wanted = Set(identifiers)
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        add(try PHAsset.fetchRecentlyDeletedAssets(with: options).all().filter { wanted.contains($0.localIdentifier) })
      case .albums:
        let found = PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: identifiers, options: options)
        for album in try found.all() { add(album) }
      case .folders:
        let found = PHCollectionList.fetchCollectionLists(withLocalIdentifiers: identifiers, options: options)
        for folder in try found.all() {
          add(folder)
          count += try add(everythingIn: folder, options)
        }
      }
    }
  }

  private mutating func add(_ collection: PHCollection) {
    collections.append(.init(id: collection.plainIdentifier, title: collection.localizedTitle ?? ""))
  }

  /// Adds the albums and folders that are deleted with a folder. Returns their number.
  private mutating func add(everythingIn folder: PHCollectionList, _ options: PHFetchOptions) throws -> Int {
    let children = try PHCollection.fetchCollections(in: folder, options: options).all()
    var count = children.count
    for child in children {
      add(child)
      if let folder = child as? PHCollectionList { count += try add(everythingIn: folder, options) }
    }
    return count
  }

  private mutating func add(_ assets: [PHAsset]) {
    self.assets += assets.map { .init(id: $0.uuid, version: $0.renditionVersion) }
  }
}
