import Photos

/// The recorded clients at one moment: who a request is from, and whether it is refused already.
struct KnownClients {
  private let clients: [RecordedClient]
  /// The numbers of the clients that have a valid token.
  private let holders: Set<Int64>

  init(_ clients: [RecordedClient], holders: Set<Int64>) {
    self.clients = clients
    self.holders = holders
  }

  /// Returns the client that asks for a level, under the name that it gives.
  ///
  /// A program without proof must not get the access of a recorded client. If a client with the
  /// same name has access, or has a token and was not refused this level, the program's name gets a
  /// number.
  func client(_ named: LibraryClient, isProven: Bool, asking level: PHAccessLevel) -> LibraryClient {
    guard !isProven else { return named }
    let taken = clients.filter { client in
      client.hasAccess || (holders.contains(client.id) && client.refusal(of: level) == nil)
    }.map(\.client)
    var (client, number) = (named, 1)
    while taken.contains(where: { $0.identifier == client.identifier || $0.name == client.name }) {
      number += 1
      client = LibraryClient(identifier: "\(named.identifier) \(number)", name: "\(named.name) \(number)")
    }
    return client
  }

  func client(of request: AccessRequests.Request) -> LibraryClient {
    client(request.client, isProven: request.isProven, asking: request.level)
  }

  /// Returns the status that refuses a client a level; `nil` if nothing refuses it.
  func refusal(of level: PHAccessLevel, for client: LibraryClient) -> PHAuthorizationStatus? {
    clients.first { $0.client.identifier == client.identifier }?.refusal(of: level)
  }
}
