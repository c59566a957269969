import Photos
import PhotosTesting
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct ImageCreationTests {
  let temporary: TemporaryLibrary

  init() throws { temporary = try TemporaryLibrary() }

  private func create(_ image: UIImage) throws -> PHAsset? {
    nonisolated(unsafe) var identifier = ""
    try temporary.library.performChangesAndWait {
      let request = PHAssetChangeRequest.creationRequestForAsset(from: image)
      request.isFavorite = true
      identifier = request.placeholderForCreatedAsset?.localIdentifier ?? ""
    }
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    return PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: options).firstObject
  }

  @Test func `an image becomes an upright JPEG without the metadata of its file`() throws {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_551_741_611))
    metadata.place = .init(latitude: 41.25, longitude: -96)
    metadata.orientation = 6
    let image = try #require(
      UIImage(data: SampleMedia.jpeg(size: PictureSize(width: 60, height: 80), metadata: metadata)))
    let asset = try #require(try create(image))
    #expect(asset.pixelWidth == 60 && asset.pixelHeight == 80)
    #expect(asset.contentType == .jpeg)
    #expect(asset.location == nil)
    #expect(asset.creationDate != Date(timeIntervalSince1970: 1_551_741_611))
    #expect(asset.isFavorite)
    #expect(PHAssetResource.assetResources(for: asset).map(\.originalFilename) == ["Image.jpg"])
  }

  @Test func `an image is made an asset without a look at its color profile`() throws {
    let foreign = (ColoredPicture.displayP3 ?? []).enumerated().map { $0 == 25 ? 200 : $1 }
    let pixels = PixelBuffer(width: 16, height: 8, channels: 3, bytes: [UInt8](repeating: 90, count: 384))
    let data = try encode(pixels, as: "public.jpeg", quality: 100, carrying: CarriedMetadata(profile: foreign))
    let before = ColorProfile.parsedCount.load(ordering: .relaxed)
    #expect(try create(#require(UIImage(data: data)))?.pixelWidth == 16)
    #expect(ColorProfile.parsedCount.load(ordering: .relaxed) == before)
  }

  @Test func `a transparent image becomes a PNG with the same pixels`() throws {
    let pixels = PixelBuffer(width: 16, height: 8, channels: 4, bytes: (0..<512).map { UInt8($0 % 251) })
    let image = try #require(UIImage(data: encode(pixels, as: "public.png", quality: 100)))
    let asset = try #require(try create(image))
    #expect(asset.contentType == .png)
    let resource = try #require(PHAssetResource.assetResources(for: asset).first)
    let reader = try PHAssetResourceManager.default().reader(for: resource)
    #expect(try UIImage(data: reader.data(in: 0..<reader.byteCount))?.pixels() == pixels)
  }

  @Test func `an opaque image with an alpha channel becomes a JPEG`() throws {
    let area = CGRect(x: 0, y: 0, width: 16, height: 8)
    let image = UIGraphicsImageRenderer(bounds: area).image { context in
      UIColor.red.setFill()
      context.fill(area)
    }
    try #require(image.pixels()?.channels == 4)
    #expect(try create(image)?.contentType == .jpeg)
  }

  @Test func `an image without pixels becomes no asset`() throws {
    #expect { try create(UIImage()) } throws: { ($0 as? PHPhotosError)?.code == .invalidResource }
  }
}
