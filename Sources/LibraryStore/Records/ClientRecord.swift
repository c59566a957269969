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

  init(row: Row) throws {
    self.init(
      identifier: try row.value("identifier"), name: try row.value("name"), creationDate: try row.date("creation_date"))
    id = try row.value("id")
    readWrite = try row.value("read_write")
    addOnly = try row.value("add_only")
  }

  var columns: Columns {
    [
      ("identifier", identifier), ("name", name), ("read_write", readWrite), ("add_only", addOnly),
      ("creation_date", creationDate.timeIntervalSince1970),
    ]
  }
}
