import AVFoundation
import Foundation
import ImageIO
internal import Imaging
internal import LibraryStore
import UIKit

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The size of an image of all its pixels; compare with it, don't compute with it.
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)

/// Hands out images of assets.
///
///     let size = CGSize(width: 300, height: 300)
///     manager.requestImage(for: asset, targetSize: size, contentMode: .aspectFill, options: nil) { image, info in
///       …                            // once or several times, on the main queue
///     }
///
/// - Any thread may use it. Equal requests share one decode, whichever managers make them.
/// - However many requests are under way, at most 256 MB of images and data are made at a time or wait for the main queue, and 32 MB of
///   thumbnails and stored renditions; a picture that is larger is made alone. Requests beyond that wait. What a handler has been given
///   is the app's own.
open class PHImageManager: NSObject, @unchecked Sendable {
  // It holds nothing but the running requests, which are under a lock; subclasses guard what they add.

  private static let shared = PHImageManager()
  /// The manager for whoever prepares nothing.
  public class func `default`() -> PHImageManager { shared }

  let requests = RunningRequests()
  /// What a caching manager has prepared.
  var cache: ImageCache? { nil }
  let pipeline: ImagePipeline

  /// A manager of one's own; it finds what others have made in the library.
  public override init() { pipeline = .shared }

  init(pipeline: ImagePipeline) { self.pipeline = pipeline }

  /// An image of an asset, upright and in sRGB; of a video its poster.
  ///
  ///     let options = PHImageRequestOptions()
  ///     options.resizeMode = .exact
  ///     manager.requestImage(for: asset, targetSize: size, contentMode: .aspectFill, options: options) { image, info in
  ///       if info?[PHImageResultIsDegradedKey] as? Bool == true { return }      // a better one follows
  ///     }
  ///
  /// - `targetSize` is in pixels. `.fast` images may be larger, but never than the picture: those up to 360 pixels high come as the
  ///   library keeps them for its grid, others are larger by half at most. `.exact` ones have the size that was asked for –
  ///   `.aspectFill` then cuts what stands out –, and `.none` ones all their pixels.
  /// - Opportunistic requests get what is at hand first, marked degraded, and then the image; the first answer comes before
  ///   the request returns where it is at hand and the caller is on the main queue. The others get one answer. An `.exact` image is
  ///   made when it is asked for, so a preview comes before it, unless a caching manager has prepared it.
  /// - Answers come on the main queue; a synchronous request's only one on the caller's thread, before it returns.
  /// - Without an image the info says why: `PHImageErrorKey`, `PHImageCancelledKey`, or `PHImageResultIsInCloudKey`.
  @discardableResult
  open func requestImage(
    for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?,
    resultHandler: @escaping (UIImage?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestImage(
      of: asset, ImageSpecification(targetSize: targetSize, contentMode: contentMode, options: options), options,
      .init(preview: { $0 }, make: { $0 }), resultHandler)
  }

  private func requestImage<Answer>(
    of asset: PHAsset, _ specification: ImageSpecification, _ options: PHImageRequestOptions?,
    _ form: ImageRequest<Answer>.Form, _ handler: @escaping ImageRequest<Answer>.Handler
  ) -> PHImageRequestID {
    let (id, cancellation) = requests.begin()
    let request = ImageRequest(
      id, for: asset, specification,
      .init(allowsSecondaryDegradedImage: options?.allowSecondaryDegradedImage ?? false) { [requests] in
        requests.end(id)
      },
      form, OriginalArrival(options, request: id), cancellation, cache, pipeline, handler: handler)
    if options?.isSynchronous == true { request.answerSynchronously() } else { request.start() }
    return id
  }

  /// The bytes of an asset's picture as its file holds them, their type, and how they are to be turned; of a video its poster.
  /// Which of its files that is, `options.version` says.
  ///
  ///     manager.requestImageDataAndOrientation(for: asset, options: nil) { data, type, orientation, info in … }
  ///
  /// The handler is called once: on the main queue, or before the request returns where that is to be synchronous. Without data
  /// the info says why: `PHImageErrorKey`, `PHImageCancelledKey`, or `PHImageResultIsInCloudKey`.
  @discardableResult
  open func requestImageDataAndOrientation(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler: @escaping (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let (id, cancellation) = requests.begin()
    let request = ImageDataRequest(
      id, for: asset, options, cancellation, pipeline, whenDone: { [requests] in requests.end(id) },
      handler: resultHandler)
    if options?.isSynchronous == true { request.answerSynchronously() } else { request.start() }
    return id
  }

  /// Deprecated by PhotoKit for `requestImageDataAndOrientation`.
  @discardableResult
  open func requestImageData(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler: @escaping (Data?, String?, UIImage.Orientation, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestImageDataAndOrientation(for: asset, options: options) { data, type, orientation, info in
      resultHandler(data, type, UIImage.Orientation(exif: Int(orientation.rawValue)), info)
    }
  }

  /// The video of an asset as a file that can be read: of a slow-motion one too, which PhotoKit answers with a composition. The mix is always `nil`.
  ///
  /// The handler is called once, on a queue of its own. Without a video the info says why.
  @discardableResult
  open func requestAVAsset(
    forVideo asset: PHAsset, options: PHVideoRequestOptions?,
    resultHandler: @escaping (AVAsset?, AVAudioMix?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestVideo(asset, options) { video, info in resultHandler(video, nil, info) }
  }

  /// The same for a player.
  @discardableResult
  open func requestPlayerItem(
    forVideo asset: PHAsset, options: PHVideoRequestOptions?,
    resultHandler: @escaping (AVPlayerItem?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestVideo(asset, options) { video, info in resultHandler(video.map(AVPlayerItem.init(asset:)), info) }
  }

  /// The same for a session that writes it anew; `nil`, with `PHImageErrorKey`, for a preset that isn't known.
  @discardableResult
  open func requestExportSession(
    forVideo asset: PHAsset, options: PHVideoRequestOptions?, exportPreset: String,
    resultHandler: @escaping (AVAssetExportSession?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestVideo(asset, options) { video, info in
      var info = info
      let session = video.flatMap {
        LibraryExportSession(asset: $0, presetName: exportPreset, library: asset.library)
      }
      if video != nil, session == nil {
        info[PHImageErrorKey] = PHPhotosError(.requestNotSupportedForAsset, "\(exportPreset): there is no such preset")
      }
      resultHandler(session, info)
    }
  }

  private func requestVideo(
    _ asset: PHAsset, _ options: PHVideoRequestOptions?, _ handler: @escaping (AVURLAsset?, [AnyHashable: Any]) -> Void
  ) -> PHImageRequestID {
    let (id, cancellation) = requests.begin()
    let arrival = OriginalArrival(
      isNetworkAccessAllowed: options?.isNetworkAccessAllowed ?? false, options?.progressHandler, request: id)
    let version = options?.version ?? .current
    let handler = ResultHandler(in: asset.library, handler)
    WorkQueue.requests.add(.seen) { [requests] in
      let answer = VideoAnswer(of: asset, version, arrival, cancellation)
      requests.end(id)
      handler.call(answer.asset, answer.info(of: id))
    }
    return id
  }

  /// A Live Photo: a still as `requestImage` gives it, and its movie.
  ///
  ///     manager.requestLivePhoto(for: asset, targetSize: size, contentMode: .aspectFit, options: nil) { live, info in … }
  ///
  /// The handler is called on the main queue: with a still that is at hand first, marked degraded and without a movie, and then with
  /// the Live Photo. `.highQualityFormat` leaves the first one out; `.fastFormat` has one answer, the Live Photo with the still that
  /// is at hand, which may be degraded. Without one the info says why.
  @discardableResult
  open func requestLivePhoto(
    for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode, options: PHLivePhotoRequestOptions?,
    resultHandler: @escaping (PHLivePhoto?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let options = (options ?? PHLivePhotoRequestOptions()).forStill
    let version = options.version
    do { try asset.checkIsLive(version) } catch {
      let (id, cancellation) = requests.begin()
      let handler = ResultHandler(in: asset.library, resultHandler)
      DispatchQueue.main.async { [requests] in
        let error = cancellation.close() ? CancellationError() : error
        requests.end(id)
        handler.call(nil, RequestInfo.of(id, PHPhotosError(error)))
      }
      return id
    }
    return requestImage(
      of: asset, ImageSpecification(targetSize: targetSize, contentMode: contentMode, options: options), options,
      .init(preview: { PHLivePhoto($0) }, make: { try asset.livePhoto($0, version) }, isSlow: true), resultHandler)
  }

  /// The request calls its handler once with `PHImageCancelledKey`; one that is done already is left alone.
  open func cancelImageRequest(_ requestID: PHImageRequestID) { requests.cancel(requestID) }

  // MARK: Extensions of PhotoKit's API

  /// The picture of an asset in one of the sizes that the library keeps; made and kept where it isn't there yet.
  ///
  /// An asset that can't be read has a picture that says so; where only `full` can't be made, that is an error. A task that is cancelled
  /// meanwhile throws `CancellationError`, and what nobody waits for any more is not made.
  public func rendition(_ kind: PHRenditionKind, for asset: PHAsset) async throws -> PHRendition {
    try asset.checkAccess()
    if asset.isUnreadable { return .unreadable(reason: try asset.details()?.unreadableReason) }
    if kind != .full, let stored = asset.storedPicture(kind.rawValue) { return stored }
    do {
      return try await pipeline.renditions.value(for: .init(asset: .init(asset), kind: kind)) {
        try asset.makeRendition(kind)
      }
    } catch let error as PHPhotosError where error.code == .invalidResource {
      if kind == .full, asset.storedPicture(RenditionKind.screen.rawValue) != nil { throw error }
      let name = (try? asset.files())?.current?.originalFilename
      return .unreadable(reason: error.reason(ofFileNamed: name ?? ""))
    }
  }

  /// A few pixels of each asset that has them at hand, by the assets' identifiers: a byte of width, a byte of height (each 1
  /// to 6), then width × height × RGB.
  public func placeholders(for assets: [PHAsset]) throws -> [String: Data] {
    guard let library = assets.first?.photoLibrary else { return [:] }
    let versions = Dictionary(assets.map { ($0.uuid, $0.renditionVersion) }, uniquingKeysWith: { first, _ in first })
    do {
      let found = try library.store(reading: assets.map(\.rowID)).renditions.placeholders(for: versions)
      return Dictionary(uniqueKeysWithValues: found.map { (PHAsset.localIdentifier(uuid: $0.key), $0.value) })
    } catch { throw PHPhotosError(error) }
  }
}

extension PHAsset {
  /// Throws where the client may not see the asset any more.
  func checkAccess() throws {
    do { _ = try photoLibrary.store(reading: [rowID]) } catch { throw PHPhotosError(error) }
  }
}

extension PHImageManager {
  /// How many images were made that nobody had waited for any more in the last 100 ms, for the benchmark of scrolling.
  package static var unwantedImageCount: Int { ImagePipeline.shared.images.unwanted }
}

extension PHRendition {
  init(_ picture: RenditionStore.Picture) {
    self.init(
      data: picture.data, uniformTypeIdentifier: picture.uniformTypeIdentifier, pixelWidth: picture.pixelWidth,
      pixelHeight: picture.pixelHeight)
  }

  /// A picture that says that there is none, and why.
  static func unreadable(reason: String?) -> PHRendition {
    let printable = String(String.UnicodeScalarView((reason ?? "").unicodeScalars.filter { $0 >= " " }))
    let escaped = printable.prefix(48).replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;")
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="360" height="360" viewBox="0 0 360 360" font-family="sans-serif">
      <rect width="360" height="360" fill="#8e8e93"/>
      <path d="M150 120h60l20 20v70h-100v-70z M140 215l90-90" fill="none" stroke="#fff" stroke-width="6"/>
      <text x="180" y="262" fill="#fff" font-size="22" text-anchor="middle">Can’t be read</text>
      <text x="180" y="290" fill="#fff" font-size="13" text-anchor="middle">\(escaped)</text>
      </svg>
      """
    return PHRendition(
      data: Data(svg.utf8), uniformTypeIdentifier: "public.svg-image", pixelWidth: 360, pixelHeight: 360)
  }
}
