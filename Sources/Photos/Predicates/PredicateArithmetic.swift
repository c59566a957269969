internal import LibraryStore

/// An arithmetic operator in a predicate.
typealias PredicateArithmetic = Operand.Operation

extension PredicateArithmetic {
  var isBitwise: Bool { self == .bitAnd || self == .bitOr }
}

extension PredicateExpression {
  /// Returns the computation of two sides, or its result if both are numbers.
  ///
  ///     60 * 60              // the constant 3600
  ///     pixelWidth * 2       // stays a computation
  ///
  /// The division of two integers drops the remainder.
  static func computed(
    _ left: PredicateExpression, _ operation: PredicateArithmetic, _ right: PredicateExpression,
    at place: PredicatePlace?
  ) throws(PredicateError) -> PredicateExpression {
    guard case .constant(let first, _) = left, case .constant(let second, _) = right else {
      return .arithmetic(left, operation, right, place)
    }
    let result: PredicateConstant?
    switch (first, second) {
    case (.integer(let first), .integer(let second)): result = operation.integer(first, second)
    case (.integer(let first), .real(let second)): result = operation.real(Double(first), second)
    case (.real(let first), .integer(let second)): result = operation.real(first, Double(second))
    case (.real(let first), .real(let second)): result = operation.real(first, second)
    default:
      throw PredicateError(
        "“\(operation.rawValue)” computes with numbers, not with \(nonNumberName(first, second))", at: place)
    }
    guard let result else {
      throw PredicateError("“\(operation.rawValue)” has no result for \(first.name) and \(second.name)", at: place)
    }
    return .constant(result, left.place)
  }

  private static func nonNumberName(_ first: PredicateConstant, _ second: PredicateConstant) -> String {
    switch first {
    case .integer, .real: second.name
    default: first.name
    }
  }
}

extension PredicateArithmetic {
  fileprivate func integer(_ first: Int, _ second: Int) -> PredicateConstant? {
    let (result, overflows): (Int, Bool) =
      switch self {
      case .plus: first.addingReportingOverflow(second)
      case .minus: first.subtractingReportingOverflow(second)
      case .times: first.multipliedReportingOverflow(by: second)
      case .dividedBy: first.dividedReportingOverflow(by: second)
      case .bitAnd: (first & second, false)
      case .bitOr: (first | second, false)
      }
    return overflows ? nil : .integer(result)
  }

  fileprivate func real(_ first: Double, _ second: Double) -> PredicateConstant? {
    switch self {
    case .plus: PredicateConstant(real: first + second)
    case .minus: PredicateConstant(real: first - second)
    case .times: PredicateConstant(real: first * second)
    case .dividedBy: PredicateConstant(real: first / second)
    case .bitAnd, .bitOr: nil
    }
  }
}
