import Foundation
import Photos
import Synchronization
import UIKit

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

  func whole() async throws -> [ImageAnswer] { try await answers.whole { !$0.isDegraded } }
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
    return try await answers.whole()
  }
}

/// The answers to one request of any kind, in order.
final class Collected<Answer: Sendable>: Sendable {
  private let state = Mutex<[Answer]>([])

  var all: [Answer] { state.withLock(\.self) }

  func add(_ answer: Answer) { state.withLock { $0.append(answer) } }

  /// Waits for the last answer and 30 ms more, and then returns all answers.
  func whole(_ isLast: (Answer) -> Bool) async throws -> [Answer] {
    for _ in 0..<2000 {
      if let last = all.last, isLast(last) { break }
      try await Task.sleep(for: .milliseconds(5))
    }
    // Surplus answers would arrive in this time.
    try await Task.sleep(for: .milliseconds(30))
    return all
  }
}

/// Waits up to a minute for a condition, and returns whether it became true.
func isTrueSoon(_ condition: () -> Bool) async throws -> Bool {
  for _ in 0..<6000 {
    if condition() { return true }
    try await Task.sleep(for: .milliseconds(10))
  }
  return false
}
