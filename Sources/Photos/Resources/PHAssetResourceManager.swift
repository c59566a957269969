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
    let (id, cancellation) = requests.begin()
    let delivery = Delivery(of: resource, handler, completionHandler)
    let arrival = OriginalArrival(options)
    WorkQueue.requests.add(.seen) { [self] in
      var failure: (any Error)?
      do { try deliver(resource, arrival, cancellation, delivery) } catch { failure = PHPhotosError(error) }
      requests.end(id)
      delivery.completion.call(failure)
    }
    return id
  }

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
    let delivery = Delivery(of: resource, { _ in }, completionHandler)
    let arrival = OriginalArrival(options)
    WorkQueue.requests.add(.seen) {
      do {
        try arrival.wait(for: resource, cancellation: Cancellation())
        try self.writeDataAndWait(for: resource, toFile: fileURL)
        delivery.completion.call(nil)
      } catch { delivery.completion.call(PHPhotosError(error)) }
    }
  }

  /// The bytes of one piece.
  private static let pieceSize = 1 << 20

  private func deliver(
    _ resource: PHAssetResource, _ arrival: OriginalArrival, _ cancellation: Cancellation, _ delivery: Delivery
  ) throws {
    try arrival.wait(for: resource, cancellation: cancellation)
    let reader = try reader(for: resource).opened()
    var start = 0
    while start < reader.byteCount {
      try OriginalArrival.check(cancellation, resource.record)
      let piece = try reader.data(in: start..<min(start + Self.pieceSize, reader.byteCount))
      guard !piece.isEmpty else {
        throw PHPhotosError(.missingResource, "\(resource.originalFilename): the original is cut off at byte \(start)")
      }
      delivery.handler.call(piece)
      start += piece.count
    }
    try OriginalArrival.check(cancellation, resource.record)
  }

  private struct Delivery: Sendable {
    let handler: ResultHandler<Data>
    let completion: ResultHandler<(any Error)?>

    init(
      of resource: PHAssetResource, _ handler: @escaping (Data) -> Void,
      _ completion: @escaping ((any Error)?) -> Void
    ) {
      // A Live Photo that was made from files has no library.
      let library = resource.asset.library ?? .current
      self.handler = ResultHandler(in: library, handler)
      self.completion = ResultHandler(in: library, completion)
    }
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

extension OriginalArrival {
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
