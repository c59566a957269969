internal import GRDB

/// The SQL function `begins_words`. It matches words like SQLite's full-text tables, but reads only
/// the texts of one asset.
///
/// A full-text table reads all that the library has of a word, even if a query wants few rows. Its
/// time would tell a client with a selection how many other assets have the word.
final class WordFunction: @unchecked Sendable {
  // SQLite calls a connection's functions on one thread at a time.

  private let tokenizer: any FTS5Tokenizer
  /// The last search, which SQLite passes again for each asset.
  private var (search, phrases): (String, [[String]]) = ("", [])

  private init(_ db: Database) throws {
    // With another tokenizer than that of `asset_search`, clients would find other assets than the
    // owner.
    tokenizer = try db.makeTokenizer(
      FTS5TokenizerDescriptor(components: ["unicode61", "remove_diacritics", "2"]))
  }

  static func add(to db: Database) throws {
    let words = try WordFunction(db)
    db.add(
      function: DatabaseFunction("begins_words", pure: true) { arguments in
        guard let search = arguments.first.flatMap(String.fromDatabaseValue) else { return nil }
        return try words.begin(search, arguments.dropFirst().compactMap(String.fromDatabaseValue))
      })
  }

  /// Returns whether each word of a search begins a word of one of the texts.
  private func begin(_ search: String, _ texts: [String]) throws -> Bool {
    if search != self.search {
      phrases = try search.split(separator: " ").map { try tokens(of: String($0)) }
      self.search = search
    }
    var missing = phrases
    for text in texts where !missing.isEmpty {
      let tokens = try tokens(of: text)
      missing.removeAll { Self.isPhrase($0, in: tokens) }
    }
    return missing.isEmpty
  }

  private func tokens(of text: String) throws -> [String] {
    try tokenizer.tokenize(document: text).map(\.token)
  }

  /// Returns whether some token begins with the phrase's last word, and follows its other words.
  ///
  /// A phrase has several words if it contains a character that is a letter for Swift, and a
  /// separator for SQLite, whose tables are older.
  private static func isPhrase(_ phrase: [String], in tokens: [String]) -> Bool {
    guard let last = phrase.last else { return false }
    return tokens.indices.contains { end in
      end >= phrase.count - 1 && tokens[end].utf8.starts(with: last.utf8)
        && tokens[(end - phrase.count + 1)..<end].elementsEqual(phrase.dropLast())
    }
  }
}
