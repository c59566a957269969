import AVFoundation
import CoreImage
import Foundation
import ImageIO
internal import Imaging
internal import LibraryStore
import Synchronization
import UIKit

/// Puts the still and the movie of a Live Photo through one filter.
///
///     guard let context = PHLivePhotoEditingContext(livePhotoEditingInput: input) else { return }
///     context.frameProcessor = { frame, _ in frame.image.applyingFilter("CISepiaTone") }
///     context.saveLivePhoto(to: output) { success, error in … }
///
/// - The processor is called for the still, and then for each frame of the movie in their order, on a thread of the context's. Without one
///   the pictures stay as they are.
/// - What the first frame of the movie becomes tells the size of all: each is cropped to it, and where one is smaller, black is around it.
/// - The edited pair stays one: date, place, content identifier and the instant of the still are in the new files.
/// - One rendering is under way at a time: another one cancels it, a preview a save too. It goes on though nobody keeps the context.
/// - Cancelling a task ends the rendering that it waits for, and no other one. Both async forms call those with a handler.
/// - Completion handlers are called once, on the main queue. Any thread may use a context.
open class PHLivePhotoEditingContext: NSObject, @unchecked Sendable {
  // What changes is under a lock; subclasses guard what they add.

  /// The still in all its pixels, upright.
  public let fullSizeImage: CIImage
  /// How long the movie is.
  public let duration: CMTime
  /// The instant of the still, from the movie's beginning; zero where the movie doesn't tell.
  public let photoTime: CMTime
  /// How `fullSizeImage` and the frames are turned: `up`.
  public var orientation: CGImagePropertyOrientation { .up }

  private let movieURL: URL
  private let queue = DispatchQueue(label: "calotype.live-photo-editing")
  private let state = Mutex(State())

  private struct State {
    var processor: PHLivePhotoFrameProcessingBlock?
    var volume: Float = 1
    var latest: Cancellation?
  }

  /// `nil` for the input of anything but a Live Photo, and for one whose files can't be read.
  public init?(livePhotoEditingInput: PHContentEditingInput) {
    guard let movieURL = livePhotoEditingInput.pairedVideoURL, let stillURL = livePhotoEditingInput.fullSizeImageURL,
      let still = CIImage(contentsOf: stillURL, options: [.applyOrientationProperty: true]),
      let movie = try? MediaMetadata(of: MediaFile(path: movieURL.path))
    else { return nil }
    self.movieURL = movieURL
    fullSizeImage = still
    duration = CMTime(seconds: movie.duration, preferredTimescale: Self.timescale)
    photoTime = CMTime(seconds: movie.stillTime ?? 0, preferredTimescale: Self.timescale)
  }

  /// Whole ticks for every common number of frames in a second, as of `AVAsset.duration`.
  private static let timescale: CMTimeScale = 90_000

  /// Asked by what is rendered from now on.
  open var frameProcessor: PHLivePhotoFrameProcessingBlock? {
    get { state.withLock(\.processor) }
    set { state.withLock { $0.processor = newValue } }
  }

  /// From 0, which leaves the sound out, to 1, which keeps it as it is.
  open var audioVolume: Float {
    get { state.withLock(\.volume) }
    set { state.withLock { $0.volume = newValue } }
  }

  // MARK: Rendering

  /// Renders both parts as large as they fit into `targetSize`, in pixels. Their files go away with the last user of the Live Photo and
  /// of its resources.
  open func prepareLivePhotoForPlayback(
    withTargetSize targetSize: CGSize, options: [String: Any]? = nil,
    completionHandler: @escaping (PHLivePhoto?, (any Error)?) -> Void
  ) {
    let delivery = ResultHandler(in: .current) { (result: Result<PHLivePhoto, any Error>) in
      switch result {
      case .success(let live): completionHandler(live, nil)
      case .failure(let error): completionHandler(nil, error)
      }
    }
    render(scale: scale(toFit: targetSize), delivery) { rendering in
      let folder = PrivateFolder()
      let still = folder.url.appendingPathComponent("still.jpg")
      let movie = folder.url.appendingPathComponent("movie.mov")
      try rendering.writeStill(to: still)
      try rendering.writeMovie(to: movie)
      return try PHLivePhoto(renderedStill: still, movie: movie, in: folder)
    }
  }

  open func livePhotoForPlayback(targetSize: CGSize, options: [String: Any]? = nil) async throws -> PHLivePhoto {
    try await withCancellation { continuation in
      prepareLivePhotoForPlayback(withTargetSize: targetSize, options: options) { live, error in
        continuation.resume(with: live.map(Result.success) ?? .failure(error ?? CancellationError()))
      }
    }
  }

  /// Renders both parts in full size to where the output wants them. What goes wrong leaves none of them.
  open func saveLivePhoto(
    to output: PHContentEditingOutput, options: [String: Any]? = nil,
    completionHandler: @escaping (Bool, (any Error)?) -> Void
  ) {
    let delivery = ResultHandler(in: .current) { (result: Result<Void, any Error>) in
      switch result {
      case .success: completionHandler(true, nil)
      case .failure(let error): completionHandler(false, error)
      }
    }
    render(delivery) { rendering in
      let (still, movie) = (output.renderedContentURL, output.renderedPairedVideoURL)
      do {
        try rendering.writeStill(to: still)
        try rendering.writeMovie(to: movie)
      } catch {
        for url in [still, movie] { try? FileManager.default.removeItem(at: url) }
        throw error
      }
    }
  }

  open func saveLivePhoto(to output: PHContentEditingOutput, options: [String: Any]? = nil) async throws {
    try await withCancellation { continuation in
      saveLivePhoto(to: output, options: options) { success, error in
        continuation.resume(with: success ? .success(()) : .failure(error ?? CancellationError()))
      }
    }
  }

  /// Ends the rendering that is under way: its handler gets `PHPhotosError.userCancelled`.
  open func cancel() { state.withLock(\.latest)?.cancel() }

  /// What ends the rendering that is asked for inside of it.
  @TaskLocal private static var cancellation: Cancellation?

  private func withCancellation<Value: Sendable>(
    _ start: (CheckedContinuation<Value, any Error>) -> Void
  ) async throws -> Value {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        Self.$cancellation.withValue(cancellation) { start(continuation) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  private func scale(toFit size: CGSize) -> CGFloat {
    guard size.width > 0, size.height > 0 else { return 1 }
    let whole = fullSizeImage.extent.size
    return min(1, size.width / whole.width, size.height / whole.height)
  }

  private func render<Value: Sendable>(
    scale: CGFloat = 1, _ delivery: ResultHandler<Result<Value, any Error>>,
    _ body: @escaping @Sendable (LivePhotoRendering) throws -> Value
  ) {
    let cancellation = Self.cancellation ?? Cancellation()
    let library = PHPhotoLibrary.current
    let rendering = state.withLock { state in
      let rendering = LivePhotoRendering(
        still: fullSizeImage, photoTime: photoTime, movieURL: movieURL, processor: state.processor,
        volume: state.volume, scale: scale, cancellation: cancellation)
      // What nobody waits for any more is in nobody's way.
      guard !cancellation.isCancelled else { return rendering }
      state.latest?.cancel()
      state.latest = cancellation
      return rendering
    }
    // One after the other; the context lives until its last one is done.
    queue.async { [self] in
      let result = Result {
        try rendering.checkCancellation()
        return try library.map { try $0.asShared { try body(rendering) } } ?? body(rendering)
      }.mapError { error -> any Error in
        if cancellation.isCancelled { return PHPhotosError(.userCancelled, "the rendering was cancelled") }
        return error is ImagingError ? PHPhotosError(error) : error
      }
      state.withLock { if $0.latest === cancellation { $0.latest = nil } }
      DispatchQueue.main.async { delivery.call(result) }
    }
  }
}

extension PHLivePhoto {
  /// Of two files that were made of a pair.
  fileprivate convenience init(renderedStill still: URL, movie: URL, in folder: PrivateFolder) throws {
    let stillFile = try MediaFile(path: still.path)
    let movieFile = try MediaFile(path: movie.path)
    let metadata = try MediaMetadata(of: movieFile)
    guard let image = UIImage(contentsOfFile: still.path) else {
      throw PHPhotosError(.internalError, "\(still.lastPathComponent): the rendered still can't be read")
    }
    self.init(
      image,
      resources: [
        PHAssetResource(.photo, of: still, stillFile, try MediaMetadata(of: stillFile), in: folder),
        PHAssetResource(.pairedVideo, of: movie, movieFile, metadata, in: folder),
      ], stillTime: metadata.stillTime)
  }
}
