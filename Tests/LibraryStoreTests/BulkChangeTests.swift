import Foundation
import GRDB
import Synchronization
import Testing

@testable import LibraryStore

/// Tests that a list of assets is changed like its assets one after the other.
@Suite struct BulkChangeTests {
  let folder: TemporaryFolder
  let store: LibraryStore
  let uuids: [String]

  /// Makes twelve assets. Four of them are the frames of a burst, some are in albums, and their
  /// ratings differ.
  init() throws {
    folder = try TemporaryFolder()
    store = try LibraryStore(
      path: folder.library, create: true, clock: { Date(timeIntervalSince1970: 1_700_000_000) }, trustsClock: true)
    let first = try store.add("bytes")
    let sha256 = try store.inspect { try $0.resources(of: first)[0].sha256 }
    uuids = try store.commit { transaction in
      let assets = try (0..<12).map { number in
        var asset = AssetRecord.sample(date: Date(timeIntervalSince1970: Double(number) * 1000))
        asset.rating = number % 3
        asset.isFavorite = number == 5
        asset.burstIdentifier = number < 4 ? "burst" : nil
        var detail = AssetDetailRecord.sample
        detail.camera = #"{"make":"Apple"}"#
        detail.keywords = number % 2 == 0 ? ["sea"] : []
        return try transaction.insert(
          asset, detail, resources: [(record: .sample(name: "A.jpg"), sha256: sha256)])
      }
      for (title, count) in [("Norway", 6), ("Sweden", 2)] {
        let album = try transaction.insert(.album, uuid: UUID().uuidString, title: title)
        try transaction.append(assets.prefix(count).map(\.id), to: album)
      }
      return assets.map(\.uuid)
    }
  }

  enum Change: CaseIterable {
    case favorite, hidden, rating, dates, keywords, trash, restore, append, remove

    func make(_ uuids: [String], in transaction: StoreTransaction) throws {
      let assets = try transaction.assets(uuids: uuids).sorted { $0.id < $1.id }
      let ids = assets.map(\.id)
      func set(_ change: (inout AssetRecord) -> Void) throws {
        try transaction.write(
          assets.map { before in
            var after = before
            change(&after)
            return (before, after)
          })
      }
      switch self {
      case .favorite: try set { $0.isFavorite = true }
      case .hidden: try set { $0.isHidden = true }
      case .rating: try set { $0.rating = 2 }
      case .dates: try set { $0.creationDate += 3600 }
      case .keywords:
        let details = try transaction.details(of: ids)
        try transaction.write(
          assets.compactMap { asset in
            guard let before = details[asset.id] else { return nil }
            var after = before
            after.keywords = ["sea", "sky"]
            return (asset, before, after)
          })
      case .trash: try transaction.trash(assets)
      case .restore: try transaction.restore(assets)
      case .append: try transaction.append(ids, to: album("Sweden", transaction))
      case .remove: try transaction.remove(ids, from: album("Norway", transaction))
      }
    }

    private func album(_ title: String, _ transaction: StoreTransaction) throws -> CollectionRecord {
      let uuid: String? = try transaction.db.value("SELECT uuid FROM collection WHERE title = ?", title)
      return try #require(try uuid.flatMap(transaction.collection(uuid:)))
    }
  }

  /// The effect of a transaction: the library after it, its history, and its inverse.
  private struct Effect: Equatable {
    var library: Dump
    var history: [[Value]]
    var inverse: Inverse
    var found: [[Value]]

    init(_ store: LibraryStore) throws {
      library = try Dump(store)
      let number = try store.latestTransaction()
      (history, found, inverse) = try store.read { db in
        let history = try db.rows(
          """
          SELECT object_type, object_id, object_uuid, kind, is_content FROM history_change WHERE transaction_id = ?
          ORDER BY object_type, object_id
          """, number)
        let found = try db.rows("SELECT rowid FROM asset_search WHERE asset_search MATCH 'sky apple' ORDER BY rowid")
        let steps: String? = try db.value("SELECT steps FROM history_inverse WHERE transaction_id = ?", number)
        return (
          history.map(\.values), found.map(\.values),
          try JSONDecoder().decode(Inverse.self, from: Data((steps ?? "").utf8))
        )
      }
    }
  }

  @Test(arguments: Change.allCases)
  func `a list has the same result, history and undo as its assets one by one`(change: Change) throws {
    if change == .restore { try store.commit { try Change.trash.make(uuids, in: $0) } }
    let before = try Dump(store)
    try store.commit(by: .owner) { transaction in
      for uuid in uuids { try change.make([uuid], in: transaction) }
    }
    let one = try Effect(store)
    try store.reverse(.undo)
    try before.check(store, "the undo of single changes")
    try store.commit(by: .owner) { try change.make(uuids, in: $0) }
    let all = try Effect(store)
    #expect(all == one)
    try store.reverse(.undo)
    try before.check(store, "the undo of a list")
    try store.reverse(.redo)
    try all.library.check(store, "the redo of a list")
  }

  @Test func `a change of many assets takes a few statements`() throws {
    let first = try store.add("more")
    let sha256 = try store.inspect { try $0.resources(of: first)[0].sha256 }
    let many = try store.commit { transaction in
      try (0..<5000).map { _ in
        try transaction.insert(.sample(), .sample, resources: [(record: .sample(name: "A.jpg"), sha256: sha256)]).uuid
      }
    }
    for change in [Change.favorite, .hidden, .trash] {
      let statements = Mutex(0)
      try store.database.pool.write {
        $0.trace { event in
          // The run of a trigger is a comment.
          if !event.description.hasPrefix("--") { statements.withLock { $0 += 1 } }
        }
      }
      try store.commit(by: .owner) { try change.make(many, in: $0) }
      try store.database.pool.write { $0.trace() }
      #expect(statements.withLock { $0 } < 60, "\(change)")
      try store.reverse(.undo)
    }
  }
}
