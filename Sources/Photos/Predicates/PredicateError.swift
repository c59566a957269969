/// Why a predicate can't be used.
///
///     assets have no key “size”; … at character 1:
///       size > 5
///       ^
struct PredicateError: Error, Sendable {
  var message: String
  /// What it is about; `nil` for what was not written as a format.
  var place: PredicatePlace?

  init(_ message: String, at place: PredicatePlace?) {
    self.message = message
    self.place = place
  }

  /// The message with the part of the format that it is about.
  var description: String { message + (place.map { ", at " + $0.excerpt } ?? "") }

  /// The error that a fetch refuses a predicate with; PhotoKit's begins like this too.
  var photosError: PHPhotosError {
    PHPhotosError(.internalError, "Unsupported predicate in fetch options: \(description)")
  }
}

/// A place in a predicate's format.
struct PredicatePlace: Hashable, Sendable {
  let format: String
  /// Characters before it.
  let offset: Int

  private static let shownBefore = 40
  private static let shownAfter = 50

  /// The number of the character, and below it what stands there with a caret under it.
  var excerpt: String {
    let start = max(0, offset - Self.shownBefore)
    // A newline or a tab would move the caret away from what it is about.
    let shown = format.dropFirst(start).prefix(Self.shownBefore + Self.shownAfter).map { $0.isWhitespace ? " " : $0 }
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
