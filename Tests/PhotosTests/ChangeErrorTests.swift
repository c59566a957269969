import Foundation
import PhotosTesting
import Testing

@testable import LibraryStore
@testable import Photos

@Suite struct ChangeErrorTests {
  @Test func missingDetailsAreNotTakenForNoChange() throws {
    let temporary = try TemporaryLibrary()
    let asset = try #require(try temporary.addPhotos("A").first)
    let all = PHAsset.fetchAssets(with: temporary.options())
    let store = temporary.library.engine.store
    let before = try store.latestTransaction()
    try temporary.library.performChangesAndWait { PHAssetChangeRequest(for: asset).isFavorite = true }
    try store.thinHistory()
    let change = PHChange(try #require(try store.change(since: before)), library: temporary.library)
    #expect(change.changeDetails(for: asset)?.objectAfterChanges?.isFavorite == true)
    #expect(change.changeDetails(for: all)?.hasIncrementalChanges == false)
  }

  @Test func anErrorIsNotTakenForNoChange() throws {
    let temporary = try TemporaryLibrary()
    let observer = RecordingObserver()
    let asset = try #require(try temporary.addPhotos("A").first)
    let all = PHAsset.fetchAssets(with: temporary.options())
    temporary.library.register(observer)
    try temporary.library.performChangesAndWait { PHAssetChangeRequest(for: asset).isFavorite = true }
    temporary.library.waitForObservers()
    let change = try #require(observer.changes.first)
    try temporary.library.engine.store.database.write { db in
      for column in ["visibility", "trashed_date"] {
        try db.execute("ALTER TABLE asset RENAME COLUMN \(column) TO lost_\(column)")
      }
    }
    let ofAsset = try #require(change.changeDetails(for: asset))
    #expect(ofAsset.objectAfterChanges == asset)
    #expect(ofAsset.assetContentChanged)
    let ofResult = try #require(change.changeDetails(for: all))
    #expect(!ofResult.hasIncrementalChanges)
    #expect(ofResult.fetchResultAfterChanges.error != nil)
  }

  /// Two assets have changed their rows since they were fetched.
  @Test(arguments: [false, true])
  func anAssetInAnotherRowIsFoundByItsIdentifier(isDeleted: Bool) throws {
    let temporary = try TemporaryLibrary()
    let assets = try temporary.addPhotos("A", "B")
    let uuids = assets.map { PHObject.uuid(localIdentifier: $0.localIdentifier) }
    try temporary.library.engine.store.database.write { db in
      for (row, uuid) in [(0, "between"), (1, uuids[0]), (0, uuids[1])] {
        try db.execute("UPDATE asset SET uuid = ? WHERE id = ?", uuid, assets[row].rowID)
      }
    }
    try temporary.library.performChangesAndWait {
      if isDeleted {
        PHAssetChangeRequest.deleteAssets([assets[0]] as NSArray)
      } else {
        PHAssetChangeRequest(for: assets[0]).isFavorite = true
      }
    }
    let changed = try temporary.library.engine.store.database.read { db in
      try db.rows("SELECT uuid FROM asset WHERE is_favorite OR trashed_date IS NOT NULL").map { row -> String in
        try row.value("uuid")
      }
    }
    #expect(changed == [uuids[0]])
  }

  /// A rank below zero can't be read.
  private func damage(_ collection: PHCollection, in temporary: TemporaryLibrary) throws {
    try temporary.library.engine.store.database.write { db in
      try db.execute("UPDATE collection SET rank = -1 WHERE id = ?", collection.rowID)
    }
  }

  @Test func `a collection that can't be read is not taken for a deleted one when it is removed`() throws {
    let temporary = try TemporaryLibrary()
    let norway = try temporary.album("Norway")
    _ = try temporary.folder("Elsewhere", [norway])
    let folder = try temporary.folder("Travels")
    try damage(norway, in: temporary)
    #expect(throws: PHPhotosError.self) {
      try temporary.library.performChangesAndWait {
        PHCollectionListChangeRequest(for: folder)?.removeChildCollections([norway])
      }
    }
  }

  @Test func `a neighbor that can't be read is not taken for a deleted one`() throws {
    let temporary = try TemporaryLibrary()
    let (norway, rome) = (try temporary.album("Norway"), try temporary.album("Rome"))
    let folder = try temporary.folder("Travels", [norway])
    let before = PHCollection.fetchCollections(in: folder, options: temporary.options())
    _ = try temporary.folder("Elsewhere", [norway])
    try damage(norway, in: temporary)
    #expect(throws: PHPhotosError.self) {
      try temporary.library.performChangesAndWait {
        PHCollectionListChangeRequest(for: folder, childCollections: before)?.insertChildCollections([rome], at: [1])
      }
    }
  }

  @Test func `an asset that can't be read is not taken for a deleted one when it leaves an album`() throws {
    let temporary = try TemporaryLibrary()
    let jpeg = try SampleMedia.jpeg(size: PictureSize(width: 16, height: 16))
    nonisolated(unsafe) var placeholder: PHObjectPlaceholder?
    try temporary.library.performChangesAndWait {
      let creation = PHAssetCreationRequest.forAsset()
      creation.addResource(with: .photo, data: jpeg, options: nil)
      placeholder = creation.placeholderForCreatedAsset
    }
    let created = try #require(placeholder)
    let album = try temporary.album("Norway", [])
    try temporary.library.engine.store.database.write { db in
      try db.execute("ALTER TABLE asset RENAME COLUMN rating TO lost_rating")
    }
    #expect(throws: PHPhotosError.self) {
      try temporary.library.performChangesAndWait {
        PHAssetCollectionChangeRequest(for: album)?.removeAssets([created])
      }
    }
  }
}
