import Foundation

// The conditions, as Foundation's `PredicateExpressions`.

extension PredicateExpressions.Conjunction: MacroCondition {
  func tree(_ reader: MacroReader) throws(PredicateError) -> PredicateTree {
    .all([try reader.tree(lhs), try reader.tree(rhs)])
  }
}

extension PredicateExpressions.Disjunction: MacroCondition {
  func tree(_ reader: MacroReader) throws(PredicateError) -> PredicateTree {
    .any([try reader.tree(lhs), try reader.tree(rhs)])
  }
}

extension PredicateExpressions.Negation: MacroCondition {
  func tree(_ reader: MacroReader) throws(PredicateError) -> PredicateTree { .not(try reader.tree(wrapped)) }
}

extension PredicateExpressions.Equal: MacroCondition {
  func tree(_ reader: MacroReader) throws(PredicateError) -> PredicateTree { try reader.compare(lhs, .equal, rhs) }
}

extension PredicateExpressions.NotEqual: MacroCondition {
  func tree(_ reader: MacroReader) throws(PredicateError) -> PredicateTree { try reader.compare(lhs, .notEqual, rhs) }
}

extension PredicateExpressions.Comparison: MacroCondition {
  func tree(_ reader: MacroReader) throws(PredicateError) -> PredicateTree {
    let kind: PredicateOperator.Kind =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw PredicateError("“\(op)” in a #Predicate can't be used in a fetch", at: nil)
      }
    return try reader.compare(lhs, kind, rhs)
  }
}

// MARK: Lists and ranges

extension PredicateExpressions.SequenceContains: MacroCondition {
  func tree(_ reader: MacroReader) throws(PredicateError) -> PredicateTree {
    try reader.compare(element, .isIn, sequence)
  }
}

extension PredicateExpressions.RangeExpressionContains: MacroCondition {
  func tree(_ reader: MacroReader) throws(PredicateError) -> PredicateTree {
    guard let range = range as? any MacroRange ?? (range as? any MacroValue)?.captured as? any MacroRange else {
      throw PredicateError("“\(RangeExpression.Output.self)” in a #Predicate can't be used in a fetch", at: nil)
    }
    var parts: [PredicateTree] = []
    if let low = range.low { parts.append(try reader.compare(element, .greaterOrEqual, low)) }
    if let high = range.high { parts.append(try reader.compare(element, range.isClosed ? .lessOrEqual : .less, high)) }
    return .all(parts)
  }
}

/// A range with expressions as its bounds.
private protocol MacroRange {
  var low: Any? { get }
  var high: Any? { get }
  var isClosed: Bool { get }
}

extension PredicateExpressions.Range: MacroRange {
  var low: Any? { lower }
  var high: Any? { upper }
  var isClosed: Bool { false }
}

extension PredicateExpressions.ClosedRange: MacroRange {
  var low: Any? { lower }
  var high: Any? { upper }
  var isClosed: Bool { true }
}

extension Range: MacroRange {
  fileprivate var low: Any? { PredicateExpressions.Value(lowerBound) }
  fileprivate var high: Any? { PredicateExpressions.Value(upperBound) }
  fileprivate var isClosed: Bool { false }
}

extension ClosedRange: MacroRange {
  fileprivate var low: Any? { PredicateExpressions.Value(lowerBound) }
  fileprivate var high: Any? { PredicateExpressions.Value(upperBound) }
  fileprivate var isClosed: Bool { true }
}

extension PartialRangeFrom: MacroRange {
  fileprivate var low: Any? { PredicateExpressions.Value(lowerBound) }
  fileprivate var high: Any? { nil }
  fileprivate var isClosed: Bool { false }
}

extension PartialRangeUpTo: MacroRange {
  fileprivate var low: Any? { nil }
  fileprivate var high: Any? { PredicateExpressions.Value(upperBound) }
  fileprivate var isClosed: Bool { false }
}

extension PartialRangeThrough: MacroRange {
  fileprivate var low: Any? { nil }
  fileprivate var high: Any? { PredicateExpressions.Value(upperBound) }
  fileprivate var isClosed: Bool { true }
}

// MARK: Texts

extension PredicateExpressions.CollectionContainsCollection: MacroCondition {
  func tree(_ reader: MacroReader) throws(PredicateError) -> PredicateTree {
    try reader.text(base, .contains, other)
  }
}

extension PredicateExpressions.SequenceStartsWith: MacroCondition {
  func tree(_ reader: MacroReader) throws(PredicateError) -> PredicateTree {
    try reader.text(base, .beginsWith, prefix)
  }
}

extension MacroReader {
  func text(
    _ base: Any, _ kind: PredicateOperator.Kind, _ part: Any
  ) throws(PredicateError) -> PredicateTree {
    // In Swift, the empty text is a part of every text.
    if ((part as? any MacroValue)?.captured as? String)?.isEmpty == true { return .not(try isMissing(base)) }
    if let coalescing = base as? any MacroCoalescing {
      let own = try text(coalescing.optional, kind, part)
      guard let pattern = (part as? any MacroValue)?.captured as? String,
        let other = (coalescing.other as? any MacroValue)?.captured as? String
      else { throw PredicateError("“??” in a #Predicate takes a constant text here", at: nil) }
      let isFound = kind == .contains ? other.contains(pattern) : other.hasPrefix(pattern)
      return isFound ? .any([own, try isMissing(coalescing.optional)]) : own
    }
    return Self.comparison(try operand(base), kind, try operand(part))
  }
}

// MARK: Optionals

extension PredicateExpressions.NilCoalesce: MacroCondition, MacroOperand, MacroCoalescing {
  var optional: Any { lhs }
  var other: Any { rhs }
  var isBoolean: Bool { RHS.Output.self == Bool.self }

  func tree(_ reader: MacroReader) throws(PredicateError) -> PredicateTree {
    guard let chain = lhs as? any MacroOptionalChain else {
      throw PredicateError("“??” in a #Predicate needs a key before it", at: nil)
    }
    let present = try chain.tree(true, reader)
    switch try reader.tree(rhs) {
    case .constant(false): return present
    case .constant(true): return .any([present, try reader.isMissing(lhs)])
    case let other: return .any([present, .all([try reader.isMissing(lhs), other])])
    }
  }

  func operand(_ reader: MacroReader) throws(PredicateError) -> PredicateExpression {
    throw PredicateError("“??” in a #Predicate has to be a whole side of a comparison", at: nil)
  }
}

extension PredicateExpressions.OptionalFlatMap: MacroOperand, MacroOptionalChain {
  var start: Any { wrapped }
  var isBoolean: Bool { Result.self == Bool.self }

  private func inner(_ reader: MacroReader) throws(PredicateError) -> MacroReader {
    var inner = reader
    inner.variables[variable.key] = try reader.operand(wrapped)
    return inner
  }

  func tree(_ wanted: Bool, _ reader: MacroReader) throws(PredicateError) -> PredicateTree {
    let tree = try inner(reader).tree(transform)
    if wanted, tree.isFalseWhenMissing { return tree }
    return .all([.not(try reader.isMissing(wrapped)), wanted ? tree : .not(tree)])
  }

  func operand(_ reader: MacroReader) throws(PredicateError) -> PredicateExpression {
    try inner(reader).operand(transform)
  }
}
