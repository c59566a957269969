import Foundation
internal import Imaging
import Synchronization
import UIKit

/// One request for an image, or for what is made of an image, from its first answer to its last.
///
/// - Synchronous: one answer, on the caller's thread.
/// - `highQualityFormat`, `fastFormat`: one answer, on the main queue.
/// - `opportunistic`: what is at hand first – at once, where the caller is on the main queue –, then the image itself.
/// - Cancelled: one last answer that says so. Nothing comes after it.
final class ImageRequest<Answer: Sendable>: Sendable {
  typealias Handler = (Answer?, [AnyHashable: Any]?) -> Void

  let id: PHImageRequestID
  private let asset: PHAsset
  private let specification: ImageSpecification
  private let options: Options
  private let form: Form
  private let arrival: OriginalArrival
  private let cancellation: Cancellation
  /// Cancelled with the request's last answer: what is under way for it still.
  private let work = Cancellation()
  private let cache: ImageCache?
  private let pipeline: ImagePipeline
  private let handler: ResultHandler<Answer?, [AnyHashable: Any]?>
  private let state = Mutex(State.open)

  private enum State { case open, finished }

  struct Options: Sendable {
    var allowsSecondaryDegradedImage: Bool
    /// Called once, when nothing more comes.
    var whenDone: @Sendable () -> Void
  }

  /// What is made of images.
  struct Form: Sendable {
    /// Of one that is not the last.
    var preview: @Sendable (UIImage) -> Answer
    /// Of the last one.
    var make: @Sendable (UIImage) throws -> Answer
    /// Whether `make` reads the original (a Live Photo's movie): it takes its time, and no main queue should wait for it.
    var isSlow = false
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

  // MARK: At once

  /// It can't be cancelled any more.
  func answerSynchronously() {
    cancellation.close()
    finish(Result { try form.make(synchronousImage()) })
  }

  private func synchronousImage() throws -> UIImage {
    try check()
    if let cached = cache?.image(of: asset, specification) { return cached }
    let specification = specification.ofOneAnswer
    if let stored = try storedImage(specification), stored.isSufficient { return stored.image }
    try arrival.wait(for: asset, cancellation: cancellation)
    return try pipeline.images.wait(
      for: .init(asset, specification),
      byteCount: specification.byteCount(of: asset.pixelSize)
    ) { [asset] in try asset.makeImage(specification) }
  }

  // MARK: When it is there

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
        if form.isSlow, specification.deliveryMode == .opportunistic, arrival.isNeeded(for: asset) {
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
      // The image would take the processors from its thumbnail.
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

  /// The last image, at hand: an opportunistic request has it before it returns, if it comes from the main queue.
  ///
  /// What a caching manager keeps is counted there.
  private func answer(_ image: UIImage, isDegraded: Bool = false, isKept: Bool = false) {
    if specification.deliveryMode == .opportunistic, !form.isSlow, MainQueue.isCurrent {
      return finish(Result { try form.make(image) }, isDegraded: isDegraded)
    }
    if isKept { return deliver(.success(image)) {} }
    // What waits for the main queue is counted; where much waits, this is had again when its turn has come.
    guard let reservation = pipeline.undeliveredPreviews.reserveIfItFits(image.heldByteCount) else {
      return isDegraded ? answerLater(byteCount: image.heldByteCount) : requestImage()
    }
    deliver(.success(image), isDegraded: isDegraded) { [pipeline] in pipeline.undeliveredPreviews.release(reservation) }
  }

  /// With the same stored picture, which is not held until then.
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
    // Those that find no room are left out: the image itself comes soon.
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

  /// Of the thumbnail inside a file, decoded: 320 × 240 mostly.
  private static var thumbnailByteCount: Int { 256 << 10 }

  /// The thumbnail inside the original: the answer, or what comes before the image. Without one the image is made.
  private func requestThumbnail(isLast: Bool) {
    guard !arrival.isNeeded(for: asset) else { return requestImage() }
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
    whenOriginalIsHere { [self] arrived in
      do {
        try arrived.get()
        decode()
      } catch { finishOnMainQueue(.failure(error)) }
    }
  }

  /// Now, or when the original has come: that takes its time, and has a progress of its own.
  private func whenOriginalIsHere(_ next: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    guard arrival.isNeeded(for: asset) else { return next(.success(())) }
    WorkQueue.requests.add(.seen) { [self] in
      next(Result { try arrival.wait(for: asset, cancellation: cancellation) })
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

  /// The last answer, made by a thread that nobody waits for and handed over on the main queue.
  private func deliver(
    _ image: Result<UIImage, any Error>, isDegraded: Bool = false, _ releaseMemory: @escaping @Sendable () -> Void
  ) {
    guard form.isSlow else { return makeAnswer(of: image, isDegraded, releaseMemory) }
    whenOriginalIsHere { [self] arrived in
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

  // MARK: Answering

  /// A picture that is not the last. On the main queue.
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
    // What was on its way when it was cancelled is not handed out any more.
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
      id, isDegraded: isDegraded, error, isInCloud: isDegraded && arrival.isBarred(from: asset))
  }
}

extension PHAsset {
  func checkIsReadable() throws {
    guard isUnreadable else { return }
    let reason = try details()?.unreadableReason ?? "it can't be read"
    throw PHPhotosError(.invalidResource, "\(localIdentifier): \(reason)", identifiers: [localIdentifier])
  }
}
