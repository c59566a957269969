import AVFoundation
import Foundation
import ImageIO
internal import Imaging
internal import LibraryStore
import UIKit

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The target size that requests all pixels. Compare with it, don't compute with it.
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)

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
    let (id, cancellation) = requests.begin()
    let request = ImageDataRequest(
      id, for: asset, options, cancellation, pipeline, whenDone: { [requests] in requests.end(id) },
      handler: resultHandler)
    if options?.isSynchronous == true { request.answerSynchronously() } else { request.start() }
    return id
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

  /// Requests the video of an asset as an `AVURLAsset`, whose file can be read. That includes
  /// slow-motion videos, for which PhotoKit returns a composition. The audio mix is always `nil`.
  ///
  /// The handler is called once, on a queue of its own. If there is no video, the info contains the
  /// reason.
  @discardableResult
  open func requestAVAsset(
    forVideo asset: PHAsset, options: PHVideoRequestOptions?,
    resultHandler: @escaping (AVAsset?, AVAudioMix?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestVideo(asset, options) { video, info in resultHandler(video, nil, info) }
  }

  /// Requests the video of an asset for a player, like `requestAVAsset`.
  @discardableResult
  open func requestPlayerItem(
    forVideo asset: PHAsset, options: PHVideoRequestOptions?,
    resultHandler: @escaping (AVPlayerItem?, [AnyHashable: Any]?) -> Void
  ) -> PHImageRequestID {
    requestVideo(asset, options) { video, info in resultHandler(video.map(AVPlayerItem.init(asset:)), info) }
  }

  /// Requests a session that exports the video of an asset, like `requestAVAsset`. The session is
  /// `nil`, with `PHImageErrorKey`, if there is no such preset.
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
      .init(
        preview: { PHLivePhoto($0) }, make: { try asset.livePhoto($0, version) },
        original: { try asset.movieRecord(isOriginal: version != .current) }), resultHandler)
  }

  /// Cancels a request, which then calls its handler once with `PHImageCancelledKey`. Does nothing
  /// if the request is done.
  open func cancelImageRequest(_ requestID: PHImageRequestID) { requests.cancel(requestID) }
}

extension PHAsset {
  /// Throws if the client may no longer see the asset.
  func checkAccess() throws {
    do { _ = try photoLibrary.store(reading: [rowID]) } catch { throw PHPhotosError(error) }
  }
}
