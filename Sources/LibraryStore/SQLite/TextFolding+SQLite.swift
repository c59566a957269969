internal import GRDB

extension TextFolding {
  /// The functions of this module that SQLite's statements call.
  static let functions: [DatabaseFunction] = [
    DatabaseFunction("folded", argumentCount: 2, pure: true) { arguments in
      guard let text = String.fromDatabaseValue(arguments[0]), let options = Int.fromDatabaseValue(arguments[1]) else {
        return nil
      }
      return fold(text, Condition.TextOptions(rawValue: options))
    },
    DatabaseFunction("matches", argumentCount: 3, pure: true) { try matches($0, until: nil) },
    // With a fourth argument, the matches of a statement end at that time.
    DatabaseFunction("matches", argumentCount: 4, pure: true) { arguments in
      try matches(arguments, until: Int.fromDatabaseValue(arguments[3]))
    },
  ]

  private static func matches(_ arguments: [DatabaseValue], until deadline: Int?) throws -> Bool? {
    guard let text = String.fromDatabaseValue(arguments[0]), let pattern = String.fromDatabaseValue(arguments[1]),
      let options = Int.fromDatabaseValue(arguments[2]).map(Condition.TextOptions.init)
    else { return nil }
    do { return try matches(text, pattern, options: options, until: deadline) } catch let error as StoreError
      where error.code == .tookTooLong
    {
      throw DatabaseError(resultCode: .SQLITE_INTERRUPT, message: error.reason)
    }
  }
}
