internal import Imaging
import Synchronization

/// What becomes of each frame of a movie while it is exported.
///
///     let composition = AVVideoComposition(asset: asset) { request in
///       let brown = request.sourceImage.applyingFilter("CISepiaTone", parameters: [:])
///       request.finish(with: brown, context: nil)
///     }
///     export.videoComposition = composition
///
/// - The handler is called once for each frame, one after the other in their order, on the export's thread; it may finish on any thread
///   and at any later time.
/// - Frames are upright, and HDR has become SDR. The handler's image is cropped to `renderSize`; if
///   it is smaller, black is around it.
/// - Movies have frames at their own times: there is no `frameDuration` to choose, and layers and instructions are left out.
open class AVVideoComposition: NSObject, @unchecked Sendable {
  // The handler is immutable; subclasses guard what they add.

  /// Is given a frame, and finishes its request.
  public typealias FilteringHandler = @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void

  let handler: FilteringHandler
  private let naturalSize: CGSize

  /// It asks `ffprobe` for the movie's size.
  public init(asset: AVAsset, applyingCIFiltersWithHandler applier: @escaping FilteringHandler) {
    handler = applier
    naturalSize = asset.naturalSize
  }

  /// Upright, square pixels; the frames' own unless it was set, and as even as H.264 needs it. Zero
  /// if the movie can't be read. A size that isn't finite counts as not set.
  open var renderSize: CGSize { naturalSize }

  /// Throws where the movie can't be read.
  public class func videoComposition(
    with asset: AVAsset, applyingCIFiltersWithHandler applier: @escaping FilteringHandler
  ) async throws -> AVVideoComposition {
    _ = try await asset.load(.duration)
    return AVVideoComposition(asset: asset, applyingCIFiltersWithHandler: applier)
  }

  /// The same with a handler, which is called on a thread of its own.
  public class func videoComposition(
    with asset: AVAsset, applyingCIFiltersWithHandler applier: @escaping FilteringHandler,
    completionHandler: @escaping @Sendable (AVVideoComposition?, (any Error)?) -> Void
  ) {
    Task {
      do {
        completionHandler(try await videoComposition(with: asset, applyingCIFiltersWithHandler: applier), nil)
      } catch {
        completionHandler(nil, error)
      }
    }
  }

  /// One frame through the handler; the caller waits for it.
  func render(_ frame: MovieFrame, isCancelled: @Sendable () -> Bool) throws -> PixelBuffer {
    let source = CIImage(pixels: frame.pixels)
    var size = renderSize
    let isSet = size != .zero && size != naturalSize && size.width.isFinite && size.height.isFinite
    if !isSet { size = source.extent.size }
    let request = AVAsynchronousCIImageFilteringRequest(
      source, at: CMTime(value: frame.ticks, timescale: frame.timescale), renderSize: size)
    handler(request)
    return try request.result(isCancelled: isCancelled).frame(CGRect(origin: .zero, size: size))
  }
}

/// A composition that can be changed until an export starts.
public final class AVMutableVideoComposition: AVVideoComposition, @unchecked Sendable {
  // What changes is under a lock.

  private let chosenSize = Mutex<CGSize?>(nil)

  /// Pixels; all of the movie's unless it is set.
  public override var renderSize: CGSize {
    get { chosenSize.withLock(\.self) ?? super.renderSize }
    set { chosenSize.withLock { $0 = newValue } }
  }
}

/// One frame to be filtered. `finish` is called once; what comes after the first call is ignored.
open class AVAsynchronousCIImageFilteringRequest: NSObject, @unchecked Sendable {
  // Immutable but for the answer, which is under a lock.

  /// The frame, upright.
  public let sourceImage: CIImage
  /// From the start of what is exported.
  public let compositionTime: CMTime
  /// The composition's, in pixels.
  public let renderSize: CGSize

  private let answer = Mutex<Result<CIImage, any Error>?>(nil)
  private let answered = DispatchSemaphore(value: 0)

  init(_ source: CIImage, at time: CMTime, renderSize: CGSize) {
    sourceImage = source
    compositionTime = time
    self.renderSize = renderSize
  }

  /// The context's options change nothing: the export carries out the recipe itself.
  open func finish(with filteredImage: CIImage, context ciContext: CIContext?) { finish(.success(filteredImage)) }

  /// Ends the export with this error.
  open func finish(with error: any Error) { finish(.failure(error)) }

  private func finish(_ result: Result<CIImage, any Error>) {
    let isFirst = answer.withLock { answer in
      defer { answer = answer ?? result }
      return answer == nil
    }
    if isFirst { answered.signal() }
  }

  func result(isCancelled: @Sendable () -> Bool) throws -> CIImage {
    while answered.wait(timeout: .now() + .milliseconds(200)) == .timedOut {
      if isCancelled() { throw CancellationError() }
    }
    guard let result = answer.withLock(\.self) else { throw CancellationError() }
    return try result.get()
  }
}
