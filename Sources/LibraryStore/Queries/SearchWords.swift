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

  /// The expression that matches texts with all words; `nil` without words.
  private var all: String? { words.isEmpty ? nil : prefixes.joined(separator: " AND ") }

  private var prefixes: [String] { words.map { "\"\($0.replacing("\"", with: ""))\"*" } }

  /// Returns the condition that an asset is found. A search without words finds nothing.
  ///
  /// If `client` is not nil, the condition reads the texts of that client's selection alone. The
  /// titles of albums would reveal assets that the client does not see.
  func condition(limitedToClient client: Int64?) -> BoundSQL {
    guard let found = client.map(found(inSelectionOf:)) ?? found() else { return BoundSQL("0") }
    var condition = BoundSQL("id IN (")
    condition.append(found)
    condition.append(")")
    return condition
  }

  /// Returns the condition that each word begins a word of a collection's title.
  var titleCondition: BoundSQL {
    words.isEmpty ? BoundSQL("0") : BoundSQL("begins_words(?, title)", words.joined(separator: " "))
  }

  private func found(inSelectionOf client: Int64) -> BoundSQL? {
    guard !words.isEmpty else { return nil }
    return BoundSQL(
      """
      SELECT asset_id FROM client_asset CROSS JOIN asset_search ON asset_search.rowid = asset_id \
      WHERE client_id = ? AND begins_words(?, filename, title, caption, keywords, camera, place)
      """, client, words.joined(separator: " "))
  }

  /// Returns the statement that lists the ids of the found assets; `nil` if there are no words. An
  /// id may be listed more than once.
  func found() -> BoundSQL? {
    guard let all else { return nil }
    let own = "SELECT rowid FROM asset_search WHERE asset_search MATCH ?"
    let inAlbums = """
      SELECT asset_id FROM collection_asset WHERE collection_id IN \
      (SELECT rowid FROM collection_search WHERE collection_search MATCH ?)
      """
    var found = BoundSQL("\(own) UNION ALL \(inAlbums)", all, prefixes.joined(separator: " OR "))
    // Few assets are in albums with one of the words, so these are usually not evaluated. Without
    // the plus, SQLite would look up the assets that have a word in their albums.
    if prefixes.count > 1 {
      for prefix in prefixes {
        found.append(" AND +asset_id IN (\(own) UNION ALL \(inAlbums))", prefix, prefix)
      }
    }
    return found
  }
}
