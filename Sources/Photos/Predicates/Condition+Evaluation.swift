import Foundation
internal import LibraryStore

extension Condition {
  /// Returns whether an object with these values meets the condition, as a fetch decides it. Needs
  /// no library.
  ///
  ///     condition.holds { key in key == .pixelWidth ? .integer(4032) : .null }
  func holds(_ value: (FetchKey) -> Value) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .all(let parts): parts.allSatisfy { $0.holds(value) }
    case .any(let parts): parts.contains { $0.holds(value) }
    case .not(let part): !part.holds(value)
    case .comparison(let left, let comparison, let right): comparison.holds(left.value(value), right.value(value))
    case .between(let operand, let low, let high):
      Comparison.lessOrEqual.holds(low.value(value), operand.value(value))
        && Comparison.lessOrEqual.holds(operand.value(value), high.value(value))
    case .isIn(let operand, let values):
      Self.isIn(operand.value(value), values)
    case .text(let operand, let test, let pattern, let options):
      if case .text(let text) = operand.value(value) {
        TextPattern(test: test, pattern: pattern, options: options).matches(text)
      } else {
        test == .notEqual
      }
    }
  }

  private static func isIn(_ value: Value, _ values: [Value]) -> Bool {
    values.contains { Comparison.equal.holds(value, $0) }
  }
}

extension Condition.Comparison {
  fileprivate func holds(_ left: Value, _ right: Value) -> Bool {
    let order = left.order(right)
    return switch self {
    case .equal: order == .orderedSame
    case .notEqual: order != .orderedSame
    case .less: !left.isMissing && order == .orderedAscending
    case .lessOrEqual: !left.isMissing && (order == .orderedAscending || order == .orderedSame)
    case .greater: !left.isMissing && order == .orderedDescending
    case .greaterOrEqual: !left.isMissing && (order == .orderedDescending || order == .orderedSame)
    }
  }
}

extension Value {
  fileprivate var isMissing: Bool { self == .null }

  /// Returns the order of two values; `nil` if they have none: a text and a number, or a value and
  /// null.
  fileprivate func order(_ other: Value) -> ComparisonResult? {
    switch (self, other) {
    case (.null, .null): .orderedSame
    case (.integer(let own), .integer(let other)): Self.order(own, other)
    case (.text(let own), .text(let other)):
      own.utf8.elementsEqual(other.utf8)
        ? .orderedSame : own.utf8.lexicographicallyPrecedes(other.utf8) ? .orderedAscending : .orderedDescending
    default: number.flatMap { own in other.number.map { Self.order(own, $0) } }
    }
  }

  private static func order<Number: Comparable>(_ first: Number, _ second: Number) -> ComparisonResult {
    first == second ? .orderedSame : first < second ? .orderedAscending : .orderedDescending
  }

  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .text, .blob, .null: nil
    }
  }
}

extension Operand {
  fileprivate func value(_ value: (FetchKey) -> Value) -> Value {
    switch self {
    case .key(let key): return value(key)
    case .value(let constant): return constant
    case .arithmetic(let left, let operation, let right):
      guard let first = left.value(value).constant, let second = right.value(value).constant,
        case .constant(let result, _)? = try? PredicateExpression.computed(
          .constant(first), operation, .constant(second), at: nil)
      else { return .null }
      return switch result {
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      default: .null
      }
    }
  }
}

extension Value {
  /// The value of a number. Any other value makes a computed operand null.
  fileprivate var constant: PredicateConstant? {
    switch self {
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text, .blob, .null: nil
    }
  }
}
