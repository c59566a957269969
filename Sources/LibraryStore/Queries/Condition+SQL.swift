import Foundation

extension Condition {
  /// Returns the condition in SQL. Values are bound, except in the conditions of partial indexes.
  /// SQLite uses such an index only if the statement contains its condition.
  func sql(_ columns: KeyColumns) throws -> BoundSQL {
    switch self {
    case .always: return BoundSQL("1")
    case .never: return BoundSQL("0")
    case .all(let conditions): return try joined(conditions, by: "AND", empty: "1", columns)
    case .any(let conditions): return try joined(conditions, by: "OR", empty: "0", columns)
    case .not(let condition):
      // `IS NOT TRUE` instead of `NOT`: the negation of an unknown value is true.
      let inner = try condition.sql(columns)
      return BoundSQL(sql: "(\(inner.sql)) IS NOT TRUE", arguments: inner.arguments)
    case .comparison(let left, let comparison, let right): return Self.compare(left, comparison, right, in: columns)
    case .between(let operand, let low, let high):
      let (operand, low, high) = (operand.sql(columns), low.sql(columns), high.sql(columns))
      return BoundSQL(
        sql: "\(operand.sql) BETWEEN \(low.sql) AND \(high.sql)",
        arguments: operand.arguments + low.arguments + high.arguments)
    case .isIn(let operand, let values): return try Self.isIn(operand.sql(columns), values)
    case .text(let operand, let test, let pattern, let options):
      return try TextCondition(
        operand: operand.sql(columns), test: test, pattern: pattern, options: options, deadline: columns.deadline
      ).sql
    }
  }

  private static let mostInChain = 4
  private static let deep = 10

  private func joined(
    _ conditions: [Condition], by word: String, empty: String, _ columns: KeyColumns
  ) throws -> BoundSQL {
    guard conditions.count > 1 else { return try conditions.first?.sql(columns) ?? BoundSQL(empty) }
    // Splits the chain in halves. SQLite reads a chain as a tree of the same depth, and refuses a
    // depth above 1000.
    if conditions.count > Self.mostInChain {
      let half = conditions.count / 2
      return try joined(
        [Self.part(Array(conditions[..<half]), word), Self.part(Array(conditions[half...]), word)], by: word,
        empty: empty,
        columns)
    }
    // Puts deep conditions first. SQLite's parser keeps everything before a parenthesis on a stack
    // of a hundred places.
    let isDeep = conditions.contains { $0.depth > Self.deep }
    let parts = try (isDeep ? conditions.sorted { $0.depth > $1.depth } : conditions).map {
      try $0.sql(columns)
    }
    return BoundSQL(
      sql: "(" + parts.map(\.sql).joined(separator: " \(word) ") + ")",
      arguments: parts.flatMap(\.arguments))
  }

  private static func part(_ conditions: [Condition], _ word: String) -> Condition {
    word == "AND" ? .all(conditions) : .any(conditions)
  }

  private static func compare(
    _ left: Operand, _ comparison: Comparison, _ right: Operand, in columns: KeyColumns
  ) -> BoundSQL {
    if case .value(.integer(let value)) = right, let sql = literal(left, comparison, value, in: columns) {
      return BoundSQL(sql)
    }
    let areKeys = !left.keys.isEmpty && !right.keys.isEmpty
    let (left, right) = (left.sql(columns), right.sql(columns))
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

  /// Returns the comparison with its value as a literal, if a partial index may have it as its
  /// condition; else `nil`.
  private static func literal(
    _ operand: Operand, _ comparison: Comparison, _ value: Int, in columns: KeyColumns
  ) -> String? {
    switch operand {
    case .key(let key)
    where key.isTruthValue && (0...1).contains(value) && [.equal, .notEqual].contains(comparison):
      "\(columns[key]) = \(comparison == .equal ? value : 1 - value)"
    case .key(.mediaType) where comparison == .equal && (0...3).contains(value): "media_type = \(value)"
    case .arithmetic(.key(.mediaSubtypes), .bitAnd, .value(.integer(let bit)))
    where bit > 0 && bit.nonzeroBitCount == 1
      && (comparison == .notEqual && value == 0 || comparison == .equal && value == bit):
      "media_subtypes & \(bit) <> 0"
    default: nil
    }
  }

  /// Passes the list as one argument, because SQLite limits the number of arguments.
  private static func isIn(_ operand: BoundSQL, _ values: [Value]) throws -> BoundSQL {
    let present = values.filter { $0 != .null }
    let list = try String(decoding: JSONEncoder().encode(present), as: UTF8.self)
    var sql = BoundSQL(
      sql: "\(operand.sql) IN \(BoundSQL.list)", arguments: operand.arguments + [.text(list)])
    if present.count < values.count {
      sql = BoundSQL(
        sql: "(\(sql.sql) OR \(operand.sql) IS NULL)", arguments: sql.arguments + operand.arguments)
    }
    return sql
  }
}

extension Condition {
  /// The reason that SQLite would refuse the condition; `nil` if it is not too large.
  public var reasonForRefusal: String? {
    let comparisons = comparisons
    if comparisons > Self.mostComparisons {
      return """
        it has \(comparisons) comparisons, and \(Self.mostComparisons) are the most; \
        IN takes a list of any length
        """
    }
    if depth > Self.deepest { return "AND, OR and NOT are nested more than \(Self.deepest) levels deep in it" }
    return nil
  }

  private static let mostComparisons = 5000
  private static let deepest = 70

  private var comparisons: Int {
    switch self {
    case .all(let conditions), .any(let conditions): conditions.reduce(0) { $0 + $1.comparisons }
    case .not(let condition): condition.comparisons
    case .always, .never, .comparison, .between, .isIn, .text: 1
    }
  }

  /// The number of levels of parentheses that the condition has in SQL.
  private var depth: Int {
    switch self {
    case .all(let conditions), .any(let conditions):
      let deepest = conditions.lazy.map(\.depth).max() ?? 0
      var (halvings, parts) = (0, conditions.count)
      while parts > Self.mostInChain {
        parts = (parts + 1) / 2
        halvings += 1
      }
      return deepest + halvings + (conditions.count > 1 ? 1 : 0)
    case .not(let condition): return condition.depth + 1
    case .always, .never, .comparison, .between, .isIn, .text: return 0
    }
  }
}

extension FetchKey {
  var isTruthValue: Bool { [.isFavorite, .isHidden, .hasAdjustments].contains(self) }
}

extension Operand {
  func sql(_ columns: KeyColumns) -> BoundSQL {
    switch self {
    case .key(let key): return BoundSQL(columns[key])
    case .value(.null): return BoundSQL("NULL")
    case .value(let value): return BoundSQL("?", value)
    case .arithmetic(let left, let operation, let right):
      let (left, right) = (left.sql(columns), right.sql(columns))
      return BoundSQL(
        sql: "(\(left.sql) \(operation.rawValue) \(right.sql))", arguments: left.arguments + right.arguments)
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
    case .blob: throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "JSON has no bytes"))
    }
  }
}
