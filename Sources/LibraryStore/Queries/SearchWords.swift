internal import GRDB

/// The words of a search: an asset is found when each of them begins a word of its own texts or of an album's title that it is in.
public struct SearchWords {
  public let words: [String]
  /// What nobody types; each costs a look.
  public static let most = 100

  public init(_ text: String) {
    // As SQLite's own tokenizer has it: what is neither a letter nor a number divides words.
    words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// A condition for each word; a search without words finds nothing.
  func conditions(includingAlbums: Bool) -> [BoundSQL] {
    guard !words.isEmpty else { return [BoundSQL(sql: "0")] }
    return words.map { word in
      let prefix = "\"\(word.replacing("\"", with: ""))\"*"
      let own = "SELECT rowid FROM asset_search WHERE asset_search MATCH ?"
      guard includingAlbums else { return BoundSQL(sql: "id IN (\(own))", arguments: [prefix]) }
      return BoundSQL(
        sql: """
          id IN (\(own) \
          UNION SELECT asset_id FROM collection_asset WHERE collection_id IN \
          (SELECT rowid FROM collection_search WHERE collection_search MATCH ?))
          """, arguments: [prefix, prefix])
    }
  }
}
