import Foundation
import ImageCoding
import MediaMetadata
import PhotosTesting
import Testing

@testable import LibraryStore
@testable import Photos

/// Tests a library whose database has values that can't be read, and says so instead of showing
/// less than it has.
@Suite struct DamagedLibraryTests {
  let temporary: TemporaryLibrary
  let assets: [PHAsset]

  init() throws {
    temporary = try TemporaryLibrary()
    assets = try temporary.addPhotos("A", "B", "C")
  }

  private func tamper(_ sql: String) throws {
    try temporary.library.engine.store.database.write { _ = try $0.execute(sql) }
  }

  @Test func filesThatCannotBeListedAreNotTakenForNone() throws {
    try tamper("UPDATE resource SET pixel_height = -1 WHERE asset_id = \(assets[1].rowID)")
    #expect(throws: PHPhotosError.self) { try PHAssetResource.assetResources(for: assets) }
    #expect(throws: PHPhotosError.self) { try assets[1].storedResources }
    #expect(throws: PHPhotosError.self) { try assets[1].resources(ofVersion: .original) }
    #expect(PHAssetResource.assetResources(for: assets[1]).isEmpty)
    for asset in [assets[0], assets[2]] { #expect(try asset.storedResources.count == 1) }
  }

  @Test func textsThatCannotBeReadAreNotTakenForNone() throws {
    try tamper("UPDATE asset_detail SET file_size = -1 WHERE asset_id = \(assets[1].rowID)")
    #expect(throws: PHPhotosError.self) { try assets[1].readExtendedMetadata() }
    #expect(assets[1].extendedMetadata.originalFilename == nil)
    #expect(try assets[0].readExtendedMetadata().originalFilename == "A")
  }

  @Test func anEditThatCannotBeReadIsNotTakenForNone() async throws {
    try await assets[0].edit { $0.turn(byQuarters: 1) }
    let edited = try temporary.refetched(assets[0])
    #expect(try edited.photoEdit?.quarterTurns == 1)
    try tamper("UPDATE resource SET pixel_height = -1 WHERE asset_id = \(edited.rowID)")
    #expect(throws: PHPhotosError.self) { try edited.photoEdit }
    #expect(throws: PHPhotosError.self) { try edited.editDetails() }
    #expect(edited.adjustmentFormatIdentifier == nil)
    #expect(try assets[1].photoEdit == nil)
  }

  @Test func anEditWhoseFileIsMissingHasNoDetails() async throws {
    try await assets[0].edit { $0.turn(byQuarters: 1) }
    let edited = try temporary.refetched(assets[0])
    #expect(try edited.editDetails()?.photoEdit?.quarterTurns == 1)
    try temporary.removeOriginals(of: edited)
    let details = try #require(try edited.editDetails())
    #expect(details.formatIdentifier == nil && details.date == nil && details.photoEdit == nil)
    #expect(throws: PHPhotosError.self) { try edited.photoEdit }
  }

  @Test func aFolderThatCannotBeReadIsNotTakenForNone() throws {
    let album = try temporary.album("Norway")
    _ = try temporary.folder("Travels", [album])
    try tamper("UPDATE collection SET rank = -1 WHERE title = 'Travels'")
    let folders = PHCollectionList.fetchCollectionListsContaining(album, options: temporary.options())
    #expect(throws: PHPhotosError.self) { try folders.first() }
  }

  @Test func accessThatCannotBeReadIsNotTakenForNone() throws {
    let client = LibraryClient(identifier: "com.example.Slideshow")
    _ = try temporary.album("Norway")
    try temporary.library.setAuthorization(.authorized, for: client, accessLevel: .readWrite)
    let library = temporary.library.photoLibrary(for: client)
    let album = try #require(try library.collectionOverviews().first { $0.collection.localizedTitle == "Norway" })
    #expect(try album.collection.isAllowed(.rename))
    try tamper("UPDATE client SET asked_date = 9e999")
    #expect(throws: PHPhotosError.self) { try album.collection.isAllowed(.rename) }
    #expect(throws: PHPhotosError.self) { try library.readAuthorizationStatus(for: .readWrite) }
    #expect(!album.collection.canPerform(.rename))
    #expect(library.authorizationStatus(for: .readWrite) == .notDetermined)
    // The rights that were read before stay as they were.
    #expect(album.isAllowed(.rename))
  }

  @Test func filesOfAnotherLibrarysAssetsAreNotMixedUp() throws {
    let other = try TemporaryLibrary()
    let foreign = try other.addPhotos("Foreign")
    let files = try PHAssetResource.assetResources(for: [assets[1]] + foreign)
    #expect(files.mapValues { $0.map(\.originalFilename) } == [assets[1].localIdentifier: ["B"]])
  }

  @Test func aDamagedRootFolderDoesNotEmptyTheTopLevel() throws {
    _ = try temporary.album("Norway")
    try tamper("UPDATE collection SET rank = -1 WHERE \(CollectionRecord.rootCondition)")
    #expect(temporary.tree() == "Norway")
  }

  @Test func aTopLevelThatCannotBeReadFailsTheChangeOfItsOrder() throws {
    for title in ["Norway", "Sweden"] { _ = try temporary.album(title) }
    let top = PHCollection.fetchTopLevelUserCollections(with: temporary.options())
    try tamper("UPDATE collection SET rank = -1 WHERE \(CollectionRecord.rootCondition)")
    #expect(throws: PHPhotosError.self) {
      try temporary.library.performChangesAndWait {
        PHCollectionListChangeRequest(forTopLevelCollectionListUserCollections: top)?
          .moveChildCollections(at: [1], to: 0)
      }
    }
  }

  @Test func anAbsurdDateOfDeletionLeavesThirtyDays() throws {
    try temporary.library.performChangesAndWait { [assets] in PHAssetChangeRequest.deleteAssets([assets[0]] as NSArray)
    }
    try tamper("UPDATE asset SET trashed_date = 1e300 WHERE id = \(assets[0].rowID)")
    let deleted = PHAsset.fetchRecentlyDeletedAssets(with: temporary.options())
    #expect(try deleted.all().map(\.daysLeftInTrash) == [30])
  }

  @Test func theReasonThatALibraryCannotBeOpenedAgainIsItsOwn() throws {
    let database = temporary.url.appendingPathComponent("library.sqlite")
    // The log has the whole database too.
    for suffix in ["", "-wal", "-shm"] {
      let away = temporary.folder.appendingPathComponent("away\(suffix)")
      try #require(rename(database.path + suffix, away.path) == 0)
    }
    try Data("no database, but more than a few bytes of it".utf8).write(to: database)
    let reason = try #require(temporary.library.unavailabilityReason as? PHPhotosError)
    #expect(reason.code == .libraryVolumeOffline)
    #expect(reason.localizedDescription.contains("can’t be opened again"))
    #expect(!reason.localizedDescription.contains("another library"))
  }

  @Test func aDamagedHistoryIsObservedWithoutDetails() throws {
    let before = try temporary.library.store.latestTransaction()
    let all = PHAsset.fetchAssets(with: temporary.options())
    let center = RecordingObserver()
    try temporary.library.performChangesAndWait { [assets] in PHAssetChangeRequest(for: assets[0]).isFavorite = true }
    try tamper("ALTER TABLE history_change RENAME COLUMN transaction_id TO lost_id")
    let store = temporary.library.store
    let library = temporary.library
    let watcher = store.watch(since: before) { center.photoLibraryDidChange(PHChange($0, library: library)) }
    watcher.flush()
    let change = try #require(center.changes.first)
    #expect(center.changes.count == 1)
    #expect(change.changeDetails(for: all)?.hasIncrementalChanges == false)
  }
}

/// Compares the types of the modules below with PhotoKit's, whose signatures can't mention them.
@Suite struct VocabularyTests {
  @Test func resourceTypesHavePhotoKitsValues() {
    for type in PHAssetResourceType.allCases {
      #expect(ResourceType(rawValue: type.rawValue).map { "\($0)" } == "\(type)")
    }
  }

  @Test func camerasHaveTheSameProperties() {
    func names(_ value: Any) -> [String] { Mirror(reflecting: value).children.compactMap(\.label) }
    #expect(names(Camera()) == names(PHAsset.Camera()))
  }

  @Test func renditionsHaveTheSameKinds() {
    #expect(AssetRendition.Kind.allCases.map(\.rawValue) == RenditionKind.allCases.map(\.rawValue))
  }

  @Test func mediaSubtypesHavePhotoKitsValues() {
    let pairs: [(MediaSubtypes, PHAssetMediaSubtype)] = [
      (.panorama, .photoPanorama), (.hdr, .photoHDR), (.screenshot, .photoScreenshot), (.live, .photoLive),
      (.depthEffect, .photoDepthEffect), (.animated, .photoAnimation), (.spatial, .spatialMedia),
      (.highFrameRate, .videoHighFrameRate),
      (.timelapse, .videoTimelapse), (.screenRecording, .videoScreenRecording), (.cinematic, .videoCinematic),
    ]
    for (own, photoKits) in pairs { #expect(own.rawValue == photoKits.rawValue) }
  }
}
