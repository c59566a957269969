import AVFoundation
import Foundation
@_spi(Testing) import Photos
import PhotosTesting
import Testing

@Suite struct MovieRequestTests {
  let temporary: TemporaryLibrary
  let movie: PHAsset
  let manager = PHImageManager.default()

  init() throws {
    temporary = try TemporaryLibrary()
    let bytes = try SampleMedia.movie(duration: 1, size: PictureSize(width: 160, height: 120))
    movie = try temporary.add(SampleFile("IMG_0002.MOV", bytes))[0]
  }

  private func refetched(_ asset: PHAsset) -> PHAsset {
    PHAsset.fetchAssets(withLocalIdentifiers: [asset.localIdentifier], options: temporary.options()).object(at: 0)
  }

  private func bytes(_ resource: PHAssetResource) throws -> Data {
    let reader = try PHAssetResourceManager.default().reader(for: resource)
    return try reader.data(in: 0..<reader.byteCount)
  }

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

  @Test func aPhotoIsNoVideo() async throws {
    let pair = try SampleMedia.livePhoto(size: PictureSize(width: 480, height: 360))
    let answer = await video(try temporary.add(pair))
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
}
