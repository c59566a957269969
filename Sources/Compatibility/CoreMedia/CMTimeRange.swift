/// The times from `start` up to, but not including, `start + duration`.
///
///     CMTimeRange(start: .zero, duration: asset.duration).containsTime(time)
public struct CMTimeRange: Hashable, Sendable {
  public var start: CMTime
  public var duration: CMTime

  /// An invalid range.
  public init() { self.init(start: .invalid, duration: .invalid) }

  public init(start: CMTime, duration: CMTime) {
    self.start = start
    self.duration = duration
  }

  public init(start: CMTime, end: CMTime) { self.init(start: start, duration: end - start) }

  public static let zero = CMTimeRange(start: .zero, duration: .zero)
  public static let invalid = CMTimeRange()

  public var isValid: Bool { start.isValid && duration.isValid && duration >= .zero }
  public var isEmpty: Bool { isValid && duration == .zero }
  public var end: CMTime { start + duration }

  public func containsTime(_ time: CMTime) -> Bool {
    isValid && time.isValid && start <= time && time < end
  }
}
