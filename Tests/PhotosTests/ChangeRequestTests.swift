import CoreLocation
import Foundation
import Photos
import PhotosTesting
import TestSupport
import Testing
import UIKit

/// Tests how the requests of one change block affect each other, and which requests are refused.
@Suite struct ChangeRequestTests {
  let temporary: TemporaryLibrary
  let assets: [PHAsset]
  var library: PHPhotoLibrary { temporary.library }

  init() throws {
    temporary = try TemporaryLibrary()
    assets = try temporary.addPhotos("A", "B", "C")
  }

  private func error(of block: @escaping () -> Void) -> PHPhotosError? {
    do { try library.performChangesAndWait(block) } catch { return error as? PHPhotosError }
    return nil
  }

  private func folder(_ title: String) throws -> PHCollectionList {
    var identifier = ""
    try library.performChangesAndWait {
      identifier =
        PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: title)
        .placeholderForCreatedCollectionList.localIdentifier
    }
    return try #require(
      PHCollectionList.fetchCollectionLists(withLocalIdentifiers: [identifier], options: temporary.options())
        .firstObject)
  }

  @Test func `two requests for one asset both change it, among requests for others`() throws {
    let assets = assets
    try library.performChangesAndWait {
      let first = PHAssetChangeRequest(for: assets[0])
      first.isFavorite = true
      first.addKeyword("sea")
      PHAssetChangeRequest(for: assets[1]).isFavorite = true
      let second = PHAssetChangeRequest(for: assets[0])
      second.isHidden = true
      second.addKeyword("sky")
    }
    let found = try #require(
      PHAsset.fetchAssets(withLocalIdentifiers: [assets[0].localIdentifier], options: temporary.options()).firstObject)
    #expect(found.isFavorite && found.isHidden)
    #expect(found.extendedMetadata.keywords == ["sea", "sky"])
  }

  @Test func `a missing asset among many fails the block, and nothing is changed`() throws {
    let assets = assets
    try library.performChangesAndWait {
      PHAssetChangeRequest.deleteAssets([assets[1]] as NSArray)
    }
    let error = error { for asset in assets { PHAssetChangeRequest(for: asset).isFavorite = true } }
    #expect(error?.code == .identifierNotFound)
    #expect(error?.localizedDescription.contains(assets[1].localIdentifier) == true)
    let options = temporary.options()
    options.predicate = NSPredicate(format: "favorite == YES")
    #expect(PHAsset.fetchAssets(with: options).count == 0)
  }

  @Test func aFolderMayHoldWhatTheSameBlockMakesAfterIt() throws {
    try library.performChangesAndWait {
      let outer = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Outer")
      let inner = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Inner")
      let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Album")
      outer.addChildCollections([inner.placeholderForCreatedCollectionList] as NSArray)
      inner.addChildCollections([album.placeholderForCreatedAssetCollection] as NSArray)
    }
    let top = PHCollection.fetchTopLevelUserCollections(with: temporary.options())
    #expect(top.objects(at: IndexSet(0..<top.count)).map(\.localizedTitle) == ["Outer"])
  }

  @Test func aFolderAndOneInItAreDeletedTogether() throws {
    let (outer, inner) = (try folder("Outer"), try folder("Inner"))
    try library.performChangesAndWait {
      PHCollectionListChangeRequest(for: outer)?.addChildCollections([inner] as NSArray)
    }
    try library.performChangesAndWait {
      PHCollectionListChangeRequest.deleteCollectionLists([outer, inner] as NSArray)
    }
    #expect(PHCollection.fetchTopLevelUserCollections(with: temporary.options()).count == 0)
  }

  @Test func aDeletedFolderIsABareFolderInAnOlderResult() throws {
    let folder = try folder("Travels")
    let result = PHCollectionList.fetchCollectionLists(
      withLocalIdentifiers: [folder.localIdentifier], options: temporary.options())
    try library.performChangesAndWait { PHCollectionListChangeRequest.deleteCollectionLists([folder] as NSArray) }
    #expect(result.object(at: 0).localIdentifier == folder.localIdentifier)
    #expect(result.object(at: 0).localizedTitle == "")
  }

  @Test func aCompletionHandlerMayWaitForAnotherChange() async throws {
    let count: Int = try await answer("both changes") { done in
      library.performChanges {
        PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "One")
      } completionHandler: { [library, temporary] _, _ in
        try? library.performChangesAndWait {
          PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Two")
        }
        done(PHCollection.fetchTopLevelUserCollections(with: temporary.options()).count)
      }
    }
    #expect(count == 2)
  }

  @Test func aCollectionIsNoAsset() async {
    await #expect(processExitsWith: .failure) {
      let temporary = try TemporaryLibrary()
      let album = try temporary.album("Norway", [])
      try temporary.library.performChangesAndWait {
        PHAssetCollectionChangeRequest(for: album)?.addAssets([album] as NSArray)
      }
    }
  }

  @Test func aRequestOfATaskThatOutlivesItsBlockTraps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let temporary = try TemporaryLibrary()
      let (end, teller) = AsyncStream.makeStream(of: Void.self)
      var late: Task<Void, Never>?
      try temporary.library.performChangesAndWait {
        late = Task {
          for await _ in end {}
          FileHandle.standardError.write(Data("The block has ended.".utf8))
          _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Late")
        }
      }
      teller.finish()
      await late?.value
    }
    // Nothing else failed before.
    #expect(String(decoding: try #require(result).standardErrorContent, as: UTF8.self).contains("The block has ended."))
  }

  @Test func aSmartAlbumIsNotDeleted() throws {
    let recents = try #require(
      PHAssetCollection.fetchAssetCollections(
        with: .smartAlbum, subtype: .smartAlbumUserLibrary, options: temporary.options()
      ).firstObject)
    let error = error { PHAssetCollectionChangeRequest.deleteAssetCollections([recents] as NSArray) }
    #expect(error?.code == .changeNotSupported)
    #expect(error?.localizedDescription == "“Recents” is no album that can be changed")
  }

  @Test("No asset is at a place that isn't on the globe", arguments: [(400.0, 5.0), (5.0, 400.0), (.nan, 5.0)])
  func noPlace(latitude: Double, longitude: Double) {
    let asset = assets[0]
    let error = error {
      PHAssetChangeRequest(for: asset).location = CLLocation(latitude: latitude, longitude: longitude)
    }
    #expect(error?.code == .changeNotSupported)
    #expect(
      error?.localizedDescription == "latitude \(latitude), longitude \(longitude): this is not a valid coordinate")
  }

  @Test("No asset is beyond where space begins", arguments: [Double.infinity, -.infinity, .nan, 1e16])
  func noAltitude(altitude: Double) {
    let asset = assets[0]
    func location(verticalAccuracy: Double) -> CLLocation {
      CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: 5, longitude: 5), altitude: altitude, horizontalAccuracy: 5,
        verticalAccuracy: verticalAccuracy, timestamp: Date(timeIntervalSince1970: 0))
    }
    let refused = error { PHAssetChangeRequest(for: asset).location = location(verticalAccuracy: 1) }
    #expect(refused?.code == .changeNotSupported)
    #expect(refused?.localizedDescription.hasPrefix("altitude \(altitude)") == true)
    // A negative vertical accuracy marks an invalid altitude, which is ignored.
    #expect(error { PHAssetChangeRequest(for: asset).location = location(verticalAccuracy: -1) } == nil)
  }

  @Test(
    "No asset is of a time outside the years 1 to 9999",
    arguments: [Double.nan, .infinity, -.infinity, 1e300, 253_402_300_800])
  func noDate(seconds: Double) {
    let asset = assets[0]
    let error = error { PHAssetChangeRequest(for: asset).creationDate = Date(timeIntervalSince1970: seconds) }
    #expect(error?.code == .changeNotSupported)
    #expect(error?.localizedDescription == "the date of an asset has to be in the years 1 to 9999")
  }

  @Test func aDeletedAssetIsNotPutIntoAnAlbum() throws {
    let album = try temporary.album("Norway", [])
    let asset = assets[0]
    try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset] as NSArray) }
    let error = error { PHAssetCollectionChangeRequest(for: album)?.addAssets([asset] as NSArray) }
    #expect(error?.code == .identifierNotFound)
  }

  @Test func aKeyAssetIsOneOfTheAlbums() throws {
    let album = try temporary.album("Norway", [assets[0]])
    let stranger = assets[1]
    let error = error { PHAssetCollectionChangeRequest(for: album)?.setKeyAsset(stranger) }
    #expect(error?.code == .changeNotSupported)
    #expect(error?.localizedDescription == "the key asset of the album “Norway” has to be in it")
  }

  @Test func aKeyAssetThatLeavesTheAlbumStandsForItNoMore() throws {
    let album = try temporary.album("Norway", assets)
    let key = assets[1]
    func keys() -> String {
      let album = PHAssetCollection.fetchAssetCollections(
        withLocalIdentifiers: [album.localIdentifier], options: temporary.options()
      ).object(at: 0)
      return PHAsset.fetchKeyAssets(in: album, options: temporary.options()).map { temporary.names($0) } ?? "none"
    }
    try library.performChangesAndWait { PHAssetCollectionChangeRequest(for: album)?.setKeyAsset(key) }
    #expect(keys() == "B")
    try library.performChangesAndWait { PHAssetCollectionChangeRequest(for: album)?.removeAssets([key] as NSArray) }
    #expect(keys() == "C A")
  }

  @Test func keyAssetsKeepTheLimitAndTheOrderThatIsAskedFor() throws {
    let album = try temporary.album("Norway", assets)
    let options = temporary.options()
    options.fetchLimit = 2
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
    let keys = try #require(PHAsset.fetchKeyAssets(in: album, options: options))
    #expect(temporary.names(keys) == "A B")
  }

  @Test func aSortDescriptorOfFoundationsKnowsItsProperty() throws {
    let options = temporary.options()
    options.sortDescriptors = [NSSortDescriptor(keyPath: \PHAsset.pixelWidth, ascending: false)]
    #expect(temporary.names(PHAsset.fetchAssets(with: options)) == "C B A")
    options.sortDescriptors = [NSSortDescriptor(keyPath: \PHAsset.playbackStyle.rawValue, ascending: false)]
    #expect(throws: PHPhotosError.self) { try options.validate(for: PHAsset.self) }
  }

  @Test func aFileBecomesARequestThatTakesMoreFiles() throws {
    let live = try SampleMedia.livePhoto(seed: 2)
    let still = temporary.folder.appendingPathComponent("IMG_1.HEIC")
    try live.still.write(to: still)
    try library.performChangesAndWait {
      let request = PHAssetCreationRequest.creationRequestForAssetFromImage(atFileURL: still)
      request?.addResource(with: .pairedVideo, data: live.video, options: nil)
    }
    let options = temporary.options()
    options.predicate = NSPredicate(format: "(mediaSubtypes & %d) != 0", PHAssetMediaSubtype.photoLive.rawValue)
    #expect(PHAsset.fetchAssets(with: options).count == 1)
  }

  @Test func aFolderIsNoPhoto() throws {
    let folder = temporary.folder
    var isThere = true
    try library.performChangesAndWait {
      isThere = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: folder) != nil
    }
    #expect(!isThere)
  }

  @Test func aLivePhotoCanBeShownAsAStill() throws {
    let live = try temporary.add(SampleMedia.livePhoto(seed: 2))
    #expect(live.playbackStyle == .livePhoto)
    try library.performChangesAndWait { PHAssetChangeRequest(for: live).setLivePhotoVideoPlaybackEnabled(false) }
    let after = PHAsset.fetchAssets(withLocalIdentifiers: [live.localIdentifier], options: temporary.options())
    #expect(after.firstObject?.playbackStyle == .image)
    #expect(after.firstObject?.mediaSubtypes.contains(.photoLive) == true)
  }

  @Test func aTextIsStoredWithoutANUL() throws {
    let album = try temporary.album("a\0b", [])
    #expect(album.localizedTitle == "ab")
    let options = temporary.options()
    options.predicate = NSPredicate(format: "title == %@", "ab\0c")
    #expect(throws: PHPhotosError.self) { try options.validate(for: PHAssetCollection.self) }
  }

  @Test func collectionsAreFoundAndSortedByTheirDates() throws {
    _ = try temporary.album("Early", [assets[0]])
    _ = try temporary.album("Late", [assets[2]])
    _ = try temporary.album("Empty", [])
    func titles(_ options: PHFetchOptions) -> [String?] {
      let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: options)
      return albums.objects(at: IndexSet(0..<albums.count)).map(\.localizedTitle)
    }
    let options = temporary.options()
    options.predicate = NSPredicate(format: "startDate != nil")
    options.sortDescriptors = [NSSortDescriptor(key: "endDate", ascending: false)]
    #expect(titles(options) == ["Late", "Early"])
    let smart = PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .any, options: options)
    #expect(smart.objects(at: IndexSet(0..<smart.count)).map(\.localizedTitle) == ["Recents"])
  }
}
