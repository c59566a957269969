import Foundation

extension NSPredicate {
  /// Makes a predicate for a fetch from a format in the language of `docs/PREDICATES.md`.
  ///
  ///     options.predicate = NSPredicate(
  ///       format: "mediaType == %d AND creationDate > %@", 1, lastWeek)
  ///
  /// Foundation declares this initializer as unavailable on Linux; this one takes precedence. `%@`
  /// takes texts, numbers, truth values, dates, objects, lists and fetch results. Superfluous
  /// arguments are ignored. If the format can't be read, the fetch traps, and
  /// `PHFetchOptions.validate(for:)` throws with the error and its place.
  public convenience init(format: String, _ arguments: Any...) {
    self.init(tree: PredicateParser.tree(format, arguments))
  }

  /// Makes a predicate with a list as its only argument, which Swift would otherwise treat as
  /// several.
  public convenience init(format: String, _ list: [Any]) {
    self.init(tree: PredicateParser.tree(format, [list]))
  }

  /// Makes a predicate with its arguments in an array.
  public convenience init(format: String, argumentArray arguments: [Any]?) {
    self.init(tree: PredicateParser.tree(format, arguments ?? []))
  }
}

/// Lets `date as CVarArg` compile, which code for Apple's platforms passes to
/// `NSPredicate(format:)`.
// Foundation has no such conformance off Apple's platforms.
// swift-format-ignore: AvoidRetroactiveConformances
extension Date: @retroactive CVarArg {
  public var _cVarArgEncoding: [Int] { timeIntervalSinceReferenceDate._cVarArgEncoding }
}
