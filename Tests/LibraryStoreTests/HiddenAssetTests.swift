import Foundation
import Testing

@testable import LibraryStore

/// Tests the lock of the hidden assets, and what the history says while it is closed.
@Suite struct HiddenAssetTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
  }

  private func setHidden(_ assets: [AssetRecord], _ isHidden: Bool) throws {
    try store.commit(by: .owner) { transaction in
      for var asset in assets {
        asset.isHidden = isHidden
        try transaction.update(asset)
      }
    }
  }

  @Test func `hidden assets are neither counted nor named for one from whom they are kept`() throws {
    let shown = try store.add("shown", as: "Shown.jpg")
    let hidden = try store.add("hidden", as: "Hidden.jpg")
    try setHidden([hidden], true)
    try store.commit(by: .owner) { transaction in
      for id in [shown.id, hidden.id] {
        var asset = try #require(try transaction.asset(id: id))
        asset.isFavorite = true
        try transaction.update(asset)
      }
    }
    func summaries(concealsHidden: Bool) throws -> [TransactionSummary] {
      try store.transactions(TransactionQuery(limit: 3, concealsHidden: concealsHidden))
    }
    let all = try summaries(concealsHidden: false)
    #expect(all.map(\.assets.updated) == [2, 1, 0])
    #expect(all.map(\.names.count) == [2, 1, 1])
    let some = try summaries(concealsHidden: true)
    // The transactions themselves stay: undoing one of them says that Hidden is locked.
    #expect(some.map(\.number) == all.map(\.number))
    #expect(some.map { [$0.assets.inserted, $0.assets.updated] } == [[0, 1], [0, 0], [0, 0]])
    #expect(some.map(\.names.count) == [1, 0, 0])
    let actions = [all, some].map { $0.map(\.actions) }
    #expect(actions[0] == [[action(.favorited, 2)], [action(.hidden, 1)], []])
    #expect(actions[1] == [[action(.favorited, 1)], [], []])
    try setHidden([try #require(try store.inspect { try $0.asset(id: hidden.id) })], false)
    #expect(try summaries(concealsHidden: true)[1] == all[0])
  }

  private func action(_ kind: TransactionAction.Kind, _ count: Int, _ name: String? = nil) -> TransactionAction {
    TransactionAction(kind: kind, count: count, name: name)
  }

  @Test func `hidden assets of an album are not counted for one from whom they are kept`() throws {
    let shown = try store.add("shown", as: "Shown.jpg")
    let hidden = try store.add("hidden", as: "Hidden.jpg")
    try setHidden([hidden], true)
    let album = try store.commit(by: .owner) { try $0.insert(.album, uuid: UUID().uuidString, title: "Norway") }
    try store.commit(by: .owner) { try $0.append([shown.id, hidden.id], to: album) }
    try store.commit(by: .owner) { try $0.remove([hidden.id], from: album) }
    func actions(concealsHidden: Bool) throws -> [[TransactionAction]] {
      try store.transactions(TransactionQuery(limit: 2, concealsHidden: concealsHidden)).map(\.actions)
    }
    #expect(
      try actions(concealsHidden: false)
        == [[action(.removedFromAlbum, 1, "Norway")], [action(.addedToAlbum, 2, "Norway")]])
    #expect(try actions(concealsHidden: true) == [[], [action(.addedToAlbum, 1, "Norway")]])
  }

  @Test func `an asset is known to be hidden by its identifier`() throws {
    let assets = [try store.add("shown"), try store.add("hidden", as: "B.jpg")]
    try setHidden([assets[1]], true)
    #expect(try store.hasHidden(among: assets.map(\.uuid)))
    #expect(try !store.hasHidden(among: [assets[0].uuid, UUID().uuidString]))
    #expect(try !store.hasHidden(among: []))
  }

  @Test func `the lock of the hidden assets outlasts the process, and is not in the history`() throws {
    let before = try store.latestTransaction()
    #expect(try !store.locksHidden())
    try store.setLocksHidden(true)
    #expect(try folder.open().locksHidden())
    #expect(try store.latestTransaction() == before)
    try store.setLocksHidden(false)
    #expect(try !folder.open().locksHidden())
  }
}
