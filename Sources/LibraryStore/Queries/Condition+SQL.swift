import Foundation
internal import GRDB

extension Condition {
  /// Returns the condition in SQL with every value bound. Boolean columns are compared with
  /// literals, so that SQLite can use partial indexes.
  func sql() throws -> BoundSQL {
    switch self {
    case .always: return BoundSQL(sql: "1")
    case .never: return BoundSQL(sql: "0")
    case .all(let conditions): return try joined(conditions, "AND", empty: "1")
    case .any(let conditions): return try joined(conditions, "OR", empty: "0")
    case .not(let condition):
      // `IS NOT TRUE` instead of `NOT`: the negation of an unknown value is true.
      let inner = try condition.sql()
      return BoundSQL(sql: "(\(inner.sql)) IS NOT TRUE", arguments: inner.arguments)
    case .comparison(let left, let comparison, let right): return Self.compare(left, comparison, right)
    case .between(let operand, let low, let high):
      let (operand, low, high) = (operand.sql, low.sql, high.sql)
      return BoundSQL(
        sql: "\(operand.sql) BETWEEN \(low.sql) AND \(high.sql)",
        arguments: operand.arguments + low.arguments + high.arguments)
    case .isIn(let operand, let values): return try Self.isIn(operand, values)
    case .text(let operand, let test, let pattern, let options):
      return try TextCondition(operand: operand.sql, test: test, pattern: pattern, options: options).sql
    }
  }

  static let mostInChain = 4
  private static let deep = 10

  private func joined(_ conditions: [Condition], _ word: String, empty: String) throws -> BoundSQL {
    guard conditions.count > 1 else { return try conditions.first?.sql() ?? BoundSQL(sql: empty) }
    // Splits the chain in halves. SQLite reads a chain as a tree of the same depth, and refuses a
    // depth above 1000.
    if conditions.count > Self.mostInChain {
      let half = conditions.count / 2
      return try joined(
        [Self.part(Array(conditions[..<half]), word), Self.part(Array(conditions[half...]), word)], word, empty: empty)
    }
    // Puts deep conditions first. SQLite's parser keeps everything before a parenthesis on a stack
    // of a hundred places.
    let isDeep = conditions.contains { $0.depth > Self.deep }
    let parts = try (isDeep ? conditions.sorted { $0.depth > $1.depth } : conditions).map { try $0.sql() }
    return BoundSQL(
      sql: "(" + parts.map(\.sql).joined(separator: " \(word) ") + ")",
      arguments: parts.reduce(into: StatementArguments()) { $0 += $1.arguments })
  }

  private static func part(_ conditions: [Condition], _ word: String) -> Condition {
    word == "AND" ? .all(conditions) : .any(conditions)
  }

  private static func compare(_ left: Operand, _ comparison: Comparison, _ right: Operand) -> BoundSQL {
    if case .key(let key) = left, key.isTruthValue, case .value(.integer(let value)) = right,
      comparison == .equal || comparison == .notEqual, value == 0 || value == 1
    {
      let wanted = comparison == .equal ? value : 1 - value
      return BoundSQL(sql: "\(key.column) = \(wanted)")
    }
    let areKeys = !left.keys.isEmpty && !right.keys.isEmpty
    let (left, right) = (left.sql, right.sql)
    let isNull = right.sql == "NULL" || left.sql == "NULL"
    let sign =
      switch comparison {
      case .equal where isNull || areKeys: "IS"
      case .equal: "="
      // `IS NOT` instead of `<>`: a missing value differs from every value.
      case .notEqual: "IS NOT"
      case .less: "<"
      case .lessOrEqual: "<="
      case .greater: ">"
      case .greaterOrEqual: ">="
      }
    return BoundSQL(sql: "\(left.sql) \(sign) \(right.sql)", arguments: left.arguments + right.arguments)
  }

  /// Passes the list as one argument, because SQLite limits the number of arguments.
  private static func isIn(_ operand: Operand, _ values: [Value]) throws -> BoundSQL {
    let present = values.filter { $0 != .null }
    let list = try String(decoding: JSONEncoder().encode(present), as: UTF8.self)
    var sql = BoundSQL(
      sql: "\(operand.sql.sql) IN (SELECT value FROM json_each(?))", arguments: operand.sql.arguments + [list])
    if present.count < values.count {
      sql = BoundSQL(
        sql: "(\(sql.sql) OR \(operand.sql.sql) IS NULL)", arguments: sql.arguments + operand.sql.arguments)
    }
    return sql
  }
}

extension FetchKey {
  var isTruthValue: Bool { [.isFavorite, .isHidden, .hasAdjustments].contains(self) }
}

extension Operand {
  var sql: BoundSQL {
    switch self {
    case .key(let key): BoundSQL(sql: key.column)
    case .value(.null): BoundSQL(sql: "NULL")
    case .value(.integer(let value)): BoundSQL(sql: "?", arguments: [value])
    case .value(.real(let value)): BoundSQL(sql: "?", arguments: [value])
    case .value(.text(let value)): BoundSQL(sql: "?", arguments: [value])
    case .arithmetic(let left, let operation, let right):
      BoundSQL(
        sql: "(\(left.sql.sql) \(operation.rawValue) \(right.sql.sql))",
        arguments: left.sql.arguments + right.sql.arguments)
    }
  }
}

extension Value: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let value): try container.encode(value)
    case .real(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .null: try container.encodeNil()
    }
  }
}
