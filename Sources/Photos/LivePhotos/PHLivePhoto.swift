import Foundation
internal import Imaging
internal import LibraryStore
import UIKit

public typealias PHLivePhotoRequestID = Int32

// swift-format-ignore: AlwaysUseLowerCamelCase
/// An id that no request has.
public let PHLivePhotoRequestIDInvalid: PHLivePhotoRequestID = 0
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Error`: the reason that there is no Live Photo.
public let PHLivePhotoInfoErrorKey = "PHLivePhotoInfoErrorKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Bool`: a better Live Photo follows.
public let PHLivePhotoInfoIsDegradedKey = "PHLivePhotoInfoIsDegradedKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// `Bool`: the request was canceled.
public let PHLivePhotoInfoCancelledKey = "PHLivePhotoInfoCancelledKey"

/// A still with a few seconds of movie around it.
///
///     PHImageManager.default().requestLivePhoto(for: asset, targetSize: size, contentMode: .aspectFit, options: nil) { live, info in
///       for resource in live.map(PHAssetResource.assetResources) ?? [] { … }       // its two files
///     }
///
/// Immutable; any thread may use it. An `NSItemProvider` makes one of a Live Photo that was picked.
open class PHLivePhoto: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Immutable; subclasses in tests guard their own state.

  /// The size of the still in pixels, as requested.
  open var size: CGSize {
    CGSize(width: still.size.width * still.scale, height: still.size.height * still.scale)
  }
  let still: UIImage
  let secondsToStill: TimeInterval?
  /// The two files. A degraded Live Photo has none, since it is only a still.
  let resources: [PHAssetResource]

  /// Makes an empty Live Photo, for subclasses in tests.
  public override init() {
    still = UIImage()
    secondsToStill = nil
    resources = []
  }

  init(_ still: UIImage, resources: [PHAssetResource] = [], stillTime: TimeInterval? = nil) {
    self.still = still
    self.resources = resources
    secondsToStill = stillTime
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Makes a Live Photo from its two files, in any order. The files are read until the handler has
  /// been called for the last time.
  ///
  ///     PHLivePhoto.request(
  ///       withResourceFileURLs: [still, movie], placeholderImage: thumbnail, targetSize: .zero, contentMode: .aspectFit
  ///     ) { live, info in … }
  ///
  /// The files must be a still and a movie that have the same content identifier. A target size of
  /// zero means the full size.
  ///
  /// The handler is called on the main queue: first with the placeholder, if there is one, and then
  /// with the Live Photo. If there is no Live Photo, the info contains the reason.
  @discardableResult
  open class func request(
    withResourceFileURLs fileURLs: [URL], placeholderImage image: UIImage?, targetSize: CGSize,
    contentMode: PHImageContentMode, resultHandler: @escaping (PHLivePhoto?, [AnyHashable: Any]) -> Void
  ) -> PHLivePhotoRequestID {
    let size = targetSize == .zero ? PHImageManagerMaximumSize : targetSize
    let picture = ImageSpecification(targetSize: size, contentMode: contentMode)
    let request = AssetRequest<(live: PHLivePhoto, isDegraded: Bool)>(in: requests, of: .current) { _, result in
      switch result {
      case .success(let answer): resultHandler(answer.live, [PHLivePhotoInfoIsDegradedKey: answer.isDegraded])
      case .failure(let error) where error.code == .userCancelled:
        resultHandler(nil, [PHLivePhotoInfoCancelledKey: true])
      case .failure(let error): resultHandler(nil, [PHLivePhotoInfoErrorKey: error])
      }
    }
    if let image { DispatchQueue.main.async { request.send((PHLivePhoto(image), isDegraded: true)) } }
    let pipeline = ImagePipeline.shared
    let cancellation = request.cancellation
    pipeline.answerQueue.add(.seen) {
      do {
        let files = try LivePhotoFiles(fileURLs, unless: cancellation)
        request.run(
          on: pipeline.answerQueue, reserving: picture.byteCount(of: files.pixelSize), in: pipeline.undelivered,
          byteCount: \.live.stillImage.heldByteCount
        ) { (try files.livePhoto(picture.picture, unless: cancellation), isDegraded: false) }
      } catch { request.finishOnMainQueue(.failure(error)) }
    }
    return request.id
  }

  /// Cancels a request, which then calls its handler once more, with `PHLivePhotoInfoCancelledKey`.
  /// Does nothing if the request is done.
  open class func cancelRequest(withRequestID requestID: PHLivePhotoRequestID) { requests.cancel(requestID) }

  private static let requests = RunningRequests()

  // MARK: Coding

  open class var supportsSecureCoding: Bool { true }

  private static let stillKey = "still"
  private static let movieKey = "movie"

  /// Encodes the paths of the two files, their resource types, and the size of the still.
  ///
  /// The Live Photo can be decoded as long as the files exist, by any program that may open them.
  /// The still is decoded from its file again, in the same size. The files then belong to no asset.
  /// The movie of a motion photo is a copy, which is deleted with the library's renditions.
  ///
  /// A degraded Live Photo can't be decoded. Neither can one of a client with limited access, since
  /// paths would reveal other assets.
  open func encode(with coder: NSCoder) {
    for (key, resource) in zip([Self.stillKey, Self.movieKey], resources) {
      guard let url = resource.fileURL ?? resource.urlForUnlimitedClients else { continue }
      coder.encode(NSString(string: url.path), forKey: key)
      coder.encode(Int64(resource.type.rawValue), forKey: key + "Type")
    }
    coder.encode(Double(size.width), forKey: "width")
    coder.encode(Double(size.height), forKey: "height")
  }

  public required init?(coder: NSCoder) {
    guard let still = try? LivePhotoFile(from: coder, Self.stillKey, .image),
      let movie = try? LivePhotoFile(from: coder, Self.movieKey, .video)
    else { return nil }
    let size = CGSize(width: coder.decodeDouble(forKey: "width"), height: coder.decodeDouble(forKey: "height"))
    // The aspect ratio of the delivered still may differ from the file's by a fraction of a pixel.
    let picture = ImageSpecification(targetSize: size, contentMode: .aspectFill, resizeMode: .exact).picture
    guard let live = try? LivePhotoFiles(still, movie).livePhoto(picture) else { return nil }
    self.still = live.still
    secondsToStill = live.secondsToStill
    resources = live.resources
  }
}

/// One of the two files of a Live Photo.
struct LivePhotoFile: Sendable {
  let type: PHAssetResourceType
  let url: URL
  let file: MediaFile
  let metadata: MediaMetadata
  /// The folder of the file, if it is removed with the Live Photo.
  private let folder: PrivateFolder?

  init(at url: URL, as type: PHAssetResourceType? = nil, in folder: PrivateFolder? = nil) throws {
    let file = try MediaFile(path: url.path)
    let metadata = try MediaMetadata(of: file)
    let usual: PHAssetResourceType = metadata.type.kind == .image ? .photo : .pairedVideo
    self.type = type ?? usual
    self.url = url
    self.file = file
    self.metadata = metadata
    self.folder = folder
  }

  /// Throws if the archive doesn't name a file of this kind.
  fileprivate init(from coder: NSCoder, _ key: String, _ kind: MediaType.Kind) throws {
    guard let path = coder.decodeObject(of: NSString.self, forKey: key),
      let type = PHAssetResourceType(rawValue: Int(coder.decodeInt64(forKey: key + "Type")))
    else { throw PHPhotosError(.missingResource, "the archive has no \(key)") }
    try self.init(at: URL(fileURLWithPath: "\(path)"), as: type)
    guard metadata.type.kind == kind else {
      throw PHPhotosError(.invalidResource, "\(url.lastPathComponent): not a \(key)")
    }
  }

  var resource: PHAssetResource { PHAssetResource(type, of: url, file: file, metadata: metadata, in: folder) }
}

/// The two files of a Live Photo.
struct LivePhotoFiles: Sendable {
  private let still: LivePhotoFile
  private let movie: LivePhotoFile

  fileprivate var pixelSize: PixelSize {
    PixelSize(width: still.metadata.pixelWidth, height: still.metadata.pixelHeight)
  }

  /// Uses files that are known to belong together.
  init(_ still: LivePhotoFile, _ movie: LivePhotoFile) {
    self.still = still
    self.movie = movie
  }

  /// Throws if the files are not the still and the movie of one Live Photo.
  fileprivate init(_ urls: [URL], unless cancellation: Cancellation) throws {
    if cancellation.isCancelled { throw CancellationError() }
    let files = try urls.map { try LivePhotoFile(at: $0) }
    let names = urls.map(\.lastPathComponent).joined(separator: ", ")
    guard files.count == 2, let still = files.first(where: { $0.metadata.type.kind == .image }),
      let movie = files.first(where: { $0.metadata.type.kind == .video })
    else { throw PHPhotosError(.invalidResource, "\(names): a Live Photo is made of a still and a movie") }
    guard let identifier = still.metadata.contentIdentifier, identifier == movie.metadata.contentIdentifier else {
      throw PHPhotosError(
        .invalidResource, "\(names): the still and the movie have different content identifiers, or none")
    }
    self.init(still, movie)
  }

  func livePhoto(_ request: PictureRequest, unless cancellation: Cancellation = Cancellation()) throws -> PHLivePhoto {
    if cancellation.isCancelled { throw CancellationError() }
    let pixels = try makePicture(of: still.file, metadata: still.metadata, request)
    return PHLivePhoto(
      UIImage(pixels: pixels), resources: [still.resource, movie.resource], stillTime: movie.metadata.stillTime)
  }
}
