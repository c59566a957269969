import Foundation

/// A row of `client`: a program or web origin that uses the library, and its access.
public struct ClientRecord: Hashable, Sendable {
  public internal(set) var id: Int64 = 0
  /// The client's own identifier: `com.example.Photos`, the path of a program, a web origin.
  public var identifier: String
  /// The name that the owner sees.
  public var name: String
  /// The raw values of `PHAuthorizationStatus`.
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

  init(row: StoreRow) throws {
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
