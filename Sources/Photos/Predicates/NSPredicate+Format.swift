import Foundation

extension NSPredicate {
  /// A predicate for a fetch, written in the language of `docs/PREDICATES.md`.
  ///
  ///     options.predicate = NSPredicate(format: "mediaType == %d AND creationDate > %@", 1, lastWeek)
  ///
  /// Foundation declares this initialiser on Linux as unavailable; this one wins over it. `%@` takes texts, numbers,
  /// truth
  /// values, dates, objects, lists and fetch results. More arguments than the format names are ignored. A format that
  /// can't be
  /// read makes the fetch trap, and `PHFetchOptions.validate(for:)` throw, with what is wrong and where.
  public convenience init(format: String, _ arguments: Any...) {
    self.init(tree: PredicateParser.tree(format, arguments))
  }

  /// The same with a list as its one argument, which Swift would otherwise take apart.
  public convenience init(format: String, _ list: [Any]) {
    self.init(tree: PredicateParser.tree(format, [list]))
  }

  /// The same with its arguments in an array.
  public convenience init(format: String, argumentArray arguments: [Any]?) {
    self.init(tree: PredicateParser.tree(format, arguments ?? []))
  }
}

/// So that `date as CVarArg`, which code for Apple's platforms passes to `NSPredicate(format:)`, compiles.
// Foundation has no such conformance off Apple's platforms.
// swift-format-ignore: AvoidRetroactiveConformances
extension Date: @retroactive CVarArg {
  public var _cVarArgEncoding: [Int] { timeIntervalSinceReferenceDate._cVarArgEncoding }
}
