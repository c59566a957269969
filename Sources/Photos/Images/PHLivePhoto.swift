import Foundation
internal import Imaging
import UIKit

public typealias PHLivePhotoRequestID = Int32

// swift-format-ignore: AlwaysUseLowerCamelCase
/// No request's id.
public let PHLivePhotoRequestIDInvalid: PHLivePhotoRequestID = 0
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Error`: why there is no Live Photo.
public let PHLivePhotoInfoErrorKey = "PHLivePhotoInfoErrorKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Bool`: a better one follows.
public let PHLivePhotoInfoIsDegradedKey = "PHLivePhotoInfoIsDegradedKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Bool`: the request was cancelled.
public let PHLivePhotoInfoCancelledKey = "PHLivePhotoInfoCancelledKey"

/// A still and the few seconds of movie around it.
///
///     PHImageManager.default().requestLivePhoto(for: asset, targetSize: size, contentMode: .aspectFit, options: nil) { live, info in
///       for resource in live.map(PHAssetResource.assetResources) ?? [] { … }       // its two files
///     }
///
/// Immutable, and any thread may use it. Left out: what drags it between programs (`NSItemProviderReading`, `Transferable`).
public final class PHLivePhoto: NSObject, NSCopying, NSSecureCoding, Sendable {
  /// Pixels of the still, as it was asked for.
  public let size: CGSize
  /// Extension: the still, as it was asked for.
  public let stillImage: UIImage
  /// Extension: seconds from the movie's beginning to the instant of the still; `nil` where the movie doesn't tell.
  public let stillTime: TimeInterval?
  /// None for a degraded one, which is but a still.
  let resources: [PHAssetResource]

  init(_ still: UIImage, resources: [PHAssetResource] = [], stillTime: TimeInterval? = nil) {
    size = CGSize(width: still.size.width * still.scale, height: still.size.height * still.scale)
    stillImage = still
    self.resources = resources
    self.stillTime = stillTime
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Makes a Live Photo of its two files, in any order; they are read until the handler has been called for the last time.
  ///
  ///     PHLivePhoto.request(
  ///       withResourceFileURLs: [still, movie], placeholderImage: thumbnail, targetSize: .zero, contentMode: .aspectFit
  ///     ) { live, info in … }
  ///
  /// The handler is called on the main queue: with the placeholder first, if there is one, and then with the Live Photo. A target
  /// size of zero means all pixels. Without a Live Photo the info says why: the files must be a still and a movie that carry the
  /// same content identifier.
  @discardableResult
  public class func request(
    withResourceFileURLs fileURLs: [URL], placeholderImage image: UIImage?, targetSize: CGSize,
    contentMode: PHImageContentMode, resultHandler: @escaping (PHLivePhoto?, [AnyHashable: Any]) -> Void
  ) -> PHLivePhotoRequestID {
    let (id, cancellation) = requests.begin()
    let handler = ResultHandler(resultHandler)
    let size = targetSize == .zero ? PHImageManagerMaximumSize : targetSize
    let picture = ImageSpecification(targetSize: size, contentMode: contentMode, options: nil)
    if let image {
      DispatchQueue.main.async {
        if !cancellation.isCancelled { handler.call(PHLivePhoto(image), [PHLivePhotoInfoIsDegradedKey: true]) }
      }
    }
    let finish: @Sendable (Result<PHLivePhoto, any Error>) -> Void = { result in
      requests.end(id)
      switch result {
      case _ where cancellation.close(): handler.call(nil, [PHLivePhotoInfoCancelledKey: true])
      case .success(let live): handler.call(live, [PHLivePhotoInfoIsDegradedKey: false])
      case .failure(let error): handler.call(nil, [PHLivePhotoInfoErrorKey: PHPhotosError(error)])
      }
    }
    let pipeline = ImagePipeline.shared
    pipeline.forms.add(.seen) {
      let files = Result { try LivePhotoFiles(fileURLs, unless: cancellation) }
      guard case .success(let files) = files else {
        return DispatchQueue.main.async { finish(files.flatMap { _ in .failure(CancellationError()) }) }
      }
      pipeline.undelivered.reserve(picture.byteCount(of: files.pixelSize)) { reservation in
        pipeline.forms.add(.seen) {
          let live = Result { try files.livePhoto(picture.picture, unless: cancellation) }
          pipeline.undelivered.adjust(reservation, to: (try? live.get().stillImage.heldByteCount) ?? 0)
          DispatchQueue.main.async {
            finish(live)
            pipeline.undelivered.release(reservation)
          }
        }
      }
    }
    return id
  }

  /// The request calls its handler once more, with `PHLivePhotoInfoCancelledKey`.
  public class func cancelRequest(withRequestID requestID: PHLivePhotoRequestID) { requests.cancel(requestID) }

  private static let requests = RunningRequests()

  // MARK: Coding

  public static var supportsSecureCoding: Bool { true }

  /// Where its files are, and how large it is; it can be read back as long as they are there.
  public func encode(with coder: NSCoder) {
    let paths = resources.compactMap { $0.fileURL?.path ?? (try? $0.libraryURL())?.path }
    coder.encode(paths.joined(separator: "\n") as NSString, forKey: "files")
    coder.encode(Double(size.width), forKey: "width")
    coder.encode(Double(size.height), forKey: "height")
  }

  public init?(coder: NSCoder) {
    guard let files = coder.decodeObject(of: NSString.self, forKey: "files") else { return nil }
    let urls = "\(files)".split(separator: "\n").map { URL(fileURLWithPath: String($0)) }
    let size = CGSize(width: coder.decodeDouble(forKey: "width"), height: coder.decodeDouble(forKey: "height"))
    let picture = ImageSpecification(targetSize: size, contentMode: .aspectFit, options: nil).picture
    guard let live = try? LivePhotoFiles(urls).livePhoto(picture) else { return nil }
    self.size = live.size
    stillImage = live.stillImage
    stillTime = live.stillTime
    resources = live.resources
  }
}

/// The two files of a Live Photo.
private struct LivePhotoFiles: Sendable {
  private let still: (url: URL, file: MediaFile, metadata: MediaMetadata)
  private let movie: (url: URL, file: MediaFile, metadata: MediaMetadata)

  var pixelSize: PixelSize { PixelSize(width: still.metadata.pixelWidth, height: still.metadata.pixelHeight) }

  /// Throws where they don't belong together.
  init(_ urls: [URL], unless cancellation: Cancellation = Cancellation()) throws {
    if cancellation.isCancelled { throw CancellationError() }
    let files = try urls.map { url in
      let file = try MediaFile(path: url.path)
      return (url, file, try MediaMetadata(of: file))
    }
    let names = urls.map(\.lastPathComponent).joined(separator: ", ")
    guard files.count == 2, let still = files.first(where: { $0.2.type.kind == .image }),
      let movie = files.first(where: { $0.2.type.kind == .video })
    else { throw PHPhotosError(.invalidResource, "\(names): a Live Photo is made of a still and a movie") }
    guard let identifier = still.2.contentIdentifier, identifier == movie.2.contentIdentifier else {
      throw PHPhotosError(.invalidResource, "\(names): the still and the movie don't carry the same content identifier")
    }
    (self.still, self.movie) = (still, movie)
  }

  func livePhoto(_ request: PictureRequest, unless cancellation: Cancellation = Cancellation()) throws -> PHLivePhoto {
    if cancellation.isCancelled { throw CancellationError() }
    let pixels = try makePicture(of: still.file, metadata: still.metadata, request)
    return PHLivePhoto(
      UIImage(pixels: pixels),
      resources: [
        PHAssetResource(.photo, of: still.url, still.file, still.metadata),
        PHAssetResource(.pairedVideo, of: movie.url, movie.file, movie.metadata),
      ], stillTime: movie.metadata.stillTime)
  }
}
