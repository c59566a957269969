import Foundation
@_spi(Testing) import Photos
import PhotosTesting
import Testing
import UIKit

/// Tests a raw file of 2400 × 1600 pixels whose preview has half the size.
@Suite struct RawRequestTests {
  let temporary: TemporaryLibrary
  let photo: PHAsset
  let manager = PHImageManager.default()

  init() throws {
    temporary = try TemporaryLibrary()
    photo = try temporary.add(SampleFile("IMG_0001.DNG", Self.dng.get()))[0]
  }

  private static let dng = Result {
    try SampleMedia.dng(size: PictureSize(width: 2400, height: 1600), previewSide: 1200)
  }

  @Test(arguments: [
    // The library's renditions are made from the preview, which is large enough here.
    (500, ["540×360"]), (1150, ["1200×800"]),
    // For larger requests, the preview comes first and the developed picture second.
    (2000, ["540×360*", "2400×1600"]), (10000, ["540×360*", "2400×1600"]),
  ])
  func thePreviewComesFirstAndTheDevelopedPictureOnDemand(_ side: Int, _ expected: [String]) async throws {
    #expect(try await manager.answers(for: photo, side, side).map(\.text) == expected)
  }

  @Test func ifNoRenditionIsStoredTheEmbeddedPreviewComesFirst() async throws {
    temporary.library.forgetRenditionsForTesting(of: [photo])
    let answers = try await manager.answers(for: photo, 0, 0) { $0.resizeMode = .none }
    #expect(answers.map(\.text) == ["540×360*", "2400×1600"])
  }

  /// The preview's renditions are as large as the preview, and smaller than the limits of
  /// renditions allow.
  @Test func aStoredRenditionThatIsTooSmallIsNotMadeAnew() async throws {
    #expect(try await manager.answers(for: photo, 1150, 1150).last?.text == "1200×800")
    let before = try log()
    let texts = try await manager.answers(for: photo, 1300, 1300).map(\.text)
    #expect(texts == ["540×360*", "1300×867"])
    #expect(try log() == before)
  }

  /// Returns the time of the last write to the rendition database's log.
  private func log() throws -> Date? {
    let path = temporary.url.appendingPathComponent("renditions.sqlite-wal").path
    return try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  }

  @Test func theWholePictureForABrowserIsDeveloped() async throws {
    let full = try await manager.rendition(.full, for: photo)
    #expect(full.pixelWidth == 2400)
    #expect(full.pixelHeight == 1600)
  }
}
