/// The item that a player would play. Nothing plays here, so it only holds its asset.
///
///     (item.asset as? AVURLAsset)?.url
open class AVPlayerItem: NSObject, @unchecked Sendable {
  // Immutable after init; subclasses guard what they add.

  /// The movie or sound.
  public let asset: AVAsset

  public init(asset: AVAsset) { self.asset = asset }

  public convenience init(url: URL) { self.init(asset: AVURLAsset(url: url)) }

  /// The duration of the asset.
  open var duration: CMTime { asset.duration }
}

/// The volumes of a movie's sound tracks. None is ever made here, since a movie in the library is
/// mixed already.
open class AVAudioMix: NSObject, @unchecked Sendable {
  // Stateless.
}
