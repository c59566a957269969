import Foundation

extension NSPredicate {
  /// A predicate for a fetch, written as Swift.
  ///
  ///     options.predicate = NSPredicate(#Predicate<PHAsset> { $0.isFavorite && $0.pixelWidth > 4000 })
  ///
  /// Never `nil`, though Apple's can be: what has no meaning in a fetch makes the fetch trap, and
  /// `PHFetchOptions.validate(for:)` throw, with its name.
  public convenience init?<Input: PHObject>(_ predicate: Predicate<Input>) {
    self.init(tree: MacroReader.tree(predicate.expression))
  }
}

/// Turns the expression that `#Predicate` makes into a tree, as if it had been written as a format.
///
/// What a missing value means is Swift's: `($0.burstIdentifier ?? "") == ""` finds assets without one.
struct MacroReader {
  /// What the names in closures and in `if let` stand for; the object itself is in none of them.
  var variables: [PredicateExpressions.VariableID: PredicateExpression] = [:]

  static func tree(_ expression: Any) -> PredicateTree {
    do throws(PredicateError) { return try MacroReader().tree(expression) } catch { return .invalid(error) }
  }

  /// Something that is true or false.
  func tree(_ expression: Any) throws(PredicateError) -> PredicateTree {
    if let truth = expression as? any MacroTruth { return try truth.tree(self) }
    if let emptiness = expression as? any MacroEmptiness, let text = emptiness.textThatIsEmpty {
      return try compare(text, .equal, PredicateExpressions.Value(""))
    }
    return Self.comparison(try side(expression), .equal, .constant(.boolean(true)))
  }

  /// Something that is compared.
  func side(_ expression: Any) throws(PredicateError) -> PredicateExpression {
    guard let side = expression as? any MacroSide else {
      let name = String(describing: type(of: expression)).prefix { $0 != "<" }
      throw PredicateError("“\(name)” in a #Predicate can't be used in a fetch", at: nil)
    }
    return try side.side(self)
  }

  func compare(
    _ left: Any, _ kind: PredicateOperator.Kind, _ right: Any
  ) throws(PredicateError) -> PredicateTree {
    if let coalescing = left as? any MacroCoalescing, !coalescing.isTruth {
      return try compare(coalescing, kind, right)
    }
    if right is any MacroCoalescing, !(left is any MacroCoalescing), let turned = kind.turned {
      return try compare(right, turned, left)
    }
    if kind == .equal || kind == .notEqual {
      var isTrue = try truth(left, is: right)
      if isTrue == nil { isTrue = try truth(right, is: left) }
      if let isTrue { return kind == .equal ? isTrue : .not(isTrue) }
    }
    return Self.comparison(try side(left), kind, try side(right))
  }

  /// `(key ?? other) > value`: the key, or where it is missing the other.
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

  /// `$0.localizedTitle?.contains("a") == true`, or any other truth compared with a constant; `nil` for what is no
  /// truth.
  private func truth(_ expression: Any, is other: Any) throws(PredicateError) -> PredicateTree? {
    guard let wanted = (other as? any MacroValue)?.captured else { return nil }
    if let chain = expression as? any MacroOptionalChain, chain.isTruth {
      switch PredicateConstant(wanted) {
      case .null?: return try isMissing(expression)
      case .boolean(let isTrue)?: return try chain.tree(isTrue, self)
      default: return nil
      }
    }
    guard !(expression is any MacroSide), expression is any MacroTruth,
      case .boolean(let isTrue)? = PredicateConstant(wanted)
    else { return nil }
    let tree = try tree(expression)
    return isTrue ? tree : .not(tree)
  }

  /// Whether an optional is `nil`.
  func isMissing(_ expression: Any) throws(PredicateError) -> PredicateTree {
    if let chain = expression as? any MacroOptionalChain { return try isMissing(chain.start) }
    return Self.comparison(try side(expression), .equal, .constant(.null))
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

/// Something true or false in a `#Predicate`.
protocol MacroTruth { func tree(_ reader: MacroReader) throws(PredicateError) -> PredicateTree }

/// Something in a `#Predicate` that is compared.
protocol MacroSide { func side(_ reader: MacroReader) throws(PredicateError) -> PredicateExpression }

/// A constant, or what the closure captured.
protocol MacroValue { var captured: Any { get } }

/// `$0.originalFilename.isEmpty`
protocol MacroEmptiness { var textThatIsEmpty: Any? { get } }

/// `optional ?? other`
protocol MacroCoalescing {
  var optional: Any { get }
  var other: Any { get }
  var isTruth: Bool { get }
}

/// `start?.rest`
protocol MacroOptionalChain {
  var start: Any { get }
  var isTruth: Bool { get }
  /// That there is a start, and that the rest is true, or false.
  func tree(_ wanted: Bool, _ reader: MacroReader) throws(PredicateError) -> PredicateTree
}

extension PredicateTree {
  /// Whether it is false of itself where its key is missing; nothing has to be added then.
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
