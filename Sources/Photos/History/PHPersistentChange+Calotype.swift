import Foundation

extension PHPersistentChange {
  /// The time of the commit.
  public var date: Date { transaction.date }
}
