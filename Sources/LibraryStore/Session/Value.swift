import Foundation

/// A value that a statement binds, or that a row contains. A date is stored as seconds since 1970,
/// and a boolean as 0 or 1.
public enum Value: Hashable, Sendable {
  case integer(Int)
  case real(Double)
  case text(String)
  case blob(Data)
  case null
}

extension Value {
  /// Compares texts by their bytes, as SQLite does. Swift's strings are equal too if they only
  /// differ in the composition of their characters.
  public static func == (one: Value, other: Value) -> Bool {
    switch (one, other) {
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.blob(let one), .blob(let other)): one == other
    case (.null, .null): true
    default: false
    }
  }
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

/// A type whose values can be bound to statements and read from rows.
protocol Storable {
  var value: Value { get }

  /// Returns `nil` for a value of another type.
  init?(_ value: Value)
}

extension Value: Storable {
  var value: Value { self }

  init?(_ value: Value) { self = value }
}

extension Int: Storable {
  var value: Value { .integer(self) }

  /// Accepts whole real numbers too: SQLite's functions may return them.
  init?(_ value: Value) {
    switch value {
    case .integer(let value): self = value
    case .real(let value):
      guard let whole = Int(exactly: value) else { return nil }
      self = whole
    case .text, .blob, .null: return nil
    }
  }
}

extension Int64: Storable {
  var value: Value { .integer(Int(self)) }

  init?(_ value: Value) {
    guard let value = Int(value) else { return nil }
    self.init(value)
  }
}

extension Bool: Storable {
  var value: Value { .integer(self ? 1 : 0) }

  init?(_ value: Value) {
    guard let value = Int(value) else { return nil }
    self = value != 0
  }
}

extension Double: Storable {
  var value: Value { .real(self) }

  init?(_ value: Value) {
    switch value {
    case .integer(let value): self = Double(value)
    case .real(let value): self = value
    case .text, .blob, .null: return nil
    }
  }
}

extension String: Storable {
  var value: Value { .text(self) }

  init?(_ value: Value) {
    guard case .text(let value) = value else { return nil }
    self = value
  }
}

extension Data: Storable {
  var value: Value { .blob(self) }

  init?(_ value: Value) {
    guard case .blob(let value) = value else { return nil }
    self = value
  }
}

extension Optional: Storable where Wrapped: Storable {
  // A key path would be made anew for each value, which took a fifth of a large commit.
  var value: Value { if let self { self.value } else { .null } }

  init?(_ value: Value) {
    if case .null = value {
      self = .none
    } else {
      guard let wrapped = Wrapped(value) else { return nil }
      self = wrapped
    }
  }
}
