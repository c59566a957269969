import Foundation
import Photos

/// A batch whose identifiers were looked up: the steps of one change block.
struct BatchPlan: Sendable {
  /// The steps, each with the position of its change in the batch.
  var steps: [(change: Int, step: Step)] = []
  /// The albums of which steps use indexes, each with the assets that the indexes refer to.
  var contents: [CollectionKey: AlbumContents] = [:]
  /// The folders of which steps use indexes, each with its children.
  var children: [CollectionKey: FolderChildren] = [:]

  enum Step: Sendable {
    case set([PHAsset], AssetValues)
    case delete([PHAsset])
    case restore([PHAsset])
    case expunge([PHAsset])
    case revert([PHAsset])
    case edit([PHAsset], PhotoEdit)
    case create(String, isFolder: Bool, title: String)
    case rename(CollectionKey, title: String)
    case deleteCollections([PHAssetCollection], [PHCollectionList])
    case addAssets(CollectionKey, [PHAsset])
    case removeAssets(CollectionKey, [PHAsset])
    case moveAssets(CollectionKey, IndexSet, to: Int)
    case setKeyAsset(CollectionKey, PHAsset?)
    case addChildren(CollectionKey, [CollectionKey])
    case moveChildren(CollectionKey, IndexSet, to: Int)
  }

  /// The assets of an album before the batch.
  struct AlbumContents: Sendable {
    let result: PHFetchResult<PHAsset>
    /// The rows in the order after the steps so far.
    var rows: [Int64]
  }

  /// The children of a folder before the batch.
  struct FolderChildren: Sendable {
    let result: PHFetchResult<PHCollection>
    /// The children in the order after the steps so far.
    var keys: [CollectionKey]
  }

  /// The assets that get an edit, which is rendered before the change block.
  var edits: [(change: Int, asset: PHAsset, edit: PhotoEdit)] {
    steps.flatMap { change, step -> [(change: Int, asset: PHAsset, edit: PhotoEdit)] in
      guard case .edit(let assets, let edit) = step else { return [] }
      return assets.map { (change, $0, edit) }
    }
  }

  /// Whether the owner has to confirm the batch if a client sends it.
  var isDeleting: Bool {
    steps.contains { _, step in
      switch step {
      case .delete, .expunge, .deleteCollections: true
      default: false
      }
    }
  }
}

extension Failure {
  /// Returns the failure with the position of its change before the message.
  func inChange(_ index: Int) -> Failure { at("changes[\(index)]") }

  /// Returns the failure with a place of the request before the message.
  func at(_ path: String) -> Failure {
    var failure = self
    failure.message = "\(path): \(message)"
    return failure
  }
}

/// An album or a folder of a batch.
enum CollectionKey: Hashable, Sendable {
  case album(PHAssetCollection)
  case folder(PHCollectionList)
  case root
  /// A collection that the batch makes, by its name.
  case made(String, isFolder: Bool)

  var isFolder: Bool {
    switch self {
    case .album: false
    case .folder, .root: true
    case .made(_, let isFolder): isFolder
    }
  }
}

/// Requests the steps of a batch. It exists only inside a change block.
final class BatchRequests {
  private let plan: BatchPlan
  private let library: PHPhotoLibrary
  /// The rendered edits, in the order of the steps. Each step takes one for each of its assets.
  private var edits: IndexingIterator<[RenderedEdit]>
  private var albums: [CollectionKey: PHAssetCollectionChangeRequest] = [:]
  private var folders: [CollectionKey: PHCollectionListChangeRequest] = [:]
  private(set) var madeIDs: [String: String] = [:]
  /// The position of its change in the batch, for each request of the block. An album or a folder
  /// has one request, which belongs to the first change of it.
  private(set) var changes: [Int] = []

  init(_ plan: BatchPlan, in library: PHPhotoLibrary, edits: [RenderedEdit]) {
    self.plan = plan
    self.library = library
    self.edits = edits.makeIterator()
    for (change, step) in plan.steps {
      request(step)
      while changes.count < PHChangeRequest.countInBlock { changes.append(change) }
    }
  }

  private func request(_ step: BatchPlan.Step) {
    switch step {
    case .set(let assets, let values): for asset in assets { values.request(for: asset) }
    case .delete(let assets): PHAssetChangeRequest.deleteAssets(assets)
    case .restore(let assets): PHAssetChangeRequest.restoreAssets(assets)
    case .expunge(let assets): PHAssetChangeRequest.expungeAssets(assets)
    case .revert(let assets):
      for asset in assets { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
    case .edit(let assets, _): for _ in assets { edits.next()?.request() }
    case .create(let name, let isFolder, let title): create(name, isFolder: isFolder, title)
    case .rename(let key, let title):
      if key.isFolder { folder(key)?.title = title } else { album(key)?.title = title }
    case .deleteCollections(let albums, let folders):
      if !albums.isEmpty { PHAssetCollectionChangeRequest.deleteAssetCollections(albums) }
      if !folders.isEmpty { PHCollectionListChangeRequest.deleteCollectionLists(folders) }
    case .addAssets(let key, let assets): album(key)?.addAssets(assets)
    case .removeAssets(let key, let assets): album(key)?.removeAssets(assets)
    case .moveAssets(let key, let indexes, let index): album(key)?.moveAssets(at: indexes, to: index)
    case .setKeyAsset(let key, let asset): album(key)?.setKeyAsset(asset)
    case .addChildren(let key, let children): folder(key)?.addChildCollections(children.compactMap(object))
    case .moveChildren(let key, let indexes, let index): folder(key)?.moveChildCollections(at: indexes, to: index)
    }
  }

  private func create(_ name: String, isFolder: Bool, _ title: String) {
    let key = CollectionKey.made(name, isFolder: isFolder)
    if isFolder {
      folders[key] = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: title)
    } else {
      albums[key] = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
    }
    madeIDs[name] = object(key)?.plainIdentifier
  }

  private func object(_ key: CollectionKey) -> PHObject? {
    switch key {
    case .album(let album): album
    case .folder(let folder): folder
    case .root: nil
    case .made(_, isFolder: true): folders[key]?.placeholderForCreatedCollectionList
    case .made(_, isFolder: false): albums[key]?.placeholderForCreatedAssetCollection
    }
  }

  /// Returns the one request for an album.
  private func album(_ key: CollectionKey) -> PHAssetCollectionChangeRequest? {
    if let request = albums[key] { return request }
    guard case .album(let album) = key else { return nil }
    albums[key] = PHAssetCollectionChangeRequest(for: album, assets: plan.contents[key]?.result)
    return albums[key]
  }

  /// Returns the one request for a folder.
  private func folder(_ key: CollectionKey) -> PHCollectionListChangeRequest? {
    if let request = folders[key] { return request }
    let children = plan.children[key]?.result
    switch key {
    case .folder(let folder):
      folders[key] =
        if let children {
          PHCollectionListChangeRequest(for: folder, childCollections: children)
        } else {
          PHCollectionListChangeRequest(for: folder)
        }
    case .root:
      folders[key] = children.flatMap { PHCollectionListChangeRequest(forTopLevelCollectionListUserCollections: $0) }
    case .album, .made: break
    }
    return folders[key]
  }
}
