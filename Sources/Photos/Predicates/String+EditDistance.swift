extension String {
  /// Returns the number of characters that have to be added, removed or replaced. Compares the
  /// first 64 characters.
  package func editDistance(to other: String) -> Int {
    let (from, to) = (Array(prefix(64)), Array(other.prefix(64)))
    var row = Array(0...to.count)
    for (line, character) in from.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for column in to.indices {
        let replaced = diagonal + (character == to[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[to.count]
  }
}
