internal import Imaging
internal import MovieCoding
import Synchronization

/// Extracts still pictures from a movie.
///
///     let generator = AVAssetImageGenerator(asset: asset)
///     generator.appliesPreferredTrackTransform = true
///     let (image, time) = try await generator.image(at: CMTime(seconds: 2, preferredTimescale: 600))
///
/// Each call returns the frame at its time or the first one after it. Beyond the movie's end it
/// returns the last one. The tolerances have no effect on that. HDR becomes SDR.
open class AVAssetImageGenerator: NSObject, @unchecked Sendable {
  // The mutable state is guarded by a lock.

  private struct Settings {
    var appliesTransform = false
    var maximumSize = CGSize.zero
    var toleranceBefore = CMTime.positiveInfinity
    var toleranceAfter = CMTime.positiveInfinity
  }

  public let asset: AVAsset
  private let settings = Mutex(Settings())

  public init(asset: AVAsset) { self.asset = asset }

  /// True to turn pictures upright; false to leave them as they are stored.
  open var appliesPreferredTrackTransform: Bool {
    get { settings.withLock(\.appliesTransform) }
    set { settings.withLock { $0.appliesTransform = newValue } }
  }

  /// The size that pictures are shrunk to fit in; zero for no limit.
  open var maximumSize: CGSize {
    get { settings.withLock(\.maximumSize) }
    set { settings.withLock { $0.maximumSize = newValue } }
  }

  /// The allowed distance before the requested time. Has no effect: no picture is earlier than
  /// that.
  open var requestedTimeToleranceBefore: CMTime {
    get { settings.withLock(\.toleranceBefore) }
    set { settings.withLock { $0.toleranceBefore = newValue } }
  }

  /// The allowed distance after the requested time. Has no effect: the picture is the frame at that
  /// time or the next one.
  open var requestedTimeToleranceAfter: CMTime {
    get { settings.withLock(\.toleranceAfter) }
    set { settings.withLock { $0.toleranceAfter = newValue } }
  }

  /// Returns one picture, and writes the time of its frame. Blocks the calling thread.
  open func copyCGImage(at requestedTime: CMTime, actualTime: UnsafeMutablePointer<CMTime>?) throws -> CGImage {
    let (image, time) = try picture(at: requestedTime)
    actualTime?.pointee = time
    return image
  }

  /// Returns one picture and the time of its frame; throws if the movie has none.
  open func image(at time: CMTime) async throws -> (image: CGImage, actualTime: CMTime) {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try self.picture(at: time) }) }
    }
  }

  /// Calls the handler, on a thread of its own, with one picture and the time of its frame.
  open func generateCGImageAsynchronously(
    for requestedTime: CMTime, completionHandler handler: @escaping @Sendable (CGImage?, CMTime, (any Error)?) -> Void
  ) {
    DispatchQueue.global().async {
      do {
        let (image, time) = try self.picture(at: requestedTime)
        handler(image, time, nil)
      } catch {
        handler(nil, .invalid, error)
      }
    }
  }

  private func picture(at time: CMTime) throws -> (image: CGImage, actualTime: CMTime) {
    let settings = settings.withLock(\.self)
    do {
      guard let file = asset.movie?.file, time.isNumeric else {
        throw ImagingError(.unsupported, "a movie", reason: "it has no file, or the time is not a number")
      }
      let rotation = asset.tracks(withMediaType: .video).first?.clockwiseRotation ?? 0
      var limit = settings.maximumSize
      let hasLimit = limit.width.isFinite && limit.height.isFinite && limit.width >= 1 && limit.height >= 1
      // A larger limit limits no side.
      limit = CGSize(width: min(limit.width, 65_536), height: min(limit.height, 65_536))
      if !settings.appliesTransform, rotation % 180 != 0 { limit = CGSize(width: limit.height, height: limit.width) }
      let longest = hasLimit ? Int(max(limit.width, limit.height)) : nil
      let start = asset.movie?.range?.lowerBound ?? 0
      let frame = try MediaFile(path: file.path).movieFrame(atSeconds: start + time.seconds, longestSide: longest)
      var pixels = frame.pixels
      if hasLimit { pixels = pixels.fitting(width: Int(limit.width), height: Int(limit.height)) }
      if !settings.appliesTransform { pixels = pixels.oriented([90: 8, 180: 3, 270: 6][rotation] ?? 1) }
      return (CGImage(pixels), CMTime(seconds: frame.seconds - start, preferredTimescale: movieTimescale))
    } catch {
      throw NSError(
        domain: AVFoundationErrorDomain, code: noImageAtTime,
        userInfo: [NSLocalizedDescriptionKey: "\(error)", NSUnderlyingErrorKey: error])
    }
  }
}

/// The number of `AVError.Code`.
private let noImageAtTime = -11832

extension PixelBuffer {
  /// Returns the pixels shrunk to fit inside, or unchanged if they do already.
  fileprivate func fitting(width limit: Int, height heightLimit: Int) -> PixelBuffer {
    let scale = min(Double(limit) / Double(width), Double(heightLimit) / Double(height))
    guard scale < 1 else { return self }
    return resized(
      to: PixelSize(
        width: max(1, Int((Double(width) * scale).rounded())), height: max(1, Int((Double(height) * scale).rounded()))))
  }
}
