import Foundation
import GRDB
import Synchronization
import Testing

@testable import LibraryStore

/// A library with rows in all its tables, and everything that reads and changes it.
struct FilledLibrary {
  let folder: TemporaryFolder
  let store: LibraryStore
  let client: ClientRecord
  let album: CollectionRecord
  let assets: [AssetRecord]

  /// A text that no error may contain.
  static let secret = "Secret"
  private static let hash = Data(repeating: 7, count: 32)

  init() throws {
    folder = try TemporaryFolder()
    let store = try folder.open()
    var assets = try (0..<4).map { try store.add("bytes \($0)", as: "\(Self.secret) \($0).jpg") }
    assets[0].burstIdentifier = Self.secret
    assets[0].latitude = 60
    assets[0].longitude = 5
    let sha256 = try store.inspect { try $0.resources(of: assets[1])[0].sha256 }
    (client, album) = try store.commit(by: .owner) { [assets] transaction in
      try transaction.update(assets[0])
      var detail = AssetDetailRecord.sample
      detail.title = Self.secret
      detail.keywords = [Self.secret]
      try transaction.update(detail, of: assets[0])
      let album = try transaction.insert(.album, uuid: "album", title: Self.secret)
      _ = try transaction.insert(.folder, uuid: "folder", title: Self.secret)
      try transaction.append(assets.map(\.id), to: album)
      let client = try transaction.save(
        ClientRecord(identifier: Self.secret, name: Self.secret, creationDate: .distantPast))
      try transaction.select([assets[0].id], for: client)
      var render = ResourceRecord.sample(name: Self.secret)
      render.type = ResourceType.fullSizePhoto.rawValue
      render.motionVideo = 1..<5
      var edited = assets[1]
      try transaction.edit(&edited, resources: [(render, sha256)])
      try transaction.update(edited)
      try transaction.trash(assets[2])
      _ = try transaction.record(
        CompletedRequest(sender: Self.secret, key: Self.secret, sha256: Self.hash, answer: "{}"))
      return (client, album)
    }
    try store.commit { [assets] in try $0.trash(assets[3]) }
    try store.commit { [assets] in try $0.expunge(assets[3]) }
    self.assets = Array(assets[..<3])
    self.store = store
  }

  /// Returns a connection that checks no references, as that of the program `sqlite3`.
  func connect() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    return try DatabaseQueue(path: "\(folder.library)/library.sqlite", configuration: configuration)
  }

  func findings() throws -> [VerificationFinding] {
    let found = Mutex<[VerificationFinding]>([])
    try store.verify(
      isCancelled: { false }, progress: { _ in }, found: { finding in found.withLock { $0.append(finding) } })
    return found.withLock(\.self)
  }
}

extension DatabaseQueue {
  /// Returns the library's tables with their columns, except the search index.
  func columns() throws -> [(table: String, columns: [String])] {
    try inDatabase { db in
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%search%' AND name NOT LIKE 'sqlite_%'
          AND name NOT LIKE 'grdb_%' ORDER BY name
          """)
      return try tables.map { table in
        (table, try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table]))
      }
    }
  }
}

extension FilledLibrary {
  private struct RolledBack: Error {}

  /// Returns an asset, or throws if the damage hides it, because then there is nothing to change.
  private func asset(_ index: Int, in transaction: StoreTransaction) throws -> AssetRecord {
    guard let asset = try transaction.asset(uuid: assets[index].uuid) else { throw RolledBack() }
    return asset
  }

  /// Runs everything that reads the library, and changes that are rolled back.
  var uses: [(LibraryStore) throws -> Void] {
    let ids = assets.map(\.id)
    var searched = FetchQuery(.assets)
    searched.searchText = "bytes"
    var sorted = FetchQuery(.assets)
    sorted.sort = [.init(.creationDate, ascending: true), .init(.originalFilename, ascending: false)]
    var trash = FetchQuery(.assets)
    trash.isOfTrash = true
    var limited = FetchQuery(.assets)
    limited.limitedToClient = client.id
    let queries =
      [
        searched, sorted, trash, limited, FetchQuery(.assetsInAlbum(album.id)),
        FetchQuery(.assetsInSmartAlbum(.recentlyAdded)), FetchQuery(.collections(.album, subtype: nil)),
        FetchQuery(.collections(.smartAlbum, subtype: nil)), FetchQuery(.children(of: 1)),
      ]
    func change(_ body: @escaping (StoreTransaction) throws -> Void) -> (LibraryStore) throws -> Void {
      { store in
        do {
          try store.commit { transaction in
            try body(transaction)
            throw RolledBack()
          }
        } catch is RolledBack {}
      }
    }
    return queries.map { query in { _ = try $0.fetch(query) } } + [
      { _ = try $0.assets(ids: ids).map { ($0.localDay, $0.columns.count) } },
      { store in
        for files in try store.resources(assetIDs: ids).values {
          _ = (AssetFiles(files).current, AssetFiles(files).edits)
        }
      },
      { store in for id in ids { _ = try store.detail(assetID: id)?.searchColumns } },
      { _ = try $0.collections(ids: [1, 2, 3, album.id]) },
      { _ = try $0.rootFolder() },
      { _ = try $0.dates(FetchQuery(.assets)) },
      { _ = try $0.dayCounts(FetchQuery(.assets)) },
      { _ = try $0.deletedUUIDs(ofRows: ids, isCollection: false) },
      { _ = try $0.clients() },
      { _ = try $0.client(identifier: Self.secret) },
      { _ = try $0.selected(among: ids, for: client) },
      { _ = try $0.transactions(after: 0) },
      { _ = try $0.transactions(after: 0, limitedTo: client) },
      { _ = try $0.isDeleted(.data(Data("bytes 3".utf8))) },
      { store in
        guard let change = try store.change(since: 1) else { return }
        for id in ids { _ = try (change.asset(id: id), change.isSelected(id, for: client)) }
        _ = try change.collection(id: album.id)
        _ = try change.update(of: [ids[0]], sorted, after: 1, isIncremental: true)
        _ = try change.update(of: [], FetchQuery(.assetsInAlbum(album.id)), after: 1, isIncremental: true)
      },
      { try $0.verify(isCancelled: { false }, progress: { _ in }, found: { _ in }) },
      change { try $0.trash(try asset(0, in: $0)) },
      change { transaction in
        var asset = try asset(1, in: transaction)
        try transaction.revert(&asset)
        asset.isFavorite.toggle()
        try transaction.update(asset)
      },
      change { try $0.restore(try asset(2, in: $0)) },
      change { try $0.expunge(try asset(2, in: $0)) },
      change { try $0.place([ids[1]], in: album, afterFirstOf: [ids[0]]) },
      change { try $0.append([ids[2]], to: album) },
      change { _ = try $0.insert(.album, uuid: "new", title: "New") },
      change { transaction in
        let root = try transaction.root()
        try transaction.setChildren(transaction.children(of: root).reversed(), of: root)
      },
      change { try $0.select([ids[1]], for: client) },
    ]
  }
}
