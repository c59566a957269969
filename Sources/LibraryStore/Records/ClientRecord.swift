import Foundation
internal import GRDB

/// A row of `client`: who uses the library, and what its owner allows.
public struct ClientRecord: Hashable, Sendable {
  public internal(set) var id: Int64 = 0
  /// What the client calls itself: `com.example.Photos`, the path of a program, a web origin.
  public var identifier: String
  /// What the owner is shown.
  public var name: String
  /// `PHAuthorizationStatus`'s raw values.
  public var readWrite = 0
  public var addOnly = 0
  public var creationDate: Date

  public init(identifier: String, name: String, creationDate: Date) {
    self.identifier = identifier
    self.name = name
    self.creationDate = creationDate
  }
}

extension ClientRecord {
  static let table = "client"

  init(row: Row) {
    self.init(
      identifier: row["identifier"], name: row["name"],
      creationDate: Date(timeIntervalSince1970: row["creation_date"]))
    id = row["id"]
    readWrite = row["read_write"]
    addOnly = row["add_only"]
  }

  var columns: Columns {
    [
      ("identifier", identifier), ("name", name), ("read_write", readWrite), ("add_only", addOnly),
      ("creation_date", creationDate.timeIntervalSince1970),
    ]
  }
}
