import AVFoundation
import CoreImage
import Foundation
import Photos
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding

@Suite(.serialized) struct LivePhotoEditingTests {
  private let fixture: EditingFixture

  init() throws { fixture = try EditingFixture() }

  private func input(of asset: PHAsset) async throws -> PHContentEditingInput {
    try #require(try await fixture.request(asset).input)
  }

  private func context(of asset: PHAsset) async throws -> PHLivePhotoEditingContext {
    try #require(PHLivePhotoEditingContext(livePhotoEditingInput: try await input(of: asset)))
  }

  private func output(of asset: PHAsset) async throws -> PHContentEditingOutput {
    let output = PHContentEditingOutput(contentEditingInput: try await input(of: asset))
    output.adjustmentData = EditingFixture.sepia
    return output
  }

  @Test func theInputOfALivePhotoHasIt() async throws {
    let asset = try fixture.livePhoto(stillTime: 0.75)
    let live = try #require(try await input(of: asset).livePhoto)
    #expect(live.size == CGSize(width: 64, height: 48))
    #expect(live.stillTime == 0.75)
    #expect(PHAssetResource.assetResources(for: live).map(\.type) == [.photo, .pairedVideo])
    let context = try await context(of: asset)
    #expect(abs(context.duration.seconds - 1.5) < 0.1)
    #expect(context.photoTime.seconds == 0.75)
    #expect(context.orientation == .up)
    #expect(context.fullSizeImage.extent.size == CGSize(width: 64, height: 48))
  }

  @Test func theResourcesOfAnEditedLivePhotoArePhotoAndPairedVideo() async throws {
    let asset = try fixture.livePhoto(stillTime: 0.75)
    try await asset.edit { $0.filter = .sepia }
    let live = try #require(try await fixture.livePhoto(fixture.refetched(asset)))
    let resources = PHAssetResource.assetResources(for: live)
    #expect(resources.map(\.type) == [.photo, .pairedVideo])
    // The resources are those of the version that is shown.
    #expect(resources.map(\.originalFilename) == ["FullSizeRender.jpg", "FullSizeRender.mov"])
    let shown = try fixture.refetched(asset).resources(ofVersion: .current)
    #expect(resources.map(\.sha256) == shown.map(\.sha256))
  }

  @Test func `a photo or a video has no Live Photo to edit`() async throws {
    let photo = try await input(of: fixture.photo())
    #expect(photo.livePhoto == nil)
    #expect(PHLivePhotoEditingContext(livePhotoEditingInput: photo) == nil)
    let movie = try SampleMedia.movie(duration: 0.5, size: EditingFixture.small)
    let video = try await input(of: fixture.temporary.add(SampleFile("IMG_0002.MOV", movie))[0])
    #expect(video.livePhoto == nil && PHLivePhotoEditingContext(livePhotoEditingInput: video) == nil)
  }

  @Test func theProcessorSeesTheStillAndThenEachFrame() async throws {
    let asset = try fixture.livePhoto(stillTime: 0.75, size: PictureSize(width: 256, height: 192))
    let context = try await context(of: asset)
    struct Seen: Equatable {
      var type: PHLivePhotoFrameType
      var time: Double
      var scale: Double
    }
    let seen = Mutex<[Seen]>([])
    context.frameProcessor = { frame, _ in
      seen.withLock { $0.append(Seen(type: frame.type, time: frame.time.seconds, scale: frame.renderScale)) }
      return frame.image
    }
    try await context.saveLivePhoto(to: try await output(of: asset))
    let frames = seen.withLock(\.self)
    #expect(frames.first == Seen(type: .photo, time: 0.75, scale: 1))
    #expect(frames.count > 40)
    #expect(frames.dropFirst().allSatisfy { $0.type == .video && $0.scale == 0.25 })
    #expect(frames[1].time == 0 && frames.dropFirst().map(\.time) == frames.dropFirst().map(\.time).sorted())
  }

  @Test(arguments: [LivePhotoPair.StillType.heic, .jpeg])
  func theEditedPairIsALivePhotoStill(_ stillType: LivePhotoPair.StillType) async throws {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_551_741_611), offset: -21_600)
    metadata.place = .init(latitude: 41.25, longitude: -96, altitude: 320)
    metadata.orientation = 6
    let asset = try fixture.livePhoto(stillTime: 0.75, stillType: stillType, metadata: metadata)
    let context = try await context(of: asset)
    context.frameProcessor = { frame, _ in frame.image.applyingFilter("CISepiaTone") }
    let output = try await output(of: asset)
    try await context.saveLivePhoto(to: output)
    let (still, movie) = (output.renderedContentURL, output.renderedPairedVideoURL)
    for url in [still, movie] {
      let metadata = try MediaMetadata(of: MediaFile(path: url.path))
      #expect(metadata.captureDate.date == Date(timeIntervalSince1970: 1_551_741_611), "\(url.lastPathComponent)")
      #expect(abs(try #require(metadata.location).latitude - 41.25) < 0.001)
      #expect(metadata.camera.model == SampleMetadata.Camera.iPhone.model)
    }
    // Without the library, the two files still form a Live Photo with the time of its still.
    let live: PHLivePhoto? = try await answer("the Live Photo of two files") { done in
      PHLivePhoto.request(
        withResourceFileURLs: [movie, still], placeholderImage: nil, targetSize: .zero, contentMode: .aspectFit
      ) { live, _ in done(live) }
    }
    #expect(live?.stillTime == 0.75)
    try fixture.commit(output, to: asset)
    let shown = try await fixture.livePhoto(fixture.refetched(asset))
    #expect(shown?.stillTime == 0.75)
    let resources = shown.map { PHAssetResource.assetResources(for: $0) } ?? []
    #expect(resources.map(\.type) == [.photo, .pairedVideo])
    let current = try fixture.refetched(asset).resources(ofVersion: .current)
    #expect(resources.map(\.sha256) == current.map(\.sha256) && resources.count == 2)
  }

  @Test func aCropAndATurnGiveBothPartsTheSameShape() async throws {
    let asset = try fixture.livePhoto(size: PictureSize(width: 512, height: 384))
    let context = try await context(of: asset)
    context.frameProcessor = { frame, _ in
      let turned = frame.image.oriented(.right)
      let side = 100 * frame.renderScale * 2
      return turned.cropped(to: CGRect(x: side / 2, y: side / 2, width: side, height: side))
    }
    let output = try await output(of: asset)
    try await context.saveLivePhoto(to: output)
    let still = try MediaMetadata(of: MediaFile(path: output.renderedContentURL.path))
    let movie = try MediaMetadata(of: MediaFile(path: output.renderedPairedVideoURL.path))
    #expect(still.pixelWidth == 200 && still.pixelHeight == 200)
    #expect(movie.pixelWidth == 50 && movie.pixelHeight == 50)
  }

  @Test(arguments: [(Float(0), false), (0.5, true), (1, true)])
  func theSoundGoesWithItsVolume(_ volume: Float, _ hasSound: Bool) async throws {
    let asset = try fixture.livePhoto()
    let context = try await context(of: asset)
    #expect(context.audioVolume == 1)
    context.audioVolume = volume
    let output = try await output(of: asset)
    try await context.saveLivePhoto(to: output)
    let streams = try MovieStreams(of: MediaFile(path: output.renderedPairedVideoURL.path), range: nil)
    #expect((streams.audio != nil) == hasSound)
  }

  @Test func aPreviewIsAsLargeAsItIsAskedForAndGoesAwayWithItsUser() async throws {
    let asset = try fixture.livePhoto(stillTime: 0.75, size: PictureSize(width: 512, height: 384))
    let context = try await context(of: asset)
    context.frameProcessor = { frame, _ in frame.image.applyingFilter("CISepiaTone") }
    var live: PHLivePhoto? = try await context.livePhotoForPlayback(targetSize: CGSize(width: 100, height: 60))
    #expect(live?.size == CGSize(width: 80, height: 60))
    #expect(live?.stillTime == 0.75)
    let movie = try #require(live.map(PHAssetResource.assetResources)?.last)
    #expect(movie.pixelWidth == 80 && movie.pixelHeight == 60)
    let copy = fixture.temporary.folder.appendingPathComponent("copy.mov")
    live = nil
    // The resource keeps its file alive.
    try await PHAssetResourceManager.default().writeData(for: movie, toFile: copy, options: nil)
    #expect(try Data(contentsOf: copy).count == movie.dataSize)
  }

  // MARK: Failures

  @Test(arguments: [true, false])
  func aProcessorThatGivesNothingEndsIt(_ saysWhy: Bool) async throws {
    let asset = try fixture.livePhoto()
    let context = try await context(of: asset)
    let calls = Mutex(0)
    context.frameProcessor = { frame, error in
      guard
        calls.withLock({
          $0 += 1
          return $0
        }) == 5
      else { return frame.image }
      if saysWhy { error?.pointee = NSError(domain: "com.example", code: 7) }
      return nil
    }
    let output = try await output(of: asset)
    let (success, error): (Bool, NSError?) = try await answer("the save") { done in
      context.saveLivePhoto(to: output) { success, error in
        dispatchPrecondition(condition: .onQueue(.main))
        done((success, error as NSError?))
      }
    }
    #expect(!success)
    #expect(error?.code == (saysWhy ? 7 : PHPhotosError.Code.internalError.rawValue))
    #expect(calls.withLock(\.self) == 5)
    #expect(throws: PHPhotosError.self) { try fixture.commit(output, to: asset) }
    #expect(!fixture.refetched(asset).hasAdjustments)
  }

  @Test func aCanceledSaveThrowsAndLeavesNothing() async throws {
    let asset = try fixture.livePhoto()
    let context = try await context(of: asset)
    context.frameProcessor = { [weak context] frame, _ in
      if frame.type == .video { context?.cancel() }
      return frame.image
    }
    let output = try await output(of: asset)
    do {
      try await context.saveLivePhoto(to: output)
      Issue.record("it was saved")
    } catch { #expect((error as? PHPhotosError)?.code == .userCancelled) }
    let folder = output.renderedContentURL.deletingLastPathComponent()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func anotherRenderingCancelsTheOneBefore() async throws {
    let asset = try fixture.livePhoto()
    let context = try await context(of: asset)
    let output = try await output(of: asset)
    nonisolated(unsafe) var first: PHPhotosError?
    let live: PHLivePhoto? = try await answer("the second rendering") { done in
      context.saveLivePhoto(to: output) { _, error in first = error as? PHPhotosError }
      context.prepareLivePhotoForPlayback(withTargetSize: .zero) { live, _ in done(live) }
    }
    #expect(first?.code == .userCancelled)
    #expect(live?.size == CGSize(width: 64, height: 48))
  }

  @Test func aTaskThatIsCancelledAlreadyRendersNothing() async throws {
    let asset = try fixture.livePhoto()
    let context = try await context(of: asset)
    let calls = Mutex(0)
    context.frameProcessor = { frame, _ in
      calls.withLock { $0 += 1 }
      return frame.image
    }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await context.livePhotoForPlayback(targetSize: .zero)
    }
    do {
      _ = try await task.value
      Issue.record("it was rendered")
    } catch { #expect((error as? PHPhotosError)?.code == .userCancelled) }
    #expect(calls.withLock(\.self) == 0)
  }

  @Test func cancellingATaskEndsNoRenderingButItsOwn() async throws {
    let asset = try fixture.livePhoto()
    let context = try await context(of: asset)
    let output = try await output(of: asset)
    let gate = DispatchSemaphore(value: 0)
    let begun = Mutex(false)
    context.frameProcessor = { frame, _ in
      begun.withLock { $0 = true }
      gate.waits(for: "the save")
      return frame.image
    }
    let preview = Task { try await context.livePhotoForPlayback(targetSize: .zero) }
    try await eventually("the first frame of the preview", isolation: nil) { begun.withLock(\.self) }
    context.frameProcessor = nil
    // The save has already ended the preview. The preview's task is canceled only now.
    let isSaved: Bool = try await answer("the save") { done in
      context.saveLivePhoto(to: output) { success, _ in done(success) }
      preview.cancel()
      gate.signal()
    }
    #expect(isSaved)
    #expect(FileManager.default.fileExists(atPath: output.renderedContentURL.path))
  }

  @Test func theAsyncFormsHandTheirOptionsOn() async throws {
    final class Context: PHLivePhotoEditingContext, @unchecked Sendable {
      // Unchecked, because a mutex guards the array.
      let seen = Mutex<[String]>([])
      override func prepareLivePhotoForPlayback(
        withTargetSize targetSize: CGSize, options: [String: Any]?,
        completionHandler: @escaping (PHLivePhoto?, (any Error)?) -> Void
      ) {
        seen.withLock { $0.append("\(options ?? [:])") }
        completionHandler(nil, PHPhotosError(.changeNotSupported))
      }
      override func saveLivePhoto(
        to output: PHContentEditingOutput, options: [String: Any]?,
        completionHandler: @escaping (Bool, (any Error)?) -> Void
      ) {
        seen.withLock { $0.append("\(options ?? [:])") }
        completionHandler(true, nil)
      }
    }
    let asset = try fixture.livePhoto()
    let context = try #require(Context(livePhotoEditingInput: try await input(of: asset)))
    _ = try? await context.livePhotoForPlayback(targetSize: .zero, options: ["a": 1])
    try await context.saveLivePhoto(to: try await output(of: asset), options: ["b": 2])
    #expect(context.seen.withLock(\.self) == ["[\"a\": 1]", "[\"b\": 2]"])
  }

  @Test func aPhotoWithAMovieInsideIsEditedAsALivePhoto() async throws {
    let bytes = try SampleMedia.motionPhoto(size: EditingFixture.small)
    let asset = try fixture.temporary.add(SampleFile("PXL_0001.MP.jpg", bytes))[0]
    #expect(asset.playbackStyle == .livePhoto)
    let context = try await context(of: asset)
    context.frameProcessor = { frame, _ in frame.image.applyingFilter("CISepiaTone") }
    let output = try await output(of: asset)
    try await context.saveLivePhoto(to: output)
    try fixture.commit(output, to: asset)
    let edited = fixture.refetched(asset)
    #expect(edited.playbackStyle == .livePhoto)
    #expect(
      fixture.resources(edited).dropFirst() == [
        "fullSizePhoto FullSizeRender.jpg", "fullSizePairedVideo FullSizeRender.mov",
        "adjustmentData Adjustments.plist", "pairedVideo PXL_0001.MP.MP4",
      ])
  }
}
