import Foundation

/// The attempts of senders to ask the owner for something. Each sender has a few a minute.
///
/// A sender is an origin at an address, or a program at an address. A program can send any origin,
/// so all origins at one address have a limit together.
struct SenderAttempts {
  enum Refusal: Error, Equatable {
    /// The sender has to wait for this many seconds.
    case tooMany(seconds: Int)
  }

  static let limit = 10
  static let limitOfAddress = 30
  static let interval: TimeInterval = 60
  private static let senderLimit = 10_000

  private var ofSenders: [String: [Date]] = [:]
  private var ofAddresses: [String: [Date]] = [:]

  /// Counts an attempt. Throws if there are too many of the sender, or of its address.
  mutating func add(_ sender: String, address: String?, at now: Date) throws(Refusal) {
    if let address { try Self.count(address, in: &ofAddresses, upTo: Self.limitOfAddress, at: now) }
    try Self.count(sender, in: &ofSenders, upTo: Self.limit, at: now)
  }

  private static func count(
    _ sender: String, in attempts: inout [String: [Date]], upTo limit: Int, at now: Date
  ) throws(Refusal) {
    if attempts.count >= senderLimit {
      attempts = attempts.filter { $0.value.contains { isRecent($0, now) } }
      if attempts.count >= senderLimit { attempts.removeAll() }
    }
    let recent = (attempts[sender] ?? []).filter { isRecent($0, now) }
    if recent.count >= limit, let first = recent.first {
      throw .tooMany(seconds: seconds(until: first + interval, now))
    }
    attempts[sender] = recent + [now]
  }

  private static func isRecent(_ date: Date, _ now: Date) -> Bool { abs(now.timeIntervalSince(date)) < interval }

  static func seconds(until date: Date, _ now: Date) -> Int { max(1, Int(date.timeIntervalSince(now).rounded(.up))) }
}
