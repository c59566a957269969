import Foundation

/// A value that a predicate compares with.
enum PredicateConstant: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  case real(Double)
  case text(String)
  case date(Date)
  /// An asset or a collection.
  case object(uuid: String)
  case list([PredicateConstant])

  /// The name of the value in errors.
  var name: String {
    switch self {
    case .null: "nil"
    case .boolean(let value): value ? "YES" : "NO"
    case .integer(let value): "the number \(value)"
    case .real(let value): "the number \(value)"
    case .text(let text): "the text “\(text.count > 40 ? text.prefix(40) + "…" : text[...])”"
    case .date: "a date"
    case .object: "an object"
    case .list: "a list"
    }
  }

  /// Makes a value from an argument of `NSPredicate(format:)` or a value of `#Predicate`; `nil` if
  /// no key can be compared with it.
  ///
  ///     PredicateConstant(Date())                      // .date
  ///     PredicateConstant(PHAssetMediaType.image)      // .integer(1)
  ///     PredicateConstant(["A/L0/001"] as NSArray)     // .list([.text("A/L0/001")])
  init?(_ argument: Any) {
    switch argument {
    case let optional as any OptionalArgument:
      guard let wrapped = optional.wrapped else {
        self = .null
        return
      }
      self.init(wrapped)
    case is NSNull: self = .null
    case let value as Bool where type(of: argument) == Bool.self: self = .boolean(value)
    case let value as ObjCBool where type(of: argument) == ObjCBool.self: self = .boolean(value.boolValue)
    case let value as NSString where value === argument as AnyObject: self = .text(String(value))
    case let value as NSNumber where value === argument as AnyObject: self.init(number: value)
    case let value as String: self = .text(value)
    case let value as Substring: self = .text(String(value))
    case let value as NSDate where value === argument as AnyObject:
      self.init(date: Date(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate))
    case let value as Date: self.init(date: value)
    case let value as any BinaryInteger:
      guard let value = Int(exactly: value) else { return nil }
      self = .integer(value)
    case let value as any BinaryFloatingPoint: self.init(real: Double(value))
    case let value as PHObject: self = .object(uuid: PHObject.uuid(localIdentifier: value.localIdentifier))
    case let value as any NSFastEnumeration:
      var elements: [PredicateConstant] = []
      for object in value.fastEnumerationObjects() {
        guard let element = PredicateConstant(object) else { return nil }
        if case .list = element { return nil }
        elements.append(element)
      }
      self = .list(elements)
    case let value as any RawRepresentable: self.init(value.rawValue)
    default: return nil
    }
  }

  /// Makes a number; `nil` if it is infinite or no number, since a library contains no such value.
  init?(real: Double) {
    guard real.isFinite else { return nil }
    self = .real(real)
  }

  private init?(date: Date) {
    guard date.timeIntervalSince1970.isFinite else { return nil }
    self = .date(date)
  }

  /// Makes a number, since Foundation's numbers don't always know that they were made of a boolean.
  /// 0 and 1 are accepted as booleans.
  private init?(number: NSNumber) {
    let real = number.doubleValue
    guard Int(exactly: real) != nil else {
      self.init(real: real)
      return
    }
    self = .integer(number.intValue)
  }
}

/// An optional among arguments of any type.
private protocol OptionalArgument { var wrapped: Any? { get } }

extension Optional: OptionalArgument {
  fileprivate var wrapped: Any? { self }
}

extension PredicateConstant {
  /// Returns the result of a comparison of two values; `nil` if they can't be compared that way.
  func compared(_ kind: PredicateOperator.Kind, _ other: PredicateConstant) -> Bool? {
    switch kind {
    case .equal: return isEqual(other)
    case .notEqual: return isEqual(other).map { !$0 }
    case .less: return isLess(other)
    case .lessOrEqual: return isLess(other).flatMap { less in isEqual(other).map { less || $0 } }
    case .greater, .greaterOrEqual: return kind.swapped.flatMap { other.compared($0, self) }
    case .isIn:
      guard case .list(let elements) = other else { return nil }
      return elements.contains { isEqual($0) == true }
    case .between, .contains, .beginsWith, .endsWith, .like, .matches: return nil
    }
  }

  private func isEqual(_ other: PredicateConstant) -> Bool? {
    switch (self, other) {
    case (.list, _), (_, .list): nil
    case (.null, _), (_, .null): self == other
    default: number.flatMap { own in other.number.map { own == $0 } } ?? (self == other)
    }
  }

  private func isLess(_ other: PredicateConstant) -> Bool? {
    switch (self, other) {
    case (.integer(let own), .integer(let other)): own < other
    case (.text(let own), .text(let other)): own.utf8.lexicographicallyPrecedes(other.utf8)
    case (.date(let own), .date(let other)): own < other
    case (.null, .null), (.list, _), (_, .list): nil
    case (.null, _), (_, .null): false
    default: number.flatMap { own in other.number.map { own < $0 } }
    }
  }

  private var number: Double? {
    switch self {
    case .boolean(let value): value ? 1 : 0
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
}
