import Foundation

/// A row that a statement returned. Its values are read by the names of their columns, or by their
/// places.
///
/// Reading checks them: a damaged database contains texts in place of numbers, and numbers that
/// overflow. The errors name the column and never show a value, which may be private.
struct StoreRow {
  private(set) var values: [Value]
  let columns: ColumnNames

  /// Returns a column's value; NULL becomes `nil` if the value is optional.
  func value<Result: Storable>(_ column: String) throws -> Result {
    guard let place = columns[column] else { throw StoreError.damagedValue(of: column) }
    return try value(at: place)
  }

  func value<Result: Storable>(at place: Int) throws -> Result {
    guard values.indices.contains(place), let value = Result(values[place]) else {
      throw StoreError.damagedValue(of: columns.name(at: place))
    }
    return value
  }

  /// Returns the row with another value in a column.
  func replacing(_ column: String, _ change: (Value) -> Value) throws -> StoreRow {
    guard let place = columns[column], values.indices.contains(place) else {
      throw StoreError.damagedValue(of: column)
    }
    var row = self
    row.values[place] = change(values[place])
    return row
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
  func finiteIfPresent(
    _ column: String, in range: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
  ) throws -> Double? {
    let number: Double? = try value(column)
    guard number.map(range.contains) != false else { throw StoreError.damagedValue(of: column) }
    return number
  }

  func date(_ column: String) throws -> Date { Date(timeIntervalSince1970: try finite(column)) }

  /// Returns a number of bytes: up to 256 TB, so that sums don't overflow.
  func byteCount(_ column: String) throws -> Int { try number(column, in: Self.byteCounts) }

  static let byteCounts = 0...1 << 48

  /// Returns a width or a height: 32 bits at most, as in files.
  func pixels(_ column: String) throws -> Int { try number(column, in: 0...Int(UInt32.max)) }
}

/// The names of the columns of a statement's rows, which all its rows share.
final class ColumnNames: Sendable {
  private let names: [String]
  private let places: [String: Int]

  init(_ names: [String]) {
    self.names = names
    places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(name: String) -> Int? { places[name] }

  func name(at place: Int) -> String { names.indices.contains(place) ? names[place] : "\(place)" }
}

extension StoreError {
  /// Returns an error without a file. `StoreError.mapping` adds the database's file.
  static func damagedValue(of column: String) -> StoreError {
    StoreError(
      .damaged, "",
      reason: "a value of the column \(column) is damaged; `calotype verify` checks the library")
  }
}
