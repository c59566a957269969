internal import Imaging
internal import MovieCoding
import Synchronization

/// Filters each frame of a movie during an export, or places it by instructions.
///
///     let composition = AVVideoComposition(asset: asset) { request in
///       let brown = request.sourceImage.applyingFilter("CISepiaTone", parameters: [:])
///       request.finish(with: brown, context: nil)
///     }
///     export.videoComposition = composition
///
/// - The handler is called once for each frame, in the order of the frames, on the export's thread.
///   It may finish its request later and on any thread.
/// - The handler's frames are upright, and HDR has become SDR. Its image is cropped to
///   `renderSize`; if it is smaller, the rest of the frame is black.
/// - Instructions place the frames as they are stored, before any turn.
/// - Each frame keeps the time that it has in the movie, whatever `frameDuration` is.
/// - Left out: compositors of a program's own, the colors of a background, animation tools.
open class AVVideoComposition: NSObject, @unchecked Sendable {
  // The contents are immutable; subclasses guard what they add.

  /// Receives a frame and finishes its request.
  public typealias FilteringHandler = @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void

  /// The values that a composition is made with.
  struct Contents {
    /// `nil` for a composition with instructions.
    var handler: FilteringHandler?
    var readSize: @Sendable () -> CGSize = { .zero }
    var readFrameDuration: @Sendable () -> CMTime = { .invalid }
    var instructions: [AVVideoCompositionInstruction] = []
  }

  let contents: Contents
  private var naturalSize: CGSize { contents.readSize() }

  init(_ contents: Contents) { self.contents = contents }

  /// Makes a composition without instructions, as `AVMutableVideoComposition` needs it. An export
  /// with it fails.
  public override init() { contents = Contents() }

  /// Asks `ffprobe` for the movie's size. `renderSize` waits for it.
  public convenience init(asset: AVAsset, applyingCIFiltersWithHandler applier: @escaping FilteringHandler) {
    var contents = Contents(handler: applier)
    if asset is AVURLAsset {
      let size = BackgroundValue { asset.naturalSize }
      contents.readSize = { size.value }
    } else {
      // A composition may change later.
      let size = asset.naturalSize
      contents.readSize = { size }
    }
    contents.readFrameDuration = { asset.frameDuration }
    self.init(contents)
  }

  /// Makes a composition with one instruction, which shows the movie's picture upright. Reads the
  /// movie on the calling thread; `videoComposition(withPropertiesOf:)` doesn't block it. Without a
  /// picture, the size is zero and there is no instruction.
  public convenience init(propertiesOf asset: AVAsset) {
    let (size, frameDuration) = (asset.naturalSize, asset.frameDuration)
    var contents = Contents(readSize: { size }, readFrameDuration: { frameDuration })
    let duration = asset.duration
    if let track = asset.pictureTrack, duration.isNumeric {
      let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
      layer.setTransform(asset.pictureTransform, at: .zero)
      let range = CMTimeRange(start: .zero, duration: duration)
      contents.instructions = [AVVideoCompositionInstruction(range, [layer])]
    }
    self.init(contents)
  }

  /// The size of the exported frames, in square pixels. By default it is the size of the movie's
  /// upright frames, rounded to the even sides that H.264 needs. Zero if the movie can't be read.
  ///
  /// A handler ignores a size that isn't finite. With instructions, such a size fails the export.
  open var renderSize: CGSize { naturalSize }

  /// The length of a frame of the movie, or 1/30 s if its rate isn't known. It doesn't change the
  /// times of frames.
  open var frameDuration: CMTime { contents.readFrameDuration() }

  /// Always 1.
  open var renderScale: Float { 1 }

  /// The layers by time; empty if there is a handler.
  open var instructions: [AVVideoCompositionInstruction] { contents.instructions }

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

  /// Returns a composition with one instruction, which shows the movie's picture upright. Throws if
  /// the movie can't be read.
  public class func videoComposition(withPropertiesOf asset: AVAsset) async throws -> AVVideoComposition {
    _ = try await asset.load(.tracks)
    return AVVideoComposition(propertiesOf: asset)
  }

  /// Passes one frame to the handler. Blocks until the handler has finished it or the export is
  /// canceled.
  func render(_ frame: MovieFrame, with handler: FilteringHandler, isCancelled: @Sendable () -> Bool) throws
    -> PixelBuffer
  {
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

extension AVAsset {
  /// The length of a frame of the picture, or 1/30 s.
  fileprivate var frameDuration: CMTime {
    let rate = Double(pictureTrack?.nominalFrameRate ?? 0)
    guard rate > 0 else { return CMTime(value: 1, timescale: 30) }
    return CMTime(seconds: 1 / rate, preferredTimescale: movieTimescale)
  }
}

/// A composition that can be changed until an export starts.
///
///     let composition = AVMutableVideoComposition()
///     composition.renderSize = CGSize(width: 1080, height: 1920)
///     composition.frameDuration = CMTime(value: 1, timescale: 30)
///     composition.instructions = [instruction]
///     export.videoComposition = composition
///
/// With instructions, an export fails with `AVError.Code.invalidVideoComposition` (-11841) unless
/// - `renderSize` is finite and not empty, `frameDuration` is positive and `renderScale` is 1,
/// - there is an instruction, each has a time range, and the ranges follow each other from zero to
///   the end of the exported picture,
/// - each has at most one layer, that of the movie's picture, and there is no handler.
public final class AVMutableVideoComposition: AVVideoComposition, @unchecked Sendable {
  // A lock guards the chosen values.

  private struct Choice {
    var size: CGSize?
    var frameDuration: CMTime?
    var scale: Float?
    var instructions: [AVVideoCompositionInstruction]?
  }

  private let choice = Mutex(Choice())

  /// In pixels. The default is the movie's own size, or zero without a movie. An export rounds the
  /// sides down to even numbers.
  public override var renderSize: CGSize {
    get { choice.withLock(\.size) ?? super.renderSize }
    set { choice.withLock { $0.size = newValue } }
  }

  /// A positive time, which changes nothing: each frame keeps the time that it has in the movie.
  public override var frameDuration: CMTime {
    get { choice.withLock(\.frameDuration) ?? super.frameDuration }
    set { choice.withLock { $0.frameDuration = newValue } }
  }

  /// 1, which exports need. Other scales are for players.
  public override var renderScale: Float {
    get { choice.withLock(\.scale) ?? super.renderScale }
    set { choice.withLock { $0.scale = newValue } }
  }

  /// The layers by time.
  public override var instructions: [AVVideoCompositionInstruction] {
    get { choice.withLock(\.instructions) ?? super.instructions }
    set { choice.withLock { $0.instructions = newValue } }
  }

  public override class func videoComposition(
    with asset: AVAsset, applyingCIFiltersWithHandler applier: @escaping FilteringHandler
  ) async throws -> AVMutableVideoComposition {
    _ = try await asset.load(.duration)
    return AVMutableVideoComposition(asset: asset, applyingCIFiltersWithHandler: applier)
  }

  public override class func videoComposition(withPropertiesOf asset: AVAsset) async throws
    -> AVMutableVideoComposition
  {
    _ = try await asset.load(.tracks)
    return AVMutableVideoComposition(propertiesOf: asset)
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
