import Foundation

/// Limits attempts to sign in: a state machine without a clock.
///
/// Each attempt counts before its password is checked, so that simultaneous ones count too. A
/// successful one clears its own count.
struct SignInLimiter {
  /// The sender of an attempt.
  enum Sender: Hashable {
    /// An unknown browser, by its address; of an IPv6 address, the first 64 bits.
    case address(String)
    /// A browser that has signed in before.
    case device(String)

    /// The number of attempts that may follow each other at once.
    var freeAttempts: Int { if case .device = self { 10 } else { 5 } }
  }

  enum Decision: Equatable {
    case allowed
    /// Refused for this many seconds.
    case refused(seconds: Int)
    /// Unknown browsers are refused until somebody signs in by an owner link or from a known one.
    case closed
  }

  private struct Attempts {
    var count = 0
    var latest: Date
  }

  private var attempts: [Sender: Attempts] = [:]
  /// The attempts of all unknown browsers within the last hour.
  private var recent: [Date] = []
  /// The attempts of all unknown browsers since the last success.
  private var withoutSuccess = 0

  static let longestWait: TimeInterval = 15 * 60
  static let recentLimit = 30
  static let totalLimit = 100
  private static let hour: TimeInterval = 3600
  private static let day: TimeInterval = 86_400
  private static let senderLimit = 10_000

  /// Counts an attempt and returns whether it may be made.
  mutating func attempt(by sender: Sender, at now: Date) -> Decision {
    if case .address = sender {
      guard withoutSuccess < Self.totalLimit else { return .closed }
      recent.removeAll { now.timeIntervalSince($0) >= Self.hour || $0 > now }
      if recent.count >= Self.recentLimit, let first = recent.first {
        return .refused(seconds: Self.seconds(until: first + Self.hour, now))
      }
    }
    var own = attempts[sender] ?? Attempts(latest: now)
    if own.count >= sender.freeAttempts {
      let wait = min(pow(2, Double(own.count - sender.freeAttempts + 1)), Self.longestWait)
      if own.latest <= now, now < own.latest + wait {
        return .refused(seconds: Self.seconds(until: own.latest + wait, now))
      }
    }
    // The power stays small. Longer waits are all the same.
    own.count = min(own.count + 1, sender.freeAttempts + 16)
    own.latest = now
    makeRoom(now)
    attempts[sender] = own
    if case .address = sender {
      recent.append(now)
      withoutSuccess += 1
    }
    return .allowed
  }

  /// Clears the counts after a success.
  mutating func succeeded(_ sender: Sender) {
    attempts[sender] = nil
    withoutSuccess = 0
    recent = []
  }

  private mutating func makeRoom(_ now: Date) {
    guard attempts.count >= Self.senderLimit else { return }
    attempts = attempts.filter { now.timeIntervalSince($0.value.latest) < Self.day }
    if attempts.count >= Self.senderLimit { attempts.removeAll() }
  }

  private static func seconds(until date: Date, _ now: Date) -> Int {
    max(1, Int(date.timeIntervalSince(now).rounded(.up)))
  }
}
