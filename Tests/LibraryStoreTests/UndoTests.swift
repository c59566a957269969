import Foundation
import GRDB
import Synchronization
import Testing

@testable import LibraryStore

/// Tests what a transaction records for its undo.
@Suite struct UndoTests {
  let folder: TemporaryFolder
  let store: LibraryStore

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
  }

  private func add(_ count: Int) throws -> [Int64] {
    let first = try store.add("bytes")
    let sha256 = try store.inspect { try $0.resources(of: first)[0].sha256 }
    return try store.commit { transaction in
      try (1..<count).map { _ in
        try transaction.insert(.sample(), .sample, resources: [(record: .sample(name: "A.jpg"), sha256: sha256)]).id
      }
    } + [first.id]
  }

  private func steps() throws -> String? {
    try store.database.pool.read {
      try String.fetchOne($0, sql: "SELECT steps FROM history_inverse ORDER BY transaction_id DESC LIMIT 1")
    }
  }

  private func favor(_ assets: [Int64], by author: TransactionAuthor? = .owner) throws {
    try store.commit(by: author) { transaction in
      for id in assets {
        var asset = try #require(try transaction.asset(id: id))
        asset.isFavorite = true
        try transaction.update(asset)
      }
    }
  }

  @Test func `the same change of many assets is recorded once`() throws {
    let assets = try add(2000)
    try favor(assets)
    let steps = try #require(try steps())
    #expect(steps.utf8.count < 2000 * 5 + 200)
    #expect(steps.contains(#""is_favorite":[0,1]"#))
  }

  @Test func `an insertion is undone by one number`() throws {
    let staged = try store.stage(.data(Data("new".utf8)))
    let placement = Placement(
      staged: staged, originalFilename: "B.jpg", creationDate: Date(timeIntervalSince1970: 0), timeZoneOffset: 0)
    let asset = try store.commit(placing: [placement], by: .owner) { transaction in
      var asset = try transaction.insert(
        .sample(), .sample, resources: [(record: .sample(name: "B.jpg"), sha256: staged.sha256)])
      asset.isFavorite = true
      try transaction.update(asset)
      return asset
    }
    let steps = try #require(try steps())
    #expect(steps.utf8.count < 150)
    try store.reverse(.undo)
    let undone = try #require(try store.inspect { try $0.asset(uuid: asset.uuid) })
    #expect(undone.trashedDate != nil)
    #expect(undone.isFavorite)
  }

  @Test func `the library's own transactions are not undone`() throws {
    let assets = try add(2)
    try favor(assets, by: nil)
    #expect(try steps() == nil)
    #expect(throws: UndoFailure(.nothingToUndo)) { try store.reverse(.undo) }
    let number = try store.latestTransaction()
    #expect(throws: UndoFailure(.detailsRemoved, number)) { try store.reverse(.undo, number) }
    #expect(try store.transactions(TransactionQuery(limit: 1)).first?.author == nil)
  }

  @Test func `a transaction whose inverse is too large can't be undone`() throws {
    let folder = try TemporaryFolder()
    var limits = HistoryLimits.standard
    limits.inverseBytes = 10
    let store = try LibraryStore(path: folder.library, create: true, historyLimits: limits)
    try store.commit(by: .owner) { _ = try $0.insert(.album, uuid: UUID().uuidString, title: "Norway") }
    let number = try store.latestTransaction()
    #expect(throws: UndoFailure(.detailsRemoved, number)) { try store.reverse(.undo, number) }
  }

  @Test func `a transaction that adds a file to an asset can't be undone`() throws {
    let asset = try store.add("still")
    let staged = try store.stage(.data(Data("movie".utf8)))
    let placement = Placement(
      staged: staged, originalFilename: "A.mov", creationDate: Date(timeIntervalSince1970: 0), timeZoneOffset: 0)
    try store.commit(placing: [placement], by: .owner) { transaction in
      var record = ResourceRecord.sample(name: "A.mov")
      record.type = ResourceType.pairedVideo.rawValue
      try transaction.insert(record, sha256: staged.sha256, into: asset)
    }
    let number = try store.latestTransaction()
    #expect(throws: UndoFailure(.filesAdded, number)) { try store.reverse(.undo, number) }
  }

  @Test func `a transaction without an inverse only counts`() throws {
    let assets = try add(2)
    try favor([assets[0]])
    try favor([assets[1]], by: nil)
    let found = try store.transactions(TransactionQuery(limit: 2))
    #expect(found.map(\.assets.updated) == [1, 1])
    #expect(found.map(\.actions) == [[], [TransactionAction(kind: .favorited, count: 1)]])
  }

  @Test func `the actions of a very large transaction are not told`() throws {
    let assets = try add(2)
    try favor(assets)
    let actions = try store.transactions(TransactionQuery(limit: 1)).map(\.actions)
    #expect(actions == [[TransactionAction(kind: .favorited, count: 2)]])
    // The same steps, with blanks.
    try store.database.pool.write {
      try $0.execute(
        sql: "UPDATE history_inverse SET steps = printf('%*s', ?, '') || steps", arguments: [LibraryStore.toldSteps])
    }
    #expect(try store.transactions(TransactionQuery(limit: 1)).map(\.actions) == [[]])
  }

  @Test func `without its details a transaction can't be undone`() throws {
    let assets = try add(1)
    try favor(assets)
    let number = try store.latestTransaction()
    try store.thinHistory()
    #expect(throws: UndoFailure(.detailsRemoved, number)) { try store.reverse(.undo, number) }
    let summary = try #require(try store.transactions(TransactionQuery(limit: 1)).first)
    #expect(summary.author == .owner)
    #expect(!summary.isUndoable)
  }

  @Test func `an album that was deleted with a folder comes back only with it`() throws {
    let (outer, inner) = try store.commit(by: .owner) { transaction in
      let outer = try transaction.insert(.folder, uuid: UUID().uuidString, title: "Travels")
      return (outer, try transaction.insert(.album, uuid: UUID().uuidString, title: "Norway", in: outer))
    }
    try store.commit(by: .owner) { try $0.delete(inner) }
    let number = try store.latestTransaction()
    try store.commit(by: .owner) { try $0.delete(outer) }
    #expect(
      throws: UndoFailure(
        .conflict, number, conflicts: [.init(type: .album, uuid: inner.uuid, name: "Norway")])
    ) { try store.reverse(.undo, number) }
    try store.reverse(.undo)
    try store.reverse(.undo)
    #expect(try store.inspect { try $0.collection(uuid: inner.uuid)?.parentID } == outer.id)
  }

  /// Moves an asset to the trash, and deletes it there.
  private func deleteForGood(_ asset: Int64) throws {
    let record = try #require(try store.inspect { try $0.asset(id: asset) })
    try store.commit(by: .owner) { try $0.delete(record) }
    try store.commit(by: .owner) { try $0.expunge(record) }
  }

  @Test func `changes of an asset that was deleted for good are not in the way of earlier ones`() throws {
    let assets = try add(2)
    try favor([assets[0]])
    let number = try store.latestTransaction()
    try favor([assets[1]])
    try deleteForGood(assets[1])
    #expect(try store.reverse(.undo) == number)
    #expect(throws: UndoFailure(.nothingToUndo)) { try store.reverse(.undo) }
  }

  @Test func `places in an album of assets that were deleted for good are not in the way of earlier changes`() throws {
    let assets = try add(2)
    let album = try store.commit(by: .owner) { try $0.insert(.album, uuid: UUID().uuidString, title: "Norway") }
    let creation = try store.latestTransaction()
    try store.commit(by: .owner) { try $0.append(assets, to: album) }
    let mixed = try store.latestTransaction()
    try store.commit(by: .owner) { try $0.remove([assets[1]], from: album) }
    try deleteForGood(assets[1])
    // The undo takes the asset that exists out of the album again.
    #expect(try store.reverse(.undo) == mixed)
    #expect(try store.reverse(.undo) == creation)
  }

  @Test func `a change of which one asset was deleted for good stays whole`() throws {
    let assets = try add(2)
    try favor(assets)
    try deleteForGood(assets[1])
    #expect(throws: UndoFailure(.nothingToUndo)) { try store.reverse(.undo) }
    #expect(try store.inspect { try $0.asset(id: assets[0])?.isFavorite } == true)
  }

  @Test func `a folder is not moved back into what is in it now`() throws {
    let (one, other) = try store.commit(by: .owner) { transaction in
      let one = try transaction.insert(.folder, uuid: UUID().uuidString, title: "One")
      return (one, try transaction.insert(.folder, uuid: UUID().uuidString, title: "Other", in: one))
    }
    try store.commit(by: .owner) { transaction in
      try transaction.setChildren([one, other], of: transaction.root())
    }
    let number = try store.latestTransaction()
    try store.commit(by: .owner) { transaction in
      let present = try #require(try transaction.collection(id: other.id))
      var moved = try #require(try transaction.collection(id: one.id))
      moved.rank = 0
      try transaction.setChildren([moved], of: present)
    }
    #expect(throws: UndoFailure.self) { try store.reverse(.undo, number) }
  }

  @Test(arguments: [
    #"{"assets":[{"values":{"uuid":["x",1]},"ids":[1]}],"files":[],"collections":[],"members":[]}"#, "{}", "x",
  ])
  func `a damaged inverse changes nothing`(steps: String) throws {
    let assets = try add(1)
    try favor(assets)
    let before = try Dump(store)
    try store.database.pool.write {
      try $0.execute(sql: "UPDATE history_inverse SET steps = ?", arguments: [steps])
    }
    _ = try? store.reverse(.undo)
    #expect(try Dump(store) == before)
  }
}
