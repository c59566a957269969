import CoreLocation
import Foundation
import Photos
import PhotosTesting
import Synchronization
import Testing

@Suite struct HistoryTests {
  let temporary: TemporaryLibrary
  let start: PHPersistentChangeToken
  var library: PHPhotoLibrary { temporary.library }

  init() throws {
    temporary = try TemporaryLibrary()
    start = temporary.library.currentChangeToken
  }

  @Test func everyTransactionIsToldInItsOrderWithItsObjects() throws {
    let asset = try temporary.addPhotos("A")[0]
    let album = try temporary.album("Norway", [asset])
    try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset]) }
    let changes = Array(try library.fetchPersistentChanges(since: start))
    try #require(changes.count == 3)
    #expect(try changes[0].changeDetails(for: .asset).insertedLocalIdentifiers == [asset.localIdentifier])
    #expect(try changes[1].changeDetails(for: .assetCollection).insertedLocalIdentifiers == [album.localIdentifier])
    #expect(try changes[1].changeDetails(for: .asset).updatedLocalIdentifiers == [])
    // The root folder has a new child.
    #expect(try changes[1].changeDetails(for: .collectionList).updatedLocalIdentifiers.count == 1)
    #expect(try changes[2].changeDetails(for: .asset).deletedLocalIdentifiers == [asset.localIdentifier])
    #expect(changes[2].changeToken == library.currentChangeToken)
    let rest = Array(try library.fetchPersistentChanges(since: changes[1].changeToken))
    #expect(rest.map(\.changeToken) == [changes[2].changeToken])
  }

  @Test func theTokensAreEqualIfNothingHappened() throws {
    #expect(library.currentChangeToken == start)
    #expect(Array(try library.fetchPersistentChanges(since: start)).isEmpty)
  }

  @Test func aChangeToWhatIsSoAlreadyIsNoChange() throws {
    let asset = try temporary.addPhotos("A")[0]
    func change(_ change: @escaping (PHAssetChangeRequest) -> Void) throws {
      try library.performChangesAndWait { change(PHAssetChangeRequest(for: asset)) }
    }
    let place = CLLocation(latitude: 52.5, longitude: 13.4)
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    let changes: [(PHAssetChangeRequest) -> Void] = [
      { ($0.isFavorite, $0.isHidden) = (true, false) }, { $0.caption = "A fjord" }, { $0.addKeyword("fjord") },
      { $0.removeKeyword("city") }, { $0.creationDate = date }, { $0.location = place },
    ]
    for make in changes { try change(make) }
    let token = library.currentChangeToken
    for make in changes {
      try change(make)
      #expect(library.currentChangeToken == token)
    }
    try change { $0.caption = nil }
    #expect(library.currentChangeToken != token)
  }

  @Test func theSameDateAgainIsNotAPersons() throws {
    let asset = try temporary.addPhotos("A")[0]
    let source = try asset.details()?.dateSource
    try library.performChangesAndWait {
      let request = PHAssetChangeRequest(for: asset)
      (request.creationDate, request.isFavorite) = (asset.creationDate, true)
    }
    #expect(try asset.details()?.dateSource == source)
  }

  @Test func aTokenIsArchivedSecurely() throws {
    try temporary.addPhotos("A")
    let token = library.currentChangeToken
    let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: PHPersistentChangeToken.self, from: data)
    #expect(read == token)
    #expect(PHPersistentChangeToken(stringValue: token.stringValue) == token)
    #expect(PHPersistentChangeToken(stringValue: "yesterday") == nil)
  }

  @Test func aTokenOfAnotherLibraryIsRefused() throws {
    let other = try TemporaryLibrary()
    let error = #expect(throws: PHPhotosError.self) {
      try library.fetchPersistentChanges(since: other.library.currentChangeToken)
    }
    #expect(error?.localizedDescription.hasPrefix("the change token belongs to another library: ") == true)
  }

  @Test func aTokenOfALaterLibraryHasExpired() throws {
    let later = try #require(PHPersistentChangeToken(stringValue: "\(start.stringValue)9"))
    let error = #expect(throws: PHPhotosError.self) { try library.fetchPersistentChanges(since: later) }
    #expect(error?.code == .persistentChangeTokenExpired)
  }

  @Test func aTokenExpiresByTheClockAlone() throws {
    let clock = TestClock()
    let temporary = try TemporaryLibrary(clock: clock)
    let token = temporary.library.currentChangeToken
    try temporary.addPhotos("A")
    clock.advance(by: 29 * 86_400)
    #expect(Array(try temporary.library.fetchPersistentChanges(since: token)).count == 1)
    clock.advance(by: 2 * 86_400)
    let error = #expect(throws: PHPhotosError.self) { try temporary.library.fetchPersistentChanges(since: token) }
    #expect(error?.code == .persistentChangeTokenExpired)
  }

  @Test func anAlbumChangesWithAnAssetThatGoesOrComesBack() throws {
    let asset = try temporary.addPhotos("A")[0]
    let album = try temporary.album("Norway", [asset])
    let token = library.currentChangeToken
    try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset]) }
    try library.performChangesAndWait { PHAssetChangeRequest.restoreAssets([asset]) }
    try library.performChangesAndWait { PHAssetChangeRequest(for: asset).isHidden = true }
    try library.performChangesAndWait { PHAssetChangeRequest(for: asset).isFavorite = true }
    let updated = try library.fetchPersistentChanges(since: token).map {
      try $0.changeDetails(for: .assetCollection).updatedLocalIdentifiers
    }
    #expect(updated == [[album.localIdentifier], [album.localIdentifier], [album.localIdentifier], []])
  }

  @Test func afterThirtyDaysATokenHasExpired() throws {
    let now = Mutex(Date())
    let url = temporary.folder.appendingPathComponent("Aging.calotype")
    let library = try PHPhotoLibrary(url: url, clock: { now.withLock(\.self) })
    let jpeg = try SampleMedia.jpeg(size: PictureSize(width: 16, height: 16), seed: 1)
    func add() throws {
      try library.performChangesAndWait {
        PHAssetCreationRequest.forAsset().addResource(with: .photo, data: jpeg, options: nil)
      }
    }
    let first = library.currentChangeToken
    try add()
    let second = library.currentChangeToken
    now.withLock { $0 += 29 * 86_400 }
    try add()
    #expect(Array(try library.fetchPersistentChanges(since: first)).count == 2)
    now.withLock { $0 += 2 * 86_400 }
    try add()
    let error = #expect(throws: PHPhotosError.self) { try library.fetchPersistentChanges(since: first) }
    #expect(error?.code == .persistentChangeTokenExpired)
    #expect(Array(try library.fetchPersistentChanges(since: second)).count == 2)
  }

  @Test func theObserverOfTheHistoryIsToldThatItGrew() throws {
    final class HistoryObserver: NSObject, PHPhotoLibraryPersistentChangesObserver, Sendable {
      let count = Mutex(0)
      func photoLibraryPersistentChangesDidUpdate(_ photoLibrary: PHPhotoLibrary) { count.withLock { $0 += 1 } }
    }
    let observer = HistoryObserver()
    library.register(observer)
    try temporary.addPhotos("A")
    library.waitForObservers()
    #expect(observer.count.withLock(\.self) == 1)
  }
}
