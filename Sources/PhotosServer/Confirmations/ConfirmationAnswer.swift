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
      since: question.date.formatted(.iso8601), count: 0, isPermanent: question.isPermanent, assets: [],
      collections: [])
    var found: [PHCollection] = []
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
        let albums = PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: identifiers, options: options)
        found += try albums.all()
      case .folders:
        let folders = PHCollectionList.fetchCollectionLists(withLocalIdentifiers: identifiers, options: options)
        found += try folders.all()
      }
    }
    try add(found, options)
    count = assets.count + collections.count
  }

  /// Adds albums and folders with everything in the folders, each once.
  private mutating func add(_ named: [PHCollection], _ options: PHFetchOptions) throws {
    var known: Set<String> = []
    var pending = Array(named.reversed())
    while let collection = pending.popLast() {
      guard known.insert(collection.localIdentifier).inserted else { continue }
      collections.append(.init(id: collection.plainIdentifier, title: collection.localizedTitle ?? ""))
      guard let folder = collection as? PHCollectionList else { continue }
      pending += try PHCollection.fetchCollections(in: folder, options: options).all().reversed()
    }
  }

  private mutating func add(_ assets: [PHAsset]) {
    self.assets += assets.map { .init(id: $0.uuid, version: $0.renditionVersion) }
  }
}
