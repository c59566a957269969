import Foundation

/// A line of a session's journal: the path of a file that is about to be named or removed, and the
/// state of the database at that moment.
///
///     5B9F4E4C-… 12 originals/2019/03/IMG_2682.HEIC
///
/// A database without a row of the file proves that the file was abandoned only if it is this
/// library's and has that state in its history. Otherwise it may be a backup from before the file
/// was added, or a new database.
struct JournalNote {
  /// The state of a database.
  struct Moment {
    /// The library's UUID, which is another one after a repair.
    let library: String
    /// The number of the latest transaction.
    let transaction: Int64
  }

  /// The path relative to the library's folder.
  let path: String
  /// The state when the path was noted; `nil` in journals of earlier versions.
  let moment: Moment?

  init(_ path: String, at moment: Moment) {
    self.path = path
    self.moment = moment
  }

  init(line: String) {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    if parts.count == 3, UUID(uuidString: String(parts[0])) != nil, let transaction = Int64(parts[1]) {
      (path, moment) = (String(parts[2]), Moment(library: String(parts[0]), transaction: transaction))
    } else {
      (path, moment) = (line, nil)
    }
  }

  var line: String { moment.map { "\($0.library) \($0.transaction) \(path)" } ?? path }

  /// Whether a database in this state has the note's moment in its history.
  func isInHistory(of current: Moment) -> Bool {
    guard let moment else { return false }
    return moment.library == current.library && moment.transaction <= current.transaction
  }
}
