import Foundation

/// A row of `person`: somebody who may sign in. The library's owner is one.
public struct PersonRecord: Hashable, Sendable {
  public let id: Int64
  public let name: String
  /// The hash of the password with its parameters; `nil` if the person can't sign in by password.
  public let passwordHash: String?
  /// True if the person sees and changes everything.
  public let isOwner: Bool
}

extension PersonRecord {
  init(row: StoreRow) throws {
    id = try row.value("id")
    name = try row.value("name")
    passwordHash = try row.value("password_hash")
    let client: String? = try row.value("client_identifier")
    isOwner = client == nil
  }
}

/// A row of `browser_session`: a browser in which a person is signed in.
public struct BrowserSessionRecord: Hashable, Sendable {
  public enum Kind: Int, Sendable, CaseIterable {
    case ownBrowser = 1
    case sharedComputer
    case unencrypted
  }

  /// The public name of the session. It is no secret.
  public var id: String
  /// The SHA-256 of the token in the browser's cookie.
  public var tokenHash: Data
  public var person: Int64
  public var kind: Kind
  public var creationDate: Date
  /// The date of the last password or owner link.
  public var authenticationDate: Date
  public var seenDate: Date
  public var address: String
  /// The browser and its system, in words.
  public var device: String

  public init(
    id: String, tokenHash: Data, person: Int64, kind: Kind, date: Date, address: String, device: String
  ) {
    self.id = id
    self.tokenHash = tokenHash
    self.person = person
    self.kind = kind
    (creationDate, authenticationDate, seenDate) = (date, date, date)
    self.address = address
    self.device = device
  }
}

extension BrowserSessionRecord {
  static let table = "browser_session"

  init(row: StoreRow) throws {
    guard let kind = Kind(rawValue: try row.value("kind")) else { throw StoreError.damagedValue(of: "kind") }
    self.init(
      id: try row.value("id"), tokenHash: try row.value("token_sha256"), person: try row.value("person_id"),
      kind: kind, date: try row.date("creation_date"), address: try row.value("address"),
      device: try row.value("device"))
    authenticationDate = try row.date("authentication_date")
    seenDate = try row.date("seen_date")
  }

  var columns: Columns {
    [
      ("id", id.value), ("token_sha256", tokenHash.value), ("person_id", person.value), ("kind", kind.rawValue.value),
      ("creation_date", creationDate.timeIntervalSince1970.value),
      ("authentication_date", authenticationDate.timeIntervalSince1970.value),
      ("seen_date", seenDate.timeIntervalSince1970.value), ("address", address.value), ("device", device.value),
    ]
  }
}

/// The failed sign-ins from one address.
public struct SignInFailures: Hashable, Sendable {
  public let address: String
  public let count: Int
  public let latestDate: Date
}
