import Foundation
internal import LibraryStore

extension PHPhotoLibrary {
  /// The people who may sign in at the library's server, and their sessions. A client's library has
  /// none.
  package var signIns: SignIns {
    get throws { try asOwner { SignIns(records: $0.signIn) } }
  }
}

/// The people who may sign in at a library's server, their sessions and codes, and their failed
/// attempts.
///
/// Secrets come as their SHA-256. The server makes them, and chooses the lifetimes.
package struct SignIns: Sendable {
  let records: SignInRecords

  private func run<Value>(_ work: (SignInRecords) throws -> Value) throws -> Value {
    try withPhotosErrors { try work(records) }
  }

  // MARK: The owner

  /// A person who may sign in.
  package struct Person: Sendable {
    package let id: Int64
    /// `nil` if the person can't sign in by password.
    package let passwordHash: String?
  }

  package func owner() throws -> Person {
    let owner = try run { try $0.owner() }
    return Person(id: owner.id, passwordHash: owner.passwordHash)
  }

  /// Replaces a person's password. `nil` removes it. Returns `false`, and changes nothing, if the
  /// stored password is no longer `former`: somebody may have set or reset it meanwhile.
  package func setPasswordHash(_ hash: String?, of person: Int64, replacing former: String?) throws -> Bool {
    try run { try $0.setPasswordHash(hash, of: person, replacing: former) }
  }

  /// Removes a person's password, ends all sessions of the person and all secrets that sign in, and
  /// forgets all known browsers, and all sites that have picked.
  package func resetPassword(of person: Int64) throws { try run { try $0.resetPassword(of: person) } }

  /// Renames the file about signing in if it is damaged. Returns the new path; `nil` if the file is
  /// whole.
  package func setAsideDamagedFile() throws -> String? { try run { try $0.setAsideDamagedFile() } }

  // MARK: Failures

  /// The failed sign-ins from one address.
  package struct Failures: Sendable {
    package let address: String
    package let count: Int
    package let latestDate: Date
  }

  package func noteFailure(from address: String, at date: Date) throws {
    try run { try $0.noteFailure(from: address, at: date) }
  }

  /// Returns the failed sign-ins since a date, by address, the latest first.
  package func failures(since date: Date) throws -> [Failures] {
    try run { try $0.failures(since: date) }
      .map { Failures(address: $0.address, count: $0.count, latestDate: $0.latestDate) }
  }

  // MARK: Codes

  /// Adds a link that signs one browser in as the owner.
  package func addOwnerLink(_ hash: Data, expiringAt expiration: Date, now: Date) throws {
    try run { try $0.addCode(hash, for: .ownerLink, expiringAt: expiration, now: now) }
  }

  /// Uses a link up. Returns false if there is none, or if it has expired.
  package func useOwnerLink(_ hash: Data, now: Date) throws -> Bool {
    try run { try $0.useCode(hash, for: .ownerLink, now: now) }
  }

  /// Adds the code that allows setting the first password. It replaces the one before, and does not
  /// expire.
  package func addSetUpCode(_ hash: Data, now: Date) throws {
    try run { try $0.addCode(hash, for: .setUp, expiringAt: .distantFuture, now: now) }
  }

  /// Uses the set-up code up. Returns false if it is another one.
  package func useSetUpCode(_ hash: Data, now: Date) throws -> Bool {
    try run { try $0.useCode(hash, for: .setUp, now: now) }
  }

  package func hasSetUpCode(_ hash: Data, now: Date) throws -> Bool {
    try run { try $0.hasCode(hash, for: .setUp, now: now) }
  }

  /// Returns whether there is any set-up code.
  package func hasSetUpCode(now: Date) throws -> Bool { try run { try $0.hasCode(for: .setUp, now: now) } }

  // MARK: Browsers and sites

  /// Returns the key that signs the cookies of known browsers; `nil` if there is none yet.
  package func deviceKey() throws -> Data? { try run { try $0.deviceKey() } }

  /// Returns the key that signs the cookies of known browsers. Stores `newKey` if there is none.
  package func deviceKey(orElse newKey: @autoclosure () -> Data) throws -> Data {
    try run { try $0.deviceKey(orElse: newKey()) }
  }

  /// Returns the salt of an origin's identifiers; `nil` if the origin was never forgotten.
  package func identifierSalt(ofOrigin hash: Data) throws -> Data? { try run { try $0.identifierSalt(ofOrigin: hash) } }

  /// Adds an origin that gets identifiers to the list.
  package func addPickerOrigin(_ origin: String, _ hash: Data) throws {
    try run { try $0.addPickerOrigin(origin, hash) }
  }

  /// Returns the origins that have identifiers, in alphabetical order.
  package func pickerOrigins() throws -> [String] { try run { try $0.pickerOrigins() } }

  /// Forgets an origin. Its identifiers are made with another salt from now on.
  package func forgetPickerOrigin(_ hash: Data, salt: Data) throws {
    try run { try $0.forgetPickerOrigin(hash, salt: salt) }
  }
}

// MARK: Sessions

extension SignIns {
  package func insert(_ session: BrowserSession) throws { try run { try $0.insert(session.record) } }

  /// Replaces the session that has a token by one with the same name. Returns false if it has
  /// ended, or has another token by now.
  package func replaceSession(ofTokenHash old: Data, with session: BrowserSession) throws -> Bool {
    try run { try $0.replaceSession(ofTokenHash: old, with: session.record) }
  }

  /// Returns the owner's session with a name.
  package func session(_ id: String) throws -> BrowserSession? {
    try run { try $0.session(id).map(BrowserSession.init) }
  }

  /// Returns the owner's session whose token has this SHA-256.
  package func session(tokenHash: Data) throws -> BrowserSession? {
    try run { try $0.session(tokenHash: tokenHash).map(BrowserSession.init) }
  }

  /// Returns a person's sessions, the one that was seen last first.
  package func sessions(of person: Int64) throws -> [BrowserSession] {
    try run { try $0.sessions(of: person).map(BrowserSession.init) }
  }

  /// Records when and from where a session was seen last. Does nothing if the session has ended.
  package func setSeen(_ date: Date, from address: String, session id: String) throws {
    try run { try $0.setSeen(date, from: address, session: id) }
  }

  /// Ends a session of a person. Returns false if the person has no such session.
  package func deleteSession(_ id: String, of person: Int64) throws -> Bool {
    try run { try $0.deleteSession(id, of: person) }
  }

  /// Ends all sessions of a person but one.
  package func deleteSessions(of person: Int64, except id: String) throws {
    try run { try $0.deleteSessions(of: person, except: id) }
  }
}
