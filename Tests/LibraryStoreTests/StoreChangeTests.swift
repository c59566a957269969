import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import LibraryStore

@Suite struct StoreChangeTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore
  private let query = FetchQuery(.assets)

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
    try store.add("first")
  }

  /// Adds an asset, and returns the change.
  private func change(_ bytes: String) throws -> StoreChange {
    let since = try store.latestTransaction()
    try store.add(bytes, as: "\(bytes).jpg")
    return try #require(try store.change(since: since))
  }

  private func update(_ change: StoreChange, _ found: FetchedIDs) throws -> FetchUpdate? {
    try change.update(of: found.ids, query, after: found.transaction, isIncremental: true)
  }

  @Test func detailsAskedLateAreIncrementalAndIncludeLaterChanges() throws {
    let before = try store.fetch(query)
    let held = try change("second")
    for number in 0..<20 { try store.add("later \(number)", as: "\(number).jpg") }
    let update = try #require(try update(held, before))
    #expect(update.difference?.inserted == Array(1...21))
    #expect(update.after == (try store.fetch(query).ids))
    #expect(update.transaction == (try store.latestTransaction()))
  }

  @Test func changesAskedOutOfOrderFit() throws {
    let before = try store.fetch(query)
    let first = try change("second")
    let second = try change("third")
    let later = try #require(try update(second, before))
    #expect(later.difference?.inserted == [1, 2])
    #expect(try update(first, FetchedIDs(ids: later.after, transaction: later.transaction)) == nil)
    #expect(try update(first, before) == later)
  }

  @Test func changesWithoutEffectAreReadOnce() throws {
    let album = FetchQuery(.collections(.album, subtype: nil))
    var seen = try store.fetch(album).transaction
    for number in 0..<3 {
      let change = try change("\(number)")
      #expect(seen == change.since)
      #expect(try change.update(of: [], album, after: seen, isIncremental: true) { seen = $0 } == nil)
      #expect(seen == change.until)
    }
  }

  @Test func aFetchOfATransactionThatABackupLacksIsReloaded() throws {
    let change = try change("second")
    let lost = FetchedIDs(ids: [1, 2, 99], transaction: change.until + 10)
    let update = try #require(try update(change, lost))
    #expect(update.after == (try store.fetch(query).ids))
    #expect(update.transaction == change.until)
    #expect(update.difference == nil)
  }

  @Test func anAssetOutsideASelectionIsNotReturned() throws {
    let change = try change("second")
    let id = try #require(try store.fetch(query).ids.last)
    #expect(try change.asset(id: id) != nil)
    #expect(try change.asset(id: id, limitedToClient: 99) == nil)
  }

  @Test func missingDetailsDoNotMeanThatNothingChanged() throws {
    let found = try store.fetch(query)
    let asset = try #require(try store.assets(ids: found.ids).first)
    try store.commit { transaction in
      var changed = asset
      changed.isFavorite = true
      try transaction.update(changed)
    }
    try store.thinHistory()
    let change = try #require(try store.change(since: found.transaction))
    let update = try #require(try update(change, found))
    #expect(update.after == found.ids)
    #expect(update.difference == nil)
  }

  /// Watches the library during `commit`, and returns the result of `handler` for its change.
  private func watching<Result: Sendable>(
    _ handler: @escaping @Sendable (StoreChange) -> Result, _ commit: () throws -> Void
  ) throws -> [Result] {
    let results = Mutex<[Result]>([])
    let watcher = store.watch(since: try store.latestTransaction()) { change in
      let result = handler(change)
      results.withLock { $0.append(result) }
    }
    try commit()
    watcher.flush()
    return results.withLock(\.self)
  }

  @Test func aChangeWhoseHandlerThrowsIsDeliveredAgain() throws {
    let calls = Mutex<[Int64]>([])
    let watcher = store.watch(since: try store.latestTransaction()) { change in
      let isFirst = calls.withLock { calls in
        calls.append(change.until)
        return calls.count == 1
      }
      if isFirst { throw CancellationError() }
    }
    try store.add("second", as: "second.jpg")
    watcher.flush()
    watcher.flush()
    let latest = try store.latestTransaction()
    #expect(calls.withLock(\.self) == [latest, latest])
    #expect(watcher.position == latest)
  }

  @Test func aDamagedHistoryIsDeliveredOnceAndWithoutDetails() throws {
    let since = try store.latestTransaction()
    try store.add("second", as: "second.jpg")
    try store.database.write {
      _ = try $0.execute("ALTER TABLE history_change RENAME COLUMN transaction_id TO lost_id")
    }
    let changes = Mutex<[StoreChange]>([])
    let watcher = store.watch(since: since) { change in changes.withLock { $0.append(change) } }
    watcher.flush()
    watcher.flush()
    #expect(changes.withLock { $0.map(\.failure?.code) } == [.failed])
    #expect(changes.withLock { $0.first?.objects } == nil)
    try store.database.write {
      _ = try $0.execute("ALTER TABLE history_change RENAME COLUMN lost_id TO transaction_id")
    }
    try store.add("third", as: "third.jpg")
    watcher.flush()
    #expect(changes.withLock { $0.last?.objects?.assets.count } == 1)
  }

  @Test func answersInsideAHandlerAreOfOneState() throws {
    let before = try store.fetch(query)
    let isFirst = Mutex(true)
    let counts = try watching { [store, query] change in
      guard
        isFirst.withLock({ isFirst in
          defer { isFirst = false }
          return isFirst
        })
      else { return [Int]() }
      let first = try? change.update(of: before.ids, query, after: before.transaction, isIncremental: true)
      _ = try? store.add("third", as: "third.jpg")
      let second = try? change.update(of: before.ids, query, after: before.transaction, isIncremental: true)
      return [first?.after.count ?? 0, second?.after.count ?? 0, (try? change.fetch(query).ids.count) ?? 0]
    } _: {
      try store.add("second", as: "second.jpg")
    }
    #expect(counts.first == [2, 2, 2])
    #expect(try store.fetch(query).ids.count == 3)
  }

  @Test func theLogIsWrittenBackWhileAChangeIsHeld() throws {
    let held = try watching {
      $0
    } _: {
      try store.add("second", as: "second.jpg")
    }
    #expect(held.count == 1)
    try store.add("third", as: "third.jpg")
    // A passive checkpoint stops at the first page that a reader may still need. A reader of the
    // watcher may be about to end.
    try eventually("a whole checkpoint") {
      let result = try store.database.pool.writeWithoutTransaction { try $0.checkpoint(.passive) }
      return result.walFrameCount > 0 && result.checkpointedFrameCount == result.walFrameCount
    }
    withExtendedLifetime(held) {}
  }
}
