import Foundation

/// A row of `client_token`: a key by which a client uses the library over HTTP.
public struct ClientTokenRecord: Hashable, Sendable {
  /// The public name of the token. It is no secret.
  public var id: String
  public var tokenHash: Data
  public var client: Int64
  /// The first characters of the token, by which a person recognizes it.
  public var start: String
  /// The web origin that alone may use the token; `nil` if any program may.
  public var origin: String?
  public var creationDate: Date
  public var expirationDate: Date
  /// The date of the latest use that was recorded.
  public var useDate: Date?
  /// The address from which it came.
  public var address: String?
  public var useCount = 0

  public init(
    id: String, tokenHash: Data, client: Int64, start: String, origin: String?, creationDate: Date,
    expirationDate: Date
  ) {
    self.id = id
    self.tokenHash = tokenHash
    self.client = client
    self.start = start
    self.origin = origin
    self.creationDate = creationDate
    self.expirationDate = expirationDate
  }
}

extension ClientTokenRecord {
  init(row: StoreRow) throws {
    self.init(
      id: try row.value("id"), tokenHash: try row.value("token_sha256"), client: try row.value("client_id"),
      start: try row.value("start"), origin: try row.value("origin"), creationDate: try row.date("creation_date"),
      expirationDate: try row.date("expiration_date"))
    useDate = try row.finiteIfPresent("use_date").map(Date.init(timeIntervalSince1970:))
    address = try row.value("address")
    useCount = try row.number("use_count", in: 0...Int.max)
  }

  /// A token, and the identifier that its client had when it was made.
  struct Holder {
    let token: ClientTokenRecord
    let identifier: String

    init(row: StoreRow) throws {
      token = try ClientTokenRecord(row: row)
      identifier = try row.value("client_identifier")
    }
  }
}
