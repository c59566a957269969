import Foundation
internal import Imaging
import Synchronization
import UIKit

/// One request for an image, from its first answer to its last.
///
/// - Synchronous: one answer, on the caller's thread.
/// - `highQualityFormat`, `fastFormat`: one answer, on the main queue.
/// - `opportunistic`: what is at hand first – at once, where the caller is on the main queue –, then the image itself.
/// - Cancelled: one last answer that says so. Nothing comes after it.
final class ImageRequest: Sendable {
  let id: PHImageRequestID
  private let asset: PHAsset
  private let specification: ImageSpecification
  private let options: Options
  private let arrival: OriginalArrival
  private let cancellation: Cancellation
  /// Cancelled with the request's last answer: what is under way for it still.
  private let work = Cancellation()
  private let cache: ImageCache?
  private let handler: Handler
  private let state = Mutex(State.open)
  private let pipeline = ImagePipeline.shared

  private enum State { case open, finished }

  struct Options: Sendable {
    var allowsSecondaryDegradedImage: Bool
    /// Called once, when nothing more comes.
    var whenDone: @Sendable () -> Void
  }

  struct Handler: @unchecked Sendable {
    // Called by the main queue alone, or by the thread that makes a synchronous request.
    let call: (UIImage?, [AnyHashable: Any]?) -> Void
  }

  init(
    _ id: PHImageRequestID, for asset: PHAsset, _ specification: ImageSpecification, _ options: Options,
    _ arrival: OriginalArrival, _ cancellation: Cancellation, _ cache: ImageCache?, handler: Handler
  ) {
    self.id = id
    self.asset = asset
    self.specification = specification
    self.options = options
    self.arrival = arrival
    self.cancellation = cancellation
    self.cache = cache
    self.handler = handler
  }

  // MARK: At once

  func answerSynchronously() { finish(Result { try synchronousImage() }) }

  private func synchronousImage() throws -> UIImage {
    try check()
    if let cached = cache?.image(of: asset, specification) { return cached }
    if let stored = try storedImage(), stored.isSufficient { return stored.image }
    try arrival.wait(for: asset, cancellation: cancellation)
    return try asset.makeImage(specification)
  }

  // MARK: When it is there

  func start() {
    cancellation.whenCancelled { [self] in
      work.cancel()
      finishOnMainQueue(.failure(PHPhotosError(.userCancelled, "the request was cancelled")))
    }
    do {
      try check()
      if let cached = cache?.image(of: asset, specification) { return answer(cached) }
      let stored = try storedImage()
      if let stored, stored.isSufficient { return answer(stored.image) }
      switch (specification.deliveryMode, stored) {
      case (.fastFormat, let stored?): finishOnMainQueue(.success(stored.image), isDegraded: true)
      case (.fastFormat, nil): requestThumbnail(isLast: true)
      case (.highQualityFormat, _): requestImage()
      case (.opportunistic, let stored?):
        preview(stored.image)
        try sendSecondaryPreview()
        requestImage()
      case (.opportunistic, nil):
        requestThumbnail(isLast: false)
        requestImage()
      }
    } catch { finishOnMainQueue(.failure(error)) }
  }

  private func check() throws {
    try asset.checkAccess()
    guard !asset.isUnreadable else {
      let reason = try asset.details()?.unreadableReason ?? "it can't be read"
      throw PHPhotosError(.invalidResource, "\(asset.localIdentifier): \(reason)", identifiers: [asset.localIdentifier])
    }
  }

  private func storedImage() throws -> PictureAtHand? {
    do { return try asset.storedImage(specification) } catch { throw PHPhotosError(error) }
  }

  /// The image itself, at hand: an opportunistic request has it before it returns, if it comes from the main queue.
  private func answer(_ image: UIImage) {
    guard specification.deliveryMode == .opportunistic, MainQueue.isCurrent else {
      return finishOnMainQueue(.success(image))
    }
    finish(.success(image))
  }

  private func preview(_ image: UIImage) {
    if MainQueue.isCurrent { send(image) } else { DispatchQueue.main.async { self.send(image) } }
  }

  private func sendSecondaryPreview() throws {
    guard options.allowsSecondaryDegradedImage, let image = try asset.secondaryStoredImage(specification) else {
      return
    }
    DispatchQueue.main.async { self.send(image) }
  }

  /// Of the thumbnail inside a file, decoded: 320 × 240 mostly.
  private static let thumbnailByteCount = 256 << 10

  private func requestThumbnail(isLast: Bool) {
    let key = ImagePipeline.ImageKey(asset: .init(asset), specification: specification)
    reserve(pipeline.undeliveredThumbnails, Self.thumbnailByteCount) { [self] done in
      let request = pipeline.thumbnails.request(key, .seen) { [asset, specification] in
        try asset.thumbnailInside(specification.version)
      } completion: { [self] result in
        DispatchQueue.main.async { [self] in
          let thumbnail = try? result.get()
          if isLast, let thumbnail {
            finish(.success(thumbnail), isDegraded: true)
          } else if let thumbnail {
            send(thumbnail)
          }
          done()
          if isLast, thumbnail == nil { requestImage() }
        }
      }
      work.whenCancelled { [pipeline] in
        pipeline.thumbnails.cancel(request)
        done()
      }
    }
  }

  private func requestImage() {
    guard arrival.isNeeded(for: asset) else { return decode() }
    // It takes its time, and has a progress of its own.
    DispatchQueue.global().async { [self] in
      do {
        try arrival.wait(for: asset, cancellation: cancellation)
        decode()
      } catch { finishOnMainQueue(.failure(error)) }
    }
  }

  private func decode() {
    let key = ImagePipeline.ImageKey(asset: .init(asset), specification: specification)
    reserve(pipeline.undelivered, specification.byteCount(of: asset.pixelSize)) { [self] done in
      let request = pipeline.images.request(key, .seen) { [asset, specification] in
        try asset.makeImage(specification)
      } completion: { [self] result in
        DispatchQueue.main.async { [self] in
          finish(result)
          done()
        }
      }
      work.whenCancelled { [pipeline] in
        pipeline.images.cancel(request)
        done()
      }
    }
  }

  /// Waits until there is memory for a picture; `start` gets what gives it back.
  private func reserve(
    _ budget: MemoryBudget, _ bytes: Int, start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    let waiting = budget.reserve(bytes) { reservation in start { budget.release(reservation) } }
    work.whenCancelled { budget.release(waiting) }
  }

  // MARK: Answering

  /// A picture that is not the last. On the main queue.
  private func send(_ image: UIImage) {
    guard !cancellation.isCancelled, state.withLock({ $0 == .open }) else { return }
    handler.call(image, info(isDegraded: true, nil))
  }

  private func finishOnMainQueue(_ result: Result<UIImage, any Error>, isDegraded: Bool = false) {
    DispatchQueue.main.async { self.finish(result, isDegraded: isDegraded) }
  }

  private func finish(_ result: Result<UIImage, any Error>, isDegraded: Bool = false) {
    let isFirst = state.withLock { state in
      defer { state = .finished }
      return state == .open
    }
    guard isFirst else { return }
    // What was on its way when it was cancelled is not handed out any more.
    let result =
      cancellation.isCancelled ? .failure(PHPhotosError(.userCancelled, "the request was cancelled")) : result
    cancellation.close()
    work.cancel()
    options.whenDone()
    switch result {
    case .success(let image): handler.call(image, info(isDegraded: isDegraded, nil))
    case .failure(let error): handler.call(nil, info(isDegraded: false, PHPhotosError(error)))
    }
  }

  private func info(isDegraded: Bool, _ error: PHPhotosError?) -> [AnyHashable: Any] {
    RequestInfo.of(
      id, isDegraded: isDegraded,
      isInCloud: error?.code == .networkAccessRequired || isDegraded && arrival.isBarred(from: asset), error)
  }
}
