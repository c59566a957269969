/// Why the library on disk could not do what was asked; names the file where there is one.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    /// There is no library at the path, and none was to be made.
    case notALibrary
    /// The library was made by a newer Calotype.
    case madeByNewerVersion
    case cannotRead, cannotWrite
    /// The library was opened read-only, and a change was asked for.
    case readOnly
    case notEnoughSpace
    /// The database's own integrity is broken, or it refers to files outside of the library's
    /// folder.
    case damaged
    /// A query asks for what can't be answered.
    case badQuery
    /// The database refused a statement of ours.
    case failed
    /// Another process kept the library locked for longer than the busy timeout.
    case busy
    /// Bytes that the library had when a file was staged are gone: it is to be staged anew.
    case staged
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
}
