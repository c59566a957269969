@_exported import CoreImage
@_exported import CoreMedia
internal import Imaging
internal import MovieCoding
import Synchronization

// The types of AVFoundation that PhotoKit's signatures mention: assets, export sessions,
// compositions that filter or place frames, tracks, metadata and single frames. Left out:
// compositions of several movies, playing and recording.

/// A movie or a sound. Initializing one with a URL makes an `AVURLAsset`.
///
///     let asset = AVAsset(url: url)
///     let duration = try await asset.load(.duration)
///
/// Immutable, and any thread may use it. A file's headers are read when a property first needs
/// them.
open class AVAsset: NSObject, AVAssetMaking, @unchecked Sendable {
  // A lock guards the requested keys; subclasses guard what they add.

  let requestedKeys = Mutex(RequestedKeys())

  /// For subclasses only. Other code makes assets with `AVAsset(url:)`.
  override init() {}

  /// The length of the movie, or `.invalid` if the file can't be read as a movie. The getter reads
  /// the file's headers on the calling thread; `load(.duration)` doesn't block it.
  open var duration: CMTime { .invalid }

  /// True if the file's headers are those of a movie or a sound. `ffmpeg` may still fail to decode
  /// it.
  open var isPlayable: Bool { false }

  /// The tracks, or an empty array if the file can't be read as a movie. The getter blocks the
  /// calling thread; `load(.tracks)` doesn't.
  open var tracks: [AVAssetTrack] { [] }

  /// The texts in the file's metadata. The getter blocks the calling thread; `load(.metadata)`
  /// doesn't.
  open var metadata: [AVMetadataItem] { [] }

  func readDuration() throws -> CMTime { duration }
  func readTracks() throws -> [AVAssetTrack] { tracks }
  func readMetadataItems() throws -> [AVMetadataItem] { metadata }

  /// Returns what is known of a property without reading anything. A composition has its values in
  /// memory.
  func state(of key: AssetKey) -> PropertyState { .read(nil) }

  /// The movie's file and the range of it that the asset stands for.
  struct Movie {
    var file: URL
    /// In seconds; `nil` for the whole file.
    var range: ClosedRange<Double>?
    var hasPicture = true
    var hasSound = true
  }

  var movie: Movie? { nil }

  /// The size in pixels, after the picture was turned upright.
  var naturalSize: CGSize { .zero }

  /// The track whose picture an export has.
  var pictureTrack: AVAssetTrack? { tracks(withMediaType: .video).first }
  /// Turns the stored picture of that track upright.
  var pictureTransform: CGAffineTransform { pictureTrack?.preferredTransform ?? .identity }
  /// Degrees: 0, 90, 180 or 270.
  var clockwiseRotation: Int { pictureTrack?.clockwiseRotation ?? 0 }
}

/// Lets `AVAsset(url:)` return an object of a subclass, which an initializer of a class can't do.
public protocol AVAssetMaking {}

extension AVAssetMaking {
  /// Makes an `AVURLAsset`. The file is read when a property first needs it.
  public init(url: URL) {
    guard let asset = AVURLAsset(url: url, options: nil) as? Self else {
      preconditionFailure("\(Self.self) has to make its own objects from URLs")
    }
    self = asset
  }
}

/// A movie or a sound in a file.
public final class AVURLAsset: AVAsset, @unchecked Sendable {
  // Immutable, but for values that are read once.

  /// The location of the file.
  public let url: URL
  /// An object whose lifetime keeps the file on the disk.
  private let lifetimeToken: (any Sendable)?
  private let headers = ReadOnce<Result<MediaMetadata, ImagingError>>()
  /// The measured duration in seconds, for headers without one. Measuring takes up to 30 seconds.
  private let measuredDuration = ReadOnce<Double>()
  private let streams = ReadOnce<Result<MovieDescription, ImagingError>>()

  /// Makes an asset of a file. The options have no effect: AVFoundation's choose the precision of
  /// durations and the places that a file may be fetched from.
  public init(url: URL, options: [String: Any]? = nil) {
    self.url = url
    lifetimeToken = nil
    super.init()
  }

  /// Makes an asset of a file that is removed with the last reference to `lifetimeToken`.
  package init(url: URL, retaining lifetimeToken: (any Sendable)?) {
    self.url = url
    self.lifetimeToken = lifetimeToken
    super.init()
  }

  public override var duration: CMTime { (try? readDuration()) ?? .invalid }
  public override var isPlayable: Bool { (try? readMetadata()) != nil }

  override func readDuration() throws -> CMTime {
    let metadata = try readMetadata()
    guard metadata.duration == 0 else {
      return CMTime(seconds: metadata.duration, preferredTimescale: movieTimescale)
    }
    let seconds = try measuredDuration.get { try metadata.measuredDuration(of: MediaFile(path: url.path)) }
    return CMTime(seconds: seconds, preferredTimescale: movieTimescale)
  }

  override var naturalSize: CGSize {
    guard let metadata = try? readMetadata() else { return .zero }
    // Not all headers say that pixels aren't square, and some are wrong. `ffprobe` is asked first.
    let size = try? MediaFile(path: url.path).movieSize() ?? nil
    return CGSize(width: size?.width ?? metadata.pixelWidth, height: size?.height ?? metadata.pixelHeight)
  }

  /// Reads the headers once. Throws for a file that is neither a movie nor a sound.
  private func readMetadata() throws -> MediaMetadata {
    let path = url.path
    let read = headers.get {
      Result { () throws(ImagingError) in
        let found = try MediaMetadata(of: MediaFile(path: path))
        guard found.type.kind != .image else {
          throw ImagingError(.unsupported, path, reason: "\(found.type.uniformTypeIdentifier) is not a movie")
        }
        return found
      }
    }
    return try read.get()
  }

  override func state(of key: AssetKey) -> PropertyState {
    let found: Result<MediaMetadata, ImagingError>
    switch headers.state {
    case .notRead: return .notRead
    case .reading: return .reading
    case .read(let result): found = result
    }
    switch (key, found) {
    case (.playable, _), (.isPlayable, _): return .read(nil)
    case (_, .failure(let error)): return .read(error)
    case (.duration, .success(let metadata)):
      return metadata.duration == 0 ? PropertyState(measuredDuration.state) { _ in nil } : .read(nil)
    case (_, .success):
      return PropertyState(streams.state) { streams in
        if case .failure(let error) = streams { error } else { nil }
      }
    }
  }

  override var movie: Movie? { Movie(file: url) }

  public override var tracks: [AVAssetTrack] { (try? readTracks()) ?? [] }
  public override var metadata: [AVMetadataItem] { (try? readMetadataItems()) ?? [] }

  override func readTracks() throws -> [AVAssetTrack] {
    try readStreams().tracks.map { AVAssetTrack($0, of: self) }
  }

  override var pictureTrack: AVAssetTrack? {
    guard let number = (try? readStreams())?.pictureNumber else { return nil }
    return track(withTrackID: CMPersistentTrackID(clamping: number))
  }

  /// Returns the tags without the container's own, sorted by name.
  override func readMetadataItems() throws -> [AVMetadataItem] {
    try readStreams().tags.filter { !Self.containerTags.contains($0.key) }.sorted { $0.key < $1.key }
      .map { AVMetadataItem(tag: $0.key, value: $0.value) }
  }

  /// Tags that every muxer writes by itself.
  private static let containerTags: Set = ["major_brand", "minor_version", "compatible_brands"]

  private func readStreams() throws -> MovieDescription {
    _ = try readMetadata()
    let path = url.path
    let read = streams.get {
      Result { () throws(ImagingError) in try MovieDescription(of: MediaFile(path: path)) }
    }
    return try read.get()
  }
}

/// Ticks per second. Every common frame rate, even 29.97, has a whole number of them per frame.
let movieTimescale: CMTimeScale = 90_000

extension AVAsyncProperty where Root == AVAsset, Value == CMTime {
  public static var duration: AVAsyncProperty<AVAsset, CMTime> { .init { try $0.readDuration() } }
}

extension AVAsyncProperty where Root == AVAsset, Value == Bool {
  public static var isPlayable: AVAsyncProperty<AVAsset, Bool> { .init { $0.isPlayable } }
}

// AVFoundation uses this spelling.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of a `Bool` in `AVURLAsset`'s options. It has no effect: durations are always exact.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
