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
}
