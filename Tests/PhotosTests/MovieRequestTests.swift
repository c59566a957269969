import AVFoundation
import Foundation
@_spi(Testing) import Photos
import PhotosTesting
import Testing
import UIKit

@Suite struct MovieRequestTests {
  let temporary: TemporaryLibrary
  let movie: PHAsset
  let live: PHAsset
  let pair: LivePhotoPair
  let manager = PHImageManager.default()

  init() throws {
    temporary = try TemporaryLibrary()
    let bytes = try SampleMedia.movie(duration: 1, size: PictureSize(width: 160, height: 120))
    movie = try temporary.add(SampleFile("IMG_0002.MOV", bytes))[0]
    pair = try SampleMedia.livePhoto(size: PictureSize(width: 480, height: 360))
    live = try temporary.add(pair)
  }

  private func refetched(_ asset: PHAsset) -> PHAsset {
    PHAsset.fetchAssets(withLocalIdentifiers: [asset.localIdentifier], options: temporary.options()).object(at: 0)
  }

  private func bytes(_ resource: PHAssetResource) throws -> Data {
    let reader = try PHAssetResourceManager.default().reader(for: resource)
    return try reader.data(in: 0..<reader.byteCount)
  }

  // MARK: Videos

  private struct VideoAnswer: @unchecked Sendable {
    // Unchecked, because no property changes after creation.
    var asset: AVAsset?
    var info: [AnyHashable: Any]
    var isOnMainQueue = false
    var error: PHPhotosError? { info[PHImageErrorKey] as? PHPhotosError }
  }

  private func video(
    _ asset: PHAsset, cancels: Bool = false, _ change: (PHVideoRequestOptions) -> Void = { _ in }
  ) async -> VideoAnswer {
    let options = PHVideoRequestOptions()
    change(options)
    _ = ImageAnswers.mainQueue
    return await withCheckedContinuation { continuation in
      let id = manager.requestAVAsset(forVideo: asset, options: options) { asset, mix, info in
        #expect(mix == nil)
        continuation.resume(
          returning: VideoAnswer(asset: asset, info: info ?? [:], isOnMainQueue: ImageAnswers.isOnMainQueue))
      }
      if cancels { manager.cancelImageRequest(id) }
    }
  }

  @Test func theErrorOfAMissingFileSaysWhatPutsItBack() async throws {
    try temporary.removeOriginals(of: movie)
    let resource = PHAssetResource.assetResources(for: movie)[0]
    let manager = PHAssetResourceManager.default()
    let copy = temporary.folder.appendingPathComponent("copy.mov")
    let delivered = await withCheckedContinuation { continuation in
      manager.requestData(
        for: resource, options: nil, dataReceivedHandler: { _ in },
        completionHandler: { continuation.resume(returning: $0 as? PHPhotosError) })
    }
    let errors = [
      await video(movie).error, delivered, #expect(throws: PHPhotosError.self) { try manager.reader(for: resource) },
      #expect(throws: PHPhotosError.self) { try manager.writeDataAndWait(for: resource, toFile: copy) },
    ]
    for error in errors {
      #expect(error?.code == .missingResource)
      #expect(
        error?.localizedDescription
          == "IMG_0002.MOV: it is missing; if you have the same file elsewhere, importing it puts it back")
    }
  }

  @Test func aVideoIsAFileThatCanBeRead() async throws {
    let answer = await video(movie)
    let url = try #require((answer.asset as? AVURLAsset)?.url)
    let resource = try #require(PHAssetResource.assetResources(for: movie).first)
    #expect(try Data(contentsOf: url).count == resource.dataSize)
    #expect(!answer.isOnMainQueue)
  }

  @Test func aPlayerItemHasTheVideo() async {
    let manager = manager
    let movie = movie
    let seconds = await withCheckedContinuation { continuation in
      manager.requestPlayerItem(forVideo: movie, options: nil) { item, _ in
        continuation.resume(returning: item?.duration.seconds ?? 0)
      }
    }
    #expect(abs(seconds - 1) < 0.1)
  }

  @Test(arguments: [(AVAssetExportPresetPassthrough, true), ("AVAssetExportPresetNone", false)])
  func anExportSessionHasTheVideoIfItsPresetIsKnown(_ preset: String, _ isKnown: Bool) async {
    let manager = manager
    let movie = movie
    let (found, code) = await withCheckedContinuation { continuation in
      manager.requestExportSession(forVideo: movie, options: nil, exportPreset: preset) { session, info in
        let error = info?[PHImageErrorKey] as? PHPhotosError
        continuation.resume(returning: (session?.presetName, error?.code))
      }
    }
    #expect(found == (isKnown ? preset : nil))
    #expect(code == (isKnown ? nil : .requestNotSupportedForAsset))
  }

  @Test func aPhotoIsNoVideo() async {
    let answer = await video(live)
    #expect(answer.asset == nil)
    #expect(answer.error?.code == .requestNotSupportedForAsset)
  }

  @Test func aVideoElsewhereIsFetchedOnlyIfThatIsAllowed() async {
    temporary.setOriginalsRemote(of: movie, delay: 0.05)
    let barred = await video(movie)
    #expect(barred.info[PHImageResultIsInCloudKey] as? Bool == true)
    #expect(barred.error?.code == .networkAccessRequired)
    let stopped = await video(movie) { options in
      options.isNetworkAccessAllowed = true
      options.progressHandler = { _, _, stop, _ in stop.pointee = true }
    }
    #expect(stopped.info[PHImageCancelledKey] as? Bool == true)
    let progress = Collected<Double>()
    let fetched = await video(movie) { options in
      options.isNetworkAccessAllowed = true
      options.progressHandler = { fraction, _, _, _ in progress.add(fraction) }
    }
    #expect(fetched.asset != nil)
    #expect(progress.all == (1...10).map { Double($0) / 10 })
  }

  @Test func aCancelledVideoRequestSaysSo() async {
    temporary.setOriginalsRemote(of: movie, delay: 1)
    let answer = await video(movie, cancels: true) { $0.isNetworkAccessAllowed = true }
    #expect(answer.info[PHImageCancelledKey] as? Bool == true)
    #expect(answer.asset == nil)
  }

  @Test(arguments: [(PHVideoRequestOptionsVersion.current, PHAssetResourceType.fullSizeVideo), (.original, .video)])
  func anEditedVideoIsAnsweredInTheVersionThatIsAskedFor(
    _ version: PHVideoRequestOptionsVersion, _ type: PHAssetResourceType
  ) async throws {
    try await movie.edit { $0.filter = .noir }
    let edited = refetched(movie)
    let answer = await video(edited) { $0.version = version }
    let url = try #require((answer.asset as? AVURLAsset)?.url)
    let resource = try #require(PHAssetResource.assetResources(for: edited).first { $0.type == type })
    #expect(try Data(contentsOf: url) == bytes(resource))
  }

  /// Returns each property's name and value.
  private func properties(_ options: NSObject) -> [String] {
    Mirror(reflecting: options).children.map { "\($0.label ?? "") \($0.value)" }
  }

  private func areCopiedWhole(_ options: NSObject, unlike unset: NSObject) throws -> Bool {
    let copy = try #require(options.copy() as? NSObject)
    let isOfTheSameClass = type(of: copy) == type(of: options)
    #expect(isOfTheSameClass)
    #expect(properties(options).count == 4)
    #expect(zip(properties(options), properties(unset)).allSatisfy { $0 != $1 })
    return properties(copy) == properties(options)
  }

  @Test func optionsAreCopiedWhole() throws {
    let video = PHVideoRequestOptions()
    video.version = .original
    video.deliveryMode = .fastFormat
    video.isNetworkAccessAllowed = true
    video.progressHandler = { _, _, _, _ in }
    #expect(try areCopiedWhole(video, unlike: PHVideoRequestOptions()))
    let live = PHLivePhotoRequestOptions()
    live.version = .original
    live.deliveryMode = .fastFormat
    live.isNetworkAccessAllowed = true
    live.progressHandler = { _, _, _, _ in }
    #expect(try areCopiedWhole(live, unlike: PHLivePhotoRequestOptions()))
  }

  // MARK: Live Photos

  private struct LiveAnswer: @unchecked Sendable {
    // Unchecked, because no property changes after creation.
    var live: PHLivePhoto?
    var info: [AnyHashable: Any]
    var isOnMainQueue = true
    var isDegraded: Bool {
      info[PHImageResultIsDegradedKey] as? Bool == true || info[PHLivePhotoInfoIsDegradedKey] as? Bool == true
    }
    /// The number of files, followed by a star if the Live Photo is degraded.
    var text: String { "\(live.map { PHAssetResource.assetResources(for: $0).count } ?? -1)" + (isDegraded ? "*" : "") }
  }

  private func livePhotos(
    _ asset: PHAsset, _ side: CGFloat = 200, _ change: (PHLivePhotoRequestOptions) -> Void = { _ in }
  ) async throws -> [LiveAnswer] {
    let options = PHLivePhotoRequestOptions()
    change(options)
    let answers = Collected<LiveAnswer>()
    _ = ImageAnswers.mainQueue
    manager.requestLivePhoto(
      for: asset, targetSize: CGSize(width: side, height: side), contentMode: .aspectFit, options: options
    ) { live, info in
      answers.add(LiveAnswer(live: live, info: info ?? [:], isOnMainQueue: ImageAnswers.isOnMainQueue))
    }
    return try await answers.whole { !$0.isDegraded }
  }

  @Test func aLivePhotoHasAStillAndAMovie() async throws {
    let answer = try #require(try await livePhotos(live).last)
    #expect(answer.isOnMainQueue)
    let found = try #require(answer.live)
    #expect(found.size == CGSize(width: 480, height: 360))
    #expect(PHAssetResource.assetResources(for: found).map(\.type) == [.photo, .pairedVideo])
    #expect(PHAssetResource.assetResources(for: found).map(\.dataSize) == [pair.still.count, pair.video.count])
  }

  @Test func `a degraded Live Photo has only its still`() async throws {
    temporary.library.forgetRenditionsForTesting(of: [live])
    var metadata = SampleMetadata()
    metadata.hasThumbnail = true
    let other = try temporary.add(
      SampleMedia.livePhoto(size: PictureSize(width: 480, height: 360), seed: 2, metadata: metadata))
    temporary.library.forgetRenditionsForTesting(of: [other])
    #expect(try await livePhotos(other).map(\.text) == ["0*", "2"])
    #expect(try await livePhotos(live) { $0.deliveryMode = .highQualityFormat }.map(\.text) == ["2"])
  }

  @Test func aFastLivePhotoComesOnceWithItsMovie() async throws {
    temporary.library.forgetRenditionsForTesting(of: [live])
    var metadata = SampleMetadata()
    metadata.hasThumbnail = true
    let other = try temporary.add(
      SampleMedia.livePhoto(size: PictureSize(width: 480, height: 360), seed: 3, metadata: metadata))
    temporary.library.forgetRenditionsForTesting(of: [other])
    let answers = Collected<LiveAnswer>()
    let options = PHLivePhotoRequestOptions()
    options.deliveryMode = .fastFormat
    manager.requestLivePhoto(
      for: other, targetSize: CGSize(width: 200, height: 200), contentMode: .aspectFit, options: options
    ) { live, info in answers.add(LiveAnswer(live: live, info: info ?? [:])) }
    #expect(try await answers.whole { _ in true }.map(\.text) == ["2*"])
  }

  @Test func aLivePhotoThatIsMadeWhenItIsCancelledIsNotHandedOut() async throws {
    let answers = Collected<LiveAnswer>()
    let live = live
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        let manager = PHImageManager.default()
        let id = manager.requestLivePhoto(
          for: live, targetSize: CGSize(width: 200, height: 200), contentMode: .aspectFit, options: nil
        ) { live, info in answers.add(LiveAnswer(live: live, info: info ?? [:])) }
        // The still and the movie become ready meanwhile, and their delivery waits for this queue.
        Thread.sleep(forTimeInterval: 1)
        manager.cancelImageRequest(id)
        continuation.resume()
      }
    }
    let all = try await answers.whole { !$0.isDegraded }
    #expect(all.map(\.text) == ["-1"])
    #expect(all.last?.info[PHImageCancelledKey] as? Bool == true)
  }

  /// The still's rendition is in the library. The movie is not.
  @Test(arguments: [PHImageRequestOptionsDeliveryMode.opportunistic, .highQualityFormat, .fastFormat])
  func aLivePhotoElsewhereIsFetchedOnlyIfThatIsAllowed(_ mode: PHImageRequestOptionsDeliveryMode) async throws {
    temporary.setOriginalsRemote(of: live, delay: 0.05)
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
    let answer = try await livePhotos(refetched(live)) { $0.version = version }
    let found = try #require(answer.last?.live)
    let resources = PHAssetResource.assetResources(for: found)
    #expect(resources.map(\.type) == [.photo, .pairedVideo])
    #expect(resources.map { $0.originalFilename.hasPrefix("FullSizeRender.") } == [isRendered, isRendered])
  }

  @Test func aVideoIsNoLivePhoto() async throws {
    let answers = try await livePhotos(movie)
    #expect(answers.map(\.text) == ["-1"])
    #expect((answers[0].info[PHImageErrorKey] as? PHPhotosError)?.code == .requestNotSupportedForAsset)
  }

  @Test func aMotionPhotosMovieIsTakenOutOfIt() async throws {
    let data = try SampleMedia.motionPhoto(size: PictureSize(width: 320, height: 240))
    let motion = try temporary.add(SampleFile("PXL_0001.MP.jpg", data))[0]
    let found = try #require(try await livePhotos(motion).last?.live)
    let paired = try #require(PHAssetResource.assetResources(for: found).last)
    let copy = temporary.folder.appendingPathComponent("motion.mp4")
    try PHAssetResourceManager.default().writeDataAndWait(for: paired, toFile: copy)
    #expect(paired.type == .pairedVideo)
    #expect(AVURLAsset(url: copy).duration.seconds > 0)
  }

  @Test func aMotionPhotosAssetHasItsMovieAsAPairedVideo() async throws {
    let data = try SampleMedia.motionPhoto(size: PictureSize(width: 320, height: 240))
    let motion = try temporary.add(SampleFile("PXL_0001.MP.jpg", data))[0]
    let resources = PHAssetResource.assetResources(for: motion)
    #expect(resources.map(\.type) == [.photo, .pairedVideo])
    let paired = try #require(resources.last)
    #expect(paired.originalFilename == "PXL_0001.MP.MP4" && paired.uniformTypeIdentifier == "public.mpeg-4")
    let copy = temporary.folder.appendingPathComponent("motion.mp4")
    try await PHAssetResourceManager.default().writeData(for: paired, toFile: copy, options: nil)
    let movie = try Data(contentsOf: copy)
    // The movie is the last part of the photo's file.
    #expect(movie == data.suffix(movie.count) && movie.count > 1000 && paired.dataSize == movie.count)
    #expect(AVURLAsset(url: copy).duration.seconds > 0)
    #expect(try paired.hasBytes(ofFileAt: copy))
    #expect(try Data(PHAssetResourceManager.default().reader(for: paired).data(in: 0..<movie.count)) == movie)
    // Lists of an asset's files do not include the movie.
    #expect(PHAssetResource.assetResources(for: [motion])[motion.localIdentifier]?.map(\.type) == [.photo])
    #expect(motion.resources(ofVersion: .original).map(\.type) == [.photo])
  }

  // MARK: Live Photos from files

  private func files() throws -> [URL] {
    let still = temporary.folder.appendingPathComponent("a.heic")
    let video = temporary.folder.appendingPathComponent("a.mov")
    try pair.still.write(to: still)
    try pair.video.write(to: video)
    return [still, video]
  }

  private func livePhotos(of files: [URL], placeholder: UIImage? = nil, cancels: Bool = false) async throws
    -> [LiveAnswer]
  {
    let answers = Collected<LiveAnswer>()
    let id = PHLivePhoto.request(
      withResourceFileURLs: files, placeholderImage: placeholder, targetSize: .zero, contentMode: .aspectFit
    ) { live, info in answers.add(LiveAnswer(live: live, info: info)) }
    if cancels { PHLivePhoto.cancelRequest(withRequestID: id) }
    return try await answers.whole { !$0.isDegraded }
  }

  @Test(arguments: [false, true])
  func twoFilesOfOnePairMakeALivePhoto(_ isReversed: Bool) async throws {
    let files = try files()
    let answers = try await livePhotos(of: isReversed ? files.reversed() : files)
    let found = try #require(answers.first?.live)
    #expect(answers.count == 1)
    #expect(found.size == CGSize(width: 480, height: 360))
    #expect(PHAssetResource.assetResources(for: found).map(\.originalFilename) == ["a.heic", "a.mov"])
    let reader = try PHAssetResourceManager.default().reader(for: PHAssetResource.assetResources(for: found)[1])
    #expect(try reader.data(in: 0..<reader.byteCount) == pair.video)
  }

  @Test func thePlaceholderComesFirst() async throws {
    let placeholder = try #require(UIImage(data: try SampleMedia.jpeg(size: PictureSize(width: 8, height: 6))))
    let answers = try await livePhotos(of: files(), placeholder: placeholder)
    #expect(answers.map(\.text) == ["0*", "2"])
    #expect(answers.first?.live?.size == CGSize(width: 8, height: 6))
  }

  @Test func filesThatDontBelongTogetherMakeNone() async throws {
    let other = temporary.folder.appendingPathComponent("b.heic")
    try SampleMedia.livePhoto(size: PictureSize(width: 64, height: 48), seed: 9).still.write(to: other)
    let files = try files()
    for wrong in [[other, files[1]], [files[0]], [files[0], other], []] {
      let answers = try await livePhotos(of: wrong)
      #expect(answers.map(\.text) == ["-1"])
      #expect((answers[0].info[PHLivePhotoInfoErrorKey] as? PHPhotosError)?.code == .invalidResource)
    }
  }

  @Test func aCancelledOneSaysSo() async throws {
    let answers = try await livePhotos(of: files(), cancels: true)
    #expect(answers.last?.info[PHLivePhotoInfoCancelledKey] as? Bool == true)
    #expect(answers.last?.live == nil)
  }

  // MARK: Archiving

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
    try PHAssetResource.assetResources(for: live).map { try bytes($0) }
  }

  /// Adds a photo and a movie without content identifiers as a Live Photo.
  private func unrelatedPair() throws -> PHAsset {
    let still = try SampleMedia.jpeg(size: PictureSize(width: 1440, height: 1080))
    let video = try SampleMedia.movie(duration: 1, size: PictureSize(width: 160, height: 120), seed: 5)
    nonisolated(unsafe) var identifier = ""
    try temporary.library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      request.addResource(with: .photo, data: still, options: nil)
      request.addResource(with: .pairedVideo, data: video, options: nil)
      identifier = request.placeholderForCreatedAsset?.localIdentifier ?? ""
    }
    return PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: temporary.options()).object(at: 0)
  }

  @Test func aLivePhotoIsArchivedByItsFiles() async throws {
    let again = try readBack(await livePhotos(of: files())).again
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
    let motion = try temporary.add(SampleFile("PXL_0001.MP.jpg", data))[0]
    let (found, again) = try readBack(await livePhotos(motion))
    #expect(PHAssetResource.assetResources(for: again).map(\.type) == [.photo, .pairedVideo])
    #expect(try bytes(again) == bytes(found))
  }

  @Test func anEditedLivePhotoIsReadBackAsItsRenders() async throws {
    try await live.edit { $0.filter = .noir }
    let edited = refetched(live)
    let (found, again) = try readBack(await livePhotos(edited))
    #expect(PHAssetResource.assetResources(for: again).map(\.type) == [.photo, .pairedVideo])
    #expect(try bytes(again) == bytes(found))
  }

  @Test func aPathMayHoldALineFeed() async throws {
    let folder = temporary.folder.appendingPathComponent("two\nlines")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let moved = try files().map { file in
      let target = folder.appendingPathComponent(file.lastPathComponent)
      try FileManager.default.moveItem(at: file, to: target)
      return target
    }
    let found = try #require(try await livePhotos(of: moved).last?.live)
    #expect(try bytes(#require(try readBack(found))) == [pair.still, pair.video])
  }

  @Test func withoutItsFilesALivePhotoIsNotReadBack() async throws {
    let files = try files()
    let placeholder = try #require(UIImage(data: try SampleMedia.jpeg(size: PictureSize(width: 8, height: 6))))
    let answers = try await livePhotos(of: files, placeholder: placeholder)
    let degraded = try #require(answers.first?.live)
    #expect((try? readBack(degraded)) == nil)
    let whole = try #require(answers.last?.live)
    try FileManager.default.removeItem(at: files[1])
    #expect((try? readBack(whole)) == nil)
  }
}
