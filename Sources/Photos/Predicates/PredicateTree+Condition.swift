internal import LibraryStore

extension PredicateTree {
  /// Returns the condition of a fetch of these objects. Throws an error that names the unsupported
  /// part and the supported ones.
  ///
  ///     try NSPredicate(format: "NO == favorite").condition(for: .asset)
  ///     // .comparison(.key(.isFavorite), .equal, .value(.integer(0)))
  func condition(for entity: PredicateEntity) throws(PredicateError) -> Condition {
    switch self {
    case .constant(let value): .truth(value)
    case .all(let parts): .all(try Self.conditions(parts, entity))
    case .any(let parts): .any(try Self.conditions(parts, entity))
    case .not(let part): .not(try part.condition(for: entity))
    case .comparison(let comparison): try ComparisonTranslator(comparison, entity).condition()
    case .invalid(let error): throw error
    }
  }

  private static func conditions(
    _ parts: [PredicateTree], _ entity: PredicateEntity
  ) throws(PredicateError) -> [Condition] {
    var conditions: [Condition] = []
    for part in parts { conditions.append(try part.condition(for: entity)) }
    return conditions
  }
}

extension Condition {
  static func truth(_ value: Bool) -> Condition { value ? .always : .never }
}

extension PredicateOperator.Kind {
  var comparison: Condition.Comparison? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .between, .isIn, .contains, .beginsWith, .endsWith, .like, .matches: nil
    }
  }

  var textTest: Condition.TextTest? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .contains: .contains
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .like: .like
    case .matches: .matches
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .isIn: nil
    }
  }
}
