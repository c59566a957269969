import Foundation
internal import GRDB

extension LibraryStore {
  /// How long a deleted asset can be restored: thirty days.
  public static let trashDays = 30.0

  /// Reads the clock for the trash, and expunges assets that have been in it for more than thirty
  /// days.
  ///
  /// Writes nothing if the trash is empty, or if the clock was read within the last hour and
  /// nothing has expired. Does nothing in a read-only library.
  public func emptyExpiredTrash() throws {
    guard writing != nil, try inspect({ try $0.isTrashDue }) else { return }
    try commit { transaction in
      try transaction.readTrashClock()
      for asset in try transaction.expiredAssets { try transaction.expunge(asset) }
    }
  }
}

/// The time that has passed between two readings of the clock, as the trash counts it.
///
/// A computer's clock may start in 1971 or jump ahead by years, and a deleted photo must not be
/// expunged by that.
enum TrashInterval: Equatable {
  /// The whole time counts.
  case whole
  /// The library was not opened for a while, or the clock has jumped: ten days count, and these
  /// seconds don't.
  case interrupted(uncounted: Double)
  /// The clock was wrong at one of the readings: the thirty days begin again.
  case implausible

  /// `last` is `nil` if the clock was never read.
  init(from last: Double?, to now: Double) {
    guard let last, now - last >= -Self.day, now - last <= 366 * Self.day else {
      self = .implausible
      return
    }
    let uncounted = now - last - 10 * Self.day
    self = uncounted > 0 ? .interrupted(uncounted: uncounted) : .whole
  }

  static let day = 86_400.0
}

extension StoreTransaction {
  /// Whether the clock was not read during the last hour, or something has expired; never while the trash is empty.
  var isTrashDue: Bool {
    get throws {
      let isEmpty = try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM asset WHERE trashed_date IS NOT NULL)")
      guard isEmpty == false else { return false }
      guard let last = try lastTrashReading, abs(date.timeIntervalSince1970 - last) < 3600 else { return true }
      return try !expiredAssets.isEmpty
    }
  }

  var expiredAssets: [AssetRecord] {
    get throws { try assetsTrashed(before: date.addingTimeInterval(-LibraryStore.trashDays * TrashInterval.day)) }
  }

  /// Records the time, and moves the deletion dates of assets in the trash by the time that does
  /// not count.
  ///
  /// No single reading expires anything: after an interruption at least one day is left.
  func readTrashClock() throws {
    guard !hasReadTrashClock else { return }
    hasReadTrashClock = true
    let now = date.timeIntervalSince1970
    if !trustsClock {
      switch TrashInterval(from: try lastTrashReading, to: now) {
      case .whole: break
      case .interrupted(let uncounted):
        try db.execute(
          sql: "UPDATE asset SET trashed_date = min(?, max(trashed_date + ?, ?)) WHERE trashed_date IS NOT NULL",
          arguments: [now, uncounted, now - (LibraryStore.trashDays - 1) * TrashInterval.day])
      case .implausible:
        try db.execute(sql: "UPDATE asset SET trashed_date = ? WHERE trashed_date IS NOT NULL", arguments: [now])
      }
    }
    try db.execute(sql: "UPDATE library SET trash_read_date = ?", arguments: [now])
  }

  private var lastTrashReading: Double? {
    get throws { try Double.fetchOne(db, sql: "SELECT trash_read_date FROM library") }
  }
}
