import Foundation
internal import LibraryStore

extension PHPhotoLibrary {
  /// The tokens of the library's clients. A client's library has none.
  package var clientTokens: ClientTokens {
    get throws { try asOwner { ClientTokens(records: $0.clientTokens) } }
  }
}

/// The tokens of a library's clients.
package struct ClientTokens: Sendable {
  let records: ClientTokenRecords

  private func run<Value>(_ work: (ClientTokenRecords) throws -> Value) throws -> Value {
    try withPhotosErrors { try work(records) }
  }

  package func insert(_ token: ClientToken) throws { try run { try $0.insert(token.record) } }

  /// Returns the token with this SHA-256 and its client, whether or not the token has expired.
  package func token(hash: Data) throws -> (token: ClientToken, client: RecordedClient)? {
    try run { try $0.token(hash: hash).map { (ClientToken(record: $0.token), RecordedClient($0.client)) } }
  }

  /// Returns the tokens of all clients, the newest first.
  package func all() throws -> [ClientToken] { try run { try $0.all().map(ClientToken.init) } }

  /// Records uses of a token. Does nothing if it was revoked.
  package func noteUses(_ count: Int, of id: String, latest date: Date, from address: String) throws {
    try run { try $0.noteUses(count, of: id, latest: date, from: address) }
  }

  /// Sets the date on which a token expires. Does nothing if it was revoked.
  package func setExpirationDate(_ date: Date, of id: String) throws {
    try run { try $0.setExpirationDate(date, of: id) }
  }

  /// Revokes a token. Returns false if there is none.
  package func delete(_ id: String) throws -> Bool { try run { try $0.delete(id) } }
}

/// A key by which a client uses the library over HTTP.
package struct ClientToken: Sendable {
  let record: ClientTokenRecord

  init(record: ClientTokenRecord) { self.record = record }

  package init(
    id: String, tokenHash: Data, client: Int64, start: String, origin: String?, creationDate: Date,
    expirationDate: Date
  ) {
    record = ClientTokenRecord(
      id: id, tokenHash: tokenHash, client: client, start: start, origin: origin, creationDate: creationDate,
      expirationDate: expirationDate)
  }

  /// The public name of the token. It is no secret.
  package var id: String { record.id }
  /// The number of the client in this library.
  package var client: Int64 { record.client }
  /// The first characters of the token, by which a person recognizes it.
  package var start: String { record.start }
  /// The web origin that alone may use the token; `nil` if any program may.
  package var origin: String? { record.origin }
  package var creationDate: Date { record.creationDate }
  package var expirationDate: Date { record.expirationDate }
  /// The date of the latest use that was recorded.
  package var useDate: Date? { record.useDate }
  /// The address from which it came.
  package var address: String? { record.address }
  package var useCount: Int { record.useCount }
}
