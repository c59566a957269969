/// The reason that the library on disk could not do what was requested. Contains the file's name if
/// there is one.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    /// There is no library at the path, and none was to be created.
    case notALibrary
    /// The library was made by a newer Calotype.
    case madeByNewerVersion
    case cannotRead, cannotWrite
    /// The original is not local and has to be fetched first.
    case elsewhere
    /// The library was opened read-only, and a change was requested.
    case readOnly
    case notEnoughSpace
    /// The database is corrupt, or it refers to files outside of the library's folder.
    case damaged
    /// The query can't be answered.
    case badQuery
    /// The patterns of the query took longer than the query allows.
    case tookTooLong
    /// The database refused a statement of this module.
    case failed
    /// Another process kept the library locked for longer than the busy timeout.
    case busy
    /// Bytes that the library had when a file was staged are gone: stage the file again.
    case staged
    /// Another file has taken the place of the open database: open the library again.
    case replaced
  }

  public var code: Code
  public var file: String
  public var reason: String

  public init(_ code: Code, _ file: String, reason: String) {
    self.code = code
    self.file = file
    self.reason = reason
  }

  public var description: String { "\(file): \(reason)" }

  /// The reason if a file of an asset is missing.
  public static let missingFile = "it is missing; \(remedy)"

  /// The end of messages about files that an import can replace.
  public static let remedy = "if you have the same file elsewhere, importing it puts it back"
}
