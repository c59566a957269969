import Foundation

extension NSPredicate {
  /// A predicate for a fetch, written as Swift.
  ///
  ///     options.predicate = NSPredicate(#Predicate<PHAsset> { $0.isFavorite && $0.pixelWidth > 4000 })
  ///
  /// What has no meaning in a fetch makes it fail, and `PHFetchOptions.validate(for:)` throws what that is.
  public convenience init?<Input: PHObject>(_ predicate: Predicate<Input>) {
    self.init(tree: MacroTree.tree(predicate.expression))
  }
}

/// Turns the expression that `#Predicate` makes into a tree.
private enum MacroTree {
  static func tree(_ expression: Any) -> PredicateTree {
    do throws(MacroError) {
      if let convertible = expression as? any TreeConvertible { return try convertible.tree }
      return try comparison(expression)
    } catch { return .invalid(error.message) }
  }

  /// A truth value that stands alone: `$0.isFavorite`.
  private static func comparison(_ expression: Any) throws(MacroError) -> PredicateTree {
    .comparison(try side(expression), PredicateOperator(kind: .equal), .constant(.boolean(true)))
  }

  static func side(_ expression: Any) throws(MacroError) -> PredicateExpression {
    guard let convertible = expression as? any SideConvertible else {
      throw MacroError(message: "\(name(expression)) of a #Predicate can't be used in a fetch")
    }
    return try convertible.side
  }

  private static func name(_ expression: Any) -> String {
    String(String(describing: type(of: expression)).prefix { $0 != "<" })
  }
}

private struct MacroError: Error { let message: String }

private protocol TreeConvertible { var tree: PredicateTree { get throws(MacroError) } }
private protocol SideConvertible { var side: PredicateExpression { get throws(MacroError) } }

// MARK: Logic

extension PredicateExpressions.Conjunction: TreeConvertible {
  fileprivate var tree: PredicateTree { .all([MacroTree.tree(lhs), MacroTree.tree(rhs)]) }
}

extension PredicateExpressions.Disjunction: TreeConvertible {
  fileprivate var tree: PredicateTree { .any([MacroTree.tree(lhs), MacroTree.tree(rhs)]) }
}

extension PredicateExpressions.Negation: TreeConvertible {
  fileprivate var tree: PredicateTree { .not(MacroTree.tree(wrapped)) }
}

// MARK: Comparisons

extension PredicateExpressions.Equal: TreeConvertible {
  fileprivate var tree: PredicateTree {
    get throws(MacroError) {
      .comparison(try MacroTree.side(lhs), PredicateOperator(kind: .equal), try MacroTree.side(rhs))
    }
  }
}

extension PredicateExpressions.NotEqual: TreeConvertible {
  fileprivate var tree: PredicateTree {
    get throws(MacroError) {
      .comparison(try MacroTree.side(lhs), PredicateOperator(kind: .notEqual), try MacroTree.side(rhs))
    }
  }
}

extension PredicateExpressions.Comparison: TreeConvertible {
  fileprivate var tree: PredicateTree {
    get throws(MacroError) {
      let kind: PredicateOperator.Kind =
        switch op {
        case .lessThan: .less
        case .lessThanOrEqual: .lessOrEqual
        case .greaterThan: .greater
        case .greaterThanOrEqual: .greaterOrEqual
        @unknown default: throw MacroError(message: "\(op) of a #Predicate can't be used in a fetch")
        }
      return .comparison(try MacroTree.side(lhs), PredicateOperator(kind: kind), try MacroTree.side(rhs))
    }
  }
}

extension PredicateExpressions.SequenceContains: TreeConvertible {
  fileprivate var tree: PredicateTree {
    get throws(MacroError) {
      .comparison(try MacroTree.side(element), PredicateOperator(kind: .isIn), try MacroTree.side(sequence))
    }
  }
}

extension PredicateExpressions.RangeExpressionContains: TreeConvertible {
  fileprivate var tree: PredicateTree {
    get throws(MacroError) {
      let element = try MacroTree.side(element)
      func bound(_ kind: PredicateOperator.Kind, _ expression: Any) throws(MacroError) -> PredicateTree {
        .comparison(element, PredicateOperator(kind: kind), try MacroTree.side(expression))
      }
      if let range = range as? any HalfOpenRange {
        return .all([try bound(.greaterOrEqual, range.low), try bound(.less, range.high)])
      }
      if let range = range as? any FullRange {
        return .all([try bound(.greaterOrEqual, range.low), try bound(.lessOrEqual, range.high)])
      }
      guard let value = (range as? any CapturedValue)?.captured else {
        throw MacroError(message: "the range of a #Predicate can't be used in a fetch")
      }
      return try captured(value, element)
    }
  }

  private func captured(_ range: Any, _ element: PredicateExpression) throws(MacroError) -> PredicateTree {
    guard let (low, high, isClosed) = (range as? any BoundedRange)?.bounds, let low = PredicateConstant(low),
      let high = PredicateConstant(high)
    else { throw MacroError(message: "a \(type(of: range)) of a #Predicate can't be used in a fetch") }
    return .all([
      .comparison(element, PredicateOperator(kind: .greaterOrEqual), .constant(low)),
      .comparison(element, PredicateOperator(kind: isClosed ? .lessOrEqual : .less), .constant(high)),
    ])
  }
}

private protocol HalfOpenRange {
  var low: Any { get }
  var high: Any { get }
}
extension PredicateExpressions.Range: HalfOpenRange {
  fileprivate var low: Any { lower }
  fileprivate var high: Any { upper }
}

private protocol FullRange {
  var low: Any { get }
  var high: Any { get }
}
extension PredicateExpressions.ClosedRange: FullRange {
  fileprivate var low: Any { lower }
  fileprivate var high: Any { upper }
}

private protocol BoundedRange { var bounds: (Any, Any, isClosed: Bool) { get } }
extension Range: BoundedRange {
  fileprivate var bounds: (Any, Any, isClosed: Bool) { (lowerBound, upperBound, false) }
}
extension ClosedRange: BoundedRange {
  fileprivate var bounds: (Any, Any, isClosed: Bool) { (lowerBound, upperBound, true) }
}

// MARK: Texts

extension PredicateExpressions.CollectionContainsCollection: TreeConvertible {
  fileprivate var tree: PredicateTree {
    get throws(MacroError) {
      .comparison(try MacroTree.side(base), PredicateOperator(kind: .contains), try MacroTree.side(other))
    }
  }
}

extension PredicateExpressions.SequenceStartsWith: TreeConvertible {
  fileprivate var tree: PredicateTree {
    get throws(MacroError) {
      .comparison(try MacroTree.side(base), PredicateOperator(kind: .beginsWith), try MacroTree.side(prefix))
    }
  }
}

// MARK: Sides

private protocol CapturedValue { var captured: Any { get } }

extension PredicateExpressions.Value: SideConvertible, TreeConvertible, CapturedValue {
  fileprivate var captured: Any { value }

  fileprivate var side: PredicateExpression {
    get throws(MacroError) {
      guard let constant = PredicateConstant(value) else {
        throw MacroError(message: "nothing can be compared with a \(type(of: value))")
      }
      return .constant(constant)
    }
  }

  fileprivate var tree: PredicateTree {
    get throws(MacroError) {
      guard let value = value as? Bool else { throw MacroError(message: "\(value) is no truth value") }
      return .constant(value)
    }
  }
}

extension PredicateExpressions.NilLiteral: SideConvertible {
  fileprivate var side: PredicateExpression { .constant(.null) }
}

extension PredicateExpressions.Variable: SideConvertible {
  fileprivate var side: PredicateExpression { .key("SELF") }
}

extension PredicateExpressions.KeyPath: SideConvertible {
  fileprivate var side: PredicateExpression {
    get throws(MacroError) {
      if let name = MacroKeys.names[keyPath] { return .key(name) }
      // .rawValue of a key is the key itself.
      if let inner = root as? any SideConvertible, MacroKeys.rawValues.contains(keyPath) { return try inner.side }
      throw MacroError(message: "\(keyPath) can't be used in a fetch")
    }
  }
}

extension PredicateExpressions.Arithmetic: SideConvertible {
  fileprivate var side: PredicateExpression {
    get throws(MacroError) {
      let sign =
        switch op {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        @unknown default: throw MacroError(message: "\(op) of a #Predicate can't be used in a fetch")
        }
      return .arithmetic(try MacroTree.side(lhs), sign, try MacroTree.side(rhs))
    }
  }
}

extension PredicateExpressions.UnaryMinus: SideConvertible {
  fileprivate var side: PredicateExpression {
    get throws(MacroError) { .arithmetic(.constant(.integer(0)), "-", try MacroTree.side(wrapped)) }
  }
}

extension PredicateExpressions.NilCoalesce: SideConvertible {
  /// A comparison with what is missing is false anyway.
  fileprivate var side: PredicateExpression { get throws(MacroError) { try MacroTree.side(lhs) } }
}

extension PredicateExpressions.ForcedUnwrap: SideConvertible {
  fileprivate var side: PredicateExpression { get throws(MacroError) { try MacroTree.side(inner) } }
}

/// The key paths that a `#Predicate` can name.
private enum MacroKeys {
  // Key paths of constants are immutable, though they don't say that they are Sendable.
  nonisolated(unsafe) static let names: [AnyKeyPath: String] = [
    \PHAsset.localIdentifier: "localIdentifier", \PHObject.localIdentifier: "localIdentifier",
    \PHAssetCollection.localIdentifier: "localIdentifier", \PHCollection.localIdentifier: "localIdentifier",
    \PHCollectionList.localIdentifier: "localIdentifier", \PHAsset.creationDate: "creationDate",
    \PHAsset.modificationDate: "modificationDate", \PHAsset.addedDate: "addedDate", \PHAsset.mediaType: "mediaType",
    \PHAsset.mediaSubtypes: "mediaSubtypes", \PHAsset.duration: "duration", \PHAsset.pixelWidth: "pixelWidth",
    \PHAsset.pixelHeight: "pixelHeight", \PHAsset.isFavorite: "isFavorite", \PHAsset.isHidden: "isHidden",
    \PHAsset.burstIdentifier: "burstIdentifier", \PHAsset.hasAdjustments: "hasAdjustments",
    \PHCollection.localizedTitle: "localizedTitle", \PHAssetCollection.localizedTitle: "localizedTitle",
    \PHCollectionList.localizedTitle: "localizedTitle", \PHAssetCollection.startDate: "startDate",
    \PHAssetCollection.endDate: "endDate", \PHCollectionList.startDate: "startDate",
    \PHCollectionList.endDate: "endDate", \PHAssetCollection.estimatedAssetCount: "estimatedAssetCount",
    \PHCollection.modificationDate: "modificationDate", \PHAssetCollection.modificationDate: "modificationDate",
    \PHCollectionList.modificationDate: "modificationDate",
  ]

  nonisolated(unsafe) static let rawValues: Set<AnyKeyPath> = [
    \PHAssetMediaType.rawValue, \PHAssetMediaSubtype.rawValue,
  ]
}
