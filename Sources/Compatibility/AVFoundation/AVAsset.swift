@_exported import CoreMedia
internal import Imaging
import Synchronization

// Of AVFoundation, the types that PhotoKit's signatures mention: where a movie is and how long it is; export sessions, and compositions
// that filter with Core Image. Left out: tracks, metadata items, compositions of several movies, playing and recording.

/// A movie or a sound; made of a file, it is an `AVURLAsset`.
///
///     let asset = AVAsset(url: url)
///     let duration = try await asset.load(.duration)
///
/// Immutable, and any thread may use it. Headers are read when something is first asked for.
open class AVAsset: NSObject, AVAssetMaking, @unchecked Sendable {
  // Immutable after init; subclasses guard what they add.

  /// For subclasses only: `AVAsset(url:)` makes assets.
  override init() {}

  /// Invalid where the file can't be read as a movie; it reads the file's headers, and `load(.duration)` doesn't make the caller wait.
  open var duration: CMTime { .invalid }

  /// Whether it is a movie or a sound that `ffmpeg` is given a chance with.
  open var isPlayable: Bool { false }

  func readDuration() throws -> CMTime { duration }

  /// Upright pixels.
  var naturalSize: CGSize { .zero }
}

/// Lets `AVAsset(url:)` give an object of a subclass, which an initialiser of a class can't.
public protocol AVAssetMaking {}

extension AVAssetMaking {
  /// Of a file; nothing is read before it is asked for.
  public init(url: URL) {
    guard let asset = AVURLAsset(url: url, options: nil) as? Self else {
      preconditionFailure("\(Self.self) has to make its own objects from URLs")
    }
    self = asset
  }
}

/// A movie or a sound in a file.
public final class AVURLAsset: AVAsset, @unchecked Sendable {
  // What is read is under a lock.

  /// Where it is.
  public let url: URL
  private let metadata = Mutex<Result<MediaMetadata, ImagingError>?>(nil)

  /// Options say how exactly a duration is told and where a file may be fetched from; they change nothing here.
  public init(url: URL, options: [String: Any]? = nil) {
    self.url = url
    super.init()
  }

  public override var duration: CMTime { (try? readDuration()) ?? .invalid }
  public override var isPlayable: Bool { (try? readMetadata()) != nil }

  override func readDuration() throws -> CMTime {
    // Whole ticks for every common number of frames in a second, 29.97 too.
    let timescale: CMTimeScale = 90_000
    return CMTime(seconds: try readMetadata().duration, preferredTimescale: timescale)
  }

  override var naturalSize: CGSize {
    guard let metadata = try? readMetadata() else { return .zero }
    // Headers tell nothing of pixels that aren't square, and may be wrong.
    let size = try? MediaFile(path: url.path).movieSize() ?? nil
    return CGSize(width: size?.width ?? metadata.pixelWidth, height: size?.height ?? metadata.pixelHeight)
  }

  /// Of a movie or a sound; throws for anything else.
  private func readMetadata() throws -> MediaMetadata {
    let path = url.path
    return try metadata.withLock { metadata in
      if let metadata { return try metadata.get() }
      let read = Result { () throws(ImagingError) in
        let found = try MediaMetadata(of: MediaFile(path: path))
        guard found.type.kind != .image else {
          throw ImagingError(.unsupported, path, reason: "\(found.type.uniformTypeIdentifier) is not a movie")
        }
        return found
      }
      metadata = read
      return try read.get()
    }
  }
}

/// A property that takes time to read.
public struct AVAsyncProperty<Root, Value>: Sendable {
  let read: @Sendable (AVAsset) throws -> Value
}

extension AVAsyncProperty where Root == AVAsset, Value == CMTime {
  public static var duration: AVAsyncProperty<AVAsset, CMTime> { .init { try $0.readDuration() } }
}

extension AVAsyncProperty where Root == AVAsset, Value == Bool {
  public static var isPlayable: AVAsyncProperty<AVAsset, Bool> { .init { $0.isPlayable } }
}

extension AVAsset {
  /// Throws where the file can't be read as a movie or a sound.
  public func load<Value: Sendable>(_ property: AVAsyncProperty<AVAsset, Value>) async throws -> Value {
    do { return try property.read(self) } catch {
      throw NSError(
        domain: AVFoundationErrorDomain, code: fileFormatNotRecognized,
        userInfo: [NSLocalizedDescriptionKey: "\(error)", NSUnderlyingErrorKey: error])
    }
  }
}

// AVFoundation spells it so.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"
/// `AVError.Code`'s number for a file that is no movie.
private let fileFormatNotRecognized = -11828
