import Foundation
import Synchronization
import Testing

@testable import LibraryStore

/// Tests how the changes of several transactions are combined, and how long they are kept.
@Suite struct HistoryTests {
  @Test(
    "Two changes of an object are combined to one",
    arguments: [
      (.inserted, .updated, .inserted), (.inserted, .deleted, nil), (.updated, .updated, .updated),
      (.updated, .deleted, .deleted), (.deleted, .inserted, .updated),
    ] as [(HistoryChange.Kind, HistoryChange.Kind, HistoryChange.Kind?)])
  func combined(_ first: HistoryChange.Kind, _ second: HistoryChange.Kind, _ both: HistoryChange.Kind?) {
    let change = HistoryChange(uuid: "A", kind: first, isContent: false)
    #expect(change.followed(by: HistoryChange(uuid: "A", kind: second, isContent: false))?.kind == both)
  }

  @Test(arguments: [(false, false, false), (true, false, true), (false, true, true)])
  func `a change of the content stays one`(_ first: Bool, _ second: Bool, _ both: Bool) {
    let change = HistoryChange(uuid: "A", kind: .updated, isContent: first)
    #expect(change.followed(by: HistoryChange(uuid: "A", kind: .updated, isContent: second))?.isContent == both)
  }

  @Test func `an object that comes back has new content`() {
    let gone = HistoryChange(uuid: "A", kind: .deleted, isContent: false)
    let back = HistoryChange(uuid: "A", kind: .inserted, isContent: false)
    #expect(gone.followed(by: back)?.isContent == true)
  }

  /// Combining is associative, so a client may read the history in any portions.
  @Test func `the portions in which changes are read don't matter`() {
    let kinds: [HistoryChange.Kind] = [.inserted, .updated, .deleted]
    let changes = kinds.flatMap { kind in
      [true, false].map { HistoryChange(uuid: "A", kind: kind, isContent: $0) }
    }
    func isPossible(_ first: HistoryChange, _ second: HistoryChange) -> Bool {
      (first.kind == .deleted) == (second.kind == .inserted)
    }
    for one in changes {
      for two in changes where isPossible(one, two) {
        for three in changes where isPossible(two, three) {
          let left = one.followed(by: two).map { $0.followed(by: three) } ?? three
          let right = two.followed(by: three).map { one.followed(by: $0) } ?? one
          // An object that was deleted and made again in between counts as changed either way.
          #expect(left?.kind == right?.kind, "\(one) \(two) \(three)")
        }
      }
    }
  }

  @Test func `an album that is made and deleted in one transaction is not in the history`() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    try store.commit { transaction in
      try transaction.delete(transaction.insert(.album, uuid: "album", title: "Norway"))
    }
    let changes = try #require(try store.transactions(after: 0)).flatMap { $0.changes ?? [] }
    #expect(!changes.contains { $0.change.uuid == "album" })
  }

  @Test func `transactions are numbered without a gap, oldest first`() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    for index in 0..<5 { try store.commit { _ = try $0.insert(.album, uuid: "\(index)", title: "") } }
    let found = try #require(try store.transactions(after: 2))
    #expect(found.map(\.number) == [3, 4, 5])
    #expect(found.map { $0.changes?.first { $0.change.kind == .inserted }?.change.uuid } == ["2", "3", "4"])
  }

  @Test(arguments: [0, 5] as [Int64]) func `a number that is expired or in the future has no history`(_ number: Int64)
    throws
  {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    for index in 0..<3 { try store.commit { _ = try $0.insert(.album, uuid: "\(index)", title: "") } }
    try store.expireHistory()
    #expect(try store.transactions(after: number) == nil)
    #expect(try store.transactions(after: 3) == [])
  }

  @Test func `a commit that changes nothing makes no transaction`() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    let asset = try store.add("one")
    let before = try store.latestTransaction()
    try store.commit { _ = try $0.asset(uuid: asset.uuid) }
    #expect(try store.latestTransaction() == before)
  }

  @Test(
    "A wrong clock expires no transaction early, and stops no expiry",
    arguments: [
      // The clock is right.
      ([0, 9, 18, 27, 30], 5),
      ([0, 9, 18, 27, 31], 4),
      // The library is not used: ten days of the pause count.
      ([0, 400], 2),
      ([0, 300, 309, 318, 323], 4),
      // The clock jumps ahead, and back.
      ([0, 5_000, 1], 3),
      ([0, 5_000, 5_001, 5_002, 1, 5_000, 2], 7),
      ([0, 5_000, 1, 10, 19, 28, 32], 4),
      // The clock was wrong at first.
      ([5_000, 0, 9, 18, 27], 5),
      ([5_000, 0, 9, 18, 27, 31], 4),
      ([-20_000, 0], 2),
      // The clock starts in 1971.
      ([0, -20_000, 1], 3),
      ([0, 9, -20_000, 10, 19, 28], 6),
      ([0, -20_000, 1, -20_000, 2, -20_000, 3, -20_000, 4, -20_000, 5], 11),
    ] as [([Double], Int)])
  func wrongClock(_ days: [Double], _ kept: Int) throws {
    let folder = try TemporaryFolder()
    let now = Mutex(0.0)
    let store = try LibraryStore(
      path: folder.library, create: true,
      clock: { Date(timeIntervalSince1970: 1_767_225_600 + now.withLock { $0 } * 86_400) })
    for (index, day) in days.enumerated() {
      now.withLock { $0 = day }
      try store.commit { _ = try $0.insert(.album, uuid: "\(index)", title: "") }
    }
    let rows: [Int64] = try store.database.read { try $0.values("SELECT id FROM history_transaction ORDER BY id") }
    #expect(rows == Array((1...Int64(days.count)).suffix(kept)))
  }
}
