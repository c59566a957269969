import Foundation
import Imaging
import LibraryStore
import PhotosTesting
import Testing

@testable @_spi(Testing) import Photos

/// Tests what the library learns of an asset's file after the import.
@Suite struct ReadabilityTests {
  let temporary: TemporaryLibrary
  let photo: PHAsset
  let file: URL
  let bytes: Data
  let manager = PHImageManager.default()

  /// Imports a photo without its renditions, like an import that had no time to decode.
  init() throws {
    temporary = try TemporaryLibrary(photos: 1)
    photo = PHAsset.fetchAssets(with: temporary.options())[0]
    file = PHAssetResource.assetResources(for: photo)[0].fileURLForTesting
    bytes = try Data(contentsOf: file)
    temporary.library.forgetRenditionsForTesting(of: [photo])
  }

  /// The headers of a JPEG without image data.
  private static let broken = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xD9])

  private static let unreadable = Readability.unreadable(reason: "it is damaged")

  private func put(_ data: Data) throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    try data.write(to: file)
  }

  /// Returns the asset, fetched again after all results of decoding are written.
  private func refetched() -> PHAsset {
    AssetPictures.waitForReadabilityWrites()
    return PHAsset.fetchAssets(with: temporary.options())[0]
  }

  private func changes(since token: PHPersistentChangeToken) throws -> Int {
    Array(try temporary.library.fetchPersistentChanges(since: token)).count
  }

  @Test func aLaterFailureToDecodeIsRecordedWithItsReason() async throws {
    try put(Self.broken)
    let drawn = try await manager.rendition(.grid, for: photo)
    #expect(drawn.uniformTypeIdentifier == "public.svg-image")
    let found = refetched()
    #expect(found.isUnreadable)
    #expect(!found.canPerform(.content))
    let reason = try #require(try found.details()?.unreadableReason)
    #expect(!reason.isEmpty && !reason.contains("IMG_0001"))
    #expect(found.modificationDate == photo.modificationDate)
  }

  @Test func itIsWrittenOnce() async throws {
    try put(Self.broken)
    let start = temporary.library.currentChangeToken
    for _ in 0..<3 {
      // The object was fetched before, so it doesn't contain the result.
      _ = try await manager.rendition(.grid, for: photo)
      AssetPictures.waitForReadabilityWrites()
    }
    #expect(try changes(since: start) == 1)
  }

  @Test func aRenderThatFailsIsKnownToo() async throws {
    try put(Self.broken)
    #expect(throws: PHPhotosError.self) { try photo.renderedImageData(as: .png) }
    #expect(refetched().isUnreadable)
  }

  @Test func aPhotoThatCantBeDecodedIsNotEdited() throws {
    try put(Self.broken)
    let error = #expect(throws: PHPhotosError.self) { _ = try photo.editingInput(.init(), Cancellation()) }
    #expect(error?.code == .invalidResource)
    #expect(refetched().isUnreadable)
  }

  @Test func aPhotoThatFailsOnlyInFullSizeIsReadable() throws {
    let record = try photo.pictures.resource(for: .current)
    let tooLarge = ImagingError(.tooLarge, "IMG_0001.JPG", reason: "it is")
    #expect(throws: tooLarge) { try photo.pictures.decoding(.picture, of: record) { _, _ in throw tooLarge } }
    #expect(!refetched().isUnreadable)
  }

  @Test func `a missing file does not make an asset unreadable`() async throws {
    try FileManager.default.moveItem(at: file, to: temporary.folder.appendingPathComponent("elsewhere"))
    let start = temporary.library.currentChangeToken
    await #expect(throws: PHPhotosError.self) { try await manager.rendition(.grid, for: photo) }
    #expect(!refetched().isUnreadable)
    #expect(try changes(since: start) == 0)
  }

  @Test func aRenderTriesAFileThatCrashedADecoderAgain() async throws {
    let sha256 = try photo.pictures.resource(for: .current).sha256
    photo.photoLibrary.store.renditions.storeFailure(
      of: DecodingTask.renditions.failureName, sha256: sha256, reason: "it crashed")
    _ = try await manager.rendition(.grid, for: photo)
    let unreadable = refetched()
    #expect(try unreadable.details()?.unreadableReason == "it crashed")
    _ = try unreadable.renderedImageData(as: .png)
    #expect(!refetched().isUnreadable)
  }

  @Test func aFileThatIsReadAgainIsReadable() async throws {
    try put(Self.broken)
    _ = try await manager.rendition(.grid, for: photo)
    let unreadable = refetched()
    #expect(unreadable.isUnreadable)
    try put(bytes)
    _ = try unreadable.renderedImageData(as: .png)
    let found = refetched()
    #expect(!found.isUnreadable)
    #expect(try photo.photoLibrary.store.detail(assetID: found.rowID)?.unreadableReason == nil)
    #expect(try await manager.rendition(.grid, for: found).uniformTypeIdentifier == "public.jpeg")
  }

  @Test func `another build of the decoders tries an unreadable file again`() async throws {
    try put(Self.broken)
    _ = try await manager.rendition(.grid, for: photo)
    let unreadable = refetched()
    try put(bytes)
    #expect(try await manager.rendition(.grid, for: unreadable).uniformTypeIdentifier != "public.jpeg")
    #expect(refetched().isUnreadable)
    // The memory of another build says nothing about this one.
    photo.photoLibrary.store.renditions.forgetFailures(of: try photo.pictures.resource(for: .current).sha256)
    #expect(try await manager.rendition(.grid, for: unreadable).uniformTypeIdentifier == "public.jpeg")
    #expect(!refetched().isUnreadable)
  }

  @Test func `a file that no build can read is tried once`() async throws {
    try put(Self.broken)
    _ = try await manager.rendition(.grid, for: photo)
    let unreadable = refetched()
    #expect(!unreadable.pictures.isDueForAnotherAttempt)
    photo.photoLibrary.store.renditions.forgetFailures(of: try photo.pictures.resource(for: .current).sha256)
    #expect(unreadable.pictures.isDueForAnotherAttempt)
    for kind in [AssetRendition.Kind.screen, .grid] { _ = try await manager.rendition(kind, for: unreadable) }
    #expect(!unreadable.pictures.isDueForAnotherAttempt)
  }

  @Test func aWholePhotoWritesNothing() async throws {
    let start = temporary.library.currentChangeToken
    _ = try await manager.rendition(.grid, for: photo)
    AssetPictures.waitForReadabilityWrites()
    #expect(try changes(since: start) == 0)
  }

  @Test func theReasonOfAnotherFileIsNotWritten() throws {
    let store = photo.photoLibrary.store
    try store.setReadability(Self.unreadable, ofAsset: photo.uuid, showing: Data(repeating: 1, count: 32))
    #expect(!refetched().isUnreadable)
  }

  @Test func theOtherOriginalIsNotBlamed() throws {
    let fixture = try EditingFixture()
    let asset = try fixture.rawAndPicture()
    let (store, shown) = (asset.photoLibrary.store, try asset.pictures.resource(for: .current))
    try store.setReadability(Self.unreadable, ofAsset: asset.uuid, showing: shown.sha256)
    #expect(fixture.refetched(asset).isUnreadable)
    try fixture.library.performChangesAndWait { PHAssetChangeRequest(for: asset).revertAssetContent(to: .raw) }
    let raw = fixture.refetched(asset)
    #expect(!raw.isUnreadable)
    #expect(try store.detail(assetID: raw.rowID)?.unreadableReason == nil)
  }

  @Test func anEditHidesWhatCantBeRead() throws {
    let render = try SampleMedia.jpeg(size: PictureSize(width: 32, height: 24), seed: 7)
    let output = PHContentEditingOutput(contentEditingInput: try photo.editingInput(.init(), Cancellation()))
    output.adjustmentData = EditingFixture.sepia
    try render.write(to: output.renderedContentURL)
    try temporary.library.performChangesAndWait {
      PHAssetChangeRequest(for: photo).contentEditingOutput = output
    }
    let edited = refetched()
    let shown = try edited.pictures.resource(for: .current)
    try photo.photoLibrary.store.setReadability(Self.unreadable, ofAsset: photo.uuid, showing: shown.sha256)
    #expect(!refetched().isUnreadable)
  }
}
