/// What a player is given: here its asset, since nothing plays.
///
///     (item.asset as? AVURLAsset)?.url
open class AVPlayerItem: NSObject, @unchecked Sendable {
  // Immutable after init; subclasses guard what they add.

  /// What would be played.
  public let asset: AVAsset

  public init(asset: AVAsset) { self.asset = asset }

  public convenience init(url: URL) { self.init(asset: AVURLAsset(url: url)) }

  /// The asset's.
  open var duration: CMTime { asset.duration }
}

/// How the tracks of a sound are mixed: a movie of the library has its own mix, so none is ever made.
open class AVAudioMix: NSObject, @unchecked Sendable {
  // It has no state.
}
