import Foundation
internal import LibraryStore

extension PredicateTree {
  /// The predicate as a fetch of these objects asks it; throws what of it can't be asked, and what can.
  func condition(for entity: PredicateEntity) throws -> Condition {
    switch self {
    case .constant(let value): return value ? .always : .never
    case .all(let parts): return .all(try parts.map { try $0.condition(for: entity) })
    case .any(let parts): return .any(try parts.map { try $0.condition(for: entity) })
    case .not(let part): return .not(try part.condition(for: entity))
    case .invalid(let reason): throw unsupported(reason)
    case .comparison(let left, let comparison, let right):
      return try PredicateComparison(left, comparison, right, entity).condition
    }
  }
}

/// The error that a fetch refuses a predicate with; PhotoKit's begins like this too.
private func unsupported(_ reason: String) -> PHPhotosError {
  PHPhotosError(.internalError, "Unsupported predicate in fetch options: \(reason)")
}

/// One comparison on its way to a condition.
private struct PredicateComparison {
  let left: PredicateExpression
  let comparison: PredicateOperator
  let right: PredicateExpression
  let entity: PredicateEntity

  init(
    _ left: PredicateExpression, _ comparison: PredicateOperator, _ right: PredicateExpression,
    _ entity: PredicateEntity
  ) {
    self.entity = entity
    // The key first: 5 < pixelWidth is pixelWidth > 5.
    if case .constant = left, let turned = comparison.kind.turned {
      self.left = right
      self.right = left
      self.comparison = PredicateOperator(
        kind: turned, ignoresCase: comparison.ignoresCase, ignoresDiacritics: comparison.ignoresDiacritics)
    } else {
      self.left = left
      self.right = right
      self.comparison = comparison
    }
  }

  var condition: Condition {
    get throws {
      guard case .key(let name) = left else { return try computed() }
      let key = try key(name)
      switch key.kind {
      case .identifier: return try identifiers(key)
      case .boolean: return try truth(key)
      case .text: return try text(key)
      case .date, .number, .bits: return try number(key)
      }
    }
  }

  private func key(_ name: String) throws -> PredicateKey {
    if let key = entity.key(named: name) { return key }
    let hint =
      name == "location" ? "; a place is asked for by latitude and longitude" : ""
    throw unsupported("\(entity.rawValue) have no key “\(name)”\(hint); the keys are \(entity.keyNames)")
  }

  private func refuse(_ key: PredicateKey, _ allowed: String) -> PHPhotosError {
    unsupported("“\(key.names[0])” can't be compared by \(comparison.text); it can be by \(allowed)")
  }

  private func refuse(_ key: PredicateKey, value: PredicateConstant, _ allowed: String) -> PHPhotosError {
    unsupported("“\(key.names[0])” is compared with \(allowed), not with \(value.kind)")
  }

  /// What stands on the right where only a value may stand.
  private func value(_ key: PredicateKey) throws -> PredicateConstant {
    guard case .constant(let value) = right else {
      throw unsupported("“\(key.names[0])” can only be compared with a value")
    }
    return value
  }

  private func list(_ key: PredicateKey) throws -> [PredicateConstant] {
    guard case .list(let elements) = try value(key) else {
      throw unsupported("\(comparison.kind.rawValue) takes a list, not \(try value(key).kind)")
    }
    return elements
  }

  // MARK: Identifiers

  private func identifiers(_ key: PredicateKey) throws -> Condition {
    func uuid(_ value: PredicateConstant) throws -> Value {
      switch value {
      case .text(let identifier): return .text(PHObject.uuid(localIdentifier: identifier))
      case .object(let uuid): return .text(uuid)
      default: throw refuse(key, value: value, "identifiers or objects")
      }
    }
    let operand = Operand.key(.uuid)
    switch comparison.kind {
    case .equal: return .comparison(operand, .equal, .value(try uuid(value(key))))
    case .notEqual: return .comparison(operand, .notEqual, .value(try uuid(value(key))))
    case .isIn: return .isIn(operand, try list(key).map(uuid))
    default: throw refuse(key, "==, != and IN")
    }
  }

  // MARK: Truth values

  private func truth(_ key: PredicateKey) throws -> Condition {
    guard comparison.kind == .equal || comparison.kind == .notEqual else { throw refuse(key, "== and !=") }
    let truth: Bool =
      switch try value(key) {
      case .boolean(let value): value
      case .integer(0): false
      case .integer(1): true
      case let value: throw refuse(key, value: value, "YES and NO")
      }
    let wanted = truth == (comparison.kind == .equal)
    return .comparison(.key(key.key), .equal, .value(.integer(wanted ? 1 : 0)))
  }

  // MARK: Texts

  private func text(_ key: PredicateKey) throws -> Condition {
    var options: Condition.TextOptions = []
    if comparison.ignoresCase { options.insert(.caseInsensitive) }
    if comparison.ignoresDiacritics { options.insert(.diacriticInsensitive) }
    let operand = Operand.key(key.key)
    func text(_ value: PredicateConstant) throws -> String {
      guard case .text(let text) = value else { throw refuse(key, value: value, "texts") }
      return text
    }
    func tested(_ test: Condition.TextTest) throws -> Condition {
      .text(operand, test, try text(value(key)), options)
    }
    switch comparison.kind {
    case .equal where try value(key) == .null: return .comparison(operand, .equal, .value(.null))
    case .notEqual where try value(key) == .null: return .comparison(operand, .notEqual, .value(.null))
    case .equal where !options.isEmpty: return try tested(.equal)
    case .notEqual where !options.isEmpty: return try tested(.notEqual)
    case .contains: return try tested(.contains)
    case .beginsWith: return try tested(.beginsWith)
    case .endsWith: return try tested(.endsWith)
    case .like: return try tested(.like)
    case .matches:
      let pattern = try text(value(key))
      guard (try? NSRegularExpression(pattern: pattern)) != nil else {
        throw unsupported("“\(pattern)” is no regular expression")
      }
      return try tested(.matches)
    case .isIn:
      let values = try list(key).map { $0 == .null ? Value.null : .text(try text($0)) }
      return .isIn(operand, values)
    case .between:
      let bounds = try list(key)
      guard bounds.count == 2 else { throw unsupported("BETWEEN takes two bounds, not \(bounds.count)") }
      return .between(operand, .value(.text(try text(bounds[0]))), .value(.text(try text(bounds[1]))))
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      return .comparison(operand, comparison.kind.comparison, .value(.text(try text(value(key)))))
    }
  }

  // MARK: Dates and numbers

  private func number(_ key: PredicateKey) throws -> Condition {
    let operand = Operand.key(key.key)
    switch comparison.kind {
    case .isIn: return .isIn(operand, try list(key).map { try scalar($0, key) })
    case .between:
      let bounds = try list(key)
      guard bounds.count == 2 else { throw unsupported("BETWEEN takes two bounds, not \(bounds.count)") }
      return .between(operand, .value(try scalar(bounds[0], key)), .value(try scalar(bounds[1], key)))
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      if case .constant(let value) = right {
        return .comparison(operand, comparison.kind.comparison, .value(try scalar(value, key)))
      }
      return .comparison(operand, comparison.kind.comparison, try self.operand(right, like: key))
    case .contains, .beginsWith, .endsWith, .like, .matches: throw refuse(key, "==, !=, <, <=, >, >=, BETWEEN and IN")
    }
  }

  private func scalar(_ value: PredicateConstant, _ key: PredicateKey) throws -> Value {
    switch (value, key.kind) {
    case (.null, _): return .null
    case (.date(let date), .date): return .real(date.timeIntervalSince1970)
    case (_, .date): throw refuse(key, value: value, "dates")
    case (.integer(let value), _): return .integer(value)
    case (.real(let value), .number): return .real(value)
    case (_, .bits): throw refuse(key, value: value, "integers")
    default: throw refuse(key, value: value, "numbers")
    }
  }

  /// A comparison whose left side is computed: (mediaSubtypes & 4) != 0.
  private func computed() throws -> Condition {
    if case .constant(let one) = left, case .constant(let other) = right {
      switch comparison.kind {
      case .equal: return one == other ? .always : .never
      case .notEqual: return one == other ? .never : .always
      default: throw unsupported("one of the sides of \(comparison.text) has to be a key")
      }
    }
    switch comparison.kind {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      return .comparison(try operand(left), comparison.kind.comparison, try operand(right))
    case .between:
      guard case .constant(.list(let bounds)) = right, bounds.count == 2 else {
        throw unsupported("BETWEEN takes two bounds")
      }
      return .between(
        try operand(left), try operand(.constant(bounds[0])), try operand(.constant(bounds[1])))
    case .isIn:
      guard case .constant(.list(let elements)) = right else { throw unsupported("IN takes a list") }
      return .isIn(try operand(left), try elements.map { try number($0) })
    default: throw unsupported("\(comparison.text) compares texts, and what is computed is a number")
    }
  }

  private func operand(_ expression: PredicateExpression, like other: PredicateKey? = nil) throws -> Operand {
    switch expression {
    case .key(let name):
      let key = try key(name)
      let isNumber = key.kind == .number || key.kind == .bits
      guard other.map({ $0.kind == key.kind || ($0.kind != .date && isNumber) }) ?? isNumber else {
        throw unsupported("“\(name)” is no number that could be computed or compared with here")
      }
      return .key(key.key)
    case .constant(let value): return .value(try number(value))
    case .arithmetic(let left, let sign, let right):
      guard let operation = Operand.Operation(rawValue: sign) else { throw unsupported("“\(sign)” can't be computed") }
      return .arithmetic(try operand(left), operation, try operand(right))
    }
  }

  private func number(_ value: PredicateConstant) throws -> Value {
    switch value {
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    default: throw unsupported("\(value.kind) stands where a number has to")
    }
  }
}

extension PredicateOperator.Kind {
  /// The same comparison with its sides exchanged; `nil` where they can't be.
  fileprivate var turned: Self? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }

  fileprivate var comparison: Condition.Comparison {
    switch self {
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    default: .equal
    }
  }
}
