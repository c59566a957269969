import AVFoundation
import CoreImage
import Foundation
import ImageIO
internal import Imaging
internal import LibraryStore
internal import MovieCoding
import Synchronization
import UIKit

/// Edits the still and the movie of a Live Photo with one filter.
///
///     guard let context = PHLivePhotoEditingContext(livePhotoEditingInput: input) else { return }
///     context.frameProcessor = { frame, _ in frame.image.applyingFilter("CISepiaTone") }
///     context.saveLivePhoto(to: output) { success, error in … }
///
/// - The processor is called for the still, and then for each frame of the movie in order, on a
///   thread of the context. Without a processor the pictures stay the same.
/// - The size of the movie is that of its first processed frame. Larger frames are cropped, and
///   smaller ones get a black border.
/// - The edited files stay a pair: they contain date, place, content identifier and the time of the
///   still.
/// - One rendering runs at a time. A new one cancels it, even if a preview cancels a save. It
///   continues if the context is released.
/// - Canceling a task cancels the rendering that the task waits for, and no other one. Both async
///   methods call the ones with a handler.
/// - Completion handlers are called once, on the main queue. Any thread may use a context.
open class PHLivePhotoEditingContext: NSObject, @unchecked Sendable {
  // The state is guarded by a lock. Subclasses guard their own state.

  /// The still in full size, upright.
  public let fullSizeImage: CIImage
  /// The duration of the movie.
  public let duration: CMTime
  /// The time of the still in the movie; zero if the movie does not contain it.
  public let photoTime: CMTime
  /// The orientation of `fullSizeImage` and of the frames: `up`.
  public var orientation: CGImagePropertyOrientation { .up }

  private let movieURL: URL
  private let queue = DispatchQueue(label: "calotype.live-photo-editing")
  private let state = Mutex(State())

  private struct State {
    var processor: PHLivePhotoFrameProcessingBlock?
    var volume: Float = 1
    var latest: Cancellation?
  }

  /// Makes a context; `nil` if the input is no Live Photo, or if its files can't be read.
  public init?(livePhotoEditingInput: PHContentEditingInput) {
    guard let movieURL = livePhotoEditingInput.pairedVideoURL, let stillURL = livePhotoEditingInput.fullSizeImageURL,
      let still = CIImage(contentsOf: stillURL, options: [.applyOrientationProperty: true]),
      let file = try? MediaFile(path: movieURL.path), let movie = try? MediaMetadata(of: file)
    else { return nil }
    self.movieURL = movieURL
    fullSizeImage = still
    duration = CMTime(seconds: movie.measuredDuration(of: file), preferredTimescale: Self.timescale)
    photoTime = CMTime(seconds: movie.stillTime ?? 0, preferredTimescale: Self.timescale)
  }

  /// A whole number of ticks for each common frame rate, as in `AVAsset.duration`.
  private static let timescale: CMTimeScale = 90_000

  /// The processor for renderings that start from now on.
  open var frameProcessor: PHLivePhotoFrameProcessingBlock? {
    get { state.withLock(\.processor) }
    set { state.withLock { $0.processor = newValue } }
  }

  /// The volume, from 0, which removes the sound, to 1, which keeps it as it is.
  open var audioVolume: Float {
    get { state.withLock(\.volume) }
    set { state.withLock { $0.volume = newValue } }
  }

  // MARK: Rendering

  /// Renders both parts as large as they fit into `targetSize`, in pixels. Their files are removed
  /// with the last reference to the Live Photo and its resources.
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

  /// Renders both parts in full size to the URLs of the output. An error removes both files.
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

  /// Cancels the running rendering. Its handler gets `PHPhotosError.userCancelled`.
  open func cancel() { state.withLock(\.latest)?.cancel() }

  /// The cancellation of the rendering that the current task starts.
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
      // A rendering that is already canceled must not cancel another one.
      guard !cancellation.isCancelled else { return rendering }
      state.latest?.cancel()
      state.latest = cancellation
      return rendering
    }
    // The queue runs one rendering at a time, and retains the context until its last one is
    // finished.
    queue.async { [self] in
      let result = Result {
        try rendering.checkCancellation()
        return try library.map { try $0.asShared { try body(rendering) } } ?? body(rendering)
      }.mapError { error -> any Error in
        if cancellation.isCancelled { return PHPhotosError(.userCancelled, "the rendering was canceled") }
        return error is ImagingError ? PHPhotosError(error) : error
      }
      state.withLock { if $0.latest === cancellation { $0.latest = nil } }
      DispatchQueue.main.async { delivery.call(result) }
    }
  }
}

extension PHLivePhoto {
  /// Makes a Live Photo of two rendered files.
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
        PHAssetResource(.photo, of: still, file: stillFile, metadata: try MediaMetadata(of: stillFile), in: folder),
        PHAssetResource(.pairedVideo, of: movie, file: movieFile, metadata: metadata, in: folder),
      ], stillTime: metadata.stillTime)
  }
}
