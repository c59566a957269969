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
    DatabaseFunction("matches", argumentCount: 3, pure: true) { arguments in
      guard let text = String.fromDatabaseValue(arguments[0]), let pattern = String.fromDatabaseValue(arguments[1]),
        let options = Int.fromDatabaseValue(arguments[2]).map(Condition.TextOptions.init)
      else { return nil }
      return try matches(text, pattern, options)
    },
  ]
}
