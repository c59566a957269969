import Essentials
import Foundation
internal import GRDB

extension StoreError {
  /// Runs `body` and translates SQLite's errors to a `StoreError`. Adds the file to an error that
  /// names none. `damageRemedy` is the end of the sentence about a damaged file.
  static func mapping<Result>(
    _ file: String, damageRemedy: String? = nil, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError where error.file.isEmpty {
      throw StoreError(error.code, file, reason: error.reason)
    } catch let error as DatabaseError {
      let code: StoreError.Code =
        switch error.resultCode {
        case .SQLITE_FULL: .notEnoughSpace
        // SQLite has no separate code for a full disk on files beside the database.
        case .SQLITE_IOERR, .SQLITE_CANTOPEN:
          isDiskFull(file) ? .notEnoughSpace : error.resultCode == .SQLITE_IOERR ? .cannotRead : .cannotWrite
        case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
        // Only a pattern interrupts its statement with an error.
        case .SQLITE_INTERRUPT: .tookTooLong
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
        // A column of JSON contains something else.
        case .SQLITE_ERROR where error.message?.hasPrefix("malformed JSON") == true: .damaged
        case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_RANGE, .SQLITE_ERROR: .failed
        case .SQLITE_READONLY, .SQLITE_PERM: .cannotWrite
        default: .cannotRead
        }
      let message = error.message ?? error.description
      // Some messages quote a whole statement in parentheses.
      let cause = message.prefix { $0 != "(" }.trimmingCharacters(in: .whitespaces)
      let reason =
        switch code {
        case .notEnoughSpace: FullDisk.reason
        case .damaged where damageRemedy != nil: "the file is damaged (\(cause)); \(damageRemedy ?? "")"
        case .damaged where file.hasSuffix(LibraryStore.databaseName):
          "the library’s database is damaged (\(cause)); the originals are safe; "
            + (error.resultCode == .SQLITE_ERROR
              ? "`calotype repair` mends it"
              : "put \(LibraryStore.databaseName) back from a backup, or let `calotype repair` make the library anew from them")
        default: message
        }
      throw StoreError(code, file, reason: reason)
    }
  }

  /// Whether the disk has less space than SQLite needs to open a database.
  private static func isDiskFull(_ file: String) -> Bool {
    LibraryFolder(path: (file as NSString).deletingLastPathComponent).freeByteCount < 128 << 10
  }
}

extension SQLiteDatabase {
  /// Returns whether SQLite found a database damaged.
  static func isDamage(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    // The statements are correct. If SQLite rejects one, a table or a column is missing.
    // A file that may be written and that SQLite does not write has a damaged header.
    let codes: [ResultCode] = [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_READONLY]
    let extended: [ResultCode] = [.SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ]
    return codes.contains(error.resultCode) || extended.contains(error.extendedResultCode)
  }

  /// Returns whether a database has reached its limit, or its disk is full.
  static func isFull(_ error: any Error) -> Bool {
    (error as? DatabaseError)?.resultCode == .SQLITE_FULL
  }

  /// Returns SQLite's message of an error.
  static func message(of error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(error)" }
    return error.message ?? error.description
  }
}
