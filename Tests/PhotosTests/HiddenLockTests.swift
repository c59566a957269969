import Foundation
import Photos
import PhotosTesting
import Testing

/// Tests a client with full access while the hidden assets are locked. The first of three photos is
/// hidden, and the second one hidden and in Recently Deleted.
@Suite struct HiddenLockTests {
  private let fixture: AccessFixture
  private let library: PHPhotoLibrary

  init() throws {
    fixture = try AccessFixture()
    library = try fixture.library(.authorized)
    let photos = fixture.photos
    try fixture.owner.performChangesAndWait {
      for photo in photos[..<2] { PHAssetChangeRequest(for: photo).isHidden = true }
    }
    try fixture.owner.performChangesAndWait { PHAssetChangeRequest.deleteAssets([photos[1]] as NSArray) }
  }

  /// Every way of fetching that finds hidden assets.
  private func found(in library: PHPhotoLibrary) -> [String] {
    let names = PHPhotoLibrary.names
    let options = library.options { $0.includeHiddenAssets = true }
    let all = fixture.photos.map(\.localIdentifier)
    return [
      names(PHAsset.fetchAssets(with: options)),
      names(PHAsset.fetchAssets(withLocalIdentifiers: all, options: library.options())),
      names(PHAsset.fetchAssets(in: fixture.album, options: options)),
      names(PHAsset.fetchAssets(in: library.smartAlbum(.smartAlbumAllHidden), options: options)),
      names(PHAsset.fetchRecentlyDeletedAssets(with: options)),
    ]
  }

  @Test func `no fetch of a client finds a locked asset`() throws {
    #expect(found(in: library) == ["A C", "A C", "A", "A", ""])
    try fixture.owner.setLocksHidden(true)
    #expect(found(in: library) == ["C", "C", "", "", ""])
    #expect(found(in: fixture.owner) == ["A C", "A C", "A", "A", "B"])
    #expect(found(in: fixture.owner.withoutHidden) == ["C", "C", "", "", ""])
    try fixture.owner.setLocksHidden(false)
    #expect(found(in: library) == ["A C", "A C", "A", "A", ""])
  }

  @Test func `nothing tells a client the number of locked assets`() throws {
    #expect(library.smartAlbum(.smartAlbumAllHidden).estimatedAssetCount == 1)
    try fixture.owner.setLocksHidden(true)
    let album = library.smartAlbum(.smartAlbumAllHidden)
    #expect(album.estimatedAssetCount == NSNotFound)
    #expect(album.startDate == nil)
    let counted = library.options { $0.predicate = NSPredicate(format: "estimatedAssetCount > 0") }
    let found = PHAssetCollection.fetchAssetCollections(
      with: .smartAlbum, subtype: .smartAlbumAllHidden, options: counted)
    #expect(found.count == 0)
    #expect(library.smartAlbum(.smartAlbumUserLibrary).estimatedAssetCount == 1)
  }

  @Test func `an asset that a client has fetched can't be read once it is locked`() throws {
    let asset = PHAsset.fetchAssets(
      withLocalIdentifiers: [fixture.photos[0].localIdentifier], options: library.options()
    )
    .object(at: 0)
    let resource = try #require(PHAssetResource.assetResources(for: asset).first)
    func read() -> PHPhotosError.Code? { code { _ = try PHAssetResourceManager.default().reader(for: resource) } }
    #expect(read() == nil)
    try fixture.owner.setLocksHidden(true)
    #expect(read() == .accessUserDenied)
  }
}
