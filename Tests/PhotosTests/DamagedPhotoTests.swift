import Foundation
import PhotosTesting
import Testing

@testable @_spi(Testing) import Photos

/// Tests photos with a missing part, and photos that need no screen rendition.
@Suite struct DamagedPhotoTests {
  private let temporary: TemporaryLibrary
  private static let size = PictureSize(width: 160, height: 120)

  init() throws { temporary = try TemporaryLibrary() }

  /// Returns a photo whose capture date is distinct for each number.
  private static func photo(_ number: Int) throws -> Data {
    let metadata = SampleMetadata(
      captureDate: Date(timeIntervalSince1970: 1_551_741_611 + Double(number)), offset: 0)
    return try SampleMedia.jpeg(size: size, seed: UInt64(number), metadata: metadata)
  }

  private func names(in subtype: PHAssetCollectionSubtype) throws -> [String?] {
    let album = PHAssetCollection.fetchAssetCollections(
      with: .smartAlbum, subtype: subtype, options: temporary.options())
    let assets = PHAsset.fetchAssets(in: try #require(album.firstObject), options: temporary.options())
    return (0..<assets.count).map { assets[$0].extendedMetadata.originalFilename }
  }

  @Test func aPhotoThatEndsInItsMiddleIsInTheAlbumOfDamagedOnes() throws {
    let whole = try Self.photo(1)
    let assets = try temporary.add([
      SampleFile("cut.jpg", whole.prefix(whole.count * 6 / 10)), SampleFile("whole.jpg", Self.photo(2)),
    ])
    #expect(assets.map(\.isDamaged) == [true, false])
    #expect(assets.map(\.isUnreadable) == [false, false])
    #expect(try names(in: .smartAlbumDamaged) == ["cut.jpg"])
  }

  // MARK: Damage after the import

  private func put(_ data: Data, in asset: PHAsset) throws {
    let file = PHAssetResource.assetResources(for: asset)[0].fileURLForTesting
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    try data.write(to: file)
  }

  /// Returns the photo, fetched again after all results of decoding are written.
  private func refetched() -> PHAsset {
    AssetPictures.waitForReadabilityWrites()
    return PHAsset.fetchAssets(with: temporary.options())[0]
  }

  /// Makes the grid rendition again.
  private func draw(_ asset: PHAsset) async throws {
    temporary.library.forgetRenditionsForTesting(of: [asset])
    _ = try await PHImageManager.default().rendition(.grid, for: asset)
    AssetPictures.waitForReadabilityWrites()
  }

  @Test func damageThatIsSeenLaterIsWrittenOnceAndTakenBack() async throws {
    let whole = try Self.photo(1)
    let photo = try temporary.add([SampleFile("a.jpg", whole)])[0]
    try put(whole.prefix(whole.count * 6 / 10), in: photo)
    let start = temporary.library.currentChangeToken
    try await draw(photo)
    try await draw(photo)
    #expect(refetched().isDamaged && !refetched().isUnreadable)
    #expect(try names(in: .smartAlbumDamaged) == ["a.jpg"])
    #expect(try Array(temporary.library.fetchPersistentChanges(since: start)).count == 1)
    try put(whole, in: photo)
    try await draw(refetched())
    #expect(!refetched().isDamaged)
  }

  @Test func aCheckFindsDamageAndLeavesThePictureOfTheWholePhoto() async throws {
    let whole = try Self.photo(1)
    let photo = try temporary.add([SampleFile("a.jpg", whole)])[0]
    let drawn = try await PHImageManager.default().rendition(.grid, for: photo)
    try put(whole.prefix(whole.count * 6 / 10), in: photo)
    try temporary.library.verify { _ in }
    #expect(refetched().isDamaged)
    #expect(try await PHImageManager.default().rendition(.grid, for: refetched()).data == drawn.data)
  }

  @Test func aFileThatIsPutBackByHandHasANewAddressAfterACheck() throws {
    let whole = try Self.photo(1)
    let photo = try temporary.add([SampleFile("a.jpg", whole)])[0]
    var changed = whole
    changed[whole.count * 3 / 4] ^= 1
    for bytes in [changed, whole] {
      try put(bytes, in: photo)
      try temporary.library.verify { _ in }
    }
    #expect(refetched().renditionVersion != photo.renditionVersion)
    #expect(try !refetched().hasDamagedFiles())
  }

  @Test func aFileThatWasAwayKeepsItsAddress() throws {
    let photo = try temporary.add([SampleFile("a.jpg", Self.photo(1))])[0]
    let file = PHAssetResource.assetResources(for: photo)[0].fileURLForTesting
    let away = temporary.folder.appendingPathComponent("away.jpg")
    for (from, to) in [(file, away), (away, file)] {
      try FileManager.default.moveItem(at: from, to: to)
      try temporary.library.verify { _ in }
    }
    #expect(refetched().renditionVersion == photo.renditionVersion)
  }

  @Test func aPictureOfADamagedFileIsNotStored() async throws {
    let whole = try Self.photo(1)
    let photo = try temporary.add([SampleFile("a.jpg", whole)])[0]
    let drawn = try await PHImageManager.default().rendition(.grid, for: photo)
    try put(whole.prefix(whole.count * 6 / 10), in: photo)
    try await draw(photo)
    try put(whole, in: photo)
    #expect(try await PHImageManager.default().rendition(.grid, for: refetched()).data == drawn.data)
  }

  @Test func allPhotosWithAFileAreWholeAgainOnceItIsReplaced() async throws {
    let whole = try Self.photo(1)
    let photos = try temporary.add([SampleFile("a.jpg", whole), SampleFile("b.jpg", whole), SampleFile("c.jpg", whole)])
    try temporary.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([photos[2]] as NSArray) }
    try put(whole.prefix(whole.count * 6 / 10), in: photos[0])
    for photo in photos { try await draw(photo) }
    try temporary.library.verify { _ in }
    try temporary.library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      request.joinsExistingAsset = true
      request.addResource(with: .photo, data: whole, options: nil)
    }
    AssetPictures.waitForReadabilityWrites()
    let shown = PHAsset.fetchAssets(with: temporary.options())
    let deleted = PHAsset.fetchRecentlyDeletedAssets(with: temporary.options())
    #expect((0..<shown.count).map { shown[$0].isDamaged } == [false, false])
    #expect((0..<deleted.count).map { deleted[$0].isDamaged } == [false])
  }

  @Test func aPhotoIsWholeAgainOnceItsFileIsReplaced() async throws {
    let whole = try Self.photo(1)
    let photo = try temporary.add([SampleFile("a.jpg", whole)])[0]
    try put(whole.prefix(whole.count * 6 / 10), in: photo)
    try await draw(photo)
    try temporary.library.verify { _ in }
    #expect(refetched().isDamaged)
    try temporary.library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      request.joinsExistingAsset = true
      request.addResource(with: .photo, data: whole, options: nil)
    }
    #expect(!refetched().isDamaged)
    #expect(PHAsset.fetchAssets(with: temporary.options()).count == 1)
  }

  @Test func aWholeCopyIsThePhotoThatBeginsTheSame() throws {
    let whole = try Self.photo(1)
    let cut = try temporary.add([
      SampleFile("cut.jpg", whole.prefix(whole.count * 6 / 10)), SampleFile("other.jpg", Self.photo(2)),
      SampleFile("whole.jpg", whole),
    ])[0]
    #expect(try cut.wholeCopy()?.extendedMetadata.originalFilename == "whole.jpg")
  }

  @Test func aPhotoOfTheSameInstantThatBeginsOtherwiseIsNoCopy() throws {
    let whole = try Self.photo(1)
    let metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_551_741_612), offset: 0)
    let other = try SampleMedia.jpeg(size: Self.size, seed: 99, metadata: metadata)
    let cut = try temporary.add([
      SampleFile("cut.jpg", whole.prefix(whole.count * 6 / 10)), SampleFile("other.jpg", other),
    ])[0]
    #expect(try cut.wholeCopy() == nil)
  }

  @Test func aSmallPhotoIsItsOwnPictureForTheScreen() async throws {
    let data = try SampleMedia.jpeg(size: PictureSize(width: 640, height: 480), quality: 40)
    let asset = try temporary.add([SampleFile("small.jpg", data)])[0]
    let stored = try asset.photoLibrary.store.renditions.picture(
      uuid: asset.uuid, kind: "screen", version: asset.renditionVersion)
    #expect(stored?.data.isEmpty == true)
    let shown = try await PHImageManager.default().rendition(.screen, for: asset)
    #expect(shown.data == data)
    #expect(shown.uniformTypeIdentifier == "public.jpeg" && shown.pixelWidth == 640 && shown.pixelHeight == 480)
  }

  @Test func aPhotoThatTakesMoreThanItsPictureForTheScreenHasOne() async throws {
    let data = try SampleMedia.jpeg(size: PictureSize(width: 640, height: 480), quality: 95)
    let asset = try temporary.add([SampleFile("large.jpg", data)])[0]
    let shown = try await PHImageManager.default().rendition(.screen, for: asset)
    #expect(shown.data.count < data.count && shown.data == asset.pictures.storedRendition(.screen)?.data)
  }
}
