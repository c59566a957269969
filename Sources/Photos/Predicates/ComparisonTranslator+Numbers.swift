internal import LibraryStore

extension ComparisonTranslator {
  // MARK: Dates

  func dates(_ key: PredicateKey) throws(PredicateError) -> Condition {
    let operand = Operand.key(key.key)
    switch operation.kind {
    case .isIn: return .isIn(operand, try dateValues(key))
    case .between:
      let (low, high) = try bounds()
      return .between(operand, try date(low, key, mayBeMissing: false), try date(high, key, mayBeMissing: false))
    default:
      guard let comparison = operation.kind.comparison else { throw wrongOperator(key) }
      return .comparison(operand, comparison, try date(right, key))
    }
  }

  private func dateValues(_ key: PredicateKey) throws(PredicateError) -> [Value] {
    var dates: [Value] = []
    for value in try values() { dates.append(try date(value, for: key, at: right.place)) }
    return dates
  }

  /// Returns the right side of a comparison of dates: a date, null, or a key that is a date.
  private func date(
    _ expression: PredicateExpression, _ key: PredicateKey, mayBeMissing: Bool = true
  ) throws(PredicateError) -> Operand {
    switch expression {
    case .constant(.null, let place) where !mayBeMissing: throw wrongValue("nil", for: key, at: place)
    case .constant(let value, let place): return .value(try date(value, for: key, at: place))
    case .key(let name, let place):
      let other = try self.key(name, place)
      guard other.kind == .date else { throw wrongValue("“\(name)”", for: key, at: place) }
      return .key(other.key)
    case .arithmetic, .list: throw wrongValue("a computed value", for: key, at: expression.place)
    }
  }

  private func date(
    _ value: PredicateConstant, for key: PredicateKey, at place: PredicatePlace?
  ) throws(PredicateError) -> Value {
    switch value {
    case .date(let date): return .real(date.timeIntervalSince1970)
    case .text(let text):
      guard let date = Date(predicateText: text) else {
        throw wrongValue("\(value.name); write it as “2026-04-30” or “2026-04-30 18:05”", for: key, at: place)
      }
      return .real(date.timeIntervalSince1970)
    case .null: return .null
    case .integer, .real:
      throw wrongValue("\(value.name); pass a Date as the argument of %@", for: key, at: place)
    default: throw wrongValue(value.name, for: key, at: place)
    }
  }

  // MARK: Numbers

  /// Returns a comparison of numbers. Without a key, the left side is computed:
  /// `(mediaSubtypes & 4) != 0`.
  func numbers(_ key: PredicateKey?) throws(PredicateError) -> Condition {
    let operand = try number(left).operand
    switch operation.kind {
    case .isIn:
      var numbers: [Value] = []
      for value in try values() { numbers.append(try number(value, for: key, at: right.place, mayBeMissing: true)) }
      return .isIn(operand, numbers)
    case .between:
      let (low, high) = try bounds()
      return .between(operand, try number(low, key).operand, try number(high, key).operand)
    default:
      guard let comparison = operation.kind.comparison else {
        if let key { throw wrongOperator(key) }
        throw PredicateError(
          "\(operation.text) compares texts, but its left side is a number", at: operation.place)
      }
      return .comparison(operand, comparison, try number(right, key, mayBeMissing: true).operand)
    }
  }

  /// An operand that is a number, and whether it is an integer.
  private typealias Number = (operand: Operand, isInteger: Bool)

  private func number(
    _ expression: PredicateExpression, _ key: PredicateKey? = nil, mayBeMissing: Bool = false
  ) throws(PredicateError) -> Number {
    switch expression {
    case .key(let name, let place):
      let other = try self.key(name, place)
      guard other.kind.isNumber else {
        if let key { throw wrongValue("“\(name)”", for: key, at: place) }
        throw PredicateError("“\(name)” is not a number, so it can't be computed or compared here", at: place)
      }
      return (.key(other.key), other.kind != .real)
    case .constant(let value, let place):
      let number = try number(value, for: key, at: place, mayBeMissing: mayBeMissing)
      if case .real = number { return (.value(number), false) }
      return (.value(number), true)
    case .arithmetic(let left, let operation, let right, let place):
      let (first, second) = (try number(left), try number(right))
      guard !operation.isBitwise || (first.isInteger && second.isInteger) else {
        throw PredicateError("“\(operation.rawValue)” takes integers", at: place)
      }
      return (
        .arithmetic(first.operand, operation, second.operand), first.isInteger && second.isInteger
      )
    case .list(_, let place): throw PredicateError("a number was expected, not a list", at: place)
    }
  }

  private func number(
    _ value: PredicateConstant, for key: PredicateKey?, at place: PredicatePlace?, mayBeMissing: Bool
  ) throws(PredicateError) -> Value {
    switch value {
    case .integer(let value): return .integer(value)
    case .real(let value) where key?.kind != .bits: return .real(value)
    case .null where mayBeMissing: return .null
    default: break
    }
    guard let key else { throw PredicateError("a number was expected, not \(value.name)", at: place) }
    throw wrongValue(value.name + hint(key), for: key, at: place)
  }

  private func hint(_ key: PredicateKey) -> String {
    key.key == .mediaType ? "; 1 is an image, 2 a video, 3 a sound" : ""
  }
}
