import Foundation

extension Schema {
  /// Adds a column for the files that `verify` found damaged.
  static let sixth = """
    -- is_damaged: 1 if the file was damaged or missing when it was last verified.
    ALTER TABLE original ADD COLUMN is_damaged INTEGER NOT NULL DEFAULT 0 CHECK (is_damaged IN (0, 1));
    """

  /// Marks the photos about which a decoder noted at the import that a part is missing or wrong.
  static func markDamaged(_ db: any Session) throws {
    var damaged: [Int64] = []
    let noted = BoundSQL(
      """
      SELECT id, notes FROM asset JOIN asset_detail ON asset_id = id
      WHERE is_unreadable = 0 AND notes <> '[]' AND traits & 32 = 0
      """)
    try db.forEachRow(noted) { row in
      let text: String = try row.value("notes")
      let notes = (try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []
      if notes.contains(where: isDamage) { damaged.append(try row.value("id")) }
    }
    for id in damaged {
      try db.execute("UPDATE asset SET traits = traits | 32 WHERE id = ?", id)
    }
  }

  /// Returns whether a note is one of the JPEG or the bitmap decoder about a part of the picture.
  /// `Imaging` makes the same distinction from harmless ones.
  private static func isDamage(_ note: String) -> Bool {
    if let match = note.firstMatch(of: /(\d+) extraneous bytes before marker 0x([0-9a-f]{2})/) {
      guard let count = Int(match.1), let marker = Int(match.2, radix: 16) else { return false }
      return count >= 16 && (0xD0...0xDA).contains(marker)
    }
    return note.hasPrefix("Corrupt JPEG data: ") || note.hasPrefix("Premature end of JPEG file")
      || note.hasPrefix("Inconsistent progression sequence") || note.hasSuffix(" rows are missing")
  }
}
