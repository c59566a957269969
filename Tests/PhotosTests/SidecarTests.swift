import Foundation
import Photos
import PhotosTesting
import Testing

@Suite struct SidecarTests {
  private let temporary: TemporaryLibrary

  init() throws { temporary = try TemporaryLibrary() }

  /// Adds a photo without metadata and returns its asset.
  private func asset(date: Date? = nil) throws -> PHAsset {
    let data = try SampleMedia.jpeg(size: PictureSize(width: 32, height: 24), metadata: SampleMetadata())
    nonisolated(unsafe) var identifier: String?
    try temporary.library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      request.addResource(with: .photo, data: data, options: nil)
      if let date { request.creationDate = date }
      identifier = request.placeholderForCreatedAsset?.localIdentifier
    }
    return try #require(fetched([identifier].compactMap(\.self)))
  }

  private func fetched(_ identifiers: [String]) -> PHAsset? {
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    return PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: options).firstObject
  }

  private func hasDate(_ asset: PHAsset) throws -> Bool {
    String(decoding: try asset.xmpSidecar(), as: UTF8.self).contains("exif:DateTimeOriginal")
  }

  @Test func aDateThatWasOnlyTheFilesIsNotTold() throws {
    let asset = try asset()
    #expect(try asset.details()?.dateSource == "file")
    #expect(try !hasDate(asset))
  }

  @Test func aDateThatSomebodySetIsTold() throws {
    let asset = try asset()
    try temporary.library.performChangesAndWait {
      PHAssetChangeRequest(for: asset).creationDate = Date(timeIntervalSince1970: 1_000_000_000)
    }
    let changed = try #require(fetched([asset.localIdentifier]))
    #expect(try changed.details()?.dateSource == "person")
    #expect(try hasDate(changed))
  }

  @Test func aDateThatAnAssetIsMadeWithIsTold() throws {
    #expect(try hasDate(asset(date: Date(timeIntervalSince1970: 1_000_000_000))))
  }
}
