import Foundation
import Photos

/// Looks up what the changes of a batch name, as far as the requester may see it, and checks it.
///
/// A failure names the place of the value in the request. Nothing has been changed then.
struct BatchResolver {
  private let library: PHPhotoLibrary
  private var plan = BatchPlan()
  /// The position of the change that is being resolved.
  private var change = 0
  /// The assets that the batch edits or reverts.
  private var edited: Set<PHAsset> = []
  private var made: Set<CollectionKey> = []
  /// The time that is left to match patterns.
  private var patternTime = Duration.seconds(PatternQueue.limit)
  /// The assets that the batch puts into albums.
  private var added: [CollectionKey: Set<PHAsset>] = [:]

  /// The albums in which a change names an index. Their assets are read before all changes.
  private let indexedAlbums: Set<String>

  private init(_ library: PHPhotoLibrary, _ changes: [BatchChange]) {
    self.library = library
    indexedAlbums = Set(changes.compactMap(\.indexedAlbum))
  }

  static func plan(_ changes: [BatchChange], in library: PHPhotoLibrary) throws -> BatchPlan {
    try library.require(.reading)
    if let index = changes.firstIndex(where: \.isOfCollections) {
      do { try library.require(.albums) } catch { throw Failure(error).inChange(index) }
    }
    try checkCount(changes)
    var resolver = BatchResolver(library, changes)
    for (index, change) in changes.enumerated() {
      resolver.change = index
      try resolver.resolve(change)
    }
    return resolver.plan
  }

  /// The largest number of assets that several changes of a batch name together. Each is in memory
  /// until the batch is committed. A single change can name no more than the library has.
  private static let assetLimit = 2_000_000

  private static func checkCount(_ changes: [BatchChange]) throws {
    var (count, namingChanges) = (0, 0)
    for (index, change) in changes.enumerated() {
      guard let named = change.selection?.count, named > 0 else { continue }
      (count, namingChanges) = (count + named, namingChanges + 1)
      guard count <= assetLimit || namingChanges == 1 else {
        throw Failure(.unprocessableContent, "the changes of a batch name at most \(assetLimit) assets together")
          .inChange(index)
      }
    }
  }

  private mutating func resolve(_ change: BatchChange) throws {
    switch change {
    case .setAssets(let selection, let values): add(.set(try assets(selection), values))
    case .deleteAssets(let selection): add(.delete(try assets(selection)))
    case .restoreAssets(let selection): add(.restore(try assets(selection, .recentlyDeleted)))
    case .deleteAssetsPermanently(let selection): add(.expunge(try assets(selection, .recentlyDeleted)))
    case .revertAssets(let selection, let version): add(.revert(try assetsToEdit(selection, version)))
    case .editAssets(let selection, let edit, let version): try self.edit(selection, edit, version)
    case .create(let creation): try create(creation)
    case .rename(let name, let title): add(.rename(try collection(name), title: title))
    case .deleteCollections(let names): try delete(names)
    case .moveCollections(let names, let parent, let index): try move(names, into: parent, index)
    case .addAssets(let name, let selection, let index): try addAssets(selection, to: album(name), index)
    case .removeAssets(let name, let selection): try removeAssets(selection, from: album(name))
    case .moveAssets(let name, let selection, let index): try moveAssets(selection, in: album(name), index)
    case .setKeyAsset(let name, let asset): try setKeyAsset(asset, of: album(name))
    }
  }

  private mutating func add(_ step: BatchPlan.Step) { plan.steps.append((change, step)) }

  /// Looks up assets. All ranges of a batch together may take as long to match patterns as one list
  /// may (`PatternQueue.limit`).
  private mutating func assets(
    _ selection: AssetSelection, _ part: AssetSelection.Part = .present
  ) throws -> [PHAsset] {
    guard PatternQueue.isFor(selection.predicate, of: library.client) else {
      return try selection.assets(in: library, part)
    }
    let start = ContinuousClock.now
    defer { patternTime -= start.duration(to: .now) }
    return try selection.assets(in: library, part, patternSeconds: max(0, patternTime / .seconds(1)))
  }

  // MARK: Edits

  /// The largest number of assets in a batch that get an edit: all of them are rendered first.
  private static let editLimit = 500

  /// Looks up assets to edit or to revert. Edits are rendered before the batch is committed, so an
  /// edit can't build on another change of the batch: each asset can be edited or reverted once.
  private mutating func assetsToEdit(_ selection: AssetSelection, _ version: JSONPlace?) throws -> [PHAsset] {
    let assets = try assets(selection)
    if let version {
      guard assets.count == 1 else { throw version.failure("a version is for one asset") }
      guard try assets[0].renditionVersion == version.string() else {
        throw Failure(.conflict, "\(version.path): \(assets[0].uuid) has been edited since")
      }
    }
    if let again = assets.first(where: { !edited.insert($0).inserted }) {
      throw Failure(.unprocessableContent, "an earlier change of the batch edits or reverts \(again.uuid)")
        .inChange(change)
    }
    return assets
  }

  private mutating func edit(_ selection: AssetSelection, _ edit: PhotoEdit, _ version: JSONPlace?) throws {
    let assets = try assetsToEdit(selection, version)
    guard plan.edits.count + assets.count <= Self.editLimit else {
      throw Failure(.unprocessableContent, "at most \(Self.editLimit) photos and videos can be edited at once")
        .inChange(change)
    }
    add(.edit(assets, edit))
  }

  // MARK: Albums and folders

  private mutating func create(_ creation: BatchChange.Creation) throws {
    let name = try creation.name.string()
    let key = CollectionKey.made(name, isFolder: creation.isFolder)
    guard madeKey(name) == nil else { throw creation.name.failure("the batch has made \(name) already") }
    made.insert(key)
    add(.create(name, isFolder: creation.isFolder, title: creation.title))
    guard creation.parent != nil || creation.index != nil else { return }
    try put([key], into: parent(creation.parent), creation.index)
  }

  private mutating func delete(_ names: [CollectionName]) throws {
    var (albums, folders): ([PHAssetCollection], [PHCollectionList]) = ([], [])
    for name in names {
      switch try collection(name) {
      case .album(let album): albums.append(album)
      case .folder(let folder): folders.append(folder)
      case .root: throw name.place.failure("the top level can't be deleted")
      case .made: throw name.place.failure("a collection can't be deleted in the batch that makes it")
      }
    }
    add(.deleteCollections(albums, folders))
  }

  private mutating func move(_ names: [CollectionName], into parentName: CollectionName?, _ index: JSONPlace?) throws {
    let target = try parent(parentName)
    let ancestors = try ancestors(of: target)
    var keys: [CollectionKey] = []
    for name in names {
      let key = try collection(name)
      guard key != .root else { throw name.place.failure("the top level can't be moved") }
      guard !ancestors.contains(key) else {
        throw name.place.failure("a folder can't be moved into itself or into one of its subfolders")
      }
      if !keys.contains(key) { keys.append(key) }
    }
    try put(keys, into: target, index)
  }

  /// Adds the steps that make these the children of a folder: at an index among the others, or at
  /// the end.
  private mutating func put(_ keys: [CollectionKey], into target: CollectionKey, _ index: JSONPlace?) throws {
    var children = try children(of: target)
    let new = keys.filter { !children.keys.contains($0) }
    let rest = children.keys.filter { !keys.contains($0) }
    let place = try index?.integer(in: 0...rest.count) ?? rest.count
    if !new.isEmpty { add(.addChildren(target, new)) }
    let all = children.keys + new
    let moved = IndexSet(all.indices.filter { keys.contains(all[$0]) })
    add(.moveChildren(target, moved, to: place))
    children.keys = rest
    children.keys.insert(contentsOf: moved.map { all[$0] }, at: place)
    plan.children[target] = children
  }

  private func children(of folder: CollectionKey) throws -> BatchPlan.FolderChildren {
    if let known = plan.children[folder] { return known }
    let options = PHFetchOptions()
    options.photoLibrary = library
    let result: PHFetchResult<PHCollection> =
      switch folder {
      case .folder(let list): PHCollection.fetchCollections(in: list, options: options)
      case .root: PHCollection.fetchTopLevelUserCollections(with: options)
      case .album, .made: PHFetchResult()
      }
    return BatchPlan.FolderChildren(result: result, keys: try result.all().compactMap(key))
  }

  private func key(_ collection: PHCollection) -> CollectionKey? {
    if let folder = collection as? PHCollectionList {
      return folder.collectionListSubtype == .rootFolder ? .root : .folder(folder)
    }
    return (collection as? PHAssetCollection).map(CollectionKey.album)
  }

  /// Returns a folder and the folders that contain it.
  private func ancestors(of folder: CollectionKey) throws -> Set<CollectionKey> {
    var found: Set<CollectionKey> = [folder]
    var next = folder
    let options = PHFetchOptions()
    options.photoLibrary = library
    while case .folder(let list) = next,
      let parent = try PHCollectionList.fetchCollectionListsContaining(list, options: options).all().first,
      found.insert(.folder(parent)).inserted
    { next = .folder(parent) }
    return found
  }

  private func madeKey(_ name: String) -> CollectionKey? {
    made.first { if case .made(name, _) = $0 { true } else { false } }
  }

  private func collection(_ name: CollectionName) throws -> CollectionKey {
    switch name {
    case .made(let place):
      guard let key = try madeKey(place.string()) else {
        throw place.failure("no change before this one makes \(try place.string())")
      }
      return key
    case .stored(let name):
      let options = PHFetchOptions()
      options.photoLibrary = library
      let ids = [name.uuid]
      let albums = PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: ids, options: options)
      if let album = try albums.all().first {
        guard album.assetCollectionType == .album else {
          throw name.place.failure("the smart album “\(album.localizedTitle ?? "")” can't be changed")
        }
        return .album(album)
      }
      let folders = PHCollectionList.fetchCollectionLists(withLocalIdentifiers: ids, options: options)
      guard let folder = try folders.all().first, let key = key(folder) else {
        throw name.missing("album or folder")
      }
      return key
    }
  }

  private func parent(_ name: CollectionName?) throws -> CollectionKey {
    guard let name else { return .root }
    let key = try collection(name)
    guard key.isFolder else { throw name.place.failure("this has to be a folder, not an album") }
    return key
  }

  private func album(_ name: CollectionName) throws -> CollectionKey {
    let key = try collection(name)
    guard !key.isFolder else { throw name.place.failure("this has to be an album, not a folder") }
    return key
  }

  // MARK: An album's assets

  private mutating func addAssets(_ selection: AssetSelection, to album: CollectionKey, _ index: JSONPlace?) throws {
    let assets = try assets(selection)
    added[album, default: []].formUnion(assets)
    add(.addAssets(album, assets))
    guard var contents = try contents(of: album) else { return }
    let before = contents.rows.count
    let present = Set(contents.rows)
    contents.rows += assets.map(\.rowID).filter { !present.contains($0) }
    if let index {
      let place = try index.integer(in: 0...before)
      let moved = before..<contents.rows.count
      if !moved.isEmpty, place < before {
        add(.moveAssets(album, IndexSet(integersIn: moved), to: place))
        let new = contents.rows[moved]
        contents.rows = Array(contents.rows[..<place] + new + contents.rows[place..<before])
      }
    }
    plan.contents[album] = contents
  }

  private mutating func removeAssets(_ selection: AssetSelection, from album: CollectionKey) throws {
    let assets = try assets(selection)
    add(.removeAssets(album, assets))
    guard var contents = try contents(of: album) else { return }
    let gone = Set(assets.map(\.rowID))
    contents.rows.removeAll(where: gone.contains)
    plan.contents[album] = contents
  }

  private mutating func moveAssets(_ selection: AssetSelection, in album: CollectionKey, _ index: JSONPlace) throws {
    let assets = try assets(selection)
    guard var contents = try contents(of: album) else { return }
    let moved = Set(assets.map(\.rowID))
    let indexes = IndexSet(contents.rows.indices.filter { moved.contains(contents.rows[$0]) })
    guard indexes.count == moved.count else {
      let present = Set(contents.rows)
      let missing = assets.first { !present.contains($0.rowID) }?.uuid ?? ""
      throw index.failure("the asset \(missing) is not in the album, so it can't be moved there")
    }
    let rows = indexes.map { contents.rows[$0] }
    contents.rows.removeAll(where: moved.contains)
    let place = try index.integer(in: 0...contents.rows.count)
    contents.rows.insert(contentsOf: rows, at: place)
    add(.moveAssets(album, indexes, to: place))
    plan.contents[album] = contents
  }

  private mutating func setKeyAsset(_ name: ObjectName?, of album: CollectionKey) throws {
    guard let name else { return add(.setKeyAsset(album, nil)) }
    let asset = try AssetSelection.listed([name]).assets(in: library)[0]
    if case .album(let collection) = album, added[album]?.contains(asset) != true {
      let albums = PHAssetCollection.fetchAssetCollectionsContaining(asset, with: .album, options: nil)
      guard try albums.all().contains(collection) else {
        throw name.place.failure("the key asset of an album has to be in it")
      }
    }
    add(.setKeyAsset(album, asset))
  }

  /// Returns the assets of an album that indexes refer to; `nil` if the batch names none there.
  private func contents(of album: CollectionKey) throws -> BatchPlan.AlbumContents? {
    if let known = plan.contents[album] { return known }
    switch album {
    case .made: return BatchPlan.AlbumContents(result: PHFetchResult(), rows: [])
    case .album(let collection) where indexedAlbums.contains(collection.plainIdentifier):
      // Indexes count the assets that the album shows.
      let options = PHFetchOptions()
      options.photoLibrary = library
      let result = PHAsset.fetchAssets(in: collection, options: options)
      if let error = result.error { throw error }
      return BatchPlan.AlbumContents(result: result, rows: result.rowIDs)
    case .album, .folder, .root: return nil
    }
  }
}

extension BatchChange {
  /// The identifier of the album in which the change names an index.
  fileprivate var indexedAlbum: String? {
    switch self {
    case .addAssets(.stored(let name), _, .some), .moveAssets(.stored(let name), _, _): name.uuid
    default: nil
    }
  }
}

extension PHObject {
  /// The UUID at the start of the `localIdentifier`.
  var plainIdentifier: String { String(localIdentifier.prefix { $0 != "/" }) }
}
