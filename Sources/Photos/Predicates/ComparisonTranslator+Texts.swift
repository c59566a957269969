import Foundation
internal import LibraryStore

extension ComparisonTranslator {
  func text(_ key: PredicateKey) throws(PredicateError) -> Condition {
    let operand = Operand.key(key.key)
    switch operation.kind {
    case .isIn: return try isIn(operand, key)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: return try compared(operand, key)
    case .between:
      try refuseOptions()
      let (low, high) = try bounds()
      return .between(operand, try side(low, key, mayBeMissing: false), try side(high, key, mayBeMissing: false))
    case .contains, .beginsWith, .endsWith, .like, .matches:
      guard let test = operation.kind.textTest else { throw wrongOperator(key) }
      let pattern = try pattern(value(key), key)
      if test == .matches, (try? NSRegularExpression(pattern: pattern)) == nil {
        throw PredicateError("“\(pattern)” is not a regular expression", at: right.place)
      }
      return .text(operand, test, pattern, options)
    }
  }

  private var options: Condition.TextOptions {
    var options: Condition.TextOptions = []
    if operation.ignoresCase { options.insert(.caseInsensitive) }
    if operation.ignoresDiacritics { options.insert(.diacriticInsensitive) }
    return options
  }

  /// Throws if there are options, since they have no effect on the order of texts.
  private func refuseOptions() throws(PredicateError) {
    guard options.isEmpty else {
      throw PredicateError("\(operation.kind.rawValue) compares with case and accents only", at: operation.place)
    }
  }

  private func compared(_ operand: Operand, _ key: PredicateKey) throws(PredicateError) -> Condition {
    guard let comparison = operation.kind.comparison else { throw wrongOperator(key) }
    if !options.isEmpty, case .constant(let value, _) = right, value != .null,
      let test = operation.kind.textTest
    {
      return .text(operand, test, try pattern(value, key), options)
    }
    let isMissing = if case .constant(.null, _) = right { true } else { false }
    if !isMissing { try refuseOptions() }
    return .comparison(operand, comparison, try side(right, key))
  }

  private func isIn(_ operand: Operand, _ key: PredicateKey) throws(PredicateError) -> Condition {
    var values: [Value] = []
    var tests: [Condition] = []
    for value in try self.values() {
      if value == .null {
        values.append(.null)
        tests.append(.comparison(operand, .equal, .value(.null)))
      } else {
        let text = try pattern(value, key)
        values.append(.text(text))
        tests.append(.text(operand, .equal, text, options))
      }
    }
    return options.isEmpty ? .isIn(operand, values) : .any(tests)
  }

  /// Returns the right side of a comparison of texts: a text, null, or a key that is a text.
  private func side(
    _ expression: PredicateExpression, _ key: PredicateKey, mayBeMissing: Bool = true
  ) throws(PredicateError) -> Operand {
    switch expression {
    case .constant(.null, _) where mayBeMissing: return .value(.null)
    case .constant(let value, _): return .value(.text(try pattern(value, key)))
    case .key(let name, let place):
      let other = try self.key(name, place)
      guard other.kind == .text else { throw wrongValue("“\(name)”", for: key, at: place) }
      return .key(other.key)
    case .arithmetic, .list: throw wrongValue("a computed value", for: key, at: expression.place)
    }
  }

  private func pattern(_ value: PredicateConstant, _ key: PredicateKey) throws(PredicateError) -> String {
    guard case .text(let text) = value else { throw wrongValue(value.name, for: key, at: right.place) }
    // SQLite would compare only the part before it.
    if text.utf8.contains(0) { throw wrongValue("a text that contains a NUL", for: key, at: right.place) }
    return text
  }
}
