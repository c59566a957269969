import Foundation

/// A predicate as it was written: what `NSPredicate(format:)` parses, before it is known what it is asked of.
indirect enum PredicateTree: Hashable, Sendable {
  case constant(Bool)
  case all([PredicateTree])
  case any([PredicateTree])
  case not(PredicateTree)
  case comparison(PredicateExpression, PredicateOperator, PredicateExpression)
  /// It could not be read; the sentence says why.
  case invalid(String)
}

/// One side of a comparison.
indirect enum PredicateExpression: Hashable, Sendable {
  case key(String)
  case constant(PredicateConstant)
  case arithmetic(PredicateExpression, String, PredicateExpression)
}

/// How two sides are compared.
struct PredicateOperator: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case isIn = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
  }

  var kind: Kind
  var ignoresCase = false
  var ignoresDiacritics = false

  /// As it is written: `CONTAINS[cd]`.
  var text: String {
    let options = (ignoresCase ? "c" : "") + (ignoresDiacritics ? "d" : "")
    return kind.rawValue + (options.isEmpty ? "" : "[\(options)]")
  }
}

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

  /// What an error calls it.
  var kind: String {
    switch self {
    case .null: "nil"
    case .boolean: "a truth value"
    case .integer: "an integer"
    case .real: "a number"
    case .text(let text): "the text “\(text.prefix(40))”"
    case .date: "a date"
    case .object: "an object"
    case .list: "a list"
    }
  }

  /// `nil` for what a predicate can't compare with.
  init?(_ argument: Any) {
    switch argument {
    case let optional as any OptionalArgument where optional.isMissing: self = .null
    case is NSNull: self = .null
    case let value as Bool where type(of: argument) == Bool.self: self = .boolean(value)
    case let value as String: self = .text(value)
    case let value as Date: self = .date(value)
    case let value as NSDate: self = .date(Date(timeIntervalSince1970: value.timeIntervalSince1970))
    case let value as NSString: self = .text(String(value))
    case let value as any BinaryInteger: self = .integer(Int(truncatingIfNeeded: value))
    case let value as Double where type(of: argument) == Double.self: self = .real(value)
    case let value as Float where type(of: argument) == Float.self: self = .real(Double(value))
    case let value as NSNumber:
      self = value.doubleValue == value.doubleValue.rounded() ? .integer(value.intValue) : .real(value.doubleValue)
    case let value as PHObject: self = .object(uuid: PHObject.uuid(localIdentifier: value.localIdentifier))
    case let value as any RawRepresentable: self.init(value.rawValue)
    case let value as any NSFastEnumeration:
      let elements = value.fastEnumerationObjects().map { PredicateConstant($0) }
      let known = elements.compactMap(\.self)
      guard known.count == elements.count else { return nil }
      self = .list(known)
    default: return nil
    }
  }
}

/// An optional among arguments of any type.
private protocol OptionalArgument { var isMissing: Bool { get } }

extension Optional: OptionalArgument {
  fileprivate var isMissing: Bool { self == nil }
}
