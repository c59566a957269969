internal import GRDB

/// The function `begins_words` of a connection, which finds words as SQLite's full-text tables do,
/// but in the texts of one asset.
///
/// A full-text table reads what it knows about a word in the whole library, also if only few of its
/// rows are asked for. The time that it takes would tell a client with a selection about assets
/// outside of it.
final class WordFunction: @unchecked Sendable {
  // SQLite calls a connection's functions on one thread at a time.

  private let tokenizer: any FTS5Tokenizer
  /// The last search, which SQLite passes again for each asset.
  private var (search, phrases): (String, [[String]]) = ("", [])

  private init(_ db: Database) throws {
    // These are the components of `asset_search`.
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

  /// Returns if each word of a search begins a word of one of the texts.
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

  /// Returns if the last word of a phrase begins a token, and its others are the tokens before.
  ///
  /// A phrase has more than one word where Swift takes a character for a letter, and SQLite's older
  /// tables do not.
  private static func isPhrase(_ phrase: [String], in tokens: [String]) -> Bool {
    guard let last = phrase.last else { return false }
    return tokens.indices.contains { end in
      end >= phrase.count - 1 && tokens[end].utf8.starts(with: last.utf8)
        && tokens[(end - phrase.count + 1)..<end].elementsEqual(phrase.dropLast())
    }
  }
}
