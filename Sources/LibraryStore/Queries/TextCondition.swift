import Foundation
import Synchronization

/// A comparison of texts in SQL. It uses SQL's own functions if case and accents matter, and two of
/// this module (`TextFolding`) if they don't.
struct TextCondition {
  let operand: BoundSQL
  let test: Condition.TextTest
  let pattern: String
  let options: Condition.TextOptions
  /// The time until which patterns are matched, in nanoseconds since the machine started; `nil` for
  /// no limit.
  var deadline: Int?

  var sql: BoundSQL {
    get throws {
      let pattern = TextFolding.fold(pattern, options)
      let text = options.isEmpty ? operand.sql : "folded(\(operand.sql), \(options.rawValue))"
      switch test {
      case .equal: return bound("\(text) = ?", pattern)
      case .notEqual: return bound("\(text) IS NOT ?", pattern)
      // An empty text is part of none, as in NSPredicate.
      case .contains: return pattern.isEmpty ? BoundSQL("0") : bound("instr(\(text), ?) > 0", pattern)
      case .beginsWith:
        return pattern.isEmpty
          ? BoundSQL("0") : bound("substr(\(text), 1, \(pattern.unicodeScalars.count)) = ?", pattern)
      case .endsWith:
        return pattern.isEmpty
          ? BoundSQL("0") : bound("substr(\(text), -\(pattern.unicodeScalars.count)) = ?", pattern)
      case .like: return try matching(TextFolding.expression(like: pattern), text)
      case .matches: return try matching(self.pattern, text)
      }
    }
  }

  private func matching(_ expression: String, _ text: String) throws -> BoundSQL {
    _ = try TextFolding.expression(expression, options)
    var sql = bound("matches(\(operand.sql), ?, \(options.rawValue)", expression)
    if let deadline { sql.append(", ?", deadline) }
    sql.append(")")
    return sql
  }

  private func bound(_ sql: String, _ value: String) -> BoundSQL {
    BoundSQL(sql: sql, arguments: operand.arguments + [.text(value)])
  }
}

/// Folds case and accents, and matches regular expressions. Statements call `folded` and `matches`.
public enum TextFolding {
  /// Returns whether a regular expression matches a whole text.
  ///
  /// With a deadline, throws `tookTooLong` after it, or if this text alone takes too long. Without
  /// one, a text that Foundation gives up doesn't match.
  public static func matches(
    _ text: String, _ expression: String, options: Condition.TextOptions, until deadline: Int? = nil
  ) throws -> Bool {
    let folded = fold(text, options.intersection(.diacriticInsensitive))
    let range = NSRange(location: 0, length: folded.utf16.count)
    let compiled = try self.expression(expression, options)
    guard let deadline else {
      return compiled.firstMatch(in: folded, options: .anchored, range: range)?.range == range
    }
    var isLate = now > deadline
    var reportCount = 0
    var found: NSRange?
    if !isLate {
      compiled.enumerateMatches(in: folded, options: [.anchored, .reportProgress], range: range) { result, _, stop in
        if let result {
          found = result.range
        } else {
          reportCount += 1
          isLate = reportCount > longestMatch || now > deadline
        }
        stop.pointee = ObjCBool(isLate || result != nil)
      }
    }
    guard !isLate else {
      throw StoreError(
        .tookTooLong, "", reason: "the pattern “\(expression)” takes too long to match the library's texts")
    }
    return found == range
  }

  /// The most reports of progress for one text of a query with a deadline: about half a second.
  /// Foundation gives a text up after about 4,000, and then says that it doesn't match.
  private static let longestMatch = 2_000

  /// The time in nanoseconds since the machine started.
  static var now: Int { Int(DispatchTime.now().uptimeNanoseconds) }

  public static func fold(_ text: String, _ options: Condition.TextOptions) -> String {
    if options.isEmpty { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return options.contains(.caseInsensitive) ? text.lowercased() : text
    }
    var compared: String.CompareOptions = []
    if options.contains(.caseInsensitive) { compared.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { compared.insert(.diacriticInsensitive) }
    return text.folding(options: compared, locale: nil)
  }

  /// Returns a pattern with `*` and `?` as a regular expression. A backslash escapes them.
  public static func expression(like pattern: String) -> String {
    var result = ""
    var isEscaped = false
    for character in pattern {
      switch character {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "*" where !isEscaped: result += ".*"
      case "?" where !isEscaped: result += "."
      default: result += NSRegularExpression.escapedPattern(for: String(character))
      }
      isEscaped = false
    }
    return "(?s)" + result
  }

  /// Returns the compiled expression from a cache: a fetch requests the same one for every row.
  static func expression(_ pattern: String, _ options: Condition.TextOptions) throws -> NSRegularExpression {
    let key = "\(options.rawValue)\(pattern)"
    if let known = compiled.withLock({ $0[key] }) { return known }
    let made: NSRegularExpression
    do {
      made = try NSRegularExpression(
        pattern: fold(pattern, options.intersection(.diacriticInsensitive)),
        options: options.contains(.caseInsensitive) ? .caseInsensitive : [])
    } catch {
      throw StoreError(.badQuery, pattern, reason: "is not a regular expression")
    }
    compiled.withLock { expressions in
      if expressions.count >= Self.keptExpressions { expressions.removeAll() }
      expressions[key] = made
    }
    return made
  }

  private static let keptExpressions = 32
  private static let compiled = Mutex<[String: NSRegularExpression]>([:])
}
