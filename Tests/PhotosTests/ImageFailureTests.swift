import Foundation
import Imaging
import LibraryStore
import PhotosTesting
import TestSupport
import Testing

@testable @_spi(Testing) import Photos

@Suite struct ImageFailureTests {
  let temporary: TemporaryLibrary
  /// A photo of 160 × 120 pixels.
  let photo: PHAsset
  let manager = PHImageManager.default()

  init() throws {
    temporary = try TemporaryLibrary(photos: 1)
    photo = PHAsset.fetchAssets(with: temporary.options())[0]
  }

  private var store: RenditionStore { photo.photoLibrary.store.renditions }

  /// Stores `data` as the photo's grid and screen renditions.
  private func damage(_ data: Data) throws {
    let pictures = ["grid", "screen"].map {
      RenditionStore.Picture(
        kind: $0, pixelWidth: 160, pixelHeight: 120, uniformTypeIdentifier: "public.jpeg", data: data)
    }
    try store.store([.init(uuid: photo.uuid, version: photo.renditionVersion, pictures: pictures, placeholder: nil)])
  }

  // MARK: Stored renditions

  @Test func aStoredRenditionThatIsCutOffCountsAsNone() async throws {
    try damage(Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0]))
    let answers = try await manager.answers(for: photo, 80, 80)
    #expect(answers.map(\.text) == ["160×120"])
    #expect(answers.last?.image?.pngData() != nil)
    // The damaged rendition was replaced.
    #expect(try await manager.rendition(.grid, for: photo).data.count > 100)
  }

  @Test func aStoredRenditionThatCantBeDecodedIsMadeAnew() async throws {
    try damage(Data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 100) + [0xFF, 0xD9]))
    let answers = try await manager.answers(for: photo, 80, 80) {
      $0.resizeMode = .exact
      $0.deliveryMode = .highQualityFormat
    }
    #expect(answers.map(\.text) == ["80×60"])
    #expect(store.pictureData(of: photo)?.count ?? 0 > 200)
  }

  @Test(arguments: [
    (0, 120, "public.jpeg"), (160, 0, "public.jpeg"), (Int(UInt32.max), Int(UInt32.max), "public.jpeg"),
    (1441, 2, "public.jpeg"), (160, 120, "text/html"), (160, 120, ""),
  ])
  func `a stored rendition of an impossible size or type is made anew`(
    _ width: Int, _ height: Int, _ type: String
  ) async throws {
    let whole = try await manager.rendition(.grid, for: photo)
    let picture = RenditionStore.Picture(
      kind: "grid", pixelWidth: width, pixelHeight: height, uniformTypeIdentifier: type, data: whole.data)
    try store.store([.init(uuid: photo.uuid, version: photo.renditionVersion, pictures: [picture], placeholder: nil)])
    let made = try await manager.rendition(.grid, for: photo)
    #expect(made.pixelWidth == 160)
    #expect(made.pixelHeight == 120)
    #expect(made.uniformTypeIdentifier == "public.jpeg")
  }

  @Test(
    arguments: [
      [], [1], [1, 1], [0, 0], [7, 1] + [UInt8](repeating: 9, count: 21), [1, 1, 255, 255, 255, 255],
      [2, 1, 255, 255, 255],
    ] as [[UInt8]])
  func `a damaged placeholder is none`(_ bytes: [UInt8]) throws {
    try store.store([
      .init(uuid: photo.uuid, version: photo.renditionVersion, pictures: [], placeholder: Data(bytes))
    ])
    #expect(try manager.placeholders(for: [photo]).isEmpty)
  }

  // MARK: Crashes of decoders

  @Test func `a crash of a decoder is not retried for a day`() throws {
    let record = try photo.pictures.resource(for: .current)
    let crash = ImagingError(.crashed, "IMG_0001.JPG", reason: "the decoder crashed (SIGSEGV)")
    #expect(throws: crash) { try photo.pictures.decoding(.picture, of: record) { _, _ in throw crash } }
    let error = #expect(throws: PHPhotosError.self) { try photo.pictures.decoding(.picture, of: record) { _, _ in } }
    #expect(error?.code == .invalidResource)
    #expect(error?.localizedDescription == "IMG_0001.JPG: the decoder crashed (SIGSEGV)")
    // Other results of the same file are still made.
    try photo.pictures.decoding(.thumbnail, of: record) { _, _ in }
    store.storeFailure(
      of: DecodingTask.picture.failureName, sha256: record.sha256, reason: "long ago",
      now: Date(timeIntervalSinceNow: -25 * 3600))
    try photo.pictures.decoding(.picture, of: record) { _, _ in }
  }

  /// Earlier versions stored the name of the task alone.
  @Test(arguments: ["picture", "picture, build 1-2-3"])
  func `a crash of another build is tried again`(_ name: String) throws {
    let record = try photo.pictures.resource(for: .current)
    store.storeFailure(of: name, sha256: record.sha256, reason: "the decoder crashed (SIGILL)")
    try photo.pictures.decoding(.picture, of: record) { _, _ in }
  }

  @Test(arguments: [ImagingError.Code.damaged, .tooLarge, .tookTooLong, .cannotOpen])
  func `a cheap failure is retried`(_ code: ImagingError.Code) throws {
    let record = try photo.pictures.resource(for: .current)
    #expect(throws: ImagingError.self) {
      try photo.pictures.decoding(.picture, of: record) { _, _ in
        throw ImagingError(code, "IMG_0001.JPG", reason: "it is")
      }
    }
    try photo.pictures.decoding(.picture, of: record) { _, _ in }
  }

  @Test func aRequestForItFailsWithThatReason() async throws {
    let record = try photo.pictures.resource(for: .current)
    store.storeFailure(
      of: DecodingTask.picture.failureName, sha256: record.sha256, reason: "the decoder crashed (SIGSEGV)")
    let answers = try await manager.answers(for: photo, 5000, 5000)
    #expect(answers.map(\.text) == ["160×120*", "-"])
    #expect(answers.last?.error?.code == .invalidResource)
    #expect(answers.last?.error?.localizedDescription == "the decoder crashed (SIGSEGV)")
  }

  @Test func aPictureInAnotherFormatIsNotTriedAgainEither() throws {
    let record = try photo.pictures.resource(for: .current)
    store.storeFailure(
      of: DecodingTask.picture.failureName, sha256: record.sha256, reason: "the decoder crashed (SIGSEGV)")
    let error = #expect(throws: PHPhotosError.self) { try photo.renderedImageData(as: .png) }
    #expect(error?.localizedDescription == "the decoder crashed (SIGSEGV)")
  }

  @Test func aFullDiskHasItsCode() {
    let error = PHPhotosError(CocoaError(.fileWriteOutOfSpace, userInfo: [NSFilePathErrorKey: "/disk/IMG_1.JPG"]))
    #expect(error.code == .notEnoughSpace)
    #expect(error.localizedDescription == "/disk/IMG_1.JPG: no space is left on its disk")
  }

  @Test func `a library that another process keeps locked has a code of its own`() {
    let error = PHPhotosError(StoreError(.busy, "/photos/lock", reason: "why"))
    #expect(error.code == .relinquishingLibraryBundleToWriter)
    #expect(error.localizedDescription == "/photos/lock: why")
  }

  @Test(arguments: [
    (ImagingError.Code.cannotOpen, PHPhotosError.Code.missingResource), (.cannotRead, .missingResource),
    (.damaged, .invalidResource), (.unsupported, .invalidResource), (.unknownType, .invalidResource),
    (.tooLarge, .invalidResource), (.crashed, .invalidResource), (.tookTooLong, .operationInterrupted),
    (.missingProgram, .internalError), (.notEnoughSpace, .notEnoughSpace),
  ])
  func decodersErrorsHaveCodes(_ code: ImagingError.Code, _ expected: PHPhotosError.Code) {
    let error = PHPhotosError(ImagingError(code, "IMG_0001.JPG", reason: "why"))
    #expect(error.code == expected)
    #expect(error.localizedDescription == "IMG_0001.JPG: why")
  }

  @Test func aLostOriginalIsAMissingResource() async throws {
    try temporary.removeOriginals(of: photo)
    let answers = try await manager.answers(for: photo, 5000, 5000)
    #expect(answers.map(\.text) == ["160×120*", "-"])
    #expect(answers.last?.error?.code == .missingResource)
  }

  @Test func dataThatIsCutOffIsAnError() async throws {
    let file = PHAssetResource.assetResources(for: photo)[0].fileURLForTesting
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 100)
    try handle.close()
    let photo = photo
    let (count, code): (Int?, PHPhotosError.Code?) = try await answer("a picture's data") { done in
      PHImageManager.default().requestImageDataAndOrientation(for: photo, options: nil) { data, _, _, info in
        done((data?.count, (info?[PHImageErrorKey] as? PHPhotosError)?.code))
      }
    }
    #expect(count == nil)
    #expect(code == .missingResource)
  }
}

extension RenditionStore {
  fileprivate func pictureData(of asset: PHAsset) -> Data? {
    (try? picture(uuid: asset.uuid, kind: "grid", version: asset.renditionVersion))?.data
  }
}
