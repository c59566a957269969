import AVFoundation
import Foundation
import PhotosTesting
import Testing

@_spi(Testing) @testable import Photos

/// Tests requests for the Live Photo of an asset.
@Suite struct LivePhotoRequestTests {
  private let fixture: LivePhotoFixture
  private let live: PHAsset

  init() throws {
    fixture = try LivePhotoFixture()
    live = fixture.live
  }

  @Test func aLivePhotoHasAStillAndAMovie() async throws {
    let answer = try #require(try await livePhotos(live).last)
    #expect(answer.isOnMainQueue)
    let found = try #require(answer.live)
    #expect(found.size == CGSize(width: 480, height: 360))
    #expect(PHAssetResource.assetResources(for: found).map(\.type) == [.photo, .pairedVideo])
    #expect(
      PHAssetResource.assetResources(for: found).map(\.dataSize) == [
        fixture.pair.still.count, fixture.pair.video.count,
      ])
  }

  @Test func `a degraded Live Photo has only its still`() async throws {
    fixture.temporary.library.forgetRenditionsForTesting(of: [live])
    var metadata = SampleMetadata()
    metadata.hasThumbnail = true
    let other = try fixture.temporary.add(
      SampleMedia.livePhoto(size: PictureSize(width: 480, height: 360), seed: 2, metadata: metadata))
    fixture.temporary.library.forgetRenditionsForTesting(of: [other])
    #expect(try await livePhotos(other).map(\.text) == ["0*", "2"])
    #expect(try await livePhotos(live) { $0.deliveryMode = .highQualityFormat }.map(\.text) == ["2"])
  }

  @Test func aFastLivePhotoComesOnceWithItsMovie() async throws {
    fixture.temporary.library.forgetRenditionsForTesting(of: [live])
    var metadata = SampleMetadata()
    metadata.hasThumbnail = true
    let other = try fixture.temporary.add(
      SampleMedia.livePhoto(size: PictureSize(width: 480, height: 360), seed: 3, metadata: metadata))
    fixture.temporary.library.forgetRenditionsForTesting(of: [other])
    let answers = Collected<LiveAnswer>()
    let options = PHLivePhotoRequestOptions()
    options.deliveryMode = .fastFormat
    PHImageManager.default().requestLivePhoto(
      for: other, targetSize: CGSize(width: 200, height: 200), contentMode: .aspectFit, options: options
    ) { live, info in answers.add(LiveAnswer(live: live, info: info ?? [:])) }
    #expect(try await answers.whole { _ in true }.map(\.text) == ["2*"])
  }

  @Test func aLivePhotoThatIsMadeWhenItIsCancelledIsNotHandedOut() async throws {
    let answers = Collected<LiveAnswer>()
    let live = live
    let manager = PHImageManager(pipeline: ImagePipeline(width: 1))
    try await whileTheMainQueueIsBlocked {
      let id = manager.requestLivePhoto(
        for: live, targetSize: CGSize(width: 200, height: 200), contentMode: .aspectFit, options: nil
      ) { live, info in answers.add(LiveAnswer(live: live, info: info ?? [:])) }
      // The still and the movie become ready, and their delivery waits for this queue.
      manager.pipeline.waitUntilIdle()
      manager.cancelImageRequest(id)
    }
    let all = try await answers.whole(of: manager.pipeline) { !$0.isDegraded }
    #expect(all.map(\.text) == ["-1"])
    #expect(all.last?.info[PHImageCancelledKey] as? Bool == true)
  }

  /// The still's rendition is in the library. The movie is not.
  @Test(arguments: [PHImageRequestOptionsDeliveryMode.opportunistic, .highQualityFormat, .fastFormat])
  func aLivePhotoElsewhereIsFetchedOnlyIfThatIsAllowed(_ mode: PHImageRequestOptionsDeliveryMode) async throws {
    fixture.temporary.setOriginalsRemote(of: live)
    let still = mode == .opportunistic ? ["0*"] : []
    let barred = try await livePhotos(live) { $0.deliveryMode = mode }
    #expect(barred.map(\.text) == still + ["-1"])
    #expect(barred.last?.info[PHImageResultIsInCloudKey] as? Bool == true)
    #expect((barred.last?.info[PHImageErrorKey] as? PHPhotosError)?.code == .networkAccessRequired)
    let progress = Collected<Double>()
    let fetched = try await livePhotos(live) { options in
      options.deliveryMode = mode
      options.isNetworkAccessAllowed = true
      options.progressHandler = { fraction, _, _, _ in progress.add(fraction) }
    }
    #expect(fetched.map(\.text) == still + ["2"])
    #expect(progress.all == (1...10).map { Double($0) / 10 })
    #expect(try await livePhotos(live) { $0.deliveryMode = mode }.map(\.text) == ["2"])
  }

  @Test(arguments: [
    (PHImageRequestOptionsVersion.current, true), (.original, false), (.unadjusted, false),
  ])
  func anEditedLivePhotoIsAnsweredInTheVersionThatIsAskedFor(
    _ version: PHImageRequestOptionsVersion, _ isRendered: Bool
  ) async throws {
    try await live.edit { $0.filter = .noir }
    let answer = try await livePhotos(fixture.refetched(live)) { $0.version = version }
    let found = try #require(answer.last?.live)
    let resources = PHAssetResource.assetResources(for: found)
    #expect(resources.map(\.type) == [.photo, .pairedVideo])
    #expect(resources.map { $0.originalFilename.hasPrefix("FullSizeRender.") } == [isRendered, isRendered])
  }

  @Test func aVideoIsNoLivePhoto() async throws {
    let bytes = try SampleMedia.movie(duration: 1, size: PictureSize(width: 160, height: 120))
    let answers = try await livePhotos(fixture.temporary.add(SampleFile("IMG_0002.MOV", bytes))[0])
    #expect(answers.map(\.text) == ["-1"])
    #expect((answers[0].info[PHImageErrorKey] as? PHPhotosError)?.code == .requestNotSupportedForAsset)
  }

  @Test func aMotionPhotosMovieIsTakenOutOfIt() async throws {
    let data = try SampleMedia.motionPhoto(size: PictureSize(width: 320, height: 240))
    let motion = try fixture.temporary.add(SampleFile("PXL_0001.MP.jpg", data))[0]
    let found = try #require(try await livePhotos(motion).last?.live)
    let paired = try #require(PHAssetResource.assetResources(for: found).last)
    let copy = fixture.temporary.folder.appendingPathComponent("motion.mp4")
    try PHAssetResourceManager.default().writeDataAndWait(for: paired, toFile: copy)
    #expect(paired.type == .pairedVideo)
    #expect(AVURLAsset(url: copy).duration.seconds > 0)
  }

  /// libheif refuses a file with a second `ftyp` box.
  @Test func `a HEIC with a movie behind it is shown, and its movie is taken out of it`() async throws {
    let size = PictureSize(width: 320, height: 240)
    let movie = try SampleMedia.movie(duration: 1, size: size)
    let heic = try SampleMedia.heic(size: size)
    let motion = try fixture.temporary.add(SampleFile("IMG_0003.HEIC", heic + movie))[0]
    #expect(!motion.isUnreadable)
    #expect(motion.pixelWidth == 320 && motion.pixelHeight == 240)
    let resources = PHAssetResource.assetResources(for: motion)
    #expect(resources.map(\.type) == [.photo, .pairedVideo])
    let copy = fixture.temporary.folder.appendingPathComponent("motion.mov")
    try await PHAssetResourceManager.default().writeData(for: #require(resources.last), toFile: copy, options: nil)
    #expect(try Data(contentsOf: copy) == movie)
    #expect(try await livePhotos(motion).last?.live != nil)
  }

  @Test func aMotionPhotosAssetHasItsMovieAsAPairedVideo() async throws {
    let data = try SampleMedia.motionPhoto(size: PictureSize(width: 320, height: 240))
    let motion = try fixture.temporary.add(SampleFile("PXL_0001.MP.jpg", data))[0]
    let resources = PHAssetResource.assetResources(for: motion)
    #expect(resources.map(\.type) == [.photo, .pairedVideo])
    let paired = try #require(resources.last)
    #expect(paired.originalFilename == "PXL_0001.MP.MP4" && paired.uniformTypeIdentifier == "public.mpeg-4")
    let copy = fixture.temporary.folder.appendingPathComponent("motion.mp4")
    try await PHAssetResourceManager.default().writeData(for: paired, toFile: copy, options: nil)
    let movie = try Data(contentsOf: copy)
    // The movie is the last part of the photo's file.
    #expect(movie == data.suffix(movie.count) && movie.count > 1000 && paired.dataSize == movie.count)
    #expect(AVURLAsset(url: copy).duration.seconds > 0)
    #expect(try paired.hasBytes(ofFileAt: copy))
    #expect(try Data(PHAssetResourceManager.default().reader(for: paired).data(in: 0..<movie.count)) == movie)
    // Lists of an asset's files do not include the movie.
    #expect(try PHAssetResource.assetResources(for: [motion])[motion.localIdentifier]?.map(\.type) == [.photo])
    #expect(try motion.resources(ofVersion: .original).map(\.type) == [.photo])
  }
}
