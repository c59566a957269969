import Foundation
import Photos
import PhotosTesting
import Synchronization
import Testing

/// Tests a client that sees the last of three photos. The other two are in an album.
@Suite struct LimitedAccessTests {
  let fixture: AccessFixture
  let library: PHPhotoLibrary

  init() throws {
    fixture = try AccessFixture()
    library = try fixture.limitedLibrary()
  }

  private var hidden: PHAsset { fixture.photos[0] }
  private var seen: PHAsset { fixture.photos[2] }

  @Test func fetchesFindTheSelection() { #expect(library.names() == "C") }

  @Test func noOtherWayOfFetchingFindsMore() throws {
    let all = fixture.photos.map(\.localIdentifier)
    let options = library.options()
    let names = PHPhotoLibrary.names
    #expect(names(PHAsset.fetchAssets(withLocalIdentifiers: all, options: options)) == "C")
    #expect(names(PHAsset.fetchAssets(with: .image, options: options)) == "C")
    #expect(names(PHAsset.fetchAssets(in: fixture.album, options: options)) == "")
    #expect(names(PHAsset.fetchAssets(in: library.smartAlbum(.smartAlbumUserLibrary), options: options)) == "C")
    #expect(PHAsset.fetchKeyAssets(in: fixture.album, options: options) == nil)
    let transient = PHAssetCollection.transientAssetCollection(with: fixture.photos, title: nil)
    #expect(names(PHAsset.fetchAssets(in: transient, options: options)) == "C")
    #expect(try PHAsset.fetchDays(with: options).map { "\($0.date) \($0.count)" } == ["1970-01-03 1"])
    #expect(PHAsset.fetchAssets(with: options).countOfAssets(with: .image) == 1)
  }

  @Test func `a limited client finds only its own hidden assets`() throws {
    try fixture.owner.performChangesAndWait {
      for photo in fixture.photos[1...] { PHAssetChangeRequest(for: photo).isHidden = true }
    }
    #expect(library.names { $0.includeHiddenAssets = true } == "C")
  }

  @Test(arguments: [PHAuthorizationStatus.limited, .authorized])
  func `no client finds Recently Deleted or an asset in it`(status: PHAuthorizationStatus) throws {
    try fixture.owner.setAuthorization(status, for: fixture.client, accessLevel: .readWrite)
    try fixture.owner.performChangesAndWait { PHAssetChangeRequest.deleteAssets([seen]) }
    func found(in library: PHPhotoLibrary) throws -> [Int] {
      let options = library.options()
      let album = PHAssetCollection.fetchAssetCollections(
        with: .smartAlbum, subtype: .smartAlbumRecentlyDeleted, options: options)
      let listed = PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .any, options: options)
      let identifier = fixture.owner.smartAlbum(.smartAlbumRecentlyDeleted).localIdentifier
      return [
        PHAsset.fetchRecentlyDeletedAssets(with: options).count, album.count,
        listed.objects(at: IndexSet(0..<listed.count)).count { $0.localIdentifier == identifier },
        PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [identifier], options: options).count,
        PHAsset.fetchAssets(in: fixture.owner.smartAlbum(.smartAlbumRecentlyDeleted), options: options).count,
        PHAsset.fetchAssets(withLocalIdentifiers: [seen.localIdentifier], options: options).count,
        try library.collectionOverviews().count { $0.collection.localIdentifier == identifier },
      ]
    }
    #expect(try found(in: fixture.owner) == [1, 1, 1, 1, 1, 0, 1])
    #expect(try found(in: library) == [0, 0, 0, 0, 0, 0, 0])
  }

  // MARK: Bursts

  /// Adds a burst of three frames, and selects the last two for the client. Returns all three.
  private func addBurst() throws -> [PHAsset] {
    let frames = try SampleMedia.burst(count: 3, size: PictureSize(width: 16, height: 16))
    let added = try fixture.temporary.add(frames.enumerated().map { SampleFile("F\($0.offset).JPG", $0.element) })
    try fixture.owner.select(Array(added[1...]), for: fixture.client)
    return added
  }

  @Test func aBurstOfTheSelectionIsRepresentedWithinTheSelection() throws {
    let frames = try addBurst()
    #expect(library.names() == "C F1")
    #expect(fixture.owner.names() == "A B C F0")
    let burst = try #require(frames[0].burstIdentifier)
    let found = PHAsset.fetchAssets(withBurstIdentifier: burst, options: library.options())
    #expect(PHPhotoLibrary.names(found) == "F1")
    #expect(found.firstObject?.representsBurst == true)
    #expect(found.firstObject?.burstSelectionTypes == .autoPick)
    let all = PHAsset.fetchAssets(
      withBurstIdentifier: burst, options: library.options { $0.includeAllBurstAssets = true })
    #expect(PHPhotoLibrary.names(all) == "F1 F2")
    #expect(all.lastObject?.representsBurst == false)
    #expect(library.smartAlbum(.smartAlbumBursts).estimatedAssetCount == 1)
  }

  @Test func observersAreToldWhichFrameRepresentsABurstNow() throws {
    let frames = try addBurst()
    let before = PHAsset.fetchAssets(with: library.options())
    let all = PHAsset.fetchAssets(with: library.options { $0.includeAllBurstAssets = true })
    let last = try #require(all.lastObject)
    #expect(!last.representsBurst)
    let change = try change {
      try fixture.owner.performChangesAndWait { PHAssetChangeRequest.deleteAssets([frames[1]]) }
    }
    let details = try #require(change.changeDetails(for: before))
    #expect(PHPhotoLibrary.names(details.fetchResultAfterChanges) == "C F2")
    #expect(change.changeDetails(for: last)?.objectAfterChanges?.representsBurst == true)
  }

  // MARK: Collections

  @Test func theUsersAlbumsAndFoldersAreNotFound() throws {
    let options = library.options()
    let album = fixture.album
    #expect(PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: options).count == 0)
    #expect(
      PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [album.localIdentifier], options: options).count
        == 0)
    #expect(PHAssetCollection.fetchAssetCollectionsContaining(hidden, with: .album, options: options).count == 0)
    #expect(PHCollection.fetchTopLevelUserCollections(with: options).count == 0)
    #expect(PHCollectionList.fetchCollectionLists(with: .folder, subtype: .any, options: options).count == 0)
    let held = PHCollectionList.transientCollectionList(with: [album], title: nil)
    #expect(PHCollection.fetchCollections(in: held, options: options).count == 0)
  }

  @Test func anOrderOrAPredicateOfAlbumsIsNoError() {
    let options = library.options {
      $0.sortDescriptors = [NSSortDescriptor(key: "modificationDate", ascending: true)]
    }
    let found = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: options)
    #expect(found.count == 0)
    #expect(found.error == nil)
  }

  @Test func smartAlbumsCountTheSelectionAlone() throws {
    let photos = fixture.photos
    try fixture.owner.performChangesAndWait {
      for photo in photos { PHAssetChangeRequest(for: photo).isFavorite = true }
      PHAssetChangeRequest(for: photos[1]).isHidden = true
    }
    func counts(_ library: PHPhotoLibrary) -> [Int] {
      [PHAssetCollectionSubtype.smartAlbumUserLibrary, .smartAlbumFavorites, .smartAlbumAllHidden, .smartAlbumVideos]
        .map { library.smartAlbum($0).estimatedAssetCount }
    }
    #expect(counts(fixture.owner) == [2, 2, 1, 0])
    #expect(counts(library) == [1, 1, 0, 0])
  }

  @Test func aPredicateDoesNotCountTheRest() {
    func albums(_ library: PHPhotoLibrary) -> Int {
      let options = library.options { $0.predicate = NSPredicate(format: "estimatedAssetCount > 1") }
      return PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .any, options: options).count
    }
    #expect(albums(fixture.owner) > 0)
    #expect(albums(library) == 0)
  }

  @Test func smartAlbumsHaveTheDatesOfTheSelection() {
    let album = library.smartAlbum(.smartAlbumUserLibrary)
    #expect(album.startDate == Date(timeIntervalSince1970: 2 * 86_400))
    #expect(album.endDate == Date(timeIntervalSince1970: 2 * 86_400))
  }

  @Test func albumsThatWereHeldAreNotReadAgain() throws {
    let full = try fixture.library(.authorized)
    let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: full.options())
    try fixture.owner.setAuthorization(.limited, for: fixture.client, accessLevel: .readWrite)
    #expect(albums.object(at: 0).localizedTitle == "")
  }

  @Test func aSearchDoesNotKnowAlbumTitles() throws {
    let (album, seen) = (fixture.album, seen)
    try fixture.owner.performChangesAndWait { PHAssetCollectionChangeRequest(for: album)?.addAssets([seen]) }
    #expect(fixture.owner.names { $0.searchText = "norway" } == "A B C")
    #expect(library.names { $0.searchText = "norway" } == "")
    #expect(library.names { $0.searchText = "c" } == "C")
    #expect(library.names { $0.searchText = "a" } == "")
  }

  @Test func aTermOfASearchIsMetByItsPredicateOrItsWords() {
    func term(_ words: String) -> (PHFetchOptions) -> Void {
      { options in
        options.searchText = "c"
        options.searchTerms = [.init(NSPredicate(format: "favorite == YES"), words: words)]
      }
    }
    #expect(fixture.owner.names(term("jpg")) == "C")
    #expect(fixture.owner.names(term("zebra")) == "")
    let image = NSPredicate(format: "mediaType == 1")
    #expect(fixture.owner.names { $0.searchTerms = [.init(image, words: "a")] } == "A B C")
    #expect(library.names(term("c")) == "C")
    #expect(library.names(term("norway")) == "")
  }

  @Test func theDayOfAnAssetIsTheSameInAFetchAndInAnEvaluation() {
    let predicate = NSPredicate(format: "localCreationDay IN %@", [2, 5])
    #expect(library.names { $0.predicate = predicate } == "C")
    #expect(predicate.evaluate(with: seen))
    #expect(!NSPredicate(format: "localCreationDay > 2").evaluate(with: seen))
  }

  // MARK: Changes

  @Test func aLimitedClientSeesTheAssetsThatItCreates() throws {
    let file = try AccessFixture.file("D.JPG", day: 3)
    try library.performChangesAndWait {
      let options = PHAssetResourceCreationOptions()
      options.originalFilename = "D.JPG"
      PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file.data, options: options)
    }
    #expect(library.names() == "C D")
    #expect(try PHPhotoLibrary.names(fixture.owner.selectedAssets(for: fixture.client)) == "C D")
  }

  @Test func aLimitedClientCannotChangeAssetsOutsideItsSelection() throws {
    let hidden = hidden
    library.authorizationAnswerer = AuthorizationScript { _ in .confirmed }
    #expect(library.codeOfChange { PHAssetChangeRequest(for: hidden).isFavorite = true } == .identifierNotFound)
    #expect(library.codeOfChange { PHAssetChangeRequest.deleteAssets([hidden]) } == .identifierNotFound)
    #expect(fixture.owner.names() == "A B C")
  }

  @Test func nothingOfAnotherAssetIsRead() async throws {
    let names = fixture.photos.map(\.localIdentifier)
    let full = try fixture.library(.authorized)
    let held = PHAsset.fetchAssets(withLocalIdentifiers: [names[0]], options: full.options()).object(at: 0)
    try fixture.owner.setAuthorization(.limited, for: fixture.client, accessLevel: .readWrite)
    #expect(PHAssetResource.assetResources(for: held).isEmpty)
    #expect(held.extendedMetadata.originalFilename == nil)
    #expect(!held.canPerform(.properties))
    let failure = await codeOfAwaited { _ = try await PHImageManager.default().rendition(.grid, for: held) }
    #expect(failure == .accessUserDenied)
  }

  @Test func theHistoryTellsOfTheSelectionAlone() throws {
    let start = library.currentChangeToken
    let (photos, album) = (fixture.photos, fixture.album)
    try fixture.owner.performChangesAndWait { PHAssetChangeRequest(for: photos[0]).isFavorite = true }
    try fixture.owner.performChangesAndWait {
      for photo in photos { PHAssetChangeRequest(for: photo).isFavorite.toggle() }
      PHAssetCollectionChangeRequest(for: album)?.addAssets([photos[2]])
    }
    let changes = Array(try library.fetchPersistentChanges(since: start))
    #expect(changes.count == 1)
    #expect(try changes[0].changeDetails(for: .asset).updatedLocalIdentifiers == [photos[2].localIdentifier])
    #expect(try changes[0].changeDetails(for: .assetCollection).updatedLocalIdentifiers == [])
  }

  @Test func theHistoryHasNoDetailsOfAChangeOfTheSelection() throws {
    let start = library.currentChangeToken
    try fixture.owner.select([hidden], for: fixture.client)
    let change = try #require(library.fetchPersistentChanges(since: start).first { _ in true })
    #expect(code { _ = try change.changeDetails(for: .asset) } == .persistentChangeDetailsUnavailable)
  }

  @Test func `a token of another access has expired`() throws {
    let (limited, full) = (library.currentChangeToken, fixture.owner.currentChangeToken)
    #expect(code { _ = try library.fetchPersistentChanges(since: full) } == .persistentChangeTokenExpired)
    #expect(code { _ = try library.fetchPersistentChanges(since: limited) } == nil)
    try fixture.owner.setAuthorization(.authorized, for: fixture.client, accessLevel: .readWrite)
    #expect(code { _ = try library.fetchPersistentChanges(since: full) } == nil)
    #expect(code { _ = try library.fetchPersistentChanges(since: limited) } == .persistentChangeTokenExpired)
    let other = try TemporaryLibrary().library.currentChangeToken
    #expect(code { _ = try library.fetchPersistentChanges(since: other) } == .internalError)
  }

  // MARK: Observers

  private final class Observer: NSObject, PHPhotoLibraryChangeObserver, Sendable {
    private let told = Mutex<[PHChange]>([])
    var changes: [PHChange] { told.withLock { $0 } }
    func photoLibraryDidChange(_ change: PHChange) { told.withLock { $0.append(change) } }
  }

  /// Makes a change, and returns what the client's observer is told of it.
  private func change(_ work: () throws -> Void) throws -> PHChange {
    let observer = Observer()
    library.register(observer)
    try work()
    library.waitForObservers()
    return try #require(observer.changes.last)
  }

  @Test func aChangeOfTheSelectionIsToldAnew() throws {
    let before = PHAsset.fetchAssets(with: library.options())
    let change = try change { try fixture.owner.select([hidden], for: fixture.client) }
    let details = try #require(change.changeDetails(for: before))
    #expect(!details.hasIncrementalChanges)
    #expect(details.insertedIndexes == nil)
    #expect(PHPhotoLibrary.names(details.fetchResultAfterChanges) == "A C")
  }

  @Test func anAssetThatLeavesTheSelectionIsGone() throws {
    let own = PHAsset.fetchAssets(with: library.options()).object(at: 0)
    let change = try change { try fixture.owner.deselect([seen], for: fixture.client) }
    #expect(change.changeDetails(for: own)?.objectWasDeleted == true)
    #expect(library.names() == "")
  }

  /// Returns the number of calls of the client's observer during a change, and whether the client's
  /// token changes.
  private func news(_ work: () throws -> Void) throws -> (calls: Int, movesToken: Bool) {
    let observer = Observer()
    library.register(observer)
    let token = library.currentChangeToken
    try work()
    library.waitForObservers()
    return (observer.changes.count, token != library.currentChangeToken)
  }

  @Test func changesOutsideTheSelectionCallNoObserverAndMoveNoToken() throws {
    let (hidden, album) = (hidden, fixture.album)
    let news = try news {
      try fixture.owner.performChangesAndWait {
        PHAssetChangeRequest(for: hidden).isFavorite = true
        PHAssetCollectionChangeRequest(for: album)?.title = "Sweden"
      }
      try fixture.owner.performChangesAndWait { PHAssetChangeRequest.deleteAssets([hidden]) }
    }
    #expect(news == (0, false))
  }

  @Test func changesInTheSelectionAreReported() throws {
    let (seen, hidden) = (seen, hidden)
    let changed = try news {
      try fixture.owner.performChangesAndWait { PHAssetChangeRequest(for: seen).isFavorite = true }
    }
    #expect(changed == (1, true))
    #expect(try news { try fixture.owner.select([hidden], for: fixture.client) } == (1, true))
    let deleted = try news {
      try fixture.owner.performChangesAndWait { PHAssetChangeRequest.deleteAssets([seen]) }
    }
    #expect(deleted == (1, true))
    let expunged = try news {
      try fixture.owner.performChangesAndWait { PHAssetChangeRequest.expungeAssets([seen]) }
    }
    #expect(expunged == (1, true))
  }

  @Test func `a client whose access becomes limited sees only its selection`() throws {
    try fixture.owner.setAuthorization(.authorized, for: fixture.client, accessLevel: .readWrite)
    let before = PHAsset.fetchAssets(with: library.options())
    #expect(before.count == 3)
    let change = try change {
      try fixture.owner.setAuthorization(.limited, for: fixture.client, accessLevel: .readWrite)
    }
    let details = try #require(change.changeDetails(for: before))
    #expect(!details.hasIncrementalChanges)
    #expect(PHPhotoLibrary.names(details.fetchResultAfterChanges) == "C")
    #expect(before.object(at: 0).localIdentifier != fixture.photos[0].localIdentifier)
  }

  @Test func `a client that gains access is told of all assets`() throws {
    try fixture.owner.setAuthorization(.denied, for: fixture.client, accessLevel: .readWrite)
    let before = PHAsset.fetchAssets(with: library.options())
    let change = try change {
      try fixture.owner.setAuthorization(.authorized, for: fixture.client, accessLevel: .readWrite)
    }
    #expect(change.changeDetails(for: before)?.fetchResultAfterChanges.count == 3)
  }
}
