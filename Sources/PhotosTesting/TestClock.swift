import Foundation
import Synchronization

/// A clock in the test's hands: it stands still until it is moved.
///
///     let clock = TestClock(Date(timeIntervalSince1970: 1_700_000_000))
///     let temporary = try TemporaryLibrary(clock: clock)
///     clock.advance(by: 31 * 86_400)
public final class TestClock: Sendable {
  private let time: Mutex<Date>

  public init(_ start: Date = Date(timeIntervalSince1970: 1_700_000_000)) { time = Mutex(start) }

  public var now: Date { time.withLock(\.self) }

  /// Seconds; a library's dates only go forward.
  public func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
