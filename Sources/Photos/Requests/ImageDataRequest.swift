import Foundation
import ImageIO
internal import Imaging
internal import LibraryStore
import UIKit

/// A request for the bytes of a picture.
///
/// An asynchronous request reads its file on the `forms` queue, once the budget for undelivered
/// data has room.
final class ImageDataRequest: Sendable {
  typealias Handler = (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?) -> Void

  private let id: PHImageRequestID
  private let asset: PHAsset
  private let version: PHImageRequestOptionsVersion
  private let arrival: OriginalArrival
  private let cancellation: Cancellation
  private let pipeline: ImagePipeline
  private let whenDone: @Sendable () -> Void
  private let handler: ResultHandler<Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?>

  private struct Picture: Sendable {
    var data: Data
    var type: String
    var orientation = CGImagePropertyOrientation.up
  }

  init(
    _ id: PHImageRequestID, for asset: PHAsset, _ options: PHImageRequestOptions?, _ cancellation: Cancellation,
    _ pipeline: ImagePipeline, whenDone: @escaping @Sendable () -> Void, handler: @escaping Handler
  ) {
    self.id = id
    self.asset = asset
    version = options?.version ?? .current
    arrival = OriginalArrival(options, request: id)
    self.cancellation = cancellation
    self.pipeline = pipeline
    self.whenDone = whenDone
    self.handler = ResultHandler(in: asset.library, handler)
  }

  /// Answers on the caller's thread. The request can't be canceled any more.
  func answerSynchronously() {
    cancellation.close()
    finish(
      Result {
        let resource = try resource()
        try arrival.wait(for: resource, in: asset.photoLibrary, cancellation: cancellation)
        return try picture(in: resource)
      })
  }

  func start() {
    let resource: ResourceRecord
    do { resource = try self.resource() } catch { return finishOnMainQueue(.failure(error)) }
    guard asset.isElsewhere({ resource }) else { return read(resource) }
    // Fetching the original may take long, and reports progress.
    WorkQueue.requests.add(.seen) { [self] in
      do {
        try arrival.wait(for: resource, in: asset.photoLibrary, cancellation: cancellation)
        read(resource)
      } catch { finishOnMainQueue(.failure(error)) }
    }
  }

  private func resource() throws -> ResourceRecord {
    try asset.checkAccess()
    let resource = try asset.resourceRecord(for: version)
    if asset.mediaType != .image { try asset.checkIsReadable() }
    return resource
  }

  private func read(_ resource: ResourceRecord) {
    // A poster is a screen rendition: 1 MB is a guess, which is corrected below.
    let bytes = asset.mediaType == .image ? resource.byteCount : 1 << 20
    let budget = pipeline.undelivered
    let waiting = budget.reserve(bytes) { [self] reservation in
      let job = pipeline.forms.add(.seen) { [self] in
        let result = Result { try cancellation.decoding { try picture(in: resource) } }
        budget.adjust(reservation, to: (try? result.get().data.count) ?? 0)
        DispatchQueue.main.async { [self] in
          finish(result)
          budget.release(reservation)
        }
      }
      cancellation.whenCancelled { [self] in
        guard pipeline.forms.drop(job) else { return }
        budget.release(reservation)
        finishOnMainQueue(.failure(CancellationError()))
      }
    }
    cancellation.whenCancelled { [self] in
      if budget.withdraw(waiting) { finishOnMainQueue(.failure(CancellationError())) }
    }
  }

  private func picture(in resource: ResourceRecord) throws -> Picture {
    try OriginalArrival.check(cancellation, resource)
    guard asset.mediaType == .image else { return try poster(of: resource) }
    try asset.checkAccess()
    let originals = asset.photoLibrary.store.originals
    let bytes = try originals.contents(of: resource)
    guard bytes.count == resource.byteCount else {
      throw PHPhotosError(
        .missingResource, "\(resource.originalFilename): the original is cut off at byte \(bytes.count)")
    }
    // If the metadata can't be read, the picture counts as upright, and its bytes are delivered
    // nevertheless.
    let metadata = try? MediaMetadata(of: originals.mediaFile(of: resource))
    return Picture(
      data: bytes, type: resource.uniformTypeIdentifier,
      orientation: metadata.flatMap { CGImagePropertyOrientation(rawValue: UInt32($0.orientation)) } ?? .up)
  }

  private func poster(of movie: ResourceRecord) throws -> Picture {
    guard try movie == asset.resourceRecord(for: .current) else {
      let made = try asset.decoding(.renditions, of: movie) { file, metadata in
        try makeRenditions(of: file, metadata: metadata, kinds: [.screen])
      }
      guard let poster = made.renditions.first else { throw asset.missing("picture") }
      return Picture(data: poster.data, type: poster.uniformTypeIdentifier)
    }
    let poster = try asset.storedPicture(RenditionKind.screen.rawValue) ?? asset.makeRendition(.screen)
    return Picture(data: poster.data, type: poster.uniformTypeIdentifier)
  }

  private func finishOnMainQueue(_ result: Result<Picture, any Error>) {
    DispatchQueue.main.async { self.finish(result) }
  }

  /// Calls the handler. Runs once, on the main queue or on the thread of a synchronous request.
  private func finish(_ result: Result<Picture, any Error>) {
    let isCancelled = cancellation.close()
    whenDone()
    switch isCancelled ? .failure(CancellationError()) : result {
    case .success(let picture):
      handler.call(picture.data, picture.type, picture.orientation, RequestInfo.of(id, nil))
    case .failure(let error): handler.call(nil, nil, .up, RequestInfo.of(id, PHPhotosError(error)))
    }
  }
}

extension OriginalArrival {
  init(_ options: PHImageRequestOptions?, request id: PHImageRequestID) {
    self.init(isNetworkAccessAllowed: options?.isNetworkAccessAllowed ?? false, options?.progressHandler, request: id)
  }

  /// Adapts PhotoKit's progress handler, which has one type for images and videos.
  init(isNetworkAccessAllowed: Bool, _ handler: PHAssetImageProgressHandler?, request id: PHImageRequestID) {
    self.init(isNetworkAccessAllowed: isNetworkAccessAllowed) { fraction, error in
      var stop = ObjCBool(false)
      handler?(fraction, error, &stop, [PHImageResultRequestIDKey: NSNumber(value: id)])
      return !stop.boolValue
    }
  }
}
