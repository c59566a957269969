import AVFoundation
import Foundation
@_spi(Testing) import Photos
import PhotosTesting
import TestSupport
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
    _ asset: PHAsset, _ change: (PHVideoRequestOptions) -> Void = { _ in },
    canceledBy cancel: ((() -> Void) -> Void)? = nil
  ) async throws -> VideoAnswer {
    let options = PHVideoRequestOptions()
    change(options)
    _ = ImageAnswers.mainQueue
    return try await answer("a video") { done in
      let id = manager.requestAVAsset(forVideo: asset, options: options) { asset, mix, info in
        #expect(mix == nil)
        done(VideoAnswer(asset: asset, info: info ?? [:], isOnMainQueue: ImageAnswers.isOnMainQueue))
      }
      guard let cancel else { return }
      cancel { manager.cancelImageRequest(id) }
    }
  }

  @Test func theErrorOfAMissingFileSaysWhatPutsItBack() async throws {
    try temporary.removeOriginals(of: movie)
    let resource = PHAssetResource.assetResources(for: movie)[0]
    let manager = PHAssetResourceManager.default()
    let copy = temporary.folder.appendingPathComponent("copy.mov")
    let delivered: PHPhotosError? = try await answer("the end of a request for data") { done in
      manager.requestData(
        for: resource, options: nil, dataReceivedHandler: { _ in }, completionHandler: { done($0 as? PHPhotosError) })
    }
    let requested = try await video(movie).error
    let errors = [
      requested, delivered, #expect(throws: PHPhotosError.self) { try manager.reader(for: resource) },
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
    let answer = try await video(movie)
    let url = try #require((answer.asset as? AVURLAsset)?.url)
    let resource = try #require(PHAssetResource.assetResources(for: movie).first)
    #expect(try Data(contentsOf: url).count == resource.dataSize)
    #expect(!answer.isOnMainQueue)
  }

  @Test func aPlayerItemHasTheVideo() async throws {
    let manager = manager
    let movie = movie
    let seconds: Double = try await answer("a player item") { done in
      manager.requestPlayerItem(forVideo: movie, options: nil) { item, _ in done(item?.duration.seconds ?? 0) }
    }
    #expect(abs(seconds - 1) < 0.1)
  }

  @Test(arguments: [(AVAssetExportPresetPassthrough, true), ("AVAssetExportPresetNone", false)])
  func anExportSessionHasTheVideoIfItsPresetIsKnown(_ preset: String, _ isKnown: Bool) async throws {
    let manager = manager
    let movie = movie
    let (found, code): (String?, PHPhotosError.Code?) = try await answer("an export session") { done in
      manager.requestExportSession(forVideo: movie, options: nil, exportPreset: preset) { session, info in
        let error = info?[PHImageErrorKey] as? PHPhotosError
        done((session?.presetName, error?.code))
      }
    }
    #expect(found == (isKnown ? preset : nil))
    #expect(code == (isKnown ? nil : .requestNotSupportedForAsset))
  }

  @Test func aPhotoIsNoVideo() async throws {
    let pair = try SampleMedia.livePhoto(size: PictureSize(width: 480, height: 360))
    let answer = try await video(try temporary.add(pair))
    #expect(answer.asset == nil)
    #expect(answer.error?.code == .requestNotSupportedForAsset)
  }

  @Test func aVideoElsewhereIsFetchedOnlyIfThatIsAllowed() async throws {
    temporary.setOriginalsRemote(of: movie)
    let barred = try await video(movie)
    #expect(barred.info[PHImageResultIsInCloudKey] as? Bool == true)
    #expect(barred.error?.code == .networkAccessRequired)
    let stopped = try await video(movie) { options in
      options.isNetworkAccessAllowed = true
      options.progressHandler = { _, _, stop, _ in stop.pointee = true }
    }
    #expect(stopped.info[PHImageCancelledKey] as? Bool == true)
    let progress = Collected<Double>()
    let fetched = try await video(movie) { options in
      options.isNetworkAccessAllowed = true
      options.progressHandler = { fraction, _, _, _ in progress.add(fraction) }
    }
    #expect(fetched.asset != nil)
    #expect(progress.all == (1...10).map { Double($0) / 10 })
  }

  @Test func aCancelledVideoRequestSaysSo() async throws {
    temporary.setOriginalsRemote(of: movie)
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let answer = try await video(movie) { options in
      options.isNetworkAccessAllowed = true
      options.progressHandler = { _, _, _, _ in
        begun.signal()
        gate.waits(for: "the cancellation")
      }
    } canceledBy: { cancel in
      begun.waits(for: "the fetch")
      cancel()
      gate.signal()
    }
    #expect(answer.info[PHImageCancelledKey] as? Bool == true)
    #expect(answer.asset == nil)
  }

  @Test(arguments: [(PHVideoRequestOptionsVersion.current, PHAssetResourceType.fullSizeVideo), (.original, .video)])
  func anEditedVideoIsAnsweredInTheVersionThatIsAskedFor(
    _ version: PHVideoRequestOptionsVersion, _ type: PHAssetResourceType
  ) async throws {
    try await movie.edit { $0.filter = .noir }
    let edited = refetched(movie)
    let answer = try await video(edited) { $0.version = version }
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
