import AVFoundation
import Foundation
import ImageIO
internal import Imaging
internal import LibraryStore
import UIKit

/// Delivers images, videos and data of assets.
///
///     let size = CGSize(width: 300, height: 300)
///     manager.requestImage(for: asset, targetSize: size, contentMode: .aspectFill, options: nil) { image, info in
///       …                            // once or several times, on the main queue
///     }
///
/// - Any thread may use a manager. Equal requests share one decode, even if they come from
///   different managers.
/// - Images and data that are being made or wait for the main queue have at most 256 MB in a
///   process. A picture that is larger is made alone.
/// - Thumbnails and stored renditions that wait for the main queue have at most 32 MB.
/// - Requests beyond these limits wait, and their previews may be left out. An image no longer
///   counts once its handler has returned.
open class PHImageManager: NSObject, @unchecked Sendable {
  // The only state is the running requests, which a lock guards. Subclasses guard the state that
  // they add.

  private static let shared = PHImageManager()
  /// The shared manager, for programs that prepare no images.
  public class func `default`() -> PHImageManager { shared }

  let requests = RunningRequests()
  /// The images that a caching manager has prepared.
  var cache: ImageCache? { nil }
  let pipeline: ImagePipeline

  /// Makes a separate manager. All managers share the renditions in the library.
  public override init() { pipeline = .shared }

  init(pipeline: ImagePipeline) { self.pipeline = pipeline }

  /// Requests an image of an asset, upright and in sRGB. For a video it is the poster.
  ///
  ///     let options = PHImageRequestOptions()
  ///     options.resizeMode = .exact
  ///     manager.requestImage(for: asset, targetSize: size, contentMode: .aspectFill, options: options) { image, info in
  ///       if info?[PHImageResultIsDegradedKey] as? Bool == true { return }      // a better one follows
  ///     }
  ///
  /// - `targetSize` is in pixels.
  /// - `.fast` may return a larger image, but never one larger than the original: up to 360 pixels
  ///   high the stored grid picture, above that at most 1.5 times the requested size.
  /// - `.exact` returns the requested size, and with `.aspectFill` crops the picture to it. `.none`
  ///   returns all pixels.
  /// - An opportunistic request first delivers an image at hand, marked as degraded, and then the
  ///   requested image. If the image at hand is sufficient, it is the only answer. Other requests
  ///   get one answer.
  /// - If the caller is on the main queue, an image at hand is delivered before an opportunistic
  ///   request returns.
  /// - An `.exact` image is made when it is requested, so a preview comes before it, unless a
  ///   caching manager has prepared it.
  /// - The handler is called on the main queue. A synchronous request calls it once, on the
  ///   caller's thread, before it returns.
  /// - If there is no image, the info contains the reason: `PHImageErrorKey`,
  ///   `PHImageCancelledKey`, or `PHImageResultIsInCloudKey`.
  @discardableResult
  open func requestImage(
    for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode, options: PHImageRequestOptions?,
    resultHandler: @escaping (UIImage?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestImage(
      of: asset, as: ImageSpecification(targetSize: targetSize, contentMode: contentMode, options: options),
      options: options,
      answerMaker: .init(preview: { $0 }, make: { $0 }), handler: resultHandler)
  }

  private func requestImage<Answer>(
    of asset: PHAsset, as specification: ImageSpecification, options: PHImageRequestOptions?,
    answerMaker: ImageRequest<Answer>.AnswerMaker, handler: @escaping (Answer?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let request = ImageRequest(
      request(of: asset, options) { id, result in
        let delivery = try? result.get()
        let info = RequestInfo.of(
          id, isDegraded: delivery?.isDegraded == true, result.failure, isInCloud: delivery?.isInCloud == true)
        handler(delivery?.answer, info)
      },
      of: asset.pictures, as: specification, answerMaker: answerMaker,
      allowsSecondaryDegradedImage: options?.allowSecondaryDegradedImage ?? false, cache: cache, pipeline: pipeline)
    if options?.isSynchronous == true { request.answerSynchronously() } else { request.start() }
    return request.request.id
  }

  private func request<Answer>(
    of asset: PHAsset, _ options: PHImageRequestOptions?,
    handler: @escaping (PHImageRequestID, Result<Answer, PHPhotosError>) -> Void
  ) -> AssetRequest<Answer> {
    AssetRequest(
      in: requests, of: asset.library, originalFetch: { OriginalFetch(options, request: $0) }, handler: handler)
  }

  /// Requests the bytes of an asset's picture as they are in its file, their type, and their
  /// orientation. For a video it is the poster. `options.version` chooses the file.
  ///
  ///     manager.requestImageDataAndOrientation(for: asset, options: nil) { data, type, orientation, info in … }
  ///
  /// The handler is called once: on the main queue, or before a synchronous request returns. If
  /// there is no data, the info contains the reason: `PHImageErrorKey`, `PHImageCancelledKey`, or
  /// `PHImageResultIsInCloudKey`.
  @discardableResult
  open func requestImageDataAndOrientation(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler: @escaping (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let request = ImageDataRequest(
      request: request(of: asset, options) { id, result in
        let answer = try? result.get()
        resultHandler(
          answer?.data, answer?.type, answer?.orientation ?? .up, RequestInfo.of(id, result.failure))
      },
      pictures: asset.pictures, version: options?.version ?? .current, pipeline: pipeline)
    if options?.isSynchronous == true { request.answerSynchronously() } else { request.start() }
    return request.request.id
  }

  /// Requests the bytes of a picture. PhotoKit deprecates this method in favor of
  /// `requestImageDataAndOrientation`.
  @discardableResult
  open func requestImageData(
    for asset: PHAsset, options: PHImageRequestOptions?,
    resultHandler: @escaping (Data?, String?, UIImage.Orientation, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestImageDataAndOrientation(for: asset, options: options) { data, type, orientation, info in
      resultHandler(data, type, UIImage.Orientation(exif: Int(orientation.rawValue)), info)
    }
  }

  /// Requests the movie of a video as an `AVURLAsset`, whose file can be read. That includes
  /// slow-motion videos, for which PhotoKit returns a composition. The audio mix is always `nil`.
  ///
  /// The handler is called once, on a queue of its own. If there is no movie, the info contains the
  /// reason.
  @discardableResult
  open func requestAVAsset(
    forVideo asset: PHAsset, options: PHVideoRequestOptions?,
    resultHandler: @escaping (AVAsset?, AVAudioMix?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestVideo(of: asset, options) { video, info in resultHandler(video, nil, info) }
  }

  /// Requests the movie of a video for a player, like `requestAVAsset`.
  @discardableResult
  open func requestPlayerItem(
    forVideo asset: PHAsset, options: PHVideoRequestOptions?,
    resultHandler: @escaping (AVPlayerItem?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestVideo(of: asset, options) { video, info in resultHandler(video.map(AVPlayerItem.init(asset:)), info) }
  }

  /// Requests a session that exports the movie of a video, like `requestAVAsset`. The session is
  /// `nil`, with `PHImageErrorKey`, if there is no such preset.
  @discardableResult
  open func requestExportSession(
    forVideo asset: PHAsset, options: PHVideoRequestOptions?, exportPreset: String,
    resultHandler: @escaping (AVAssetExportSession?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestVideo(of: asset, options) { video, info in
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
    of asset: PHAsset, _ options: PHVideoRequestOptions?, _ handler: @escaping (AVURLAsset?, [AnyHashable: Any]) -> Void
  ) -> PHImageRequestID {
    let originalFetch: (PHImageRequestID) -> OriginalFetch = {
      OriginalFetch(
        isNetworkAccessAllowed: options?.isNetworkAccessAllowed ?? false, options?.progressHandler, request: $0)
    }
    let request = AssetRequest<AVURLAsset>(
      in: requests, of: asset.library, originalFetch: originalFetch,
      handler: { id, result in handler(try? result.get(), RequestInfo.of(id, result.failure)) })
    let version = options?.version ?? .current
    WorkQueue.requests.add(.seen) { request.finish(Result { try asset.video(version, for: request) }) }
    return request.id
  }

  /// Requests a Live Photo: a still, as `requestImage` delivers it, and its movie.
  ///
  ///     manager.requestLivePhoto(for: asset, targetSize: size, contentMode: .aspectFit, options: nil) { live, info in … }
  ///
  /// The handler is called on the main queue.
  ///
  /// - By default, it first receives a still at hand, marked as degraded and without a movie, and
  ///   then the Live Photo.
  /// - `.highQualityFormat` has one answer, the Live Photo.
  /// - `.fastFormat` has one answer, a Live Photo whose still is at hand and may be degraded.
  /// - If there is no Live Photo, the info contains the reason.
  @discardableResult
  open func requestLivePhoto(
    for asset: PHAsset, targetSize: CGSize, contentMode: PHImageContentMode, options: PHLivePhotoRequestOptions?,
    resultHandler: @escaping (PHLivePhoto?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    let options = (options ?? PHLivePhotoRequestOptions()).forStill
    let version = options.version
    do { try asset.checkIsLive(version) } catch {
      let request: AssetRequest<PHLivePhoto> = request(of: asset, options) { id, result in
        resultHandler(nil, RequestInfo.of(id, result.failure))
      }
      request.finishOnMainQueue(.failure(error))
      return request.id
    }
    return requestImage(
      of: asset, as: ImageSpecification(targetSize: targetSize, contentMode: contentMode, options: options),
      options: options,
      answerMaker: .init(
        preview: { PHLivePhoto($0) }, make: { try asset.livePhoto($0, version) },
        original: { try asset.pictures.movieResource(isOriginal: version != .current) }), handler: resultHandler)
  }

  /// Cancels a request, which then calls its handler once with `PHImageCancelledKey`. Does nothing
  /// if the request is done.
  open func cancelImageRequest(_ requestID: PHImageRequestID) { requests.cancel(requestID) }
}
