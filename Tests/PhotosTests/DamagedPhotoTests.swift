import Foundation
import PhotosTesting
import Testing

@testable @_spi(Testing) import Photos

/// Tests photos with a missing part, and photos that need no screen rendition.
@Suite struct DamagedPhotoTests {
  private let temporary: TemporaryLibrary
  private static let size = PictureSize(width: 160, height: 120)

  init() throws { temporary = try TemporaryLibrary() }

  /// A photo with a date of its own.
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
    #expect(shown.data.count < data.count && shown.data == asset.storedPicture("screen")?.data)
  }
}
