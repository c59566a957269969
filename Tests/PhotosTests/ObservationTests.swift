import Foundation
import Photos
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@Suite struct ObservationTests {
  let temporary: TemporaryLibrary
  let assets: [PHAsset]
  let observer = RecordingObserver()
  var library: PHPhotoLibrary { temporary.library }

  init() throws {
    temporary = try TemporaryLibrary()
    assets = try temporary.addPhotos("A", "B", "C", "D")
    library.register(observer)
  }

  /// Returns the one change that `body` causes.
  private func change(_ body: @escaping () -> Void) throws -> PHChange {
    let count = observer.changes.count
    try library.performChangesAndWait(body)
    library.waitForObservers()
    try #require(observer.changes.count == count + 1)
    return observer.changes[count]
  }

  private func byDate(_ change: (PHFetchOptions) -> Void = { _ in }) -> PHFetchResult<PHAsset> {
    PHAsset.fetchAssets(
      with: temporary.options {
        $0.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
        change($0)
      })
  }

  @Test func aChangedAssetIsToldOfWithItsStateBeforeAndAfter() throws {
    let change = try change { PHAssetChangeRequest(for: self.assets[1]).isFavorite = true }
    let details = try #require(change.changeDetails(for: assets[1]))
    #expect(details.objectBeforeChanges.isFavorite == false)
    #expect(details.objectAfterChanges?.isFavorite == true)
    #expect(details.assetContentChanged == false)
    #expect(details.objectWasDeleted == false)
    #expect(change.changeDetails(for: assets[0]) == nil)
  }

  @Test func aDeletedAssetIsToldOfAsDeleted() throws {
    let all = byDate()
    let change = try change { PHAssetChangeRequest.deleteAssets([self.assets[1]]) }
    #expect(change.changeDetails(for: assets[1])?.objectWasDeleted == true)
    let details = try #require(change.changeDetails(for: all))
    #expect(details.summary == "−[1] +[] ~[] →[]")
    #expect(details.removedObjects == [assets[1]])
    #expect(temporary.names(details.fetchResultAfterChanges) == "A C D")
  }

  @Test func aChangedDateMovesAnAsset() throws {
    let all = byDate()
    let change = try change {
      PHAssetChangeRequest(for: self.assets[0]).creationDate = Date(timeIntervalSince1970: 86_400 * 9)
    }
    let details = try #require(change.changeDetails(for: all))
    #expect(details.summary == "−[] +[] ~[0] →[0 to 3]")
    #expect(details.hasMoves)
    #expect(temporary.names(details.fetchResultAfterChanges) == "B C D A")
    #expect(details.changedObjects == [assets[0]])
    #expect(details.changedObjects.first?.creationDate == Date(timeIntervalSince1970: 86_400 * 9))
  }

  @Test func aFetchIgnoresChangesOfAssetsThatItDoesNotFind() throws {
    let favorites = PHAssetCollection.fetchAssetCollections(
      with: .smartAlbum, subtype: .smartAlbumFavorites, options: temporary.options())
    let found = PHAsset.fetchAssets(in: favorites.object(at: 0), options: temporary.options())
    let hidden = try change { PHAssetChangeRequest(for: self.assets[0]).isHidden = true }
    #expect(hidden.changeDetails(for: found) == nil)
    let favorite = try change { PHAssetChangeRequest(for: self.assets[1]).isFavorite = true }
    #expect(favorite.changeDetails(for: found)?.summary == "−[] +[0] ~[] →[]")
  }

  @Test func aNewAssetIsInserted() throws {
    let all = byDate()
    let count = observer.changes.count
    let new = try temporary.add(
      SampleFile(
        "N",
        SampleMedia.jpeg(
          size: PictureSize(width: 16, height: 16),
          metadata: SampleMetadata(captureDate: Date(timeIntervalSince1970: 1.5 * 86_400), offset: 0))))
    library.waitForObservers()
    let details = try #require(observer.changes[count].changeDetails(for: all))
    #expect(details.summary == "−[] +[2] ~[] →[]")
    #expect(details.insertedObjects == new)
  }

  @Test func anAlbumsOrderIsFollowed() throws {
    let album = try temporary.album("Norway", assets)
    library.waitForObservers()
    let members = PHAsset.fetchAssets(in: album, options: temporary.options())
    let change = try change {
      PHAssetCollectionChangeRequest(for: album, assets: members)?.moveAssets(at: [3], to: 0)
    }
    let details = try #require(change.changeDetails(for: members))
    #expect(details.summary == "−[] +[] ~[] →[3 to 0]")
    #expect(change.changeDetails(for: album) != nil)
    #expect(change.changeDetails(for: assets[3]) == nil)
  }

  @Test func aLimitedFetchShowsWhatMovesUp() throws {
    let two = byDate { $0.fetchLimit = 2 }
    let change = try change { PHAssetChangeRequest.deleteAssets([self.assets[0]]) }
    let details = try #require(change.changeDetails(for: two))
    #expect(details.summary == "−[0] +[1] ~[] →[]")
    #expect(temporary.names(details.fetchResultAfterChanges) == "B C")
  }

  @Test func withoutTheWishForDetailsOnlyTheResultsAreTold() throws {
    let all = byDate { $0.wantsIncrementalChangeDetails = false }
    let change = try change { PHAssetChangeRequest.deleteAssets([self.assets[0]]) }
    let details = try #require(change.changeDetails(for: all))
    #expect(details.hasIncrementalChanges == false)
    #expect(details.removedIndexes == nil)
    #expect(details.insertedIndexes == nil)
    #expect(details.changedIndexes == nil)
    #expect(temporary.names(details.fetchResultAfterChanges) == "B C D")
  }

  @Test func topLevelCollectionsAreFollowed() throws {
    _ = try temporary.album("Norway")
    library.waitForObservers()
    let top = PHCollection.fetchTopLevelUserCollections(with: temporary.options())
    let count = observer.changes.count
    _ = try temporary.folder("Travels")
    library.waitForObservers()
    let details = try #require(observer.changes[count].changeDetails(for: top))
    #expect(details.summary == "−[] +[1] ~[] →[]")
    #expect(details.insertedObjects.map(\.localizedTitle) == ["Travels"])
  }

  @Test func transientCollectionsStayInTheirFolderAfterAChange() throws {
    let norway = try temporary.album("Norway")
    library.waitForObservers()
    let trip = PHAssetCollection.transientAssetCollection(with: [assets[0]], title: "Trip")
    let list = PHCollectionList.transientCollectionList(with: [trip, norway], title: "Trips")
    let children = PHCollection.fetchCollections(in: list, options: temporary.options())
    let change = try change { PHAssetCollectionChangeRequest(for: norway)?.title = "Sweden" }
    let after = try #require(change.changeDetails(for: children)).fetchResultAfterChanges
    #expect(after.objects(at: IndexSet(0..<after.count)).map(\.localizedTitle) == ["Trip", "Sweden"])
  }

  @Test func aFetchMadeAfterTheChangeIsNotToldOfItAgain() throws {
    let count = observer.changes.count
    try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([self.assets[0]]) }
    let after = byDate()
    library.waitForObservers()
    #expect(observer.changes[count].changeDetails(for: after) == nil)
  }

  @Test func detailsAskedLateLeadToThePresent() throws {
    let all = byDate()
    let first = try change { PHAssetChangeRequest.deleteAssets([self.assets[0]]) }
    let second = try change { PHAssetChangeRequest.deleteAssets([self.assets[1]]) }
    let details = try #require(first.changeDetails(for: all))
    #expect(details.summary == "−[0, 1] +[] ~[] →[]")
    #expect(temporary.names(details.fetchResultAfterChanges) == "C D")
    #expect(second.changeDetails(for: details.fetchResultAfterChanges) == nil)
  }

  @Test func anUnregisteredObserverIsToldNothing() throws {
    library.unregisterChangeObserver(observer)
    try library.performChangesAndWait { PHAssetChangeRequest(for: self.assets[0]).isFavorite = true }
    library.waitForObservers()
    #expect(observer.changes.count == 0)
  }

  @Test func observersAreNotRetained() throws {
    weak var gone: RecordingObserver?
    do {
      let brief = RecordingObserver()
      library.register(brief)
      gone = brief
    }
    #expect(gone == nil)
  }

  private final class SelfUnregisteringObserver: NSObject, PHPhotoLibraryChangeObserver, Sendable {
    private let library: PHPhotoLibrary

    init(_ library: PHPhotoLibrary) { self.library = library }

    deinit { library.unregisterChangeObserver(self) }

    func photoLibraryDidChange(_ changeInstance: PHChange) {}
  }

  @Test func anObserverMayUnregisterItselfWhenItIsReleased() throws {
    let library = self.library
    let isDone = Mutex(false)
    let hasEnded = DispatchSemaphore(value: 0)
    let stranger = RecordingObserver()
    // Another thread goes through the observers while they are released.
    Thread.detachNewThread {
      while !isDone.withLock({ $0 }) { library.unregisterChangeObserver(stranger) }
      hasEnded.signal()
    }
    for _ in 0..<40 {
      let observers = (0..<100).map { _ in SelfUnregisteringObserver(library) }
      for observer in observers { library.register(observer) }
    }
    isDone.withLock { $0 = true }
    hasEnded.waits(for: "the other thread's end")
    _ = try change { PHAssetChangeRequest(for: self.assets[0]).isFavorite = true }
  }

  @Test func commitsOfAnotherOpeningOfTheLibraryAreReported() async throws {
    let all = byDate()
    let other = try PHPhotoLibrary(url: temporary.url)
    let options = PHFetchOptions()
    options.photoLibrary = other
    let theirs = PHAsset.fetchAssets(with: options)
    try other.performChangesAndWait { PHAssetChangeRequest.deleteAssets([theirs.object(at: 2)]) }
    // The observer notices the commit by `incoming/commits`, or at the latest by its timer.
    try await eventually("the other opening's commit") { !observer.changes.isEmpty }
    #expect(observer.changes.first?.changeDetails(for: all)?.summary == "−[2] +[] ~[] →[]")
  }

  @Test func twoResultsCanBeComparedByHand() {
    let details = PHFetchResultChangeDetails(
      from: byDate(), to: byDate { $0.fetchLimit = 2 }, changedObjects: [assets[0]])
    #expect(details.summary == "−[2, 3] +[] ~[0] →[]")
  }
}

@Suite struct AvailabilityTests {
  private final class AvailabilityObserver: NSObject, PHPhotoLibraryAvailabilityObserver, Sendable {
    let told = Mutex<[String]>([])
    func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary) { told.withLock { $0.append("gone") } }
    func photoLibraryDidBecomeAvailable(_ photoLibrary: PHPhotoLibrary) { told.withLock { $0.append("back") } }
  }

  @Test func aLibraryWhoseDiskGoesAwayIsUnavailableAndComesBackWithEverything() async throws {
    let temporary = try TemporaryLibrary()
    let library = temporary.library
    let assets = try temporary.addPhotos("A", "B")
    let all = PHAsset.fetchAssets(with: temporary.options())
    let observer = AvailabilityObserver()
    let changes = RecordingObserver()
    library.register(changes)
    library.register(observer)
    #expect(library.unavailabilityReason == nil)

    let away = temporary.folder.appendingPathComponent("away")
    try #require(rename(temporary.url.path, away.path) == 0)
    let reason = library.unavailabilityReason as? PHPhotosError
    #expect(reason?.code == .libraryVolumeOffline)
    let during = PHAsset.fetchAssets(with: temporary.options())
    #expect(during.count == 0)
    #expect(during.error?.code == .libraryVolumeOffline)
    let error = #expect(throws: PHPhotosError.self) {
      try library.performChangesAndWait { PHAssetChangeRequest(for: assets[0]).isFavorite = true }
    }
    #expect(error?.code == .libraryVolumeOffline)

    // The library returns as other files with the same content, as from another mount. One rename
    // replaces it, because the library is looked for every second.
    let copy = temporary.folder.appendingPathComponent("copy")
    try FileManager.default.copyItem(at: away, to: copy)
    try #require(rename(copy.path, temporary.url.path) == 0)
    #expect(library.unavailabilityReason == nil)
    #expect(PHAsset.fetchAssets(with: temporary.options()).count == 2)
    library.waitForObservers()
    #expect(changes.changes.isEmpty)
    try library.performChangesAndWait { PHAssetChangeRequest(for: assets[0]).isFavorite = true }
    library.waitForObservers()
    #expect(changes.changes.count == 1)
    #expect(changes.changes.first?.changeDetails(for: all)?.summary == "−[] +[] ~[0] →[]")
    // The library's own timer may have noticed the return, and may still be telling of it.
    try await eventually("the library's return") { observer.told.withLock(\.count) > 1 }
    #expect(observer.told.withLock { $0 } == ["gone", "back"])
  }

  @Test func anotherLibraryInItsPlaceIsNotTakenForIt() throws {
    let temporary = try TemporaryLibrary()
    try temporary.addPhotos("A")
    try #require(rename(temporary.url.path, temporary.folder.appendingPathComponent("away").path) == 0)
    _ = try PHPhotoLibrary(url: temporary.url)
    #expect((temporary.library.unavailabilityReason as? PHPhotosError)?.code == .libraryVolumeOffline)
    #expect(PHAsset.fetchAssets(with: temporary.options()).error != nil)
  }

  @Test func assetsThatCannotBeCountedLeaveAnErrorInTheirResult() throws {
    let temporary = try TemporaryLibrary()
    try temporary.addPhotos("A")
    let found = PHAsset.fetchAssets(with: temporary.options())
    #expect((found.countOfAssets(with: .image), found.error == nil) == (1, true))
    try #require(rename(temporary.url.path, temporary.folder.appendingPathComponent("away").path) == 0)
    #expect(temporary.library.unavailabilityReason != nil)
    #expect((found.countOfAssets(with: .image), found.error?.code) == (0, .libraryVolumeOffline))
  }

  /// Moves a library away, and does not ask whether it is available.
  private func moveAway(_ temporary: TemporaryLibrary) throws -> URL {
    let away = temporary.folder.appendingPathComponent("away")
    try #require(rename(temporary.url.path, away.path) == 0)
    return away
  }

  @Test func aChangeOfALibraryThatIsGoneFails() throws {
    let temporary = try TemporaryLibrary()
    _ = try moveAway(temporary)
    let error = #expect(throws: PHPhotosError.self) { _ = try temporary.album("Norway", []) }
    #expect(error?.code == .libraryVolumeOffline)
  }

  @Test func theFirstFetchOfALibraryThatIsBackFindsEverything() throws {
    let temporary = try TemporaryLibrary()
    try temporary.addPhotos("A")
    let away = try moveAway(temporary)
    #expect(PHAsset.fetchAssets(with: temporary.options()).count == 0)
    try #require(rename(away.path, temporary.url.path) == 0)
    #expect(PHAsset.fetchAssets(with: temporary.options()).count == 1)
  }

  @Test func changesGoToTheCopyThatLiesInTheLibrarysPlaceAndAreObservedThere() throws {
    let temporary = try TemporaryLibrary()
    let observer = RecordingObserver()
    temporary.library.register(observer)
    temporary.library.waitForObservers()
    let away = try moveAway(temporary)
    // One rename replaces the library, because it is looked for every second.
    let copy = temporary.folder.appendingPathComponent("copy")
    try FileManager.default.copyItem(at: away, to: copy)
    try #require(rename(copy.path, temporary.url.path) == 0)
    try FileManager.default.removeItem(at: away)
    let elsewhere = try PHPhotoLibrary(url: temporary.url, create: false)
    try elsewhere.performChangesAndWait {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "One")
    }
    try temporary.library.performChangesAndWait {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Two")
    }
    let options = PHFetchOptions()
    options.photoLibrary = elsewhere
    let found = PHCollection.fetchTopLevelUserCollections(with: options)
    #expect(found.objects(at: IndexSet(0..<found.count)).map(\.localizedTitle) == ["One", "Two"])
    temporary.library.waitForObservers()
    let seen = PHCollection.fetchTopLevelUserCollections(with: temporary.options())
    #expect(seen.count == 2)
    #expect(!observer.changes.isEmpty)
  }

  @Test func afterABackupWasPutBackObserversAreToldOfWhatFollows() throws {
    let temporary = try TemporaryLibrary()
    let backup = temporary.folder.appendingPathComponent("backup")
    try temporary.library.performChangesAndWait {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "One")
    }
    try FileManager.default.copyItem(at: temporary.url, to: backup)
    for title in ["Two", "Three", "Four"] { _ = try temporary.album(title, []) }
    let shown = PHCollection.fetchTopLevelUserCollections(with: temporary.options())
    let observer = RecordingObserver()
    temporary.library.register(observer)
    _ = try moveAway(temporary)
    try #require(rename(backup.path, temporary.url.path) == 0)
    _ = try temporary.album("Five", [])
    temporary.library.waitForObservers()
    let details = try #require(observer.changes.last?.changeDetails(for: shown))
    #expect(!details.hasIncrementalChanges)
    #expect(details.fetchResultAfterChanges.count == 2)
    let top = PHCollection.fetchTopLevelUserCollections(with: temporary.options())
    #expect(top.objects(at: IndexSet(0..<top.count)).map(\.localizedTitle) == ["One", "Five"])
  }

  @Test func objectsThatCannotBeReadAreNotEqual() throws {
    let temporary = try TemporaryLibrary()
    try temporary.addPhotos("A", "B")
    let result = PHAsset.fetchAssets(with: temporary.options())
    let away = try moveAway(temporary)
    #expect(result.object(at: 0) != result.object(at: 1))
    try #require(rename(away.path, temporary.url.path) == 0)
    #expect(temporary.names(result) == "A B")
  }

  @Test func changesThatAreKeptHoldFewFilesOpen() throws {
    let temporary = try TemporaryLibrary()
    let assets = PHAsset.fetchAssets(with: temporary.options())
    let observer = RecordingObserver()
    temporary.library.register(observer)
    // Other parts of the process open and close files meanwhile.
    func openFiles() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))?.contains(
          temporary.folder.lastPathComponent) == true
      }
    }
    let before = try openFiles()
    #expect(before > 0)
    for number in 0..<40 {
      try temporary.addPhotos("\(number)")
      temporary.library.waitForObservers()
    }
    #expect(observer.changes.count == 40)
    #expect(try openFiles() - before < 40)
    let details = try #require(observer.changes[0].changeDetails(for: assets))
    #expect(details.insertedIndexes == IndexSet(0..<40))
    #expect(details.fetchResultAfterChanges.count == 40)
  }

  @Test func emptyObjectsAreEqualToThemselvesAlone() {
    let asset = PHAsset()
    #expect(asset == asset)
    #expect(asset != PHAsset())
    #expect(asset as PHObject != PHAssetCollection())
  }
}
