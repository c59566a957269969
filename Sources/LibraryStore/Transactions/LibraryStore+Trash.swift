import Foundation

extension LibraryStore {
  /// The number of days in which a deleted asset can be restored.
  public static let trashDays = 30.0

  /// Reads the clock for the trash, and expunges assets whose thirty days were over at the previous
  /// reading.
  ///
  /// Writes nothing if the trash is empty, or if the latest reading is less than a day old. Does
  /// nothing in a read-only library. Fails at once if another commit goes on: nobody who opens a
  /// library waits for it.
  public func emptyExpiredTrash() throws {
    guard writing != nil, try inspect({ try $0.isTrashDue }) else { return }
    try commit(isDeletion: true, mayWait: false) { try $0.readTrashClock() }
  }
}

extension StoreTransaction {
  /// Whether the clock must be read; false while the trash is empty.
  var isTrashDue: Bool {
    get throws {
      let isEmpty = try db.isTrue("SELECT NOT EXISTS (SELECT 1 FROM asset WHERE trashed_date IS NOT NULL)")
      guard isEmpty == false else { return false }
      guard !trustsClock else { return try !expiredAssets(at: now).isEmpty }
      return try ClockInterval(from: lastTrashReading, to: now) != .short
    }
  }

  /// Expunges assets that had expired at the last reading, which is at least a day old, and records
  /// this reading. A trusted clock needs no second reading.
  ///
  /// No single reading expunges an asset. It only determines which may be expunged at the next one.
  func readTrashClock() throws {
    let last = try lastTrashReading
    switch (trustsClock, ClockInterval(from: last, to: now)) {
    case (true, _):
      for asset in try expiredAssets(at: now) { try expunge(asset) }
    case (false, .short): return
    case (false, .plausible(let uncounted)):
      for asset in try last.map(expiredAssets(at:)) ?? [] { try expunge(asset) }
      try moveTrashedDates(by: uncounted)
    case (false, .implausible): try moveTrashedDates(by: .infinity)
    }
    try recordTrashReading()
  }

  /// Restarts the thirty days of all assets in the trash if the clock is wrong, or was. The dates
  /// of two clocks can't be compared.
  ///
  /// Called before an asset is moved to the trash. With a trusted clock, only records the reading.
  func checkTrashClock() throws {
    guard try ClockInterval(from: lastTrashReading, to: now) == .implausible else { return }
    if !trustsClock { try moveTrashedDates(by: .infinity) }
    try recordTrashReading()
  }

  private var now: Double { date.timeIntervalSince1970 }

  private func expiredAssets(at reading: Double) throws -> [AssetRecord] {
    try assetsTrashed(before: Date(timeIntervalSince1970: reading - LibraryStore.trashDays * ClockInterval.day))
  }

  /// Moves the deletion dates forward, at most to this reading.
  private func moveTrashedDates(by seconds: Double) throws {
    try db.execute(
      """
      UPDATE asset SET trashed_date = min(?, trashed_date + ?)
      WHERE trashed_date IS NOT NULL AND trashed_date <> min(?, trashed_date + ?)
      """, now, seconds, now, seconds)
  }

  private func recordTrashReading() throws {
    try db.execute("UPDATE library SET trash_read_date = ?", now)
  }

  private var lastTrashReading: Double? {
    get throws { try db.value("SELECT trash_read_date FROM library") }
  }
}
