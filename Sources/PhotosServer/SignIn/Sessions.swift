import Foundation
import Photos
import Synchronization

/// The sessions of signed-in browsers.
///
/// Sessions are stored in a file of this account. What was read is used for a second, so that it is
/// not asked for each request. A session that another process ends is therefore used for up to a
/// second more.
final class Sessions: Sendable {
  private let library: PHPhotoLibrary
  private let clock: @Sendable () -> Date
  private let random: RandomBytes
  /// Called when a session was ended before its time.
  private let didEndSession: @Sendable () -> Void
  /// Called when all sessions of a person but one were ended.
  private let didSignOutEverywhere: @Sendable () -> Void
  private let known = Mutex<[Data: Known]>([:])

  private struct Known {
    var session: BrowserSession
    var readDate: Date
  }

  private static let lifetime: TimeInterval = 1
  private static let knownLimit = 1024

  init(
    library: PHPhotoLibrary, clock: @escaping @Sendable () -> Date, random: RandomBytes,
    didEndSession: @escaping @Sendable () -> Void = {},
    didSignOutEverywhere: @escaping @Sendable () -> Void = {}
  ) {
    self.didEndSession = didEndSession
    self.didSignOutEverywhere = didSignOutEverywhere
    self.library = library
    self.clock = clock
    self.random = random
  }

  /// Returns the session of a token if it was read within the last second. Reads no disk. `nil` for
  /// a use that has to be recorded.
  func knownSession(token: Substring, isUse: Bool = true) -> BrowserSession? {
    let now = clock()
    let known = known.withLock { $0[Secret.hash(of: token)] }
    guard let known, abs(now.timeIntervalSince(known.readDate)) < Self.lifetime,
      SessionRules.isValid(known.session, at: now), !isUse || !Self.isDue(known.session, now)
    else { return nil }
    return known.session
  }

  /// Returns whether a use of a session has to be recorded.
  private static func isDue(_ session: BrowserSession, _ now: Date) -> Bool {
    abs(now.timeIntervalSince(session.seenDate)) >= SessionRules.seenInterval
  }

  /// Returns the valid session of a token, and records that it is in use. Reads the disk.
  func session(token: Substring, from address: String, isUse: Bool = true) throws -> BrowserSession? {
    if let session = knownSession(token: token, isUse: isUse) { return session }
    let now = clock()
    let signIns = try library.signIns
    guard var session = try signIns.session(tokenHash: Secret.hash(of: token)) else { return nil }
    // The clock may be wrong. So a session that it refuses is not removed.
    guard SessionRules.isValid(session, at: now) else { return nil }
    if isUse, Self.isDue(session, now) {
      // A session is also valid if its use can't be recorded now.
      try? signIns.setSeen(now, from: address, session: session.id)
      session.setSeen(now, from: address)
    }
    remember(session, now)
    return session
  }

  /// Begins a session, and ends the one that the browser had before.
  func begin(
    of person: Int64, _ kind: BrowserSession.Kind, in client: SignInClient, replacing token: Substring?
  ) throws -> (token: Secret, session: BrowserSession) {
    let (secret, session) = make(Secret.base64URL(random.make(12)), of: person, kind, in: client)
    let signIns = try library.signIns
    try signIns.insert(session)
    if let token, let old = try signIns.session(tokenHash: Secret.hash(of: token)) {
      try end(old.id, of: old.person)
    }
    remember(session, clock())
    return (secret, session)
  }

  /// Gives a person's session in a browser a new token and a new beginning. Its transfers go on.
  /// Returns `nil` if the browser has no such session.
  func renew(
    of person: Int64, _ kind: BrowserSession.Kind, in client: SignInClient
  ) throws -> (token: Secret, session: BrowserSession)? {
    let signIns = try library.signIns
    guard let token = client.token, let old = try signIns.session(tokenHash: Secret.hash(of: token[...])),
      old.person == person, SessionRules.isValid(old, at: clock())
    else { return nil }
    let (secret, session) = make(old.id, of: person, kind, in: client)
    guard try signIns.replaceSession(ofTokenHash: old.tokenHash, with: session) else { return nil }
    forget { $0.id == session.id }
    remember(session, clock())
    return (secret, session)
  }

  private func make(
    _ id: String, of person: Int64, _ kind: BrowserSession.Kind, in client: SignInClient
  ) -> (token: Secret, session: BrowserSession) {
    let secret = Secret(random)
    return (
      secret,
      BrowserSession(
        id: id, tokenHash: secret.hash, person: person, kind: kind, date: clock(), address: client.address,
        device: client.device)
    )
  }

  /// Returns whether a session goes on. Its token may have been replaced meanwhile. Reads the disk
  /// once a second at most, and does not count as use of the session.
  func isValid(_ session: BrowserSession) throws -> Bool {
    let now = clock()
    let known = known.withLock { known in
      known.values.first { $0.session.id == session.id && abs(now.timeIntervalSince($0.readDate)) < Self.lifetime }
    }
    if let known { return SessionRules.isValid(known.session, at: now) }
    guard let present = try library.signIns.session(session.id) else { return false }
    remember(present, now)
    return SessionRules.isValid(present, at: now)
  }

  /// Returns a person's valid sessions, the one that was seen last first.
  func all(of person: Int64) throws -> [BrowserSession] {
    let now = clock()
    return try library.signIns.sessions(of: person).filter { SessionRules.isValid($0, at: now) }
  }

  /// Ends a session of a person. Returns false if there is none.
  @discardableResult
  func end(_ id: String, of person: Int64) throws -> Bool {
    let hasEnded = try library.signIns.deleteSession(id, of: person)
    forget { $0.id == id && $0.person == person }
    if hasEnded { didEndSession() }
    return hasEnded
  }

  /// Ends all sessions of a person but one.
  func endOthers(than session: BrowserSession) throws {
    try library.signIns.deleteSessions(of: session.person, except: session.id)
    forget { $0.person == session.person && $0.id != session.id }
    didEndSession()
    didSignOutEverywhere()
  }

  private func remember(_ session: BrowserSession, _ now: Date) {
    known.withLock { known in
      if known.count >= Self.knownLimit { known.removeAll() }
      known[session.tokenHash] = Known(session: session, readDate: now)
    }
  }

  private func forget(_ isEnded: (BrowserSession) -> Bool) {
    known.withLock { known in known = known.filter { !isEnded($0.value.session) } }
  }
}
