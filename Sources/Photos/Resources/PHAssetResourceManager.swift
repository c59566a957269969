import Foundation
internal import LibraryStore

public typealias PHAssetResourceDataRequestID = Int32
public typealias PHAssetResourceProgressHandler = (Double) -> Void

/// An id that no request has.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let PHInvalidAssetResourceDataRequestID: PHAssetResourceDataRequestID = 0

/// Delivers the bytes of resources.
///
///     try await PHAssetResourceManager.default().writeData(for: resource, toFile: url, options: nil)
///
/// Any thread may use it. Handlers are called on a queue of their own.
open class PHAssetResourceManager: NSObject, @unchecked Sendable {
  // The only state is the running requests, which a lock guards. Subclasses in tests guard their
  // own state.
  private static let shared = PHAssetResourceManager()
  open class func `default`() -> PHAssetResourceManager { shared }

  private let requests = RunningRequests()

  public override init() {}

  /// Delivers the bytes in pieces, in their order, and then calls `completionHandler` once.
  ///
  /// A canceled request completes with `userCancelled`.
  @discardableResult
  open func requestData(
    for resource: PHAssetResource, options: PHAssetResourceRequestOptions?,
    dataReceivedHandler handler: @escaping (Data) -> Void, completionHandler: @escaping ((any Error)?) -> Void
  ) -> PHAssetResourceDataRequestID {
    let request = request(for: resource, options, completionHandler)
    let handler = ResultHandler(in: Self.library(of: resource), handler)
    WorkQueue.requests.add(.seen) { [self] in
      request.finish(Result { try deliver(resource, for: request, to: handler) })
    }
    return request.id
  }

  private func request(
    for resource: PHAssetResource, _ options: PHAssetResourceRequestOptions?,
    _ completionHandler: @escaping ((any Error)?) -> Void
  ) -> AssetRequest<Void> {
    AssetRequest(
      in: requests, of: Self.library(of: resource), originalFetch: { _ in OriginalFetch(options) },
      handler: { _, result in completionHandler(result.failure) })
  }

  /// Returns the library whose handlers are called. A Live Photo that was made from files has none.
  private static func library(of resource: PHAssetResource) -> PHPhotoLibrary? { resource.asset.library ?? .current }

  /// Cancels a request, which then completes with `userCancelled`. Does nothing if the request is
  /// done.
  open func cancelDataRequest(_ requestID: PHAssetResourceDataRequestID) { requests.cancel(requestID) }

  /// Writes a copy, byte for byte. Throws if the file exists or its folder is missing. An
  /// incomplete copy is removed.
  open func writeData(
    for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?
  ) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      writeData(for: resource, toFile: fileURL, options: options) { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  /// Writes a copy, byte for byte, and calls `completionHandler` once.
  open func writeData(
    for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?,
    completionHandler: @escaping ((any Error)?) -> Void
  ) {
    let request = request(for: resource, options, completionHandler)
    WorkQueue.requests.add(.seen) { [self] in
      request.finish(
        Result {
          try request.originalFetch.wait(for: resource, cancellation: request.cancellation)
          try writeDataAndWait(for: resource, toFile: fileURL)
        })
    }
  }

  /// The bytes of one piece.
  private static let pieceSize = 1 << 20

  private func deliver(
    _ resource: PHAssetResource, for request: AssetRequest<Void>, to handler: ResultHandler<Data>
  ) throws {
    try request.originalFetch.wait(for: resource, cancellation: request.cancellation)
    let reader = try reader(for: resource).opened()
    var start = 0
    while start < reader.byteCount {
      try OriginalFetch.check(request.cancellation, resource.record)
      let piece = try reader.data(in: start..<min(start + Self.pieceSize, reader.byteCount))
      guard !piece.isEmpty else {
        throw PHPhotosError(.missingResource, "\(resource.originalFilename): the original is cut off at byte \(start)")
      }
      handler.call(piece)
      start += piece.count
    }
    try OriginalFetch.check(request.cancellation, resource.record)
  }
}

/// The options of a request for a resource's bytes.
open class PHAssetResourceRequestOptions: NSObject, NSCopying {
  /// Whether an original that is stored elsewhere may be fetched. All originals are in the library,
  /// unless a test simulates others.
  open var isNetworkAccessAllowed = false
  /// Receives the progress from 0 to 1 while an original is fetched.
  open var progressHandler: PHAssetResourceProgressHandler?

  public override init() {}

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = PHAssetResourceRequestOptions()
    copy.isNetworkAccessAllowed = isNetworkAccessAllowed
    copy.progressHandler = progressHandler
    return copy
  }
}

extension OriginalFetch {
  fileprivate init(_ options: PHAssetResourceRequestOptions?) {
    let handler = options?.progressHandler
    self.init(isNetworkAccessAllowed: options?.isNetworkAccessAllowed ?? false) { fraction, _ in
      handler?(fraction)
      return true
    }
  }

  func wait(for resource: PHAssetResource, cancellation: Cancellation) throws {
    guard resource.fileURL == nil else { return }
    try wait(for: resource.record, in: resource.photoLibrary, cancellation: cancellation)
  }
}
