/// The words of a search. An asset is found if each of them begins a word of its own texts, or of
/// the title of an album that contains it.
public struct SearchWords {
  public let words: [String]
  /// The limit of the number of words, far above a typed search. Each word costs a lookup.
  public static let most = 100

  public init(_ text: String) {
    // Splits like SQLite's own tokenizer: characters other than letters and numbers separate words.
    words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// Returns a condition for each word. A search without words finds nothing.
  func conditions(includingAlbums: Bool) -> [BoundSQL] {
    guard !words.isEmpty else { return [BoundSQL("0")] }
    return words.map { word in
      let prefix = "\"\(word.replacing("\"", with: ""))\"*"
      let own = "SELECT rowid FROM asset_search WHERE asset_search MATCH ?"
      guard includingAlbums else { return BoundSQL("id IN (\(own))", prefix) }
      return BoundSQL(
        """
        id IN (\(own) \
        UNION SELECT asset_id FROM collection_asset WHERE collection_id IN \
        (SELECT rowid FROM collection_search WHERE collection_search MATCH ?))
        """, prefix, prefix)
    }
  }
}
