internal import Imaging
internal import MovieCoding

/// The kind of a track.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public static let video = AVMediaType("vide")
  public static let audio = AVMediaType("soun")
  public static let subtitle = AVMediaType("sbtl")
  public static let metadata = AVMediaType("meta")
  public static let text = AVMediaType("text")
  public static let closedCaption = AVMediaType("clcp")
  public static let timecode = AVMediaType("tmcd")
  public static let muxed = AVMediaType("muxx")
  public static let depthData = AVMediaType("dpth")
}

public typealias CMPersistentTrackID = Int32

/// One stream of a movie.
///
///     guard let track = try await asset.loadTracks(withMediaType: .video).first else { return }
///     let (size, transform) = try await track.load(.naturalSize, .preferredTransform)
///
/// Two objects of the same track are equal. Formats and samples are left out.
open class AVAssetTrack: NSObject, @unchecked Sendable {
  // Immutable after init; subclasses guard what they add.

  /// The movie that the track belongs to. The reference is weak.
  public private(set) weak var asset: AVAsset?
  /// The number of the track, counted from 1 in the file's order.
  public let trackID: CMPersistentTrackID
  /// The kind of the track. Timed texts and other data are `.metadata`.
  public let mediaType: AVMediaType
  private let track: MovieDescription.Track?

  init(_ track: MovieDescription.Track, of asset: AVAsset) {
    self.asset = asset
    self.track = track
    trackID = CMPersistentTrackID(clamping: track.number)
    mediaType =
      switch track.kind {
      case .video: .video
      case .audio: .audio
      case .subtitle: .subtitle
      case .data: .metadata
      }
  }

  /// Makes a composition's track.
  init(_ mediaType: AVMediaType, trackID: CMPersistentTrackID, of asset: AVAsset) {
    self.asset = asset
    self.mediaType = mediaType
    self.trackID = trackID
    track = nil
  }

  /// The size in pixels as stored, before `preferredTransform`; zero for a track without a picture.
  open var naturalSize: CGSize {
    track?.size.map { CGSize(width: $0.width, height: $0.height) } ?? .zero
  }

  /// Turns the stored picture upright.
  open var preferredTransform: CGAffineTransform {
    let size = naturalSize
    return switch track?.rotation {
    case 90: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: size.height, ty: 0)
    case 180: CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: size.width, ty: size.height)
    case 270: CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: size.width)
    default: .identity
    }
  }

  /// Degrees: 0, 90, 180 or 270.
  var clockwiseRotation: Int { track?.rotation ?? 0 }

  /// Frames per second; 0 for a track without a picture.
  open var nominalFrameRate: Float { Float(track?.frameRate ?? 0) }
  /// Bits per second; 0 if the file doesn't say.
  open var estimatedDataRate: Float { Float(track?.bitRate ?? 0) }

  open var timeRange: CMTimeRange {
    guard let track else { return .invalid }
    return CMTimeRange(
      start: CMTime(seconds: track.startInSeconds, preferredTimescale: movieTimescale),
      duration: CMTime(seconds: track.durationInSeconds, preferredTimescale: movieTimescale))
  }

  /// The parts of the track, in the order of their times: an empty one if the track begins later
  /// than its movie, and one with all of its samples. Empty for a track without a duration.
  ///
  /// They are made of the start and the duration that `ffprobe` reports. A file's edit list itself
  /// isn't read: a medium's hidden beginning, repetitions and speeds are not shown.
  open var segments: [AVAssetTrackSegment] {
    let range = timeRange
    guard range.isValid, range.duration > .zero, range.start.isNumeric else { return [] }
    let samples = CMTimeMapping(source: CMTimeRange(start: .zero, duration: range.duration), target: range)
    guard range.start > .zero else { return [AVAssetTrackSegment(samples)] }
    let pause = CMTimeMapping(source: .invalid, target: CMTimeRange(start: .zero, duration: range.start))
    return [AVAssetTrackSegment(pause), AVAssetTrackSegment(samples)]
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAssetTrack else { return false }
    return other === self || other.trackID == trackID && other.asset === asset && asset != nil
  }

  public override var hash: Int { trackID.hashValue }
}

/// A part of a track, with its range in the medium and in the track.
///
///     let pauses = try await track.load(.segments).filter(\.isEmpty).map(\.timeMapping.target)
///
/// Immutable.
open class AVAssetTrackSegment: NSObject, @unchecked Sendable {
  // Immutable after init; subclasses guard what they add.

  /// The range of the medium (`source`, counted from its first sample), and the range of the track
  /// (`target`). The source of an empty segment is `.invalid`.
  public let timeMapping: CMTimeMapping
  /// True if nothing is shown or heard.
  public var isEmpty: Bool { !timeMapping.source.isValid }

  init(_ timeMapping: CMTimeMapping) { self.timeMapping = timeMapping }
}

extension AVAsyncProperty where Root == AVAssetTrack, Value == [AVAssetTrackSegment] {
  public static var segments: AVAsyncProperty<AVAssetTrack, [AVAssetTrackSegment]> { .init { $0.segments } }
}

extension AVAsyncProperty where Root == AVAssetTrack, Value == CGSize {
  public static var naturalSize: AVAsyncProperty<AVAssetTrack, CGSize> { .init { $0.naturalSize } }
}

extension AVAsyncProperty where Root == AVAssetTrack, Value == CGAffineTransform {
  public static var preferredTransform: AVAsyncProperty<AVAssetTrack, CGAffineTransform> {
    .init { $0.preferredTransform }
  }
}

extension AVAsyncProperty where Root == AVAssetTrack, Value == Float {
  public static var nominalFrameRate: AVAsyncProperty<AVAssetTrack, Float> { .init { $0.nominalFrameRate } }
  public static var estimatedDataRate: AVAsyncProperty<AVAssetTrack, Float> { .init { $0.estimatedDataRate } }
}

extension AVAsyncProperty where Root == AVAssetTrack, Value == CMTimeRange {
  public static var timeRange: AVAsyncProperty<AVAssetTrack, CMTimeRange> { .init { $0.timeRange } }
}

extension AVAsyncProperty where Root == AVAsset, Value == [AVAssetTrack] {
  public static var tracks: AVAsyncProperty<AVAsset, [AVAssetTrack]> { .init { try $0.readTracks() } }
}

extension AVAsset {
  /// Returns the tracks of one kind, in the file's order. Blocks the calling thread;
  /// `loadTracks(withMediaType:)` doesn't.
  public func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
    tracks.filter { $0.mediaType == mediaType }
  }

  public func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
    tracks.first { $0.trackID == trackID }
  }

  /// Returns the tracks of one kind. Throws if the file can't be read as a movie or a sound.
  public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
    try await load(.tracks).filter { $0.mediaType == mediaType }
  }

  /// Calls the handler, on a thread of its own, with the tracks of one kind.
  public func loadTracks(
    withMediaType mediaType: AVMediaType,
    completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
  ) {
    Task {
      do { completionHandler(try await loadTracks(withMediaType: mediaType), nil) } catch {
        completionHandler(nil, error)
      }
    }
  }

  public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
    try await load(.tracks).first { $0.trackID == trackID }
  }
}
