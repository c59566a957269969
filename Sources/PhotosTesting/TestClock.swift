import Foundation
import Synchronization

/// A clock that moves only when the test advances it.
///
///     let clock = TestClock(Date(timeIntervalSince1970: 1_700_000_000))
///     let temporary = try TemporaryLibrary(clock: clock)
///     clock.advance(by: 31 * 86_400)
public final class TestClock: Sendable {
  private let time: Mutex<Date>

  public init(_ start: Date = Date(timeIntervalSince1970: 1_700_000_000)) { time = Mutex(start) }

  public var now: Date { time.withLock(\.self) }

  /// Advances the clock by seconds. A library's dates never go backward.
  public func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
