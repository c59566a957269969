import Foundation

/// A value that a statement binds, or that a row contains. Dates are seconds since 1970, booleans
/// are 0 and 1.
public enum Value: Hashable, Sendable {
  case integer(Int)
  case real(Double)
  case text(String)
  case blob(Data)
  case null
}

extension Value: CustomStringConvertible {
  /// The value for a person to read.
  public var description: String {
    switch self {
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): value.debugDescription
    case .blob(let value): "\(value.count) bytes"
    case .null: "NULL"
    }
  }
}

/// A type whose values a statement can bind.
protocol Bindable {
  var value: Value { get }
}

extension Value: Bindable {
  var value: Value { self }
}

extension Int: Bindable {
  var value: Value { .integer(self) }
}

extension Int64: Bindable {
  var value: Value { .integer(Int(self)) }
}

extension Bool: Bindable {
  var value: Value { .integer(self ? 1 : 0) }
}

extension Double: Bindable {
  var value: Value { .real(self) }
}

extension String: Bindable {
  var value: Value { .text(self) }
}

extension Data: Bindable {
  var value: Value { .blob(self) }
}

extension Optional: Bindable where Wrapped: Bindable {
  var value: Value { map(\.value) ?? .null }
}
