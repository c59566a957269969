import Foundation
internal import Imaging
internal import LibraryStore
import Synchronization
import UIKit

/// A request for an image, or for an answer that is made from an image.
///
/// - Synchronous: one answer, on the caller's thread.
/// - `highQualityFormat`, `fastFormat`: one answer, on the main queue.
/// - `opportunistic`: an image at hand first, then the requested image. If the caller is on the
///   main queue, the image at hand is delivered before the request returns.
/// - Canceled: one last answer that says so. No other answer follows it.
final class ImageRequest<Answer: Sendable>: Sendable {
  typealias Handler = (Answer?, [AnyHashable: Any]?) -> Void

  let id: PHImageRequestID
  private let asset: PHAsset
  private let specification: ImageSpecification
  private let options: Options
  private let form: Form
  private let arrival: OriginalArrival
  private let cancellation: Cancellation
  /// The work that is under way for the request. It is canceled with the last answer.
  private let work = Cancellation()
  private let cache: ImageCache?
  private let pipeline: ImagePipeline
  private let handler: ResultHandler<Answer?, [AnyHashable: Any]?>
  private let state = Mutex(State.open)

  private enum State { case open, finished }

  struct Options: Sendable {
    var allowsSecondaryDegradedImage: Bool
    /// Called once, before the last answer.
    var whenDone: @Sendable () -> Void
  }

  /// The functions that make answers from images.
  struct Form: Sendable {
    /// Makes an answer from a preview.
    var preview: @Sendable (UIImage) -> Answer
    /// Makes the last answer.
    var make: @Sendable (UIImage) throws -> Answer
    /// The original that `make` reads, as a Live Photo's movie; `nil` if it reads none. Reading may
    /// take long, so `make` then doesn't run on the main queue.
    var original: (@Sendable () throws -> ResourceRecord)?

    var isSlow: Bool { original != nil }
  }

  init(
    _ id: PHImageRequestID, for asset: PHAsset, _ specification: ImageSpecification, _ options: Options, _ form: Form,
    _ arrival: OriginalArrival, _ cancellation: Cancellation, _ cache: ImageCache?, _ pipeline: ImagePipeline,
    handler: @escaping Handler
  ) {
    self.id = id
    self.asset = asset
    self.specification = specification
    self.options = options
    self.form = form
    self.arrival = arrival
    self.cancellation = cancellation
    self.cache = cache
    self.pipeline = pipeline
    self.handler = ResultHandler(in: asset.library, handler)
  }

  // MARK: Synchronous requests

  /// Answers on the caller's thread. The request can't be canceled any more.
  func answerSynchronously() {
    cancellation.close()
    finish(Result { try form.make(synchronousImage()) })
  }

  private func synchronousImage() throws -> UIImage {
    try check()
    if let cached = cache?.image(of: asset, specification) { return cached }
    let specification = specification.ofOneAnswer
    if let stored = try storedImage(specification), stored.isSufficient { return stored.image }
    try arrival.wait(for: original(), in: asset.photoLibrary, cancellation: cancellation)
    return try pipeline.images.wait(
      for: .init(asset, specification),
      byteCount: specification.byteCount(of: asset.pixelSize)
    ) { [asset] in try asset.makeImage(specification) }
  }

  // MARK: Asynchronous requests

  func start() {
    cancellation.whenCancelled { [self] in
      work.cancel()
      finishOnMainQueue(.failure(PHPhotosError(.userCancelled, "the request was cancelled")))
    }
    do {
      try check()
      if let cached = cache?.image(of: asset, specification) { return answer(cached, isKept: true) }
      let stored = try storedImage(specification)
      if let stored, stored.isSufficient {
        if specification.deliveryMode == .opportunistic, let original = form.original, asset.isElsewhere(original) {
          preview(stored.image)
        }
        return answer(stored.image)
      }
      switch (specification.deliveryMode, stored) {
      case (.fastFormat, let stored?): answer(stored.image, isDegraded: true)
      case (.fastFormat, nil): requestThumbnail(isLast: true)
      case (.highQualityFormat, _): requestImage()
      case (.opportunistic, let stored?):
        preview(stored.image)
        try sendSecondaryPreview(after: stored.image)
        requestImage()
      // The image is requested after its thumbnail, since its decode would delay the thumbnail.
      case (.opportunistic, nil): requestThumbnail(isLast: false)
      }
    } catch { finishOnMainQueue(.failure(error)) }
  }

  private func check() throws {
    try asset.checkAccess()
    try asset.checkIsReadable()
  }

  private func storedImage(_ specification: ImageSpecification) throws -> PictureAtHand? {
    do { return try asset.storedImage(specification) } catch { throw PHPhotosError(error) }
  }

  /// Delivers the last image, which is at hand. On the main queue, an opportunistic request
  /// delivers it before it returns.
  ///
  /// The memory of an image from a caching manager (`isKept`) is counted by its `ImageCache`.
  private func answer(_ image: UIImage, isDegraded: Bool = false, isKept: Bool = false) {
    if specification.deliveryMode == .opportunistic, !form.isSlow, MainQueue.isCurrent {
      return finish(Result { try form.make(image) }, isDegraded: isDegraded)
    }
    if isKept { return deliver(.success(image)) {} }
    // Images that wait for the main queue count against `undeliveredPreviews`. If that budget is
    // full, this image is dropped. A degraded one is loaded again once there is room, and any other
    // is requested from the coalescer.
    guard let reservation = pipeline.undeliveredPreviews.reserveIfItFits(image.heldByteCount) else {
      return isDegraded ? answerLater(byteCount: image.heldByteCount) : requestImage()
    }
    deliver(.success(image), isDegraded: isDegraded) { [pipeline] in pipeline.undeliveredPreviews.release(reservation) }
  }

  /// Waits for room in the budget, then loads the stored picture again and delivers it. The picture
  /// is not held while this waits.
  private func answerLater(byteCount: Int) {
    let reservation = pipeline.undeliveredPreviews.reserve(byteCount) { [self] reservation in
      let releaseMemory: @Sendable () -> Void = { [pipeline] in pipeline.undeliveredPreviews.release(reservation) }
      guard let stored = try? storedImage(specification) else {
        releaseMemory()
        return requestThumbnail(isLast: true)
      }
      deliver(.success(stored.image), isDegraded: !stored.isSufficient, releaseMemory)
    }
    work.whenCancelled { [pipeline] in _ = pipeline.undeliveredPreviews.withdraw(reservation) }
  }

  private func preview(_ image: UIImage) {
    if MainQueue.isCurrent { return send(image) }
    // A preview without room is left out: the image itself comes soon.
    guard let reservation = pipeline.undeliveredPreviews.reserveIfItFits(image.heldByteCount) else { return }
    DispatchQueue.main.async { [self] in
      send(image)
      pipeline.undeliveredPreviews.release(reservation)
    }
  }

  private func sendSecondaryPreview(after first: UIImage) throws {
    guard options.allowsSecondaryDegradedImage,
      let image = try asset.secondaryStoredImage(specification, betterThan: first),
      let reservation = pipeline.undeliveredPreviews.reserveIfItFits(image.heldByteCount)
    else { return }
    DispatchQueue.main.async { [self] in
      send(image)
      pipeline.undeliveredPreviews.release(reservation)
    }
  }

  /// The bytes of a decoded thumbnail from inside a file, which mostly has 320 × 240 pixels.
  private static var thumbnailByteCount: Int { 256 << 10 }

  /// Delivers the thumbnail inside the original: as the answer if `isLast`, else as a preview of
  /// the image. If there is none, or the original is stored elsewhere, requests the image.
  private func requestThumbnail(isLast: Bool) {
    guard !asset.isElsewhere(original) else { return requestImage() }
    let key = ImagePipeline.ThumbnailKey(asset: .init(asset), version: specification.version)
    let request = pipeline.thumbnails.request(key, .seen, byteCount: Self.thumbnailByteCount) {
      [asset, specification] in
      try asset.thumbnailInside(specification.version)
    } completion: { [self] result, releaseMemory in
      guard let thumbnail = try? result.get() else {
        releaseMemory()
        return requestImage()
      }
      if isLast { return deliver(.success(thumbnail), isDegraded: true, releaseMemory) }
      DispatchQueue.main.async { [self] in
        send(thumbnail)
        releaseMemory()
      }
      requestImage()
    }
    work.whenCancelled { [pipeline] in pipeline.thumbnails.cancel(request) }
  }

  private func requestImage() {
    whenLocal(original) { [self] arrived in
      do {
        try arrived.get()
        decode()
      } catch { finishOnMainQueue(.failure(error)) }
    }
  }

  /// Returns the original that the image is made from.
  private func original() throws -> ResourceRecord { try asset.resourceRecord(for: specification.version) }

  /// Calls `next` at once if the original is local. Otherwise fetches the original first, on
  /// another queue: that may take long, and reports progress.
  private func whenLocal(
    _ original: @escaping @Sendable () throws -> ResourceRecord,
    _ next: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    guard asset.isElsewhere(original) else { return next(.success(())) }
    WorkQueue.requests.add(.seen) { [self] in
      next(Result { try arrival.wait(for: original(), in: asset.photoLibrary, cancellation: cancellation) })
    }
  }

  private func decode() {
    let key = ImagePipeline.ImageKey(asset, specification)
    let request = pipeline.images.request(key, .seen, byteCount: specification.byteCount(of: asset.pixelSize)) {
      [asset, specification] in
      try asset.makeImage(specification)
    } completion: { [self] result, releaseMemory in
      deliver(result, releaseMemory)
    }
    work.whenCancelled { [pipeline] in pipeline.images.cancel(request) }
  }

  /// Delivers the last answer on the main queue. If making the answer is slow, it runs on the
  /// `forms` queue.
  private func deliver(
    _ image: Result<UIImage, any Error>, isDegraded: Bool = false, _ releaseMemory: @escaping @Sendable () -> Void
  ) {
    guard let original = form.original else { return makeAnswer(of: image, isDegraded, releaseMemory) }
    whenLocal(original) { [self] arrived in
      let job = pipeline.forms.add(.seen) { [self] in
        makeAnswer(of: arrived.flatMap { image }, isDegraded, releaseMemory)
      }
      work.whenCancelled { [pipeline] in
        if pipeline.forms.drop(job) { releaseMemory() }
      }
    }
  }

  private func makeAnswer(
    of image: Result<UIImage, any Error>, _ isDegraded: Bool, _ releaseMemory: @escaping @Sendable () -> Void
  ) {
    let answer =
      cancellation.isCancelled
      ? .failure(CancellationError()) : image.flatMap { image in Result { try form.make(image) } }
    DispatchQueue.main.async { [self] in
      finish(answer, isDegraded: isDegraded)
      releaseMemory()
    }
  }

  // MARK: Answers

  /// Sends a preview. Runs on the main queue.
  private func send(_ image: UIImage) {
    guard !cancellation.isCancelled, state.withLock({ $0 == .open }) else { return }
    handler.call(form.preview(image), info(isDegraded: true, nil))
  }

  private func finishOnMainQueue(_ result: Result<Answer, any Error>) {
    DispatchQueue.main.async { self.finish(result) }
  }

  private func finish(_ result: Result<Answer, any Error>, isDegraded: Bool = false) {
    let isFirst = state.withLock { state in
      defer { state = .finished }
      return state == .open
    }
    guard isFirst else { return }
    // A result that was under way when the request was canceled is not delivered.
    let result =
      cancellation.close() ? .failure(PHPhotosError(.userCancelled, "the request was cancelled")) : result
    work.cancel()
    options.whenDone()
    switch result {
    case .success(let answer): handler.call(answer, info(isDegraded: isDegraded, nil))
    case .failure(let error): handler.call(nil, info(isDegraded: false, PHPhotosError(error)))
    }
  }

  private func info(isDegraded: Bool, _ error: PHPhotosError?) -> [AnyHashable: Any] {
    RequestInfo.of(
      id, isDegraded: isDegraded, error,
      isInCloud: isDegraded && !arrival.isNetworkAccessAllowed && asset.isElsewhere(original))
  }
}

extension PHAsset {
  func checkIsReadable() throws {
    guard isUnreadable else { return }
    let reason = try details()?.unreadableReason ?? "it can't be read"
    throw PHPhotosError(.invalidResource, "\(localIdentifier): \(reason)", identifiers: [localIdentifier])
  }
}
