import CoreLocation
import Foundation
import Photos
import PhotosTesting
import TestSupport
import Testing

/// Tests undo and redo of the owner's changes.
@Suite struct UndoTests {
  let temporary: TemporaryLibrary
  let assets: [PHAsset]
  let album: PHAssetCollection
  let folder: PHCollectionList
  var library: PHPhotoLibrary { temporary.library }

  init() throws {
    temporary = try TemporaryLibrary()
    assets = try temporary.addPhotos("A", "B", "C", "D")
    album = try temporary.album("Norway", Array(assets[..<3]))
    folder = try temporary.folder("Travels", [try temporary.album("Sweden")])
  }

  /// Everything that a person sees of the library.
  private func state() throws -> String {
    let options = temporary.options { $0.includeHiddenAssets = true }
    let all = PHAsset.fetchAssets(with: options)
    let lines = all.objects(at: IndexSet(0..<all.count)).map { asset in
      let place = asset.location.map { "\($0.coordinate.latitude) \($0.coordinate.longitude)" } ?? "nowhere"
      let texts = asset.extendedMetadata
      return "\(texts.originalFilename ?? "") \(asset.isFavorite) \(asset.isHidden) \(asset.rating.rawValue) "
        + "\(asset.creationDate?.timeIntervalSince1970 ?? 0) \(place) \(texts.caption ?? "-") \(texts.keywords)"
    }
    let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: temporary.options())
    let contents = albums.objects(at: IndexSet(0..<albums.count)).map {
      let key = PHAsset.fetchKeyAssets(in: $0, options: temporary.options())?.firstObject
      return
        "\($0.localizedTitle ?? ""): \(temporary.names(in: $0)), key \(key?.extendedMetadata.originalFilename ?? "")"
    }
    let deleted = PHAsset.fetchRecentlyDeletedAssets(with: temporary.options())
    return (lines.sorted() + contents.sorted() + [temporary.tree(), temporary.names(deleted)]).joined(separator: "\n")
  }

  enum Change: String, CaseIterable, CustomTestStringConvertible {
    case favorite, hide, date, place, rating, caption, keywords, rename, add, remove, reorder, keyAsset, move, create,
      deleteAlbum, deleteFolder, delete
    var testDescription: String { rawValue }
  }

  private func make(_ change: Change) throws {
    let (assets, album, folder) = (assets, album, folder)
    try library.performChangesAndWait {
      let asset = PHAssetChangeRequest(for: assets[1])
      let norway = PHAssetCollectionChangeRequest(for: album)
      switch change {
      case .favorite: asset.isFavorite = true
      case .hide: asset.isHidden = true
      case .date: asset.creationDate = Date(timeIntervalSince1970: 5.25)
      case .place: asset.location = CLLocation(latitude: 59.9139, longitude: 10.7522)
      case .rating: asset.rating = .four
      case .caption: asset.caption = "Fjord"
      case .keywords: ["sea", "sun"].forEach(asset.addKeyword)
      case .rename: norway?.title = "Norge"
      case .add: norway?.addAssets([assets[3]] as NSArray)
      case .remove: norway?.removeAssets([assets[0]] as NSArray)
      case .reorder: norway?.moveAssets(at: [2], to: 0)
      case .keyAsset: norway?.setKeyAsset(assets[1])
      case .move: PHCollectionListChangeRequest(for: folder)?.addChildCollections([album] as NSArray)
      case .create:
        PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Alps")
          .addAssets(assets as NSArray)
      case .deleteAlbum: PHAssetCollectionChangeRequest.deleteAssetCollections([album] as NSArray)
      case .deleteFolder: PHCollectionListChangeRequest.deleteCollectionLists([folder] as NSArray)
      case .delete: PHAssetChangeRequest.deleteAssets([assets[0], assets[1]] as NSArray)
      }
    }
  }

  @Test("A change is undone and redone", arguments: Change.allCases)
  func undone(change: Change) async throws {
    let before = try state()
    try make(change)
    let after = try state()
    #expect(after != before)
    let undo = try await library.undo()
    #expect(try state() == before)
    #expect(undo.isUndo)
    try await library.redo()
    #expect(try state() == after)
    try await library.undo()
    #expect(try state() == before)
  }

  @Test func `undo goes back one change at a time, and redo forward`() async throws {
    try make(.favorite)
    let first = try state()
    try make(.rename)
    let second = try state()
    try make(.reorder)
    let third = try state()
    try await library.undo()
    #expect(try state() == second)
    try await library.undo()
    #expect(try state() == first)
    try await library.redo()
    #expect(try state() == second)
    try await library.redo()
    #expect(try state() == third)
    await #expect(throws: UndoError.self) { try await library.redo() }
  }

  @Test func `after another change nothing is redone by default`() async throws {
    try make(.favorite)
    let undo = try await library.undo()
    try make(.rename)
    let error = await #expect(throws: UndoError.self) { try await library.redo() }
    #expect(error?.code == .nothingToRedo)
    #expect(error?.localizedDescription == "There is nothing to redo")
    try await library.redo(undo.number)
    #expect(try #require(library.transactions(limit: 1).first).undoes == undo.number)
  }

  @Test func `a change that another one follows is undone alone`() async throws {
    let before = try state()
    try make(.favorite)
    let number = try #require(library.transactions(limit: 1).first).number
    try make(.rename)
    try await library.undo(number)
    try await library.undo()
    #expect(try state() == before)
  }

  @Test func `a photo that was changed since is named, and nothing is undone`() async throws {
    let assets = assets
    try library.performChangesAndWait {
      for asset in assets { PHAssetChangeRequest(for: asset).caption = "Fjord" }
    }
    let number = try #require(library.transactions(limit: 1).first).number
    try library.performChangesAndWait { PHAssetChangeRequest(for: assets[1]).caption = "Sea" }
    let before = try state()
    let token = library.currentChangeToken
    let error = await #expect(throws: UndoError.self) { try await library.undo(number) }
    #expect(error?.code == .conflict)
    #expect(error?.localizedDescription == "Can’t undo: B has been changed since")
    let conflicts = error?.conflicts.map { [$0.localIdentifier, $0.name] }
    #expect(conflicts == [[assets[1].localIdentifier, "B"]])
    #expect(error?.conflicts.map(\.objectType) == [.asset])
    #expect(try state() == before)
    #expect(library.currentChangeToken == token)
    try await library.undo()
    try await library.undo(number)
    #expect(PHAsset.fetchAssets(with: temporary.options()).object(at: 0).extendedMetadata.caption == nil)
  }

  @Test func `a change of something else of the same photo is no conflict`() async throws {
    try make(.favorite)
    let number = try #require(library.transactions(limit: 1).first).number
    try make(.caption)
    try await library.undo(number)
    #expect(try state().contains("B false false 0 86400.0 nowhere Fjord"))
  }

  @Test func `an album that others have filled since is not deleted by an undo`() async throws {
    try make(.create)
    let number = try #require(library.transactions(limit: 1).first).number
    let alps = PHAssetCollection.fetchAssetCollections(
      with: .album, subtype: .any,
      options: temporary.options { $0.predicate = NSPredicate(format: "localizedTitle == 'Alps'") }
    ).object(at: 0)
    let added = try temporary.addPhotos("E")
    try library.performChangesAndWait {
      PHAssetCollectionChangeRequest(for: alps)?.addAssets(added as NSArray)
    }
    let error = await #expect(throws: UndoError.self) { try await library.undo(number) }
    #expect(error?.localizedDescription == "Can’t undo: Alps has been changed since")
    #expect(error?.conflicts.map(\.objectType) == [.assetCollection])
  }

  @Test func `an import is undone into Recently Deleted`() async throws {
    let before = try state()
    try temporary.addPhotos("E", "F")
    try await library.undo()
    let deleted = PHAsset.fetchRecentlyDeletedAssets(with: temporary.options())
    #expect(temporary.names(deleted).split(separator: " ").sorted() == ["E", "F"])
    try await library.redo()
    try library.performChangesAndWait {
      PHAssetChangeRequest.deleteAssets(PHAsset.fetchAssets(with: self.temporary.options { $0.fetchLimit = 0 }))
    }
    try await library.undo()
    try await library.undo()
    #expect(try state().hasPrefix(before.prefix(40)))
  }

  @Test func `a permanent deletion is not undone`() async throws {
    try make(.delete)
    let deleted = assets[0]
    try library.performChangesAndWait { PHAssetChangeRequest.expungeAssets([deleted] as NSArray) }
    let expunge = try #require(library.transactions(limit: 1).first)
    #expect(!expunge.isUndoable)
    let error = await #expect(throws: UndoError.self) { try await library.undo(expunge.number) }
    #expect(error?.code == .permanentlyDeleted)
    #expect(
      error?.localizedDescription == "Can’t undo transaction \(expunge.number): it deleted something for good")
    let conflict = await #expect(throws: UndoError.self) { try await library.undo(expunge.number - 1) }
    #expect(conflict?.localizedDescription == "Can’t undo: an item has been deleted for good since")
    #expect(conflict?.conflicts.map(\.localIdentifier) == [deleted.localIdentifier])
  }

  @Test func `unknown, undone and effective transactions have different errors`() async throws {
    try make(.favorite)
    let number = try #require(library.transactions(limit: 1).first).number
    var error = await #expect(throws: UndoError.self) { try await library.redo(number) }
    #expect(error?.localizedDescription == "Can’t redo transaction \(number): it has not been undone")
    try await library.undo(number)
    error = await #expect(throws: UndoError.self) { try await library.undo(number) }
    #expect(error?.localizedDescription == "Can’t undo transaction \(number): it has been undone already")
    error = await #expect(throws: UndoError.self) { try await library.undo(1_000_000) }
    #expect(error?.localizedDescription == "Can’t undo transaction 1000000: the history does not contain it")
  }

  @Test func `a failed block leaves nothing to undo`() async throws {
    try make(.favorite)
    let before = try library.transactions()
    let (assets, album) = (assets, album)
    #expect(throws: PHPhotosError.self) {
      try library.performChangesAndWait {
        PHAssetChangeRequest(for: assets[0]).isHidden = true
        PHAssetCollectionChangeRequest(for: album)?.removeAssets(at: [7])
      }
    }
    #expect(try library.transactions() == before)
  }

  // MARK: The history

  @Test func `the history says what was changed and whether it is undone`() async throws {
    try make(.delete)
    let number = try #require(library.transactions(limit: 1).first).number
    try await library.undo()
    let found = try library.transactions(limit: 2)
    #expect(found.map(\.isUndo) == [true, false])
    #expect(found.map(\.isUndone) == [false, true])
    #expect(found.map(\.isUndoable) == [true, false])
    #expect(found.map(\.undoes) == [number, nil])
    #expect(found.map(\.author) == [.owner, .owner])
    #expect(found.map(\.assets.deleted) == [0, 2])
    #expect(found.map(\.assets.inserted) == [2, 0])
    #expect(found.map(\.names) == [["A", "B"], ["A", "B"]])
    #expect(try library.transactions(limit: 1, before: number + 1).map(\.number) == [number])
    #expect(try library.transaction(number)?.isUndone == true)
    #expect(try library.transaction(.max) == nil)
  }

  @Test func `the history tells imports and ratings`() async throws {
    try temporary.addPhotos("E", "F")
    func told(_ transaction: LibraryTransaction?) -> [String]? {
      transaction?.actions.map { "\($0.kind) \($0.count)" }
    }
    #expect(told(try library.transactions(limit: 1).first) == ["imported 2"])
    #expect(told(try await library.undo()) == ["deleted 2"])
    #expect(told(try await library.redo()) == ["restored 2"])
    try make(.rating)
    #expect(told(try library.transactions(limit: 1).first) == ["changed 1"])
  }

  @Test func `a deleted album is named`() throws {
    try make(.deleteAlbum)
    #expect(try library.transactions(limit: 1).first?.names == ["Norway"])
  }

  @Test func `a change can be undone for thirty days`() async throws {
    let clock = TestClock()
    let temporary = try TemporaryLibrary(clock: clock)
    let asset = try temporary.addPhotos("A")[0]
    try temporary.library.performChangesAndWait { PHAssetChangeRequest(for: asset).isFavorite = true }
    let number = try #require(temporary.library.transactions(limit: 1).first).number
    clock.advance(by: 29 * 86_400)
    try await temporary.library.undo()
    try await temporary.library.redo()
    clock.advance(by: 2 * 86_400)
    let error = await #expect(throws: UndoError.self) { try await temporary.library.undo(number) }
    #expect(error?.code == .unknownTransaction)
    #expect(try temporary.library.transactions().map(\.assets.updated) == [1, 1])
    // The redo is two days old.
    try await temporary.library.undo()
    clock.advance(by: 31 * 86_400)
    let nothing = await #expect(throws: UndoError.self) { try await temporary.library.undo() }
    #expect(nothing?.code == .nothingToUndo)
  }

  // MARK: Observers

  @Test func `an undo is a change for observers and in the persistent history`() async throws {
    try make(.favorite)
    let token = library.currentChangeToken
    // The second opening stands for another process: it shares only the files.
    let other = try PHPhotoLibrary(url: library.url, create: false)
    let observer = RecordingObserver()
    other.register(observer)
    let seen = PHAsset.fetchAssets(
      withLocalIdentifiers: [assets[1].localIdentifier], options: other.options()
    ).object(at: 0)
    #expect(seen.isFavorite)
    let undo = try await library.undo()
    try await eventually("the change of the other opening") { !observer.changes.isEmpty }
    #expect(observer.changes.last?.changeDetails(for: seen)?.objectAfterChanges?.isFavorite == false)
    let changes = try Array(other.fetchPersistentChanges(since: token))
    #expect(changes.map(\.changeToken) == [undo.changeToken])
    #expect(try changes[0].changeDetails(for: .asset).updatedLocalIdentifiers == [assets[1].localIdentifier])
  }
}
