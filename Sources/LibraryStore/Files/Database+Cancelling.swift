import Foundation
internal import GRDB
private import GRDBSQLite

extension Database {
  /// Runs work that consists of long statements. If the work is cancelled, interrupts the current
  /// statement and returns `cancelled`.
  func work<Value>(
    until isCancelled: @escaping @Sendable () -> Bool, cancelled: Value, _ body: () throws -> Value
  ) throws -> Value {
    nonisolated(unsafe) let connection = sqliteConnection
    let queue = DispatchQueue(label: "Database.work")
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + Self.secondsBetweenLooks, repeating: Self.secondsBetweenLooks)
    timer.setEventHandler { if isCancelled() { sqlite3_interrupt(connection) } }
    timer.resume()
    // On the timer's queue, so that it can't interrupt a later statement of other work.
    defer { queue.sync { timer.cancel() } }
    do { return try body() } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      return cancelled
    }
  }

  private static let secondsBetweenLooks = 0.1
}
