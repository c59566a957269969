import Foundation
import GRDB
import Testing

@testable import LibraryStore

/// Compares the order of an album with that of an array, to which the same moves are applied.
@Suite struct AlbumRankTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore
  private let album: CollectionRecord
  private let assets: [Int64]

  init() throws {
    folder = try TemporaryFolder()
    let store = try folder.open()
    let first = try store.add("bytes")
    let sha256 = try store.inspect { try $0.resources(of: first)[0].sha256 }
    (album, assets) = try store.commit { transaction in
      let more = try (1..<40).map { _ in
        try transaction.insert(.sample(), .sample, resources: [(record: .sample(name: "A.jpg"), sha256: sha256)]).id
      }
      return (try transaction.insert(.album, uuid: "album", title: "Norway"), [first.id] + more)
    }
    self.store = store
  }

  private func ranks() throws -> [Int64] {
    try store.database.pool.read {
      try Int64.fetchAll(
        $0, sql: "SELECT rank FROM collection_asset WHERE collection_id = ? ORDER BY rank", arguments: [album.id])
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func `random moves give the order of a list`(seed: UInt64) throws {
    var random = LinearGenerator(seed: seed)
    var model: [Int64] = []
    // One transaction for all moves, since a commit waits for the disk.
    try store.commit { transaction in
      for step in 0..<600 {
        let some = assets.shuffled(using: &random).prefix(Int.random(in: 1...6, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          try transaction.append(Array(some), to: album)
          model += some.filter { !model.contains($0) }
        case 1:
          try transaction.remove(Array(some), from: album)
          model.removeAll { some.contains($0) }
        default:
          // An anchor that moves itself, or is not in the album, is skipped.
          let anchors = assets.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
          try transaction.place(Array(some), in: album, afterFirstOf: anchors)
          model.removeAll { some.contains($0) }
          let anchor = anchors.lazy.compactMap { model.firstIndex(of: $0) }.first
          model.insert(contentsOf: some, at: anchor.map { $0 + 1 } ?? 0)
        }
        try #require(try transaction.assetIDs(in: album) == model, "step \(step)")
      }
    }
    #expect(try Set(ranks()).count == model.count)
  }

  /// Each insertion halves the same gap, so that the ranks between are used up after twenty.
  @Test func `a gap that is used up gets room from its neighbors`() throws {
    var model = assets
    try store.commit { transaction in
      try transaction.append(assets, to: album)
      for step in 0..<400 {
        let moved = model[model.count - 1 - step % 30]
        try transaction.place([moved], in: album, afterFirstOf: [model[0]])
        model.removeAll { $0 == moved }
        model.insert(moved, at: 1)
        try #require(try transaction.assetIDs(in: album) == model, "step \(step)")
      }
    }
    #expect(try Set(ranks()).count == model.count)
  }

  @Test func `an asset in the place of its own anchor goes to the beginning`() throws {
    try store.commit { transaction in
      try transaction.append(Array(assets[..<3]), to: album)
      try transaction.place([assets[2]], in: album, afterFirstOf: [assets[2]])
      #expect(try transaction.assetIDs(in: album) == [assets[2], assets[0], assets[1]])
    }
  }

  private func ranksOfAssets() throws -> [Int64: Int64] {
    try store.inspect { transaction in
      try AlbumOrder(db: transaction.db, album: album.id).ranks(of: assets)
    }
  }

  @Test func `moving an asset gives no other asset another rank`() throws {
    try store.commit { try $0.append(assets, to: album) }
    let before = try ranksOfAssets()
    try store.commit { try $0.place([assets[30]], in: album, afterFirstOf: [assets[3]]) }
    let after = try ranksOfAssets()
    #expect(assets.filter { before[$0] != after[$0] } == [assets[30]])
  }

  @Test func `an asset that is added again keeps its rank`() throws {
    try store.commit { try $0.append(Array(assets[..<3]), to: album) }
    let before = try ranksOfAssets()
    try store.commit { try $0.append([assets[1], assets[3], assets[0]], to: album) }
    let after = try ranksOfAssets()
    #expect(before.allSatisfy { after[$0.key] == $0.value })
    #expect(try store.inspect { try $0.assetIDs(in: album) } == Array(assets[..<4]))
  }

  @Test(arguments: [Int64.max, AlbumOrder.ranks.upperBound + 1, AlbumOrder.ranks.lowerBound - 1, .min])
  func `a damaged rank is refused, and no other one is computed from it`(rank: Int64) throws {
    try store.commit { try $0.append(Array(assets[..<3]), to: album) }
    try store.database.pool.write {
      try $0.execute(sql: "UPDATE collection_asset SET rank = ? WHERE asset_id = ?", arguments: [rank, assets[1]])
    }
    let damaged = try ranks()
    #expect(throws: StoreError.self) {
      try store.commit { try $0.place([assets[5]], in: album, afterFirstOf: [assets[1]]) }
    }
    #expect(try ranks() == damaged)
    // The damaged row itself can be taken out of the album, and then all is well.
    try store.commit { try $0.remove([assets[1]], from: album) }
    try store.commit { try $0.place([assets[5]], in: album, afterFirstOf: [assets[0]]) }
    #expect(try store.inspect { try $0.assetIDs(in: album) } == [assets[0], assets[5], assets[2]])
  }

  @Test func `a deleted asset keeps its place for its restoration`() throws {
    try store.commit { transaction in
      try transaction.append(Array(assets[..<3]), to: album)
      let middle = try #require(try transaction.asset(id: assets[1]))
      try transaction.trash(middle)
      #expect(try transaction.assetIDs(in: album) == [assets[0], assets[2]])
      try transaction.restore(#require(try transaction.asset(id: assets[1])))
      #expect(try transaction.assetIDs(in: album) == Array(assets[..<3]))
    }
  }
}
