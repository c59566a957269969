import Foundation
internal import Imaging
internal import LibraryStore
import UIKit

/// A request for an image, or for an answer that is made from an image.
///
/// - Synchronous: one answer, on the caller's thread.
/// - `highQualityFormat`, `fastFormat`: one answer, on the main queue.
/// - `opportunistic`: an image at hand first, then the requested image. If the caller is on the
///   main queue, the image at hand is delivered before the request returns.
/// - Canceled: one last answer that says so. No other answer follows it.
final class ImageRequest<Answer: Sendable>: Sendable {
  let request: AssetRequest<Delivery>
  private let pictures: AssetPictures
  private let specification: ImageSpecification
  private let answerMaker: AnswerMaker
  private let allowsSecondaryDegradedImage: Bool
  private let cache: ImageCache?
  private let pipeline: ImagePipeline

  /// An answer, and the properties of its image that the program receives.
  struct Delivery: Sendable {
    var answer: Answer
    /// Whether a better image follows, or could not be requested.
    var isDegraded: Bool
    /// Whether the image is degraded because the original is elsewhere and may not be fetched.
    var isInCloud: Bool
  }

  /// The functions that make answers from images.
  struct AnswerMaker: Sendable {
    /// Makes an answer from a preview.
    var preview: @Sendable (UIImage) -> Answer
    /// Makes the last answer.
    var make: @Sendable (UIImage) throws -> Answer
    /// Returns the original that `make` reads, like a Live Photo's movie. If it is not `nil`,
    /// `make` does not run on the main queue, since reading may take long.
    var original: (@Sendable () throws -> ResourceRecord)?

    var isSlow: Bool { original != nil }
  }

  init(
    _ request: AssetRequest<Delivery>, of pictures: AssetPictures, as specification: ImageSpecification,
    answerMaker: AnswerMaker,
    allowsSecondaryDegradedImage: Bool = false, cache: ImageCache? = nil, pipeline: ImagePipeline
  ) {
    self.request = request
    self.pictures = pictures
    self.specification = specification
    self.answerMaker = answerMaker
    self.allowsSecondaryDegradedImage = allowsSecondaryDegradedImage
    self.cache = cache
    self.pipeline = pipeline
  }

  // MARK: Synchronous requests

  /// Answers on the caller's thread.
  func answerSynchronously() {
    request.finishSynchronously { delivery(try answerMaker.make(synchronousImage()), isDegraded: false) }
  }

  private func synchronousImage() throws -> UIImage {
    try check()
    if let cached = cache?.image(of: pictures, specification) { return cached }
    let specification = specification.forSingleAnswer
    if let stored = try pictures.storedImage(specification), stored.isSufficient { return stored.image }
    if pictures.isElsewhere(original) { try request.wait(for: original(), in: pictures.library) }
    return try pipeline.images.wait(
      for: .init(pictures, specification), byteCount: specification.byteCount(of: pictures.pixelSize)
    ) { [pictures] in try pictures.makeImage(specification) }
  }

  // MARK: Asynchronous requests

  func start() {
    request.finishWhenCancelled()
    do {
      try check()
      if let cached = cache?.image(of: pictures, specification) { return answer(cached, isKept: true) }
      let stored = try pictures.storedImage(specification)
      if let stored, stored.isSufficient {
        if specification.deliveryMode == .opportunistic, let original = answerMaker.original,
          pictures.isElsewhere(original)
        {
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
    } catch { request.finishOnMainQueue(.failure(error)) }
  }

  private func check() throws {
    try pictures.checkAccess()
    try pictures.checkIsReadable()
  }

  /// Delivers the last image, which is at hand. On the main queue, an opportunistic request
  /// delivers it before it returns.
  ///
  /// The memory of an image from a caching manager (`isKept`) is counted by its `ImageCache`.
  private func answer(_ image: UIImage, isDegraded: Bool = false, isKept: Bool = false) {
    if specification.deliveryMode == .opportunistic, !answerMaker.isSlow, MainQueue.isCurrent {
      return request.finish(Result { delivery(try answerMaker.make(image), isDegraded: isDegraded) })
    }
    if isKept { return deliver(.success(image)) {} }
    // Images that wait for the main queue count against `undeliveredPreviews`. If that budget is
    // full, this image is dropped. A degraded one is loaded again once there is room, and any other
    // is requested from the coalescer.
    guard let reservation = pipeline.undeliveredPreviews.reserveIfItFits(image.heldByteCount) else {
      return isDegraded ? answerWhenMemoryIsFree(byteCount: image.heldByteCount) : requestImage()
    }
    deliver(.success(image), isDegraded: isDegraded) { [pipeline] in pipeline.undeliveredPreviews.release(reservation) }
  }

  /// Waits for room in the budget, then loads the stored picture again and delivers it. The picture
  /// is not held while this waits.
  private func answerWhenMemoryIsFree(byteCount: Int) {
    let reservation = pipeline.undeliveredPreviews.reserve(byteCount) { [self] reservation in
      let releaseMemory: @Sendable () -> Void = { [pipeline] in pipeline.undeliveredPreviews.release(reservation) }
      guard let stored = try? pictures.storedImage(specification) else {
        releaseMemory()
        return requestThumbnail(isLast: true)
      }
      deliver(.success(stored.image), isDegraded: !stored.isSufficient, releaseMemory)
    }
    request.work.whenCancelled { [pipeline] in _ = pipeline.undeliveredPreviews.withdraw(reservation) }
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
    guard allowsSecondaryDegradedImage,
      let image = try pictures.secondaryStoredImage(specification, betterThan: first),
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
    guard !pictures.isElsewhere(original) else { return requestImage() }
    let key = ImagePipeline.ThumbnailKey(asset: pictures.key, version: specification.version)
    let task = pipeline.thumbnails.request(key, .seen, byteCount: Self.thumbnailByteCount) {
      [pictures, specification] in
      try pictures.thumbnailInOriginal(specification.version)
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
    request.work.whenCancelled { [pipeline] in pipeline.thumbnails.cancel(task) }
  }

  private func requestImage() {
    request.whenLocal(try self.original(), of: pictures) { [self] arrived in
      if let error = arrived.failure { request.finishOnMainQueue(.failure(error)) } else { decode() }
    }
  }

  /// Returns the original that the image is made from.
  private func original() throws -> ResourceRecord { try pictures.resource(for: specification.version) }

  private func decode() {
    let key = ImagePipeline.ImageKey(pictures, specification)
    let task = pipeline.images.request(key, .seen, byteCount: specification.byteCount(of: pictures.pixelSize)) {
      [pictures, specification] in
      try pictures.makeImage(specification)
    } completion: { [self] result, releaseMemory in
      deliver(result, releaseMemory)
    }
    request.work.whenCancelled { [pipeline] in pipeline.images.cancel(task) }
  }

  /// Delivers the last answer on the main queue. If making the answer is slow, it runs on the
  /// `answerQueue` queue.
  private func deliver(
    _ image: Result<UIImage, any Error>, isDegraded: Bool = false, _ releaseMemory: @escaping @Sendable () -> Void
  ) {
    guard let original = answerMaker.original else { return makeAnswer(of: image, isDegraded, releaseMemory) }
    request.whenLocal(try original(), of: pictures) { [self] arrived in
      let job = pipeline.answerQueue.add(.seen) { [self] in
        makeAnswer(of: arrived.flatMap { image }, isDegraded, releaseMemory)
      }
      request.work.whenCancelled { [pipeline] in
        if pipeline.answerQueue.drop(job) { releaseMemory() }
      }
    }
  }

  private func makeAnswer(
    of image: Result<UIImage, any Error>, _ isDegraded: Bool, _ releaseMemory: @escaping @Sendable () -> Void
  ) {
    let result = Result {
      if request.cancellation.isCancelled { throw CancellationError() }
      return delivery(try answerMaker.make(image.get()), isDegraded: isDegraded)
    }
    DispatchQueue.main.async { [self] in
      request.finish(result)
      releaseMemory()
    }
  }

  // MARK: Answers

  /// Sends a preview. Runs on the main queue.
  private func send(_ image: UIImage) { request.send(delivery(answerMaker.preview(image), isDegraded: true)) }

  private func delivery(_ answer: Answer, isDegraded: Bool) -> Delivery {
    Delivery(
      answer: answer, isDegraded: isDegraded,
      isInCloud: isDegraded && !request.originalFetch.isNetworkAccessAllowed && pictures.isElsewhere(original))
  }
}
