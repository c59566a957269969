internal import LibraryStore

/// A comparison that is translated to a condition. The key is on the left, and its kind determines
/// the values on the right.
///
/// The kinds are in `ComparisonTranslator+Numbers.swift` and `ComparisonTranslator+Texts.swift`.
struct ComparisonTranslator {
  let left: PredicateExpression
  let operation: PredicateOperator
  let right: PredicateExpression
  let entity: PredicateEntity

  init(_ comparison: PredicateComparison, _ entity: PredicateEntity) {
    self.entity = entity
    let (left, operation, right) = (comparison.left, comparison.operation, comparison.right)
    let isSwapped = left.isConstant && !right.isConstant
    if isSwapped, let swapped = Self.swapped(left, operation) {
      self.left = right
      self.operation = operation.with(swapped)
      self.right = left
    } else {
      self.left = left
      self.operation = operation
      self.right = right
    }
  }

  /// Returns the operator after the sides were exchanged; `nil` if they can't be.
  ///
  /// `5 < pixelWidth` is `pixelWidth > 5`, `'a' IN title` is `title CONTAINS 'a'`, and
  /// `{1, 2} CONTAINS mediaType` is `mediaType IN {1, 2}`.
  private static func swapped(_ left: PredicateExpression, _ operation: PredicateOperator) -> PredicateOperator.Kind? {
    guard case .constant(let value, _) = left else { return nil }
    switch (operation.kind, value) {
    case (.isIn, .text): return .contains
    case (.contains, .list): return .isIn
    case (let kind, .list): return kind == .equal || kind == .notEqual ? kind : nil
    case (let kind, _): return kind.swapped
    }
  }

  func condition() throws(PredicateError) -> Condition {
    switch left {
    case .key(let name, let place):
      let key = try key(name, place)
      return switch key.kind {
      case .identifier: try identifiers(key)
      case .boolean: try boolValue(key)
      case .text: try text(key)
      case .date: try dates(key)
      case .integer, .real, .bits: try numbers(key)
      }
    case .arithmetic: return try numbers(nil)
    case .constant(let value, _): return try constant(value)
    case .list(_, let place): throw PredicateError("a list that contains keys may only follow BETWEEN", at: place)
    }
  }

  // MARK: Parts of every kind

  func key(_ name: String, _ place: PredicatePlace?) throws(PredicateError) -> PredicateKey {
    guard let key = entity.key(named: name) else { throw PredicateError(entity.noKey(named: name), at: place) }
    return key
  }

  func wrongOperator(_ key: PredicateKey) -> PredicateError {
    PredicateError(
      "“\(key.names[0])” can't be compared by \(operation.text); it can be by \(key.kind.operators)",
      at: operation.place)
  }

  func wrongValue(_ value: String, for key: PredicateKey, at place: PredicatePlace?) -> PredicateError {
    PredicateError("“\(key.names[0])” is compared with \(key.kind.values), not with \(value)", at: place)
  }

  /// Returns the value on the right. Throws if there is a key.
  func value(_ key: PredicateKey) throws(PredicateError) -> PredicateConstant {
    guard case .constant(let value, _) = right else {
      throw PredicateError("“\(key.names[0])” can be compared by \(operation.text) with a value only", at: right.place)
    }
    return value
  }

  /// Returns the values after IN.
  func values() throws(PredicateError) -> [PredicateConstant] {
    switch right {
    case .constant(.list(let values), _): return values
    case .constant(let value, let place): throw PredicateError("IN takes a list, not \(value.name)", at: place)
    case .list(_, let place): throw PredicateError("the list after IN may only contain values", at: place)
    case .key, .arithmetic: throw PredicateError("IN takes a list, like {1, 2}", at: right.place)
    }
  }

  /// Returns the two bounds after BETWEEN, which may be keys.
  func bounds() throws(PredicateError) -> (PredicateExpression, PredicateExpression) {
    let elements: [PredicateExpression]
    switch right {
    case .constant(.list(let values), let place): elements = values.map { .constant($0, place) }
    case .list(let expressions, _): elements = expressions
    case .constant(let value, let place): throw PredicateError("BETWEEN takes a list, not \(value.name)", at: place)
    case .key, .arithmetic: throw PredicateError("BETWEEN takes a list, like {1, 2}", at: right.place)
    }
    guard elements.count == 2 else {
      throw PredicateError("BETWEEN takes two bounds, not \(elements.count)", at: right.place)
    }
    return (elements[0], elements[1])
  }

  // MARK: Identifiers and truth values

  /// Compares by the first part of an identifier like `UUID/L0/001`.
  private func identifiers(_ key: PredicateKey) throws(PredicateError) -> Condition {
    func uuid(_ value: PredicateConstant) throws(PredicateError) -> Value {
      switch value {
      case .text(let identifier): return .text(PHObject.uuid(localIdentifier: identifier))
      case .object(let uuid): return .text(uuid)
      default: throw wrongValue(value.name, for: key, at: right.place)
      }
    }
    switch operation.kind {
    case .equal: return .comparison(.key(.uuid), .equal, .value(try uuid(value(key))))
    case .notEqual: return .comparison(.key(.uuid), .notEqual, .value(try uuid(value(key))))
    case .isIn:
      var uuids: [Value] = []
      for value in try values() { uuids.append(try uuid(value)) }
      return .isIn(.key(.uuid), uuids)
    default: throw wrongOperator(key)
    }
  }

  /// Returns “is 0” or “is 1”, the only conditions for which the indexes of favorites and hidden
  /// assets are used.
  private func boolValue(_ key: PredicateKey) throws(PredicateError) -> Condition {
    func boolValue(_ value: PredicateConstant) throws(PredicateError) -> Bool {
      switch value {
      case .boolean(let value): return value
      case .integer(0), .real(0): return false
      case .integer(1), .real(1): return true
      default: throw wrongValue(value.name, for: key, at: right.place)
      }
    }
    func isEqual(_ wanted: Bool) -> Condition { .comparison(.key(key.key), .equal, .value(.integer(wanted ? 1 : 0))) }
    switch (operation.kind, right) {
    case (.equal, .key(let name, let place)), (.notEqual, .key(let name, let place)):
      let other = try self.key(name, place)
      guard other.kind == .boolean, let comparison = operation.kind.comparison else {
        throw wrongValue("“\(name)”", for: key, at: place)
      }
      return .comparison(.key(key.key), comparison, .key(other.key))
    case (.equal, _): return isEqual(try boolValue(value(key)))
    case (.notEqual, _): return isEqual(try !boolValue(value(key)))
    case (.isIn, _):
      var wanted: Set<Bool> = []
      for value in try values() { wanted.insert(try boolValue(value)) }
      return wanted.count == 1 ? isEqual(wanted.contains(true)) : .truth(wanted.count == 2)
    default: throw wrongOperator(key)
    }
  }

  // MARK: Constants

  /// Returns the condition for a constant on the left: `1 == 1`, or
  /// `5 BETWEEN {pixelHeight, pixelWidth}`.
  private func constant(_ value: PredicateConstant) throws(PredicateError) -> Condition {
    if operation.kind == .between { return try between(value) }
    if case .constant(let other, _) = right, let isTrue = value.compared(operation.kind, other) {
      return .truth(isTrue)
    }
    if right.isConstant {
      throw PredicateError(
        "\(value.name) can't be compared by \(operation.text) here; one side has to be a key", at: operation.place)
    }
    throw PredicateError("the key has to be on the left of \(operation.text)", at: operation.place)
  }

  private func between(_ value: PredicateConstant) throws(PredicateError) -> Condition {
    let (low, high) = try bounds()
    func condition(_ kind: PredicateOperator.Kind, _ bound: PredicateExpression) throws(PredicateError) -> Condition {
      let comparison = PredicateComparison(left: left, operation: operation.with(kind), right: bound)
      return try ComparisonTranslator(comparison, entity).condition()
    }
    return .all([try condition(.greaterOrEqual, low), try condition(.lessOrEqual, high)])
  }
}
