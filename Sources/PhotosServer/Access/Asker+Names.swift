import Photos

extension Asker {
  fileprivate static let personPrefix = "person "

  static func name(of client: LibraryClient) -> String { "client \(client.identifier)" }

  /// Returns whether a name is of a person, and not of a client.
  static func isPerson(_ name: String) -> Bool { name.hasPrefix(personPrefix) }
}

extension ServerContext {
  /// Returns a name of the person or client who asks. It is the same in all of their sessions.
  /// Uploads belong to it.
  func requireAskerName() throws -> String {
    switch asker {
    case .owner(let session): "\(Asker.personPrefix)\(session.person)"
    case .client(let client): Asker.name(of: client.client)
    case nil: throw SessionMiddleware.refusal
    }
  }

  /// Returns a name of the session or token of the request. Downloads belong to it.
  func requireHolder() throws -> String {
    switch asker {
    case .owner(let session): "session \(session.id)"
    case .client(let client): "token \(client.tokenID)"
    case nil: throw SessionMiddleware.refusal
    }
  }
}
