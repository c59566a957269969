import Foundation

extension NSPredicate {
  /// Makes a predicate for a fetch from a Swift expression.
  ///
  ///     let isLargeFavorite = #Predicate<PHAsset> { $0.isFavorite && $0.pixelWidth > 4000 }
  ///     options.predicate = NSPredicate(isLargeFavorite)
  ///
  /// It is never `nil`, although Apple's can be. An expression that has no meaning in a fetch makes
  /// the fetch trap and `PHFetchOptions.validate(for:)` throw, with the name of the expression.
  public convenience init?<Input: PHObject>(_ predicate: Predicate<Input>) {
    self.init(tree: MacroReader.tree(predicate.expression))
  }
}

/// Translates the expression of a `#Predicate` to the tree that a format would have.
///
/// A missing value has the meaning that it has in Swift: `($0.burstIdentifier ?? "") == ""` finds
/// assets without one.
struct MacroReader {
  /// The values of the names in closures and in `if let`, except the name of the object itself.
  var variables: [PredicateExpressions.VariableID: PredicateExpression] = [:]

  static func tree(_ expression: Any) -> PredicateTree {
    do throws(PredicateError) { return try MacroReader().tree(expression) } catch { return .invalid(error) }
  }

  /// Returns the tree of an expression that is true or false.
  func tree(_ expression: Any) throws(PredicateError) -> PredicateTree {
    if let condition = expression as? any MacroCondition { return try condition.tree(self) }
    if let emptiness = expression as? any MacroEmptiness, let text = emptiness.testedText {
      return try compare(text, .equal, PredicateExpressions.Value(""))
    }
    return Self.comparison(try operand(expression), .equal, .constant(.boolean(true)))
  }

  /// Returns one side of a comparison.
  func operand(_ expression: Any) throws(PredicateError) -> PredicateExpression {
    guard let operand = expression as? any MacroOperand else {
      let name = String(describing: type(of: expression)).prefix { $0 != "<" }
      throw PredicateError("“\(name)” in a #Predicate can't be used in a fetch", at: nil)
    }
    return try operand.operand(self)
  }

  func compare(
    _ left: Any, _ kind: PredicateOperator.Kind, _ right: Any
  ) throws(PredicateError) -> PredicateTree {
    if let coalescing = left as? any MacroCoalescing, !coalescing.isBoolean {
      return try compare(coalescing, kind, right)
    }
    if right is any MacroCoalescing, !(left is any MacroCoalescing), let swapped = kind.swapped {
      return try compare(right, swapped, left)
    }
    if kind == .equal || kind == .notEqual {
      var isTrue = try truth(left, is: right)
      if isTrue == nil { isTrue = try truth(right, is: left) }
      if let isTrue { return kind == .equal ? isTrue : .not(isTrue) }
    }
    return Self.comparison(try operand(left), kind, try operand(right))
  }

  /// Compares `(key ?? other) > value`, which compares the other value if the key is missing.
  private func compare(
    _ left: any MacroCoalescing, _ kind: PredicateOperator.Kind, _ right: Any
  ) throws(PredicateError) -> PredicateTree {
    if kind == .notEqual { return .not(try compare(left, .equal, right)) }
    let missing = try isMissing(left.optional)
    let own = try compare(left.optional, kind, right)
    let other = try compare(left.other, kind, right)
    let present: PredicateTree = own.isFalseWhenMissing ? own : .all([.not(missing), own])
    switch other {
    case .constant(true): return .any([present, missing])
    case .constant(false): return present
    default: return .any([present, .all([missing, other])])
    }
  }

  /// Compares a condition with a constant, like `$0.localizedTitle?.contains("a") == true`; `nil`
  /// if the expression is no condition.
  private func truth(_ expression: Any, is other: Any) throws(PredicateError) -> PredicateTree? {
    guard let wanted = (other as? any MacroValue)?.captured else { return nil }
    if let chain = expression as? any MacroOptionalChain, chain.isBoolean {
      switch PredicateConstant(wanted) {
      case .null?: return try isMissing(expression)
      case .boolean(let isTrue)?: return try chain.tree(isTrue, self)
      default: return nil
      }
    }
    guard !(expression is any MacroOperand), expression is any MacroCondition,
      case .boolean(let isTrue)? = PredicateConstant(wanted)
    else { return nil }
    let tree = try tree(expression)
    return isTrue ? tree : .not(tree)
  }

  /// Returns the condition that an optional is `nil`.
  func isMissing(_ expression: Any) throws(PredicateError) -> PredicateTree {
    if let chain = expression as? any MacroOptionalChain { return try isMissing(chain.start) }
    return Self.comparison(try operand(expression), .equal, .constant(.null))
  }

  static func comparison(
    _ left: PredicateExpression, _ kind: PredicateOperator.Kind, _ right: PredicateExpression
  ) -> PredicateTree {
    if case .constant(let first, _) = left, case .constant(let second, _) = right,
      let isTrue = first.compared(kind, second)
    {
      return .constant(isTrue)
    }
    return .comparison(PredicateComparison(left: left, operation: PredicateOperator(kind: kind), right: right))
  }
}

/// An expression in a `#Predicate` that is true or false.
protocol MacroCondition { func tree(_ reader: MacroReader) throws(PredicateError) -> PredicateTree }

/// An expression in a `#Predicate` that is one side of a comparison.
protocol MacroOperand { func operand(_ reader: MacroReader) throws(PredicateError) -> PredicateExpression }

/// A constant, or a value that the closure captured.
protocol MacroValue { var captured: Any { get } }

/// The expression `$0.originalFilename.isEmpty`.
protocol MacroEmptiness { var testedText: Any? { get } }

/// The expression `optional ?? other`.
protocol MacroCoalescing {
  var optional: Any { get }
  var other: Any { get }
  var isBoolean: Bool { get }
}

/// The expression `start?.rest`.
protocol MacroOptionalChain {
  var start: Any { get }
  var isBoolean: Bool { get }
  /// Returns the condition that the start is not `nil` and the rest is equal to `wanted`.
  func tree(_ wanted: Bool, _ reader: MacroReader) throws(PredicateError) -> PredicateTree
}

extension PredicateTree {
  /// Whether the tree is already false if its key is missing, so that no condition has to be added.
  var isFalseWhenMissing: Bool {
    switch self {
    case .constant(let value): return !value
    case .all(let parts): return parts.contains(where: \.isFalseWhenMissing)
    case .any(let parts): return parts.allSatisfy(\.isFalseWhenMissing)
    case .not(.comparison(let comparison)):
      guard comparison.operation.kind == .equal, case .constant(.null, _) = comparison.right else { return false }
      return true
    case .not, .invalid: return false
    case .comparison(let comparison):
      guard comparison.operation.kind != .notEqual, case .constant(let value, _) = comparison.right else {
        return false
      }
      if case .list(let elements) = value { return !elements.contains(.null) }
      return value != .null
    }
  }
}
