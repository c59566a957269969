import Foundation
internal import LibraryStore
import Synchronization

extension PHPhotoLibrary {
  // MARK: Extensions of PhotoKit's API

  /// Returns the access of this library's client. The owner may do everything. If the library can't
  /// be read, the status is `notDetermined`.
  public func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
    engine.damage.optional("the access of a client could not be read") {
      try readAuthorizationStatus(for: accessLevel)
    } ?? .notDetermined
  }

  /// Returns the access of this library's client. Throws if the library can't be read.
  package func readAuthorizationStatus(for accessLevel: PHAccessLevel) throws -> PHAuthorizationStatus {
    try withPhotosErrors { try grant().status(for: accessLevel) }
  }

  /// Asks on behalf of this library's client, like the class method of this name.
  public func requestAuthorization(for accessLevel: PHAccessLevel) async -> PHAuthorizationStatus {
    await withCheckedContinuation { continuation in
      requestAuthorization(for: accessLevel) { continuation.resume(returning: $0) }
    }
  }

  public func requestAuthorization(
    for accessLevel: PHAccessLevel, handler: @escaping (PHAuthorizationStatus) -> Void
  ) {
    let call = AuthorizationCall(handler: handler)
    if authorizationStatus(for: accessLevel) == .notDetermined,
      let problem = missingUsageDescription(for: accessLevel)
    {
      fatalError(problem)
    }
    request(accessLevel) { [self] outcome in
      whenOwnerHasAnswered(accessLevel, outcome.status) { [self] status in
        WorkQueue.requests.add(.seen) { [self] in asShared { call.handler(status) } }
      }
    }
  }

  /// The object that answers the requests of this library's client. Libraries that
  /// `photoLibrary(for:)` returns use the same one.
  ///
  /// By default `$CALOTYPE_AUTHORIZATION` answers (`authorized`, `limited`, `denied`, `restricted`
  /// or `addOnly`). Without that variable, a person at the terminal is asked. Without a terminal,
  /// this answerer leaves requests unanswered, and the owner can answer those with a usage
  /// description in the web app.
  public var authorizationAnswerer: any AuthorizationAnswerer {
    get { authorization.state.withLock(\.answerer) }
    set { authorization.state.withLock { $0.answerer = newValue } }
  }

  /// The reason that the latest request was not answered, and its remedy; `nil` if it was answered.
  public var authorizationProblem: String? { authorization.state.withLock(\.problem) }

  // MARK: Asking

  /// Returns the client's statuses. The owner has none recorded and may do everything.
  func grant() throws -> ClientGrant {
    guard let client else { return ClientGrant(readWrite: .authorized, addOnly: .authorized) }
    return grant(try engine.available().client(identifier: client.identifier))
  }

  /// Returns a message about the missing usage description that a person has to see;
  /// `nil` if there is one or no person will be asked.
  func missingUsageDescription(for level: PHAccessLevel) -> String? {
    guard authorizationAnswerer.asksPerson, usageDescription(for: level) == nil else { return nil }
    let property = level == .readWrite ? "usageDescription" : "addUsageDescription"
    let remedy =
      client?.identifier == LibraryClient.current.identifier
      ? "put \(level.usageDescriptionKey) into \(LibraryClient.infoPlistURL.path), or assign LibraryClient.current.\(property)"
      : "give its LibraryClient a \(property)"
    return """
      \(clientName) has to say why it wants access to photos: \(remedy); \
      \(StandardAnswerer.variable)=\(EnvironmentAnswer.values) answers without asking a person
      """
  }

  /// Returns the client's reason for wanting a level. An assignment to `LibraryClient.current`
  /// counts even if it came after the library was opened.
  func usageDescription(for level: PHAccessLevel) -> String? {
    guard let client else { return nil }
    let current = LibraryClient.current
    let own = client.usageDescription(for: level)
    return own ?? (current.identifier == client.identifier ? current.usageDescription(for: level) : nil)
  }

  /// Asks, and blocks until the answer arrives: for the change queue, and for a fetch if no person
  /// is asked.
  func waitForAuthorization(for level: PHAccessLevel) -> PHAuthorizationStatus {
    let status = Mutex(PHAuthorizationStatus.notDetermined)
    let answered = DispatchSemaphore(value: 0)
    request(level) { outcome in
      status.withLock { $0 = outcome.status }
      answered.signal()
    }
    answered.wait()
    return status.withLock { $0 }
  }

  /// Asks if the status is `notDetermined`. Calls the handler once, on any thread.
  private func request(
    _ level: PHAccessLevel, _ handler: @escaping @Sendable (AuthorizationQuestions.Outcome) -> Void
  ) {
    guard let client, authorizationStatus(for: level) == .notDetermined else {
      return handler(.init(status: authorizationStatus(for: level)))
    }
    let key = AuthorizationQuestions.Key(client: client.identifier, level: level)
    let isFirst = engine.questions.join(key) { [authorization] outcome in
      authorization.state.withLock { $0.problem = outcome.problem }
      handler(outcome)
    }
    guard isFirst else { return }
    // Another caller's question may have been answered since the status was read above.
    let status = authorizationStatus(for: level)
    guard status == .notDetermined else { return engine.questions.finish(key, .init(status: status)) }
    let request = AuthorizationRequest(
      client: client, libraryURL: url, question: .access(level, usageDescription: usageDescription(for: level)))
    var answerer = authorizationAnswerer
    if answerer.asksPerson { noteQuestion(of: client, level) }
    if var standard = answerer as? StandardAnswerer {
      standard.isDecided = { [self] in authorizationStatus(for: level) != .notDetermined }
      answerer = standard
    }
    AuthorizationReply.ask(request, of: answerer) { [self] answer in
      // The program controls its environment, so the answer holds for this process only.
      let isEnvironments = (authorizationAnswerer as? StandardAnswerer)?.environment != nil
      engine.questions.finish(
        key, isEnvironments ? keepInProcess(answer, of: client, level) : save(answer, of: client, level))
    }
  }

  /// Records that the client asks, so that the owner sees it and may decide while a person is asked
  /// here. An error is thrown again when the answer is recorded.
  private func noteQuestion(of client: LibraryClient, _ level: PHAccessLevel) {
    try? engine.available().commit { transaction in
      var record = try transaction.record(of: client, at: engine.clock())
      guard ClientGrant(record).status(for: level) == .notDetermined, note(level, in: &record) else { return }
      _ = try transaction.save(record)
    }
  }

  /// Notes that the client asks for a level. Returns whether that was not known.
  private func note(_ level: PHAccessLevel, in record: inout ClientRecord) -> Bool {
    guard let description = usageDescription(for: level),
      record.askedLevel != level.rawValue || record.usageDescription != description
    else { return false }
    record.note(.init(level: level, usageDescription: description, date: engine.clock()))
    return true
  }

  /// Records an answer in the library. A decision that the owner made meanwhile, by
  /// `calotype access`, takes precedence.
  private func save(
    _ answer: AuthorizationAnswer, of client: LibraryClient, _ level: PHAccessLevel
  ) -> AuthorizationQuestions.Outcome {
    do {
      return try engine.available().commit { transaction in
        var record = try transaction.record(of: client, at: engine.clock())
        guard ClientGrant(record).status(for: level) == .notDetermined else {
          return .init(status: ClientGrant(record).status(for: level))
        }
        let problem = record.take(answer, level)
        // The owner sees what is waiting for an answer.
        _ = note(level, in: &record)
        record = try transaction.save(record)
        if case .limited(let identifiers) = answer, level == .readWrite, !identifiers.isEmpty {
          try transaction.select(transaction.assets(identifiers), for: record)
        }
        return .init(status: ClientGrant(record).status(for: level), problem: problem)
      }
    } catch { return .init(status: .notDetermined, problem: PHPhotosError(error).localizedDescription) }
  }

  /// Keeps the environment's answer until the process exits. Only the chosen assets are stored in
  /// the library.
  private func keepInProcess(
    _ answer: AuthorizationAnswer, of client: LibraryClient, _ level: PHAccessLevel
  ) -> AuthorizationQuestions.Outcome {
    do {
      if case .limited(let identifiers) = answer, level == .readWrite {
        try engine.available().commit { transaction in
          let identifier = EnvironmentAnswers.identifier(of: client)
          let record = try transaction.save(
            transaction.client(identifier: identifier)
              ?? ClientRecord(identifier: identifier, name: client.name, creationDate: engine.clock()))
          try transaction.deselect(transaction.selection(of: record), for: record)
          try transaction.select(transaction.assets(identifiers), for: record)
        }
      }
      let problem = engine.environmentAnswers.take(answer, of: client, level)
      return .init(status: authorizationStatus(for: level), problem: problem)
    } catch { return .init(status: .notDetermined, problem: PHPhotosError(error).localizedDescription) }
  }

  private struct AuthorizationCall: @unchecked Sendable {
    // The handler is called once, on the queue that gets this value.
    let handler: (PHAuthorizationStatus) -> Void
  }
}

extension PHAuthorizationStatus {
  /// The status for code that was written before limited access existed.
  var beforeLimited: PHAuthorizationStatus { self == .limited ? .authorized : self }
}

extension StoreTransaction {
  /// Returns the rows of those assets that exist.
  fileprivate func assets(_ localIdentifiers: [String]) throws -> [Int64] {
    try localIdentifiers.compactMap { try asset(uuid: PHObject.uuid(localIdentifier: $0))?.id }
  }

  /// Returns a client's record with its current name, or a new record if the library has none.
  func record(of client: LibraryClient, at date: Date) throws -> ClientRecord {
    var record =
      try self.client(identifier: client.identifier)
      ?? ClientRecord(identifier: client.identifier, name: client.name, creationDate: date)
    if client.name != client.identifier { record.name = client.name }
    return record
  }
}

extension ClientRecord {
  /// Applies an answer about a level. Returns the reason if it decides nothing.
  mutating func take(_ answer: AuthorizationAnswer, _ level: PHAccessLevel) -> String? {
    var grant = ClientGrant(self)
    defer { (readWrite, addOnly) = (grant.readWrite.rawValue, grant.addOnly.rawValue) }
    return grant.take(answer, level)
  }

  mutating func set(_ status: PHAuthorizationStatus, _ level: PHAccessLevel) {
    var grant = ClientGrant(self)
    grant.set(status, level)
    (readWrite, addOnly) = (grant.readWrite.rawValue, grant.addOnly.rawValue)
    // The client may ask again, but does not ask now.
    if status == .notDetermined { askedLevel = nil }
  }
}

extension ClientGrant {
  /// Applies an answer about a level. Returns the reason if it decides nothing.
  mutating func take(_ answer: AuthorizationAnswer, _ level: PHAccessLevel) -> String? {
    switch answer {
    case .authorized: set(.authorized, level)
    case .limited: set(level == .readWrite ? .limited : .authorized, level)
    case .denied: set(.denied, level)
    case .restricted: set(.restricted, level)
    case .confirmed, .refused: return "the request was for access, but the answer is to a deletion"
    case .unanswered(let reason): return reason
    }
    return nil
  }

  mutating func set(_ status: PHAuthorizationStatus, _ level: PHAccessLevel) {
    switch level {
    case .readWrite: readWrite = status
    case .addOnly: addOnly = status.beforeLimited
    }
  }
}
