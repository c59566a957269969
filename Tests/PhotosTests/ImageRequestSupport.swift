import Foundation
import Synchronization
import TestSupport
import Testing
import UIKit

@testable import Photos

/// The arguments of one call of a result handler.
struct ImageAnswer: @unchecked Sendable {
  // Unchecked, because no property changes after creation.
  var image: UIImage?
  var info: [AnyHashable: Any]
  var isOnMainQueue: Bool

  var isDegraded: Bool { info[PHImageResultIsDegradedKey] as? Bool == true }
  var isCancelled: Bool { info[PHImageCancelledKey] as? Bool == true }
  var error: PHPhotosError? { info[PHImageErrorKey] as? PHPhotosError }
  /// The size as `480×360`, or `-` without an image; followed by a star if the image is degraded.
  var text: String {
    guard let image else { return "-" }
    return "\(Int(image.size.width))×\(Int(image.size.height))" + (isDegraded ? "*" : "")
  }
}

/// The answers to one image request, in order.
final class ImageAnswers: Sendable {
  private let answers = Collected<ImageAnswer>()

  // While a program waits for its main queue, another thread than the first may serve that queue. A
  // key on the queue identifies it instead.
  static let mainQueue: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) != nil }

  var all: [ImageAnswer] { answers.all }
  var texts: [String] { all.map(\.text) }

  func handler(_ image: UIImage?, _ info: [AnyHashable: Any]?) {
    let answer = ImageAnswer(
      image: image, info: info ?? [:], isOnMainQueue: Self.isOnMainQueue)
    answers.add(answer)
  }

  func whole(of pipeline: ImagePipeline = .shared) async throws -> [ImageAnswer] {
    try await answers.whole(of: pipeline) { !$0.isDegraded }
  }
}

extension PHImageManager {
  /// Makes a request and waits for all of its answers.
  func answers(
    for asset: PHAsset, _ width: Int, _ height: Int, _ mode: PHImageContentMode = .aspectFit,
    _ change: (PHImageRequestOptions) -> Void = { _ in }
  ) async throws -> [ImageAnswer] {
    let options = PHImageRequestOptions()
    change(options)
    let answers = ImageAnswers()
    _ = ImageAnswers.mainQueue
    requestImage(
      for: asset, targetSize: CGSize(width: width, height: height), contentMode: mode, options: options,
      resultHandler: answers.handler)
    return try await answers.whole(of: pipeline)
  }
}

/// The answers to one request of any kind, in order.
final class Collected<Answer: Sendable>: Sendable {
  private let state = Mutex<[Answer]>([])

  var all: [Answer] { state.withLock(\.self) }

  func add(_ answer: Answer) { state.withLock { $0.append(answer) } }

  /// Waits for the last answer, and for all work that could lead to a surplus one. Returns all
  /// answers.
  func whole(of pipeline: ImagePipeline = .shared, _ isLast: (Answer) -> Bool) async throws -> [Answer] {
    try await eventually("the last answer to a request", isolation: nil) { all.last.map(isLast) == true }
    try await pipeline.finishWork()
    return all
  }
}

extension ImagePipeline {
  /// Waits until nothing is being made for requests, and all answers to them are delivered.
  func finishWork() async throws {
    try await eventually("the end of the work for requests", isolation: nil) {
      // An original that arrives is decoded, and a decoded still may need its movie to arrive.
      WorkQueue.editingInputs.isIdle && WorkQueue.requests.isIdle && isIdle && WorkQueue.requests.isIdle && isIdle
    }
    // Deliveries on the main queue are in the order of the answers.
    try await answer("the main queue") { done in DispatchQueue.main.async { done(()) } }
  }

  /// Waits, without leaving the thread, until all images are made for which there is memory.
  func waitUntilIdle() {
    do { try eventually("the end of the work for images") { isIdle } } catch { Issue.record(error) }
  }

  /// Occupies both threads for images of a pipeline whose width is 1. Returns a closure that frees
  /// them.
  func occupy(with asset: PHAsset) -> () -> Void {
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let kinds = [AssetRendition.Kind.full, .screen]
    for kind in kinds {
      renditions.request(RenditionKey(asset: asset.pictures.key, kind: kind), .seen) {
        begun.signal()
        gate.waits(for: "the end of the occupation")
        throw CancellationError()
      } completion: { _, releaseMemory in
        releaseMemory()
      }
    }
    for _ in kinds { begun.waits(for: "a thread for images") }
    return { for _ in kinds { gate.signal() } }
  }
}

/// Runs `work` on the main queue, which it blocks meanwhile.
func whileTheMainQueueIsBlocked(_ work: @escaping @Sendable () -> Void) async throws {
  // The work waits for one condition at most, and has its own limit.
  try await answer("work on the main queue", within: Patience.long * 2) { done in
    DispatchQueue.main.async {
      work()
      done(())
    }
  }
}
