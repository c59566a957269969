import Foundation
import Photos
import Synchronization

/// The tokens of clients.
///
/// As with sessions, what was read is used for a second. A token that another process revokes is
/// therefore used for up to a second more. Uses are counted in memory, and recorded once a minute.
/// A token expires after a year. A use in its last quarter renews it, so that only tokens that are
/// not used any more expire.
final class AccessTokens: Sendable {
  private let library: PHPhotoLibrary
  private let clock: @Sendable () -> Date
  private let random: RandomBytes
  private let state = Mutex(State())

  /// The client to which a token belongs.
  struct Holder: Sendable {
    var asking: AskingClient
    /// The web origin that alone may use the token; `nil` for a program.
    var origin: String?

    /// Throws 403 for a sender of another origin.
    fileprivate func check(_ sender: Sender) throws {
      guard sender.origin == origin else {
        throw Failure(.forbidden, "this token belongs to another origin", problem: .otherOrigin)
      }
    }
  }

  /// The sender of a request with a token.
  struct Sender: Sendable {
    /// The web origin of its page; `nil` for a program.
    var origin: String?
    var address: String
  }

  /// The uses of a token that are not recorded yet.
  struct Uses: Sendable {
    var count: Int
    var date: Date
    var address: String
  }

  private struct State {
    var known: [Data: Known] = [:]
    var uses: [String: Uses] = [:]

    mutating func count(_ holder: Holder, at date: Date, from address: String) {
      let count = uses[holder.asking.tokenID]?.count ?? 0
      uses[holder.asking.tokenID] = Uses(count: count + 1, date: date, address: address)
    }
  }

  private struct Known {
    var holder: Holder
    var expirationDate: Date
    var readDate: Date
  }

  static let lifetime: TimeInterval = 365 * 86_400
  /// The time before a token expires in which a use renews it.
  static let renewalPeriod: TimeInterval = 90 * 86_400
  private static let knownLifetime: TimeInterval = 1
  private static let recordingInterval: TimeInterval = 60
  private static let knownLimit = 1024

  init(library: PHPhotoLibrary, clock: @escaping @Sendable () -> Date, random: RandomBytes) {
    self.library = library
    self.clock = clock
    self.random = random
  }

  /// Returns whether a client has a token that has not expired.
  func hasToken(of client: RecordedClient) throws -> Bool {
    let now = clock()
    return try library.clientTokens.all().contains { $0.client == client.id && now < $0.expirationDate }
  }

  /// Makes a token, which can't be read again. A token for a web origin works only with it.
  func make(for client: RecordedClient, origin: String?) throws -> AccessToken {
    let token = AccessToken(random)
    let now = clock()
    try library.clientTokens.insert(
      ClientToken(
        id: Secret.base64URL(random.make(12)), tokenHash: token.hash, client: client.id, start: token.start,
        origin: origin, creationDate: now, expirationDate: now + Self.lifetime))
    return token
  }

  /// Returns a token's holder if it was read within the last second, and counts the use. Throws 403
  /// for a sender of another origin, whose use does not count. Reads no disk.
  func knownHolder(of token: AccessToken, from sender: Sender) throws -> Holder? {
    let now = clock()
    return try state.withLock { state in
      guard let known = state.known[token.hash], abs(now.timeIntervalSince(known.readDate)) < Self.knownLifetime,
        now < known.expirationDate
      else { return nil }
      try known.holder.check(sender)
      state.count(known.holder, at: now, from: sender.address)
      return known.holder
    }
  }

  /// Returns the holder of a valid token, and counts the use. Throws 403 for a sender of another
  /// origin, whose use neither counts nor renews the token. Reads the disk.
  func holder(of token: AccessToken, from sender: Sender) throws -> Holder? {
    if let known = try knownHolder(of: token, from: sender) { return known }
    let now = clock()
    guard let (found, client) = try library.clientTokens.token(hash: token.hash), now < found.expirationDate else {
      return nil
    }
    let holder = Holder(asking: AskingClient(client: client.client, tokenID: found.id), origin: found.origin)
    try holder.check(sender)
    if found.expirationDate - Self.renewalPeriod <= now {
      // If it can't be recorded now, a later use renews the token.
      try? library.clientTokens.setExpirationDate(now + Self.lifetime, of: found.id)
    }
    let isDue = found.useDate.map { abs(now.timeIntervalSince($0)) >= Self.recordingInterval } ?? true
    let uses = state.withLock { state -> Uses? in
      if state.known.count >= Self.knownLimit { state.known.removeAll() }
      state.known[token.hash] = Known(holder: holder, expirationDate: found.expirationDate, readDate: now)
      state.count(holder, at: now, from: sender.address)
      return isDue ? state.uses.removeValue(forKey: found.id) : nil
    }
    if let uses {
      // A token is also valid if its use can't be recorded now.
      try? library.clientTokens.noteUses(uses.count, of: found.id, latest: uses.date, from: uses.address)
    }
    return holder
  }

  /// Returns whether a token is valid, without counting a use.
  func isValid(_ token: AccessToken) throws -> Bool {
    let now = clock()
    let known = state.withLock { $0.known[token.hash] }
    if let known, abs(now.timeIntervalSince(known.readDate)) < Self.knownLifetime { return now < known.expirationDate }
    guard let (found, _) = try library.clientTokens.token(hash: token.hash) else { return false }
    return now < found.expirationDate
  }

  /// Returns the uses of a token that are not recorded yet.
  func unrecordedUses(of id: String) -> Uses? { state.withLock { $0.uses[id] } }

  /// Revokes a token. Returns false if there is none.
  func revoke(_ id: String) throws -> Bool {
    let hasRevoked = try library.clientTokens.delete(id)
    forget { $0.tokenID == id }
    return hasRevoked
  }

  /// Reads the tokens of a client again at their next use.
  func forget(client identifier: String) { forget { $0.client.identifier == identifier } }

  private func forget(_ isGone: (AskingClient) -> Bool) {
    state.withLock { state in state.known = state.known.filter { !isGone($0.value.holder.asking) } }
  }
}
