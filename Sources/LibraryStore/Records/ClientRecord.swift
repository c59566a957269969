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
  /// The date of the client's latest request for access; `nil` if it has never asked.
  public var askedDate: Date?
  /// The raw value of the `PHAccessLevel` that it asked for.
  public var askedLevel: Int?
  public var usageDescription: String?

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
    askedDate = try row.finiteIfPresent("asked_date").map(Date.init(timeIntervalSince1970:))
    askedLevel = try row.value("asked_level")
    usageDescription = try row.value("usage_description")
  }

  var columns: Columns {
    [
      ("identifier", identifier.value), ("name", name.value), ("read_write", readWrite.value),
      ("add_only", addOnly.value),
      ("creation_date", creationDate.timeIntervalSince1970.value),
      ("asked_date", (askedDate?.timeIntervalSince1970).value),
      ("asked_level", askedLevel.value), ("usage_description", usageDescription.value),
    ]
  }
}
