/// A range of a medium, and the range of a track in which it is shown.
///
///     let mapping = CMTimeMapping(source: range, target: CMTimeRange(start: .zero, duration: range.duration))
///
/// Nothing is shown in `target` if `source` is `.invalid`.
public struct CMTimeMapping: Hashable, Sendable {
  public var source: CMTimeRange
  public var target: CMTimeRange

  /// Makes a mapping of two invalid ranges.
  public init() { self.init(source: .invalid, target: .invalid) }

  public init(source: CMTimeRange, target: CMTimeRange) {
    self.source = source
    self.target = target
  }

  public static let invalid = CMTimeMapping()
}
