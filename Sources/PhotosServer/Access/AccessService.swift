import Foundation
import HTTPTypes
import Photos
import Synchronization

/// Lets clients ask for access over HTTP, and lets the owner decide.
final class AccessService: Sendable {
  let library: PHPhotoLibrary
  let tokens: AccessTokens
  let events = AccessEvents()
  private let clock: @Sendable () -> Date
  private let random: RandomBytes
  private let requests = Mutex(AccessRequests())
  private let selections = Mutex(SelectionRequests())
  /// Held while an answer is recorded, so that two programs don't become one client.
  private let decisions = Mutex(())

  init(library: PHPhotoLibrary, random: RandomBytes, clock: @escaping @Sendable () -> Date) {
    self.library = library
    self.random = random
    self.clock = clock
    tokens = AccessTokens(library: library, clock: clock, random: random)
  }

  // MARK: Asking

  /// A request that was made, for its client.
  struct Receipt: Sendable {
    var id: String
    var secret: String
    var code: String
  }

  /// Counts an attempt to ask. Throws 429 if there are too many.
  func admit(origin: String?, address: String) throws {
    let network = NetworkAddress.network(of: address)
    do {
      try requests.withLock { requests throws(AccessRequests.Refusal) in
        try requests.attempt(origin: origin, address: network, at: clock())
      }
    } catch { throw Self.failure(error) }
  }

  /// Makes a request. The owner is not asked about a client that was denied before.
  func ask(_ wish: AccessRequests.Wish) throws -> Receipt {
    let secret = Secret(random)
    var state = AccessRequests.State.waiting
    let known = try knownClients()
    let client = known.client(wish.client, isProven: wish.isProven, asking: wish.level)
    if let status = known.refusal(of: wish.level, for: client) {
      state = .answered(status, tokenFor: nil)
    }
    let request = AccessRequests.Request(
      id: Secret.base64URL(random.make(12)), secretHash: secret.hash, wish: wish, date: clock())
    let number = random.make(2).reduce(0) { $0 << 8 | Int($1) }
    let code: String
    do {
      code = try requests.withLock { requests throws(AccessRequests.Refusal) in
        try requests.add(request, state, codeNumber: number)
      }
    } catch { throw Self.failure(error) }
    events.send(.requests)
    return Receipt(id: request.id, secret: secret.text, code: code)
  }

  /// The state of a request, for its client.
  struct Progress: Sendable {
    /// `nil` while the request waits.
    var status: PHAuthorizationStatus?
  }

  private func knownClients() throws -> KnownClients {
    let now = clock()
    return KnownClients(
      try library.recordedClients(),
      holders: Set(try library.clientTokens.all().filter { now < $0.expirationDate }.map(\.client)))
  }

  /// Returns the state of a request; `nil` for an unknown one. `readsClients` is false between two
  /// looks for a refusal that was made elsewhere.
  func progress(of id: String, secret: String, origin: String?, readsClients: Bool = true) throws -> Progress? {
    let polled = requests.withLock {
      $0.poll(id, secretHash: Secret.hash(of: secret[...]), origin: origin, at: clock())
    }
    guard let (request, state) = polled else { return nil }
    switch state {
    case .answered(_, let holder?) where try !isRecorded(holder):
      requests.withLock { $0.remove(id) }
      return nil
    case .answered(let status, _): return Progress(status: status)
    case .deciding: return Progress()
    case .waiting:
      return Progress(status: readsClients ? try close(request, ifRefusedAmong: knownClients()) : nil)
    }
  }

  /// Returns whether the library still has a record of a client.
  private func isRecorded(_ client: RecordedClient) throws -> Bool {
    try library.recordedClients().contains { $0.id == client.id }
  }

  /// Answers a request whose client was refused elsewhere since, as by `calotype access`. Returns
  /// the status, or `nil` if the request still waits.
  ///
  /// Access that was given elsewhere answers no request: the one who asks may be another with the
  /// same name, and the digits were not compared.
  private func close(
    _ request: AccessRequests.Request, ifRefusedAmong known: KnownClients
  ) -> PHAuthorizationStatus? {
    guard let status = known.refusal(of: request.level, for: known.client(of: request)) else { return nil }
    if requests.withLock({ $0.close(request.id, status) }) { events.send(.requests) }
    return status
  }

  /// Returns the token that belongs to the answer to a request, once; `nil` if there is none.
  func takeToken(of id: String, secret: String, origin: String?) throws -> AccessToken? {
    let taken = requests.withLock { requests -> (AccessRequests.Request, PHAuthorizationStatus, RecordedClient)? in
      guard
        let (request, state) = requests.poll(
          id, secretHash: Secret.hash(of: secret[...]), origin: origin, at: clock()),
        case .answered(let status, _) = state, let client = requests.takeToken(of: id)
      else { return nil }
      return (request, status, client)
    }
    guard let (request, status, client) = taken else { return nil }
    do { return try tokens.make(for: client, origin: request.origin) } catch {
      requests.withLock { $0.setState(.answered(status, tokenFor: client), of: id) }
      throw error
    }
  }

  // MARK: The owner's answers

  enum Answer: String, CaseIterable {
    case full, limited, denied, addOnly, restricted

    /// Whether the answer gives any access.
    var gives: Bool { self != .denied && self != .restricted }

    /// Returns the statuses that the answer to a request for a level means; `nil` if it would give
    /// what was not asked for.
    func statuses(askedFor level: PHAccessLevel) -> [PHAccessLevel: PHAuthorizationStatus]? {
      switch (self, level) {
      case (.full, .readWrite): [.readWrite: .authorized]
      case (.limited, .readWrite): [.readWrite: .limited]
      case (.addOnly, .readWrite): [.readWrite: .denied, .addOnly: .authorized]
      case (.full, .addOnly), (.addOnly, .addOnly): [.addOnly: .authorized]
      case (.limited, .addOnly): nil
      case (.denied, let level): [level: .denied]
      case (.restricted, _): [.readWrite: .restricted, .addOnly: .restricted]
      }
    }
  }

  /// Answers a request. Throws if it was answered before. `library` is that of the owner's session.
  func answer(_ id: String, _ answer: Answer, assets: [PHAsset], in library: PHPhotoLibrary) throws {
    if let client = Self.clientNumber(ofRequest: id) {
      return try answerProgram(client, request: id, answer: answer, assets: assets, in: library)
    }
    // A request whose client was refused elsewhere has its answer.
    _ = try waitingRequests()
    guard let request = try requests.withLock({ try $0.beginAnswer(id) }) else {
      throw Failure(.notFound, "there is no request \(id)")
    }
    let client: LibraryClient
    do {
      client = try decisions.withLock { _ in try decide(answer, about: request, assets: assets, in: library) }
    } catch {
      requests.withLock { $0.setState(.waiting, of: id) }
      throw error
    }
    noteChange(ofClient: client)
  }

  /// Records an answer to a request. Returns the client that it is about.
  private func decide(
    _ answer: Answer, about request: AccessRequests.Request, assets: [PHAsset], in library: PHPhotoLibrary
  ) throws -> LibraryClient {
    let client = try knownClients().client(of: request)
    let known = try library.recordedClient(client)
    var statuses = try Self.statuses(answer, askedFor: request.level)
    // The token would be for all that the client may do, and the one who asks may be another.
    if statuses[.addOnly] == .authorized, let known, known.has(.readWrite) {
      throw Failure(
        .unprocessableContent,
        "answer: “\(known.client.name)” may see the library already; refuse this request, or change its access first")
    }
    let refusal = answer.gives ? nil : statuses[request.level] ?? .denied
    // The one who asks may be another page of the origin. Refusing it takes nothing from the
    // client.
    if !answer.gives, let known { statuses = statuses.filter { !known.has($0.key) } }
    guard !statuses.isEmpty else {
      requests.withLock { $0.setState(.answered(refusal ?? .denied, tokenFor: nil), of: request.id) }
      return client
    }
    let decided = try library.decide(
      ClientDecision(
        statuses, selection: answer == .limited ? assets : nil,
        request: .init(level: request.level, usageDescription: request.usageDescription, date: request.date)),
      about: client)
    // A refusal gives nothing, even to one who uses the name of a client with access.
    let holder = answer.gives && decided.hasAccess ? decided : nil
    requests.withLock {
      $0.setState(.answered(refusal ?? decided.status(for: request.level), tokenFor: holder), of: request.id)
    }
    return client
  }

  /// Answers the request of a program on this machine, which the library has recorded.
  private func answerProgram(
    _ number: Int64, request id: String, answer: Answer, assets: [PHAsset], in library: PHPhotoLibrary
  ) throws {
    let client = try client(number)
    guard let level = client.waitingLevel else { throw Self.answeredBefore(id) }
    let decision = ClientDecision(
      try Self.statuses(answer, askedFor: level), selection: answer == .limited ? assets : nil, expectedLevel: level)
    do { try library.decide(decision, about: client.client) } catch is ClientDecision.IsDecided {
      // Another page, or a command, was faster.
      throw Self.answeredBefore(id)
    }
    noteChange(ofClient: client.client)
  }

  private static func answeredBefore(_ id: String) -> Failure {
    Failure(.conflict, "the request \(id) was answered before")
  }

  private static func statuses(
    _ answer: Answer, askedFor level: PHAccessLevel
  ) throws -> [PHAccessLevel: PHAuthorizationStatus] {
    guard let statuses = answer.statuses(askedFor: level) else {
      throw Failure(.unprocessableContent, "answer: access that only adds can't be limited")
    }
    return statuses
  }

  // MARK: The list of clients

  /// Returns the client with a number, or throws 404.
  func client(_ number: Int64?) throws -> RecordedClient {
    guard let number, let client = try library.recordedClients().first(where: { $0.id == number }) else {
      throw Failure(.notFound, "there is no such client")
    }
    return client
  }

  func change(_ client: RecordedClient, _ statuses: [PHAccessLevel: PHAuthorizationStatus]) throws -> RecordedClient {
    let changed = try library.decide(ClientDecision(statuses), about: client.client)
    noteChange(ofClient: client.client)
    return changed
  }

  /// Replaces what a limited client sees, as far as the owner's session sees it. Returns the assets
  /// that were added.
  func select(_ assets: [PHAsset], for client: RecordedClient, in library: PHPhotoLibrary) throws -> [PHAsset] {
    let added = try library.setSelection(assets, of: client.client)
    _ = selections.withLock { $0.finish(ofClient: client.client.identifier, added: added.map(\.uuid)) }
    noteChange(ofClient: client.client)
    return added
  }

  func forget(_ client: RecordedClient) throws {
    try library.forget(client.client)
    noteChange(ofClient: client.client)
  }

  /// Makes a key for a script. All keys of a name belong to one script and share its rights. So if
  /// the script has a valid key, throws 422 for a key with other rights.
  func makeKey(
    named name: String, _ level: PHAccessLevel, limitedTo assets: [PHAsset]?, in library: PHPhotoLibrary
  ) throws -> (token: AccessToken, client: RecordedClient) {
    let script = LibraryClient(identifier: ClientKind.script.prefix + name, name: name)
    let statuses: [PHAccessLevel: PHAuthorizationStatus] =
      switch level {
      case .addOnly: [.readWrite: .denied, .addOnly: .authorized]
      case .readWrite: [.readWrite: assets == nil ? .authorized : .limited]
      }
    if let known = try library.recordedClient(script), try tokens.hasToken(of: known) {
      let hasSameSelection = try assets.map { assets in
        let selection = try library.selectedAssets(for: script)
        return Set(assets.map(\.uuid)) == Set((0..<selection.count).map { selection.object(at: $0).uuid })
      }
      guard statuses.allSatisfy({ known.status(for: $0.key) == $0.value }), hasSameSelection != false else {
        throw Failure(
          .unprocessableContent,
          "name: a key “\(name)” with other rights exists; choose another name, or forget that script first")
      }
    }
    let client = try library.decide(ClientDecision(statuses, selection: assets), about: script)
    defer { noteChange(ofClient: script) }
    return (try tokens.make(for: client, origin: nil), client)
  }

  func revoke(token id: String) throws -> Bool {
    let hasRevoked = try tokens.revoke(id)
    events.send(.requests)
    if hasRevoked { events.send(.ending) }
    return hasRevoked
  }

  /// The requests that wait for the owner: those of clients over HTTP, and those of programs.
  func waitingRequests() throws -> [AccessAnswer.Request] {
    let clients = try library.recordedClients()
    let known = try knownClients()
    let programs = clients.filter { $0.waitingLevel != nil }.compactMap(AccessAnswer.Request.init)
    let waiting = requests.withLock { $0.waiting(at: clock()) }
    return waiting.filter { close($0, ifRefusedAmong: known) == nil }.map {
      AccessAnswer.Request($0, client: known.client(of: $0))
    } + programs
  }

  // MARK: Managing the selection

  /// Asks the owner to change what a limited client sees. Returns `nil` if the client is not
  /// limited. Throws 429 if the client has asked too often.
  func askForSelection(_ client: LibraryClient) throws -> String? {
    guard try isLimited(client) else { return nil }
    do {
      try selections.withLock { selections throws(SenderAttempts.Refusal) in
        try selections.attempt(client, at: clock())
      }
    } catch { throw Self.failure(error, for: "another selection") }
    let request = SelectionRequests.Request(id: Secret.base64URL(random.make(12)), client: client, date: clock())
    defer { events.send(.requests) }
    return selections.withLock { $0.add(request) }
  }

  /// Returns the state of a client's request. If `readsClient` is true, also reads the client's
  /// access from the library, since another process may have changed it (`calotype access`).
  func selection(
    _ id: String, of client: LibraryClient, readsClient: Bool = true
  ) throws -> SelectionRequests.State {
    let state = selections.withLock { $0.poll(id, of: client, at: clock()) }
    guard case .waiting = state, readsClient, try !isLimited(client) else { return state }
    endSelections(of: client)
    return selections.withLock { $0.poll(id, of: client, at: clock()) }
  }

  /// Returns the requests that wait for the owner. Ends requests of clients that are no longer
  /// limited.
  func waitingSelections() throws -> [SelectionRequests.Request] {
    try selections.withLock { $0.waiting(at: clock()) }.filter { request in
      if try isLimited(request.client) { return true }
      endSelections(of: request.client)
      return false
    }
  }

  private func isLimited(_ client: LibraryClient) throws -> Bool {
    try library.recordedClient(client)?.readWrite == .limited
  }

  /// Answers the requests of a client that is not limited any more: there is nothing to select.
  private func endSelections(of client: LibraryClient) {
    let hasEnded = selections.withLock { $0.finish(ofClient: client.identifier, added: []) }
    if hasEnded { events.send(.requests) }
  }

  func cancelSelection(_ id: String) throws {
    guard selections.withLock({ $0.cancel(id) }) else {
      throw Failure(.notFound, "no request \(id) for another selection is waiting")
    }
    events.send(.requests)
  }

  // MARK: -

  private func noteChange(ofClient client: LibraryClient) {
    tokens.forget(client: client.identifier)
    // If the client can't be read now, its next poll ends its requests.
    if (try? isLimited(client)) == false { endSelections(of: client) }
    events.send(.requests)
    events.send(.client(client.identifier))
  }

  private static func failure(_ refusal: SenderAttempts.Refusal, for wish: String = "access") -> Failure {
    switch refusal {
    case .tooMany(let seconds):
      Failure(
        .tooManyRequests, "too many requests for \(wish); ask again in \(seconds) seconds",
        [.retryAfter: String(seconds)])
    }
  }

  /// Returns the number of the program in the identifier of its request.
  private static func clientNumber(ofRequest id: String) -> Int64? {
    id.hasPrefix(AccessAnswer.Request.programPrefix)
      ? Int64(id.dropFirst(AccessAnswer.Request.programPrefix.count)) : nil
  }
}

extension RecordedClient {
  func status(for level: PHAccessLevel) -> PHAuthorizationStatus { level == .readWrite ? readWrite : addOnly }

  /// Returns the status that refuses a level; `nil` if nothing refuses it.
  func refusal(of level: PHAccessLevel) -> PHAuthorizationStatus? {
    [.denied, .restricted].contains(status(for: level)) ? status(for: level) : nil
  }

  /// Whether the client may do anything.
  var hasAccess: Bool { has(.readWrite) || has(.addOnly) }

  func has(_ level: PHAccessLevel) -> Bool { [.authorized, .limited].contains(status(for: level)) }
}

/// The kinds of clients. The prefix of an identifier names its kind.
enum ClientKind: String, CaseIterable {
  case origin, program, script

  /// The beginning of the identifiers of this kind.
  var prefix: String {
    switch self {
    case .origin: ""
    case .program: "remote:"
    case .script: "key:"
    }
  }

  init(_ client: LibraryClient) {
    let identifier = client.identifier
    self =
      WebOrigin.isValid(identifier) ? .origin : identifier.hasPrefix(ClientKind.script.prefix) ? .script : .program
  }
}
