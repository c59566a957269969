import Essentials
import Foundation

/// A line of a session's journal: a file that is about to be named or removed, and the state of the
/// database at that moment.
///
///     5B9F4E4C-… 12 9f86d081… originals/2019/03/IMG_2682.HEIC
///
/// A database without a row of the file proves that the file was abandoned only if it is this
/// library's and has that state in its history. Otherwise it may be a backup from before the file
/// was added, or a new database. Another file may have got the path since then, so the bytes have
/// to be the noted ones.
struct JournalNote {
  /// The state of a database.
  struct Moment {
    /// The library's UUID, which is another one after a repair.
    let library: String
    /// The number of the latest transaction.
    let transaction: Int64
  }

  /// A file of the library, by its path relative to the library's folder and by its bytes.
  struct File {
    let path: String
    let sha256: Data
  }

  /// The path relative to the library's folder.
  let path: String
  /// The hash of the file; `nil` in journals of earlier versions.
  let sha256: Data?
  /// The state when the path was noted; `nil` in journals of earlier versions.
  let moment: Moment?

  init(_ file: File, at moment: Moment) {
    path = file.path
    sha256 = file.sha256
    self.moment = moment
  }

  init(line: String) {
    let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, UUID(uuidString: String(parts[0])) != nil, let transaction = Int64(parts[1]) else {
      (path, sha256, moment) = (line, nil, nil)
      return
    }
    moment = Moment(library: String(parts[0]), transaction: transaction)
    sha256 = parts[2].utf8.count == 64 ? [UInt8](hexadecimal: parts[2]).map { Data($0) } : nil
    path = parts.dropFirst(sha256 == nil ? 2 : 3).joined(separator: " ")
  }

  var line: String {
    [moment?.library, moment.map { "\($0.transaction)" }, sha256?.hexadecimal, path].compactMap(\.self)
      .joined(separator: " ")
  }

  /// Whether a database in this state has the note's moment in its history.
  func isInHistory(of current: Moment) -> Bool {
    guard let moment else { return false }
    return moment.library == current.library && moment.transaction <= current.transaction
  }

  /// Returns whether the noted file is at the path, or none.
  func isAboutFile(in folder: LibraryFolder) throws(StoreError) -> Bool {
    guard sha256 != nil else { return false }
    guard let descriptor = try folder.openIfPresent(path, O_RDONLY) else { return true }
    return try OpenFile(descriptor: descriptor, name: folder.absolute(path)).digest() == sha256
  }
}
