import Foundation
import Photos
import PhotosTesting
import Synchronization
import Testing

@Suite struct TrashTests {
  let temporary: TemporaryLibrary
  let assets: [PHAsset]
  var library: PHPhotoLibrary { temporary.library }

  init() throws {
    temporary = try TemporaryLibrary()
    assets = try temporary.addPhotos("A", "B", "C")
  }

  private func delete(_ assets: PHAsset...) throws {
    try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets(assets as NSArray) }
  }

  private var visible: String { temporary.names(PHAsset.fetchAssets(with: temporary.options())) }
  private var deleted: PHFetchResult<PHAsset> { PHAsset.fetchRecentlyDeletedAssets(with: temporary.options()) }

  private var originals: [String] {
    let folder = temporary.url.appendingPathComponent("originals/1970/01").path
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test func aDeletedAssetIsFoundInRecentlyDeletedOnly() throws {
    let album = try temporary.album("Norway", assets)
    try delete(assets[1])
    #expect(visible == "A C")
    #expect(temporary.names(in: album) == "A C")
    #expect(temporary.names(deleted) == "B")
    #expect(
      PHAsset.fetchAssets(withLocalIdentifiers: [assets[1].localIdentifier], options: temporary.options()).count == 0)
    #expect(originals == ["A", "B", "C"])
    let smart = PHAssetCollection.fetchAssetCollections(
      with: .smartAlbum, subtype: .smartAlbumRecentlyDeleted, options: temporary.options()
    ).object(at: 0)
    #expect(smart.estimatedAssetCount == 1)
    #expect(temporary.names(in: smart) == "B")
  }

  @Test func afterThirtyDaysItIsNotThereAndWithTheNextChangeItsFileIsGone() throws {
    let clock = TestClock()
    let temporary = try TemporaryLibrary(clock: clock)
    let asset = try temporary.addPhotos("A")[0]
    try temporary.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset]) }
    let file = temporary.url.appendingPathComponent("originals/1970/01/A")
    #expect(FileManager.default.fileExists(atPath: file.path))
    clock.advance(by: 29 * 86_400)
    #expect(PHAsset.fetchRecentlyDeletedAssets(with: temporary.options()).count == 1)
    clock.advance(by: 2 * 86_400)
    #expect(PHAsset.fetchRecentlyDeletedAssets(with: temporary.options()).count == 0)
    _ = try temporary.album("Norway", [])
    #expect(FileManager.default.fileExists(atPath: file.path) == false)
  }

  @Test func aRestoredAssetIsBackInItsAlbums() throws {
    let album = try temporary.album("Norway", assets)
    try delete(assets[1])
    try library.performChangesAndWait { PHAssetChangeRequest.restoreAssets(self.deleted) }
    #expect(temporary.names(in: album) == "A B C")
    #expect(deleted.count == 0)
  }

  @Test func anExpungedAssetIsGoneWithItsFile() throws {
    try delete(assets[1])
    try library.performChangesAndWait { PHAssetChangeRequest.expungeAssets(self.deleted) }
    #expect(deleted.count == 0)
    #expect(originals == ["A", "C"])
    var findings: [String] = []
    let found = Mutex<[String]>([])
    try library.verify { finding in found.withLock { $0.append(finding.description) } }
    findings = found.withLock { $0 }
    #expect(findings == [])
  }

  @Test func onlyWhatIsDeletedCanBeExpunged() throws {
    let error = #expect(throws: PHPhotosError.self) {
      try library.performChangesAndWait { PHAssetChangeRequest.expungeAssets([self.assets[0]]) }
    }
    #expect(error?.code == .changeNotSupported)
    #expect(visible == "A B C")
  }

  @Test func theSameBytesImportedAgainBringItBack() throws {
    try delete(assets[0])
    let bytes = try Data(contentsOf: temporary.url.appendingPathComponent("originals/1970/01/A"))
    nonisolated(unsafe) var request: PHAssetCreationRequest?
    try library.performChangesAndWait {
      let creation = PHAssetCreationRequest.forAsset()
      creation.joinsExistingAsset = true
      creation.addResource(with: .photo, data: bytes, options: nil)
      request = creation
    }
    #expect(request?.outcome == .existing(localIdentifier: assets[0].localIdentifier))
    #expect(visible == "A B C")
  }

  @Test func afterThirtyDaysItsFilesGoWhenTheLibraryIsOpened() throws {
    try delete(assets[0])
    let later = Date(timeIntervalSinceNow: 29.9 * 86_400)
    _ = try PHPhotoLibrary(url: temporary.url, clock: { later })
    #expect(originals == ["A", "B", "C"])
    let muchLater = Date(timeIntervalSinceNow: 30.1 * 86_400)
    _ = try PHPhotoLibrary(url: temporary.url, clock: { muchLater })
    #expect(originals == ["B", "C"])
  }

  @Test func aBurstWhoseRepresentativeIsDeletedIsRepresentedByItsNextFrame() throws {
    try temporary.add(SampleMedia.burst(count: 3).enumerated().map { SampleFile("IMG_\($0.offset).JPG", $0.element) })
    let before = PHAsset.fetchAssets(with: temporary.options())
    #expect(temporary.names(before) == "A B C IMG_0.JPG")
    try delete(before.object(at: 3))
    #expect(visible == "A B C IMG_1.JPG")
  }
}
