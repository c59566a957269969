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
///
/// The line of a file that is about to be removed ends with a tab and the file's stamp. With it,
/// the opening after an interruption need not hash the rest of a large trash. A file that is about
/// to be named has no stamp: another program's file may be at its path.
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
  /// The stamp of a file that is about to be removed; `nil` for one that is about to be named, and
  /// in journals of earlier versions. Without it, an opening hashes the file.
  let stamp: String?

  /// Notes a file. `folder` is the library's if the file is about to be removed.
  init(_ file: File, at moment: Moment, removedFrom folder: LibraryFolder? = nil) {
    path = file.path
    sha256 = file.sha256
    self.moment = moment
    if let folder, let status = try? folder.status(file.path) { stamp = Self.stamp(of: status) } else { stamp = nil }
  }

  init(line: String) {
    let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, UUID(uuidString: String(parts[0])) != nil, let transaction = Int64(parts[1]) else {
      (path, sha256, moment, stamp) = (line, nil, nil, nil)
      return
    }
    moment = Moment(library: String(parts[0]), transaction: transaction)
    sha256 = parts[2].utf8.count == 64 ? [UInt8](hexadecimal: parts[2]).map { Data($0) } : nil
    let rest = parts.dropFirst(sha256 == nil ? 2 : 3).joined(separator: " ")
    // The name of a file that a repair has found may have tabs, too.
    if let tab = rest.lastIndex(of: "\t"), Self.isStamp(rest[tab...].dropFirst()) {
      path = String(rest[..<tab])
      stamp = String(rest[tab...].dropFirst())
    } else {
      path = rest
      stamp = nil
    }
  }

  var line: String {
    [moment?.library, moment.map { "\($0.transaction)" }, sha256?.hexadecimal, path].compactMap(\.self)
      .joined(separator: " ") + (stamp.map { "\t\($0)" } ?? "")
  }

  /// Returns a text that changes whenever a file is written to or replaced. Programs can set back
  /// the date of a modification, but not that of the latest change.
  private static func stamp(of status: stat) -> String {
    let (modified, changed) = (status.st_mtim, status.st_ctim)
    return "\(status.st_dev):\(status.st_ino):\(status.st_size):\(modified.tv_sec).\(modified.tv_nsec)"
      + ":\(changed.tv_sec).\(changed.tv_nsec)"
  }

  private static func isStamp(_ text: Substring) -> Bool {
    text.split(separator: ":").count == 5 && text.allSatisfy { $0.isASCII && ($0.isNumber || ":.-".contains($0)) }
  }

  /// Whether a database in this state has the note's moment in its history.
  func isInHistory(of current: Moment) -> Bool {
    guard let moment else { return false }
    return moment.library == current.library && moment.transaction <= current.transaction
  }

  /// Returns whether the noted file is at the path, or none.
  func isAboutFile(in folder: LibraryFolder) throws(StoreError) -> Bool {
    guard sha256 != nil else { return false }
    if let stamp, let status = try folder.status(path), stamp == Self.stamp(of: status) { return true }
    guard let descriptor = try folder.openIfPresent(path, O_RDONLY) else { return true }
    return try OpenFile(descriptor: descriptor, name: folder.absolute(path)).digest() == sha256
  }
}
