import Foundation
internal import GRDB

/// Reads and checks a row's values: a damaged database contains texts in place of numbers, and
/// numbers that overflow.
///
/// The errors name the column and never show a value, which may be private.
extension Row {
  /// Returns a column's value; NULL becomes `nil` if the value is optional.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) throws -> Value {
    do { return try decode(Value.self, forColumn: column) } catch { throw StoreError.damagedValue(of: column) }
  }

  func number(_ column: String, in range: ClosedRange<Int>) throws -> Int {
    let number: Int = try value(column)
    guard range.contains(number) else { throw StoreError.damagedValue(of: column) }
    return number
  }

  func finite(_ column: String) throws -> Double {
    let number: Double = try value(column)
    guard number.isFinite else { throw StoreError.damagedValue(of: column) }
    return number
  }

  /// Returns the value, or `nil` for NULL.
  func finiteIfPresent(_ column: String) throws -> Double? {
    let number: Double? = try value(column)
    guard number?.isFinite != false else { throw StoreError.damagedValue(of: column) }
    return number
  }

  func date(_ column: String) throws -> Date { Date(timeIntervalSince1970: try finite(column)) }

  /// Returns a number of bytes: up to 256 TB, so that sums don't overflow.
  func byteCount(_ column: String) throws -> Int { try number(column, in: 0...1 << 48) }

  /// Returns a width or a height: 32 bits at most, as in files.
  func pixels(_ column: String) throws -> Int { try number(column, in: 0...Int(UInt32.max)) }
}

extension StoreError {
  static func damagedValue(of column: String) -> StoreError {
    StoreError(
      .damaged, "library.sqlite",
      reason: "a value of the column \(column) is damaged; `calotype verify` checks the library")
  }
}
