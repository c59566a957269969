import CoreLocation
import Foundation
import Imaging
@_spi(Testing) import Photos
import PhotosTesting
import Testing

/// Tests rendering pictures in any size and format.
@Suite struct RenderedImageTests {
  let temporary: TemporaryLibrary

  init() throws { temporary = try TemporaryLibrary() }

  private func photo(orientation: Int = 1) throws -> PHAsset {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_551_741_611), offset: -21_600)
    metadata.place = .init(latitude: 41.25, longitude: -96, altitude: 320)
    metadata.orientation = orientation
    let jpeg = try SampleMedia.jpeg(size: PictureSize(width: 96, height: 64), metadata: metadata)
    return try temporary.add(SampleFile("IMG_0001.JPG", jpeg))[0]
  }

  private func metadata(_ data: Data) throws -> MediaMetadata {
    try MediaMetadata(of: MediaFile(data: data, name: "rendered"))
  }

  @Test("Each format has the size that was asked for, the date and the place", arguments: 0..<6)
  func format(_ index: Int) throws {
    let type = PHAsset.supportedRenderedImageTypes[index]
    let data = try photo().renderedImageData(as: type, fitting: CGSize(width: 48, height: 48))
    let found = try metadata(data)
    #expect(found.type.uniformTypeIdentifier == type.identifier)
    let pixels = try EncodedPicture(data, named: "rendered").pixels()
    #expect(([pixels.width, pixels.height] as [Int]) == [48, 32])
    #expect(found.captureDate.date == Date(timeIntervalSince1970: 1_551_741_611))
    #expect(found.location.map { abs($0.latitude - 41.25) < 1e-6 } == true)
  }

  @Test(
    "A picture fits its box and is never enlarged",
    arguments: [
      (nil, [96, 64]), (CGSize(width: 1000, height: 1000), [96, 64]), (CGSize(width: 48, height: 10), [15, 10]),
      (CGSize(width: 1, height: 1), [1, 1]),
    ])
  func box(_ size: CGSize?, _ expected: [Int]) throws {
    let found = try metadata(photo().renderedImageData(as: .png, fitting: size))
    #expect(([found.pixelWidth, found.pixelHeight] as [Int]) == expected)
  }

  /// 200 × 70 pixels in a width of 52 are 18.2 pixels high.
  @Test func `a picture has the width of its box if its height is rounded`() throws {
    let jpeg = try SampleMedia.jpeg(size: PictureSize(width: 200, height: 70))
    let asset = try temporary.add(SampleFile("wide.jpg", jpeg))[0]
    let found = try metadata(asset.renderedImageData(as: .png, fitting: CGSize(width: 52, height: 52)))
    #expect(([found.pixelWidth, found.pixelHeight] as [Int]) == [52, 18])
  }

  @Test func aPictureIsUpright() throws {
    let asset = try photo(orientation: 6)
    let found = try metadata(asset.renderedImageData(as: .jpeg, fitting: CGSize(width: 48, height: 48)))
    #expect(found.orientation == 1)
    #expect(([asset.pixelWidth, asset.pixelHeight] as [Int]) == [96, 64])
    #expect(([found.pixelWidth, found.pixelHeight] as [Int]) == [48, 32])
  }

  @Test func aVideoHasAPoster() throws {
    let movie = try SampleMedia.movie(duration: 0.3, size: PictureSize(width: 64, height: 48))
    let asset = try temporary.add(SampleFile("IMG_0002.MOV", movie))[0]
    let found = try metadata(asset.renderedImageData(as: .webP, fitting: CGSize(width: 32, height: 32)))
    #expect(([found.pixelWidth, found.pixelHeight] as [Int]) == [32, 24])
  }

  private func changed(_ asset: PHAsset, _ change: @escaping (PHAssetChangeRequest) -> Void) throws -> PHAsset {
    nonisolated(unsafe) let change = change
    try temporary.library.performChangesAndWait { change(PHAssetChangeRequest(for: asset)) }
    return PHAsset.fetchAssets(withLocalIdentifiers: [asset.localIdentifier], options: temporary.options()).object(
      at: 0)
  }

  @Test("A changed date and place are those of the rendered file, in each format", arguments: 0..<6)
  func changedDateAndPlace(_ index: Int) throws {
    let asset = try changed(photo()) {
      $0.creationDate = Date(timeIntervalSince1970: 1_000_000_000.5)
      $0.location = CLLocation(latitude: -33.5, longitude: 151.25)
    }
    let found = try metadata(asset.renderedImageData(as: PHAsset.supportedRenderedImageTypes[index]))
    #expect(found.captureDate.date == Date(timeIntervalSince1970: 1_000_000_000.5))
    #expect(found.captureDate.offset == -21_600)
    #expect(found.location.map { abs($0.latitude + 33.5) < 1e-6 && abs($0.longitude - 151.25) < 1e-6 } == true)
  }

  @Test func aPlaceThatWasTakenAwayIsNowhereInTheRenderedFile() throws {
    let before = try photo()
    // 41 degrees and 15 minutes as big-endian fractions.
    let degrees = Data([0, 0, 0, 41, 0, 0, 0, 1, 0, 0, 0, 15, 0, 0, 0, 1])
    #expect(try before.renderedImageData(as: .jpeg).firstRange(of: degrees) != nil)
    let data = try changed(before) { $0.location = nil }.renderedImageData(as: .jpeg)
    #expect(data.firstRange(of: degrees) == nil)
    #expect(try metadata(data).location == nil)
    #expect(try metadata(data).captureDate.date == Date(timeIntervalSince1970: 1_551_741_611))
  }

  @Test func aGuessedDateIsNotWrittenDownOfAnEditEither() async throws {
    let asset = try temporary.add(SampleFile("a.png", SampleMedia.png(size: PictureSize(width: 96, height: 64))))[0]
    #expect(try metadata(asset.renderedImageData(as: .jpeg)).captureDate.source == .file)
    try await asset.edit { $0.filter = .sepia }
    #expect(try metadata(asset.renderedImageData(as: .jpeg)).captureDate.source == .file)
  }

  /// A restore from a backup, for example, changes the dates of files.
  @Test func aGuessedDateIsNotWrittenDownThoughTheFilesOwnDateHasChanged() throws {
    let asset = try temporary.add(SampleFile("a.png", SampleMedia.png(size: PictureSize(width: 96, height: 64))))[0]
    let file = PHAssetResource.assetResources(for: asset)[0].fileURLForTesting
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: file.path)
    #expect(try metadata(asset.renderedImageData(as: .jpeg)).captureDate.source == .file)
  }

  @Test func qualityMakesADifference() throws {
    let asset = try photo()
    #expect(try asset.renderedImageData(as: .jpeg, quality: 0.3).count < asset.renderedImageData(as: .jpeg).count)
  }

  @Test func aTypeThatIsNoPicturesIsRefused() throws {
    let error = #expect(throws: PHPhotosError.self) { try photo().renderedImageData(as: .pdf) }
    #expect(error?.code == .invalidResource)
  }

  @Test func versionsAreToldApart() async throws {
    let asset = try photo()
    try await asset.edit { $0.turn(byQuarters: 1) }
    let current = try metadata(asset.renderedImageData(as: .png))
    let original = try metadata(asset.renderedImageData(as: .png, version: .original))
    #expect(([current.pixelWidth, original.pixelWidth] as [Int]) == [64, 96])
  }
}
