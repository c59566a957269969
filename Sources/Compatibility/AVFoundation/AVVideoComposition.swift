internal import Imaging
internal import MovieCoding
import Synchronization

/// Filters each frame of a movie during an export.
///
///     let composition = AVVideoComposition(asset: asset) { request in
///       let brown = request.sourceImage.applyingFilter("CISepiaTone", parameters: [:])
///       request.finish(with: brown, context: nil)
///     }
///     export.videoComposition = composition
///
/// - The handler is called once for each frame, in the order of the frames, on the export's thread.
///   It may finish its request later and on any thread.
/// - Frames are upright, and HDR has become SDR. The handler's image is cropped to `renderSize`; if
///   it is smaller, the rest of the frame is black.
/// - Each frame keeps the time that it has in the movie, so there is no `frameDuration`. Layers and
///   instructions are left out.
open class AVVideoComposition: NSObject, @unchecked Sendable {
  // The handler is immutable; subclasses guard what they add.

  /// Receives a frame and finishes its request.
  public typealias FilteringHandler = @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void

  let handler: FilteringHandler
  private let readSize: @Sendable () -> CGSize
  private var naturalSize: CGSize { readSize() }

  /// Asks `ffprobe` for the movie's size. `renderSize` waits for it.
  public init(asset: AVAsset, applyingCIFiltersWithHandler applier: @escaping FilteringHandler) {
    handler = applier
    if asset is AVURLAsset {
      let size = BackgroundValue { asset.naturalSize }
      readSize = { size.value }
    } else {
      // A composition may change later.
      let size = asset.naturalSize
      readSize = { size }
    }
  }

  /// The size of the exported frames: upright, square pixels. By default it is the size of the
  /// movie's frames, rounded to the even sides that H.264 needs. Zero if the movie can't be read. A
  /// size that isn't finite counts as not set.
  open var renderSize: CGSize { naturalSize }

  /// Returns a composition. Throws if the movie can't be read.
  public class func videoComposition(
    with asset: AVAsset, applyingCIFiltersWithHandler applier: @escaping FilteringHandler
  ) async throws -> AVVideoComposition {
    _ = try await asset.load(.duration)
    return AVVideoComposition(asset: asset, applyingCIFiltersWithHandler: applier)
  }

  /// Like `videoComposition(with:applyingCIFiltersWithHandler:)`, but calls a handler on a thread
  /// of its own.
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

  /// Passes one frame to the handler. Blocks until the handler has finished it or the export is
  /// canceled.
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
  // A lock guards the size.

  private let chosenSize = Mutex<CGSize?>(nil)

  /// In pixels; the movie's own size unless it is set.
  public override var renderSize: CGSize {
    get { chosenSize.withLock(\.self) ?? super.renderSize }
    set { chosenSize.withLock { $0 = newValue } }
  }
}

/// One frame to filter. Call `finish` once: later calls are ignored.
open class AVAsynchronousCIImageFilteringRequest: NSObject, @unchecked Sendable {
  // Immutable except for the answer, which a lock guards.

  /// The frame, upright.
  public let sourceImage: CIImage
  /// The time of the frame, counted from the start of the exported part.
  public let compositionTime: CMTime
  /// The size of the composition, in pixels.
  public let renderSize: CGSize

  private let answer = Mutex<Result<CIImage, any Error>?>(nil)
  private let answered = DispatchSemaphore(value: 0)

  init(_ source: CIImage, at time: CMTime, renderSize: CGSize) {
    sourceImage = source
    compositionTime = time
    self.renderSize = renderSize
  }

  /// Finishes with an image. The context has no effect: the export renders the image itself.
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
