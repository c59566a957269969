import Foundation
internal import GRDB

extension FetchQuery {
  /// The statement that lists the ids of the assets, with its arguments bound.
  func select(_ columns: String = "id") throws -> (sql: String, arguments: StatementArguments) {
    var (sql, arguments) = try filter(columns)
    let descends = sort.last.map { !$0.ascending } ?? false
    let terms = sort.map { "\($0.key.rawValue) \($0.ascending ? "ASC" : "DESC")" } + [descends ? "id DESC" : "id ASC"]
    sql += " ORDER BY " + terms.joined(separator: ", ")
    if limit > 0 {
      sql += " LIMIT ?"
      arguments += [limit]
    }
    return (sql, arguments)
  }

  /// The statement that counts the assets of each day, newest first.
  func countByDay() throws -> (sql: String, arguments: StatementArguments) {
    let (sql, arguments) = try filter("local_day, COUNT(*)")
    return (sql + " GROUP BY local_day ORDER BY local_day DESC", arguments)
  }

  private func filter(_ columns: String) throws -> (String, StatementArguments) {
    var conditions: [String] = []
    var arguments = StatementArguments()
    if let mediaType {
      conditions.append("media_type = ?")
      arguments += [mediaType]
    }
    if let uuids {
      conditions.append("uuid IN (SELECT value FROM json_each(?))")
      arguments += [String(decoding: try JSONEncoder().encode(uuids), as: UTF8.self)]
    }
    if let burstIdentifier {
      conditions.append("burst_identifier = ?")
      arguments += [burstIdentifier]
    }
    if !includesHidden { conditions.append("is_hidden = 0") }
    if !includesAllBurstAssets { conditions.append("(burst_identifier IS NULL OR represents_burst = 1)") }
    let clause = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    return ("SELECT \(columns) FROM asset" + clause, arguments)
  }
}
