import CoreLocation
import Foundation
import Photos
import PhotosTesting
import Testing

/// Tests two libraries in one program whose rows have the same numbers.
@Suite struct CrossLibraryTests {
  let one: TemporaryLibrary
  let other: TemporaryLibrary
  let own: [PHAsset]
  let strangers: [PHAsset]

  init() throws {
    one = try TemporaryLibrary()
    other = try TemporaryLibrary()
    own = try one.addPhotos("A", "B", "C")
    strangers = try other.addPhotos("X", "Y", "Z")
  }

  @Test func anotherLibrarysAssetIsNotPutIntoAnAlbum() throws {
    let album = try one.album("Norway", [own[0]])
    let error = #expect(throws: PHPhotosError.self) {
      try one.library.performChangesAndWait {
        PHAssetCollectionChangeRequest(for: album)?.addAssets([strangers[1]] as NSArray)
      }
    }
    #expect(error?.code == .identifierNotFound)
    #expect(one.names(in: album) == "A")
  }

  @Test func anotherLibrarysAssetIsNotTakenOutOfAnAlbum() throws {
    let album = try one.album("Norway", own)
    try one.library.performChangesAndWait {
      PHAssetCollectionChangeRequest(for: album)?.removeAssets([strangers[1]] as NSArray)
    }
    #expect(one.names(in: album) == "A B C")
  }

  @Test func anotherLibrarysAlbumIsEmptyHere() throws {
    _ = try one.album("Norway", own)
    let strange = try other.album("Norge", strangers)
    #expect(PHAsset.fetchAssets(in: strange, options: one.options()).count == 0)
    #expect(
      PHAssetCollection.fetchAssetCollectionsContaining(strangers[0], with: .album, options: one.options()).count == 0)
  }

  @Test func aTransientCollectionIsOfOneLibrary() throws {
    let mixed = PHAssetCollection.transientAssetCollection(with: [own[2], strangers[0], own[0]], title: nil)
    #expect(one.names(in: mixed) == "C A")
  }
}
