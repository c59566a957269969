import Foundation
import Photos
import Synchronization

/// Signs browsers in and out: by an owner link, by a password, or with the set-up code.
final class SignInService: Sendable {
  let library: PHPhotoLibrary
  let sessions: Sessions
  let site: SiteAddress
  private let random: RandomBytes
  private let clock: @Sendable () -> Date
  private let parameters: PasswordHash.Parameters
  private let limiter = Mutex(SignInLimiter())
  private let work: PasswordWork
  /// Checked in place of a password that isn't set, so that the answer takes as long.
  private let noPassword: PasswordHash

  /// The new session of a browser.
  struct Entry: Sendable {
    var token: Secret
    var session: BrowserSession
    /// The token by which the browser is known from now on.
    var deviceToken: String
  }

  init(
    library: PHPhotoLibrary, site: SiteAddress, random: RandomBytes = .system,
    clock: @escaping @Sendable () -> Date = { Date() }, parameters: PasswordHash.Parameters = .standard,
    work: PasswordWork = PasswordWork(), didEndSession: @escaping @Sendable () -> Void = {},
    didSignOutEverywhere: @escaping @Sendable () -> Void = {}
  ) {
    self.library = library
    self.site = site
    self.random = random
    self.clock = clock
    self.parameters = parameters
    self.work = work
    sessions = Sessions(
      library: library, clock: clock, random: random, didEndSession: didEndSession,
      didSignOutEverywhere: didSignOutEverywhere)
    noPassword = PasswordHash(ofNothing: random, parameters)
  }

  // MARK: Owner links

  /// Makes a link that signs one browser in as the library's owner.
  func makeOwnerLink() throws -> URL {
    let secret = Secret(random)
    let now = clock()
    try library.signIns.addOwnerLink(secret.hash, expiringAt: now + SessionRules.linkLifetime, now: now)
    return site.url(path: "start", fragment: secret.text)
  }

  /// Returns whether an address has the form of an owner link, of whatever server.
  static func isOwnerLink(_ url: URL) -> Bool {
    url.absoluteString.wholeMatch(of: /https?:\/\/[^\/?#@]+\/start#[A-Za-z0-9_-]{43}/) != nil
  }

  func signIn(link: String, in client: SignInClient) throws -> Entry {
    let signIns = try library.signIns
    guard try signIns.useOwnerLink(Secret.hash(of: link[...]), now: clock()) else {
      throw SignInError.wrongLink
    }
    // A person at the machine of the library is not guessing.
    let sender = try self.sender(client)
    limiter.withLock { $0.succeeded(sender) }
    return try enter(signIns.owner().id, kind: site.isEncrypted ? .ownBrowser : .unencrypted, in: client)
  }

  // MARK: Passwords

  /// Returns whether anybody can sign in by password.
  func hasPassword() throws -> Bool { try library.signIns.owner().passwordHash != nil }

  func signIn(password: String, isSharedComputer: Bool, in client: SignInClient) async throws -> Entry {
    let owner = try await Blocking.run { [library] in try library.signIns.owner() }
    try await check(password, client)
    return try await Blocking.run { [self] in
      try enter(owner.id, kind: kind(isSharedComputer: isSharedComputer), in: client)
    }
  }

  /// Confirms a session by the password. The browser gets a new token, and its transfers go on.
  func authenticate(_ session: BrowserSession, password: String, in client: SignInClient) async throws -> Entry {
    try await check(password, client)
    return try await Blocking.run { [self] in try enter(session.person, kind: session.kind, in: client) }
  }

  /// Throws unless the password is the owner's. Attempts are limited as those to sign in.
  func verify(_ password: String, in client: SignInClient) async throws { try await check(password, client) }

  func isRecentlyAuthenticated(_ session: BrowserSession) -> Bool {
    SessionRules.isRecentlyAuthenticated(session, at: clock())
  }

  /// Throws unless the session gave the password or used an owner link recently.
  func requireRecentAuthentication(of session: BrowserSession) async throws {
    guard !isRecentlyAuthenticated(session) else { return }
    let hasPassword = try await Blocking.run { [self] in try self.hasPassword() }
    throw SignInError.notRecentlyAuthenticated(hasPassword: hasPassword)
  }

  /// Replaces the password of the owner, or sets the first one.
  ///
  /// The current password is needed if there is one. Otherwise the session has to be a recent one.
  func setPassword(
    _ new: String, current: String?, endsOtherSessions: Bool, by session: BrowserSession, in client: SignInClient
  ) async throws -> Entry {
    try checkRules(of: new)
    let former: String?
    if try await Blocking.run({ [self] in try hasPassword() }) {
      former = try await check(current ?? "", client)
    } else {
      try await requireRecentAuthentication(of: session)
      former = nil
    }
    let hash = try await hash(new)
    return try await Blocking.run { [self] in
      guard try library.signIns.setPasswordHash(hash.text, of: session.person, replacing: former) else {
        throw SignInError.wrongPassword
      }
      let entry = try enter(session.person, kind: session.kind, in: client, keepsSession: false)
      if endsOtherSessions { try sessions.endOthers(than: entry.session) }
      return entry
    }
  }

  // MARK: Set-up

  /// Makes the code that allows setting the first password from another machine. It replaces the
  /// one before.
  func makeSetUpCode() throws -> SetUpCode {
    let code = SetUpCode(random)
    try library.signIns.addSetUpCode(SetUpCode.hash(of: code.text), now: clock())
    return code
  }

  /// Returns whether a set-up code can be used. A reset of the password ends the code.
  func hasSetUpCode() throws -> Bool { try library.signIns.hasSetUpCode(now: clock()) }

  /// Sets the first password, and signs in. Uses the code up.
  func setUp(code: String, password: String, in client: SignInClient) async throws -> Entry {
    let sender = try await Blocking.run { [self] in try self.sender(client) }
    try admit(sender)
    let codeHash = SetUpCode.hash(of: code)
    let isRight = try await Blocking.run { [self] in
      try !hasPassword() && library.signIns.hasSetUpCode(codeHash, now: clock())
    }
    guard isRight else {
      await noteFailure(client)
      throw SignInError.wrongSetUpCode
    }
    try checkRules(of: password)
    let hash = try await hash(password)
    return try await Blocking.run { [self] in
      let signIns = try library.signIns
      // Another browser may have set a password meanwhile.
      guard try !hasPassword(), try signIns.useSetUpCode(codeHash, now: clock()) else {
        throw SignInError.wrongSetUpCode
      }
      limiter.withLock { $0.succeeded(sender) }
      let owner = try signIns.owner()
      guard try signIns.setPasswordHash(hash.text, of: owner.id, replacing: nil) else {
        throw SignInError.wrongSetUpCode
      }
      return try enter(owner.id, kind: kind(isSharedComputer: false), in: client)
    }
  }

  /// Returns the failed sign-ins of the last day.
  func recentFailures() throws -> [SignIns.Failures] { try library.signIns.failures(since: clock() - 86_400) }

  // MARK: Steps

  /// Renews the person's session that the browser has, or begins one in its place.
  private func enter(
    _ person: Int64, kind: BrowserSession.Kind, in client: SignInClient, keepsSession: Bool = true
  ) throws -> Entry {
    let renewed = keepsSession ? try sessions.renew(of: person, kind, in: client) : nil
    let (token, session) =
      try renewed ?? sessions.begin(of: person, kind, in: client, replacing: client.token?[...])
    let device = try knownDevice(client) ?? Secret.base64URL(random.make(16))
    return Entry(token: token, session: session, deviceToken: try deviceToken().text(for: device))
  }

  private func sender(_ client: SignInClient) throws -> SignInLimiter.Sender {
    let device = try knownDevice(client)
    return device.map(SignInLimiter.Sender.device) ?? .address(NetworkAddress.network(of: client.address))
  }

  /// Returns the name of a browser that has signed in before; `nil` for an unknown one.
  private func knownDevice(_ client: SignInClient) throws -> String? {
    try client.deviceToken.flatMap { try deviceToken().name(in: $0[...]) }
  }

  private func deviceToken() throws -> DeviceToken {
    DeviceToken(key: try library.signIns.deviceKey(orElse: Data(random.make(32))))
  }

  private func kind(isSharedComputer: Bool) -> BrowserSession.Kind {
    guard site.isEncrypted else { return .unencrypted }
    return isSharedComputer ? .sharedComputer : .ownBrowser
  }

  /// Returns the stored hash of the password. Throws unless the password is the owner's. The answer
  /// and its time are the same if no password is set.
  @discardableResult
  private func check(_ password: String, _ client: SignInClient) async throws -> String {
    let sender = try await Blocking.run { [self] in try self.sender(client) }
    try admit(sender)
    let owner = try await Blocking.run { [library] in try library.signIns.owner() }
    let stored = owner.passwordHash.flatMap(PasswordHash.init(text:))
    let isRight = try await work.run { [noPassword] in
      // A longer one can't be the password, and is not hashed for as long as its sender likes.
      let given = password.utf8.count <= PasswordRules.longestByteCount ? password : ""
      return try (stored ?? noPassword).matches(given) && stored != nil && !given.isEmpty
    }
    guard isRight, let stored, let former = owner.passwordHash else {
      await noteFailure(client)
      throw SignInError.wrongPassword
    }
    limiter.withLock { $0.succeeded(sender) }
    // The password stays valid if it can't be hashed again now.
    guard stored.parameters != parameters, let hash = try? await hash(password) else { return former }
    let isReplaced = try? await Blocking.run { [library] in
      try library.signIns.setPasswordHash(hash.text, of: owner.id, replacing: former)
    }
    guard let isReplaced else { return former }
    // Another password was set, or the password was reset, while this one was hashed.
    guard isReplaced else { throw SignInError.wrongPassword }
    return hash.text
  }

  private func admit(_ sender: SignInLimiter.Sender) throws {
    switch limiter.withLock({ $0.attempt(by: sender, at: clock()) }) {
    case .allowed: break
    case .refused(let seconds): throw SignInError.tooManyAttempts(seconds: seconds)
    case .closed: throw SignInError.tooManyFailures
    }
  }

  private func noteFailure(_ client: SignInClient) async {
    // A failure that can't be recorded is answered all the same.
    try? await Blocking.run { [self] in try library.signIns.noteFailure(from: client.address, at: clock()) }
  }

  private func hash(_ password: String) async throws -> PasswordHash {
    let salt = Data(random.make(PasswordHash.saltByteCount))
    return try await work.run { [parameters] in try PasswordHash(of: password, salt: salt, parameters) }
  }

  private func checkRules(of password: String) throws {
    let name = library.url.deletingPathExtension().lastPathComponent
    if let problem = PasswordRules(ownWords: [name, NSUserName()]).problem(of: password) {
      throw SignInError.refusedPassword(problem)
    }
  }
}
