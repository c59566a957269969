import Foundation
internal import GRDB
private import GRDBSQLite

extension Database {
  /// Runs work that consists of long statements. Interrupts the statement under way when the work is
  /// cancelled, and then returns `cancelled`.
  func work<Value>(
    until isCancelled: @escaping @Sendable () -> Bool, cancelled: Value, _ body: () throws -> Value
  ) throws -> Value {
    nonisolated(unsafe) let connection = sqliteConnection
    let queue = DispatchQueue(label: "Database.work")
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + Self.secondsBetweenLooks, repeating: Self.secondsBetweenLooks)
    timer.setEventHandler { if isCancelled() { sqlite3_interrupt(connection) } }
    timer.resume()
    // On the timer's queue: afterward it interrupts nobody else's statement.
    defer { queue.sync { timer.cancel() } }
    do { return try body() } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      return cancelled
    }
  }

  private static let secondsBetweenLooks = 0.1
}
