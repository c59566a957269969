import Synchronization

/// A movie that is composed of others. Requests for a library's movies never return one, since a
/// slow-motion movie is one file here: a cast to `AVComposition` is `nil`.
open class AVComposition: AVAsset, @unchecked Sendable {
  // Subclasses guard what they add.

  override init() {}
}

/// A part of one movie, with its picture, its sound, or both. Export sessions accept it.
///
///     let composition = AVMutableComposition()
///     let picture = composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
///     try picture?.insertTimeRange(range, of: videoTrack, at: .zero)      // without the sound
///     let session = AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetHighestQuality)
///
/// All parts come from one file, begin at the same time in it, and are inserted at zero. Several
/// movies in sequence are left out: inserting a second one throws.
public final class AVMutableComposition: AVComposition, @unchecked Sendable {
  // The mutable state is guarded by a lock.

  private struct Contents {
    var source: AVURLAsset?
    var range: ClosedRange<Double>?
    var tracks: [AVMutableCompositionTrack] = []
    /// The part of the file, in seconds, that each track was filled with.
    var parts: [CMPersistentTrackID: ClosedRange<Double>] = [:]

    func has(_ mediaType: AVMediaType) -> Bool {
      tracks.contains { $0.mediaType == mediaType && parts[$0.trackID] != nil }
    }
  }

  private let contents = Mutex(Contents())

  public override init() {}

  public override var duration: CMTime {
    contents.withLock(\.range).map {
      CMTime(seconds: $0.upperBound - $0.lowerBound, preferredTimescale: movieTimescale)
    } ?? .zero
  }

  public override var isPlayable: Bool { contents.withLock { $0.source?.isPlayable ?? false } }
  public override var tracks: [AVAssetTrack] { contents.withLock(\.tracks) }
  override var naturalSize: CGSize { contents.withLock { $0.source?.naturalSize ?? .zero } }
  override func readTracks() -> [AVAssetTrack] { tracks }

  // The turn is the source's. The `preferredTransform` of a composition's track has no effect.

  override var pictureTransform: CGAffineTransform {
    contents.withLock(\.source)?.pictureTransform ?? .identity
  }

  override var clockwiseRotation: Int { contents.withLock(\.source)?.clockwiseRotation ?? 0 }

  override var movie: AVAsset.Movie? {
    contents.withLock { contents in
      guard var movie = contents.source?.movie else { return nil }
      movie.range = contents.range
      movie.hasPicture = contents.has(.video)
      movie.hasSound = contents.has(.audio)
      return movie
    }
  }

  /// Adds an empty track. Returns `nil` for kinds other than `.video` and `.audio`, and for a
  /// second track of a kind.
  public func addMutableTrack(withMediaType mediaType: AVMediaType, preferredTrackID: CMPersistentTrackID)
    -> AVMutableCompositionTrack?
  {
    contents.withLock { contents in
      guard [.video, .audio].contains(mediaType), !contents.tracks.contains(where: { $0.mediaType == mediaType }) else {
        return nil
      }
      let track = AVMutableCompositionTrack(
        mediaType, trackID: CMPersistentTrackID(contents.tracks.count + 1), of: self)
      contents.tracks.append(track)
      return track
    }
  }

  /// Inserts a part of a movie at zero, with its picture and its sound.
  public func insertTimeRange(_ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime) throws {
    for mediaType in [AVMediaType.video, .audio] {
      guard let track = asset.tracks(withMediaType: mediaType).first else { continue }
      let target =
        tracks(withMediaType: mediaType).first as? AVMutableCompositionTrack
        ?? addMutableTrack(withMediaType: mediaType, preferredTrackID: kCMPersistentTrackID_Invalid)
      try target?.insertTimeRange(timeRange, of: track, at: startTime)
    }
  }

  /// Returns the part of the file that a track was filled with; `nil` for an empty track.
  fileprivate func insertedPart(of track: AVMutableCompositionTrack) -> (source: AVURLAsset, range: CMTimeRange)? {
    contents.withLock { contents in
      guard let source = contents.source, let range = contents.parts[track.trackID] else { return nil }
      let start = CMTime(seconds: range.lowerBound, preferredTimescale: movieTimescale)
      let end = CMTime(seconds: range.upperBound, preferredTimescale: movieTimescale)
      return (source, CMTimeRange(start: start, end: end))
    }
  }

  fileprivate func insert(
    _ range: CMTimeRange, of track: AVAssetTrack, into target: AVMutableCompositionTrack, at time: CMTime
  )
    throws
  {
    guard let source = track.asset as? AVURLAsset, track.mediaType == target.mediaType else {
      throw Self.insertionError("the track has another media type or no file")
    }
    let (start, end) = (range.start.seconds, range.end.seconds)
    guard time == .zero, start.isFinite, end.isFinite, start >= 0, end > start else {
      throw Self.insertionError("the range is empty, or the time is not zero")
    }
    try contents.withLock { contents in
      let isSame = contents.source.map { $0.url == source.url } ?? true
      guard isSame, contents.range?.lowerBound ?? start == start, contents.parts[target.trackID] == nil
      else {
        throw Self.insertionError("\(source.url.path): this is another part or file than the composition's")
      }
      contents.source = source
      contents.range = start...max(end, contents.range?.upperBound ?? end)
      contents.parts[target.trackID] = start...end
    }
  }

  private static func insertionError(_ reason: String) -> NSError {
    NSError(
      domain: AVFoundationErrorDomain, code: operationNotSupported,
      userInfo: [NSLocalizedDescriptionKey: "\(reason); a composition is one part of one file, inserted at zero"])
  }
}

/// A track of a composition.
public final class AVMutableCompositionTrack: AVAssetTrack, @unchecked Sendable {
  // The mutable state is guarded by a lock.

  private let transform = Mutex<CGAffineTransform?>(nil)

  /// Has no effect: an exported picture is upright, unless the instructions of a video composition
  /// place it.
  public override var preferredTransform: CGAffineTransform {
    get { transform.withLock { $0 ?? .identity } }
    set { transform.withLock { $0 = newValue } }
  }

  /// The size of the inserted picture as stored, before the `preferredTransform` of its own track;
  /// zero for an empty track and for sound.
  public override var naturalSize: CGSize {
    guard mediaType == .video else { return .zero }
    return insertedPart?.source.pictureTrack?.naturalSize ?? .zero
  }

  /// The rate of the inserted picture; 0 for an empty track and for sound.
  public override var nominalFrameRate: Float {
    guard mediaType == .video else { return 0 }
    return insertedPart?.source.pictureTrack?.nominalFrameRate ?? 0
  }

  public override var timeRange: CMTimeRange {
    CMTimeRange(start: .zero, duration: insertedPart?.range.duration ?? .zero)
  }

  /// One segment with the inserted part of the file, or none for an empty track.
  public override var segments: [AVAssetTrackSegment] {
    guard let range = insertedPart?.range else { return [] }
    let target = CMTimeRange(start: .zero, duration: range.duration)
    return [AVAssetTrackSegment(CMTimeMapping(source: range, target: target))]
  }

  private var insertedPart: (source: AVURLAsset, range: CMTimeRange)? {
    (asset as? AVMutableComposition)?.insertedPart(of: self)
  }

  /// Inserts a part of a movie's track at zero. Throws for a part of another file, and for a second
  /// part.
  public func insertTimeRange(_ timeRange: CMTimeRange, of track: AVAssetTrack, at startTime: CMTime) throws {
    guard let composition = asset as? AVMutableComposition else { return }
    try composition.insert(timeRange, of: track, into: self, at: startTime)
  }
}

// CoreMedia uses this spelling.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0
/// The number of `AVError.Code`.
private let operationNotSupported = -11838
