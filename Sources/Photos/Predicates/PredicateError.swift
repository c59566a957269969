/// The reason that a predicate can't be used.
///
///     assets have no key “size”; … at character 1:
///       size > 5
///       ^
struct PredicateError: Error, Sendable {
  var message: String
  /// The place of the error; `nil` if the predicate was not made from a format.
  var place: PredicatePlace?

  init(_ message: String, at place: PredicatePlace?) {
    self.message = message
    self.place = place
  }

  /// The message, with the part of the format that it refers to.
  var description: String { message + (place.map { ", at " + $0.excerpt } ?? "") }

  /// The error of a fetch with this predicate. PhotoKit's begins with the same words.
  var photosError: PHPhotosError {
    PHPhotosError(.internalError, "Unsupported predicate in fetch options: \(description)")
  }
}

/// A place in a predicate's format.
struct PredicatePlace: Hashable, Sendable {
  let format: String
  /// The number of characters before the place.
  let offset: Int

  private static let charactersBefore = 40
  private static let charactersAfter = 50

  /// The number of the character, and the format around it with a caret below it.
  var excerpt: String {
    let start = max(0, offset - Self.charactersBefore)
    // A newline or a tab would shift the caret.
    let shown = format.dropFirst(start).prefix(Self.charactersBefore + Self.charactersAfter).map {
      $0.isWhitespace ? " " : $0
    }
    let isCut = format.dropFirst(start + shown.count).isEmpty == false
    let head = start > 0 ? "…" : ""
    let indent = String(repeating: " ", count: head.count + offset - start)
    return """
      character \(offset + 1):
        \(head)\(String(shown))\(isCut ? "…" : "")
        \(indent)^
      """
  }
}
