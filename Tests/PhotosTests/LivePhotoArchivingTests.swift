import Foundation
@_spi(Testing) import Photos
import PhotosTesting
import Testing
import UIKit

/// Tests Live Photos that are archived and read back.
@Suite struct LivePhotoArchivingTests {
  private let fixture: LivePhotoFixture
  private let live: PHAsset

  init() throws {
    fixture = try LivePhotoFixture()
    live = fixture.live
  }

  private func readBack(_ live: PHLivePhoto) throws -> PHLivePhoto? {
    let data = try NSKeyedArchiver.archivedData(withRootObject: live, requiringSecureCoding: true)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: PHLivePhoto.self, from: data)
  }

  /// Returns the Live Photo of the last answer, and the same one archived and read back. Checks
  /// that both have the same size.
  private func readBack(_ answers: [LiveAnswer]) throws -> (found: PHLivePhoto, again: PHLivePhoto) {
    let found = try #require(answers.last?.live)
    let again = try #require(try readBack(found))
    #expect(again.size == found.size)
    return (found, again)
  }

  private func bytes(_ live: PHLivePhoto) throws -> [Data] {
    try PHAssetResource.assetResources(for: live).map { resource in
      let reader = try PHAssetResourceManager.default().reader(for: resource)
      return try reader.data(in: 0..<reader.byteCount)
    }
  }

  /// Adds a photo and a movie without content identifiers as a Live Photo.
  private func unrelatedPair() throws -> PHAsset {
    let still = try SampleMedia.jpeg(size: PictureSize(width: 1440, height: 1080))
    let video = try SampleMedia.movie(duration: 1, size: PictureSize(width: 160, height: 120), seed: 5)
    nonisolated(unsafe) var identifier = ""
    try fixture.temporary.library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      request.addResource(with: .photo, data: still, options: nil)
      request.addResource(with: .pairedVideo, data: video, options: nil)
      identifier = request.placeholderForCreatedAsset?.localIdentifier ?? ""
    }
    return PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: fixture.temporary.options()).object(at: 0)
  }

  @Test func aLivePhotoIsArchivedByItsFiles() async throws {
    let again = try readBack(await livePhotos(of: fixture.files())).again
    #expect(PHAssetResource.assetResources(for: again).map(\.type) == [.photo, .pairedVideo])
    #expect(PHAssetResource.assetResources(for: again).map(\.originalFilename) == ["a.heic", "a.mov"])
  }

  @Test func anAssetsLivePhotoIsReadBackInTheSizeThatItHad() async throws {
    let (found, again) = try readBack(await livePhotos(unrelatedPair()))
    #expect(found.size == CGSize(width: 480, height: 360))
    #expect(again.stillImage.size == found.size)
    #expect(try bytes(again) == bytes(found))
  }

  @Test func aMotionPhotoIsReadBackWithItsMovie() async throws {
    let data = try SampleMedia.motionPhoto(size: PictureSize(width: 320, height: 240))
    let motion = try fixture.temporary.add(SampleFile("PXL_0001.MP.jpg", data))[0]
    let (found, again) = try readBack(await livePhotos(motion))
    #expect(PHAssetResource.assetResources(for: again).map(\.type) == [.photo, .pairedVideo])
    #expect(try bytes(again) == bytes(found))
  }

  @Test func anEditedLivePhotoIsReadBackAsItsRenders() async throws {
    try await live.edit { $0.filter = .noir }
    let edited = fixture.refetched(live)
    let (found, again) = try readBack(await livePhotos(edited))
    #expect(PHAssetResource.assetResources(for: again).map(\.type) == [.photo, .pairedVideo])
    #expect(try bytes(again) == bytes(found))
  }

  @Test func aPathMayHoldALineFeed() async throws {
    let folder = fixture.temporary.folder.appendingPathComponent("two\nlines")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let moved = try fixture.files().map { file in
      let target = folder.appendingPathComponent(file.lastPathComponent)
      try FileManager.default.moveItem(at: file, to: target)
      return target
    }
    let found = try #require(try await livePhotos(of: moved).last?.live)
    #expect(try bytes(#require(try readBack(found))) == [fixture.pair.still, fixture.pair.video])
  }

  @Test func withoutItsFilesALivePhotoIsNotReadBack() async throws {
    let files = try fixture.files()
    let placeholder = try #require(UIImage(data: try SampleMedia.jpeg(size: PictureSize(width: 8, height: 6))))
    let answers = try await livePhotos(of: files, placeholder: placeholder)
    let degraded = try #require(answers.first?.live)
    #expect((try? readBack(degraded)) == nil)
    let whole = try #require(answers.last?.live)
    try FileManager.default.removeItem(at: files[1])
    #expect((try? readBack(whole)) == nil)
  }
}
