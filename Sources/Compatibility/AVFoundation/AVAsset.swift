@_exported import CoreImage
@_exported import CoreMedia
internal import Imaging
import Synchronization

// The types of AVFoundation that PhotoKit's signatures mention: assets, export sessions,
// compositions that filter with Core Image, tracks, metadata and single frames. Left out:
// compositions of several movies, playing and recording.

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

  /// Invalid if the file can't be read as a movie; it reads the file's headers, and
  /// `load(.duration)` doesn't make the caller wait.
  open var duration: CMTime { .invalid }

  /// Whether it is a movie or a sound that `ffmpeg` is given a chance with.
  open var isPlayable: Bool { false }

  /// Empty if the file can't be read as a movie; `load(.tracks)` doesn't make the caller wait.
  open var tracks: [AVAssetTrack] { [] }

  /// The file's own texts; `load(.metadata)` doesn't make the caller wait.
  open var metadata: [AVMetadataItem] { [] }

  func readDuration() throws -> CMTime { duration }
  func readTracks() throws -> [AVAssetTrack] { tracks }
  func readMetadataItems() throws -> [AVMetadataItem] { metadata }

  /// The movie's file, or a part of it.
  struct Movie {
    var file: URL
    /// In seconds; `nil` for the whole file.
    var range: ClosedRange<Double>?
    var hasPicture = true
    var hasSound = true
  }

  var movie: Movie? { nil }

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
  /// An object whose lifetime keeps the file on the disk.
  private let keeper: (any Sendable)?
  private let headers = Mutex<Result<MediaMetadata, ImagingError>?>(nil)
  private let streams = Mutex<Result<MovieDescription, ImagingError>?>(nil)

  /// Options say how exactly a duration is told and where a file may be fetched from; they change nothing here.
  public init(url: URL, options: [String: Any]? = nil) {
    self.url = url
    keeper = nil
    super.init()
  }

  /// Makes an asset of a file that is removed with the last reference to `keeper`.
  package init(url: URL, keeping keeper: (any Sendable)?) {
    self.url = url
    self.keeper = keeper
    super.init()
  }

  public override var duration: CMTime { (try? readDuration()) ?? .invalid }
  public override var isPlayable: Bool { (try? readMetadata()) != nil }

  override func readDuration() throws -> CMTime {
    CMTime(seconds: try readMetadata().duration, preferredTimescale: movieTimescale)
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
    return try headers.withLock { headers in
      if let headers { return try headers.get() }
      let read = Result { () throws(ImagingError) in
        let found = try MediaMetadata(of: MediaFile(path: path))
        guard found.type.kind != .image else {
          throw ImagingError(.unsupported, path, reason: "\(found.type.uniformTypeIdentifier) is not a movie")
        }
        return found
      }
      headers = read
      return try read.get()
    }
  }

  override var movie: Movie? { Movie(file: url) }

  public override var tracks: [AVAssetTrack] { (try? readTracks()) ?? [] }
  public override var metadata: [AVMetadataItem] { (try? readMetadataItems()) ?? [] }

  override func readTracks() throws -> [AVAssetTrack] {
    try readStreams().tracks.map { AVAssetTrack($0, of: self) }
  }

  /// Sorted by name.
  override func readMetadataItems() throws -> [AVMetadataItem] {
    try readStreams().tags.filter { !Self.containerTags.contains($0.key) }.sorted { $0.key < $1.key }
      .map { AVMetadataItem(tag: $0.key, value: $0.value) }
  }

  /// Tags that the container writes by itself.
  private static let containerTags: Set = ["major_brand", "minor_version", "compatible_brands"]

  private func readStreams() throws -> MovieDescription {
    _ = try readMetadata()
    let path = url.path
    return try streams.withLock { streams in
      if let streams { return try streams.get() }
      let read = Result { () throws(ImagingError) in try MovieDescription(of: MediaFile(path: path)) }
      streams = read
      return try read.get()
    }
  }
}

/// A whole number of ticks for each frame at every common frame rate, 29.97 too.
let movieTimescale: CMTimeScale = 90_000

extension AVAsyncProperty where Root == AVAsset, Value == CMTime {
  public static var duration: AVAsyncProperty<AVAsset, CMTime> { .init { try $0.readDuration() } }
}

extension AVAsyncProperty where Root == AVAsset, Value == Bool {
  public static var isPlayable: AVAsyncProperty<AVAsset, Bool> { .init { $0.isPlayable } }
}

// AVFoundation spells it so.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// A `Bool` of `AVURLAsset`'s options: durations are always exact, and it changes nothing.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
