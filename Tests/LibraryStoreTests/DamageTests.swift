import Foundation
import GRDB
import Synchronization
import Testing

@testable import LibraryStore

/// Tests a library whose database accepts any value in any column, to imitate a damaged disk.
@Suite struct DamageTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore
  private let queue: DatabaseQueue
  private let client: ClientRecord
  private let album: CollectionRecord
  private let assets: [AssetRecord]

  private static let secret = "Secret"

  init() throws {
    folder = try TemporaryFolder()
    var store = try folder.open()
    var assets = try (0..<4).map { try store.add("bytes \($0)", as: "\(Self.secret) \($0).jpg") }
    assets[0].burstIdentifier = Self.secret
    assets[0].latitude = 60
    assets[0].longitude = 5
    let sha256 = try store.inspect { try $0.resources(of: assets[1])[0].sha256 }
    (client, album) = try store.commit { [assets] transaction in
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
      return (client, album)
    }
    try store.commit { [assets] in try $0.trash(assets[3]) }
    try store.commit { [assets] in try $0.expunge(assets[3]) }
    self.assets = Array(assets[..<3])
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    queue = try DatabaseQueue(path: "\(folder.library)/library.sqlite", configuration: configuration)
    try queue.inDatabase { db in
      for trigger in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
        try db.execute(sql: "DROP TRIGGER \(trigger)")
      }
      try db.execute(
        sql: """
          PRAGMA synchronous = OFF;
          PRAGMA ignore_check_constraints = ON;
          PRAGMA writable_schema = ON;
          UPDATE sqlite_master SET sql =
            replace(replace(replace(sql, ') STRICT, WITHOUT', ') WITHOUT'), ') STRICT', ')'), ' NOT NULL', '')
            WHERE type = 'table' AND name NOT LIKE '%search%';
          PRAGMA writable_schema = RESET;
          """)
    }
    store = try folder.open()
    self.store = store
  }

  /// The tables with their columns.
  private func columns() throws -> [(table: String, columns: [String])] {
    try queue.inDatabase { db in
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

  /// SQL expressions for the values of a damaged column.
  private static let values = [
    "NULL", "'\(secret)'", "''", "x'00FF'", "-1", "1.5", "9223372036854775807", "-9223372036854775808", "9e999",
    "'[1'",
  ]

  private struct RolledBack: Error {}

  /// Returns an asset, or throws if the damage hides it, because then there is nothing to change.
  private func asset(_ index: Int, in transaction: StoreTransaction) throws -> AssetRecord {
    guard let asset = try transaction.asset(uuid: assets[index].uuid) else { throw RolledBack() }
    return asset
  }

  /// Runs everything that reads the library, and changes that are rolled back.
  private var uses: [(LibraryStore) throws -> Void] {
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

  /// Damages one value after the other, and restores each afterward.
  @Test func noDamagedValueEndsTheProcessOrIsShownInAnError() throws {
    var random = SplitMix(state: 20_261_122)
    let tables = try columns()
    try queue.inDatabase { db in
      for (table, _) in tables { try db.execute(sql: "CREATE TABLE whole_\(table) AS SELECT * FROM \(table)") }
    }
    let uses = uses
    var (damages, errors) = (0, 0)
    for (table, columns) in tables {
      for column in columns {
        for value in Self.values {
          let row = Int(random.next() % 4)
          // The update fails for a row ID, which can only be a number.
          try? queue.inDatabase { db in
            try db.execute(
              sql: """
                UPDATE OR IGNORE \(table) SET \(column) = \(value) WHERE \(columns[0]) IN
                (SELECT \(columns[0]) FROM \(table) ORDER BY 1 LIMIT 1 OFFSET \(row) % (SELECT COUNT(*) FROM \(table)))
                """)
            damages += db.changesCount
          }
          for use in uses {
            do { try use(store) } catch {
              errors += 1
              #expect(error is StoreError, "\(table).\(column) = \(value): \(error)")
              #expect(!"\(error)".contains(Self.secret), "\(table).\(column) = \(value)")
            }
          }
          try queue.inDatabase { db in
            let names = columns.joined(separator: ", ")
            try db.execute(
              sql: "DELETE FROM \(table); INSERT INTO \(table) (\(names)) SELECT \(names) FROM whole_\(table)")
          }
        }
      }
    }
    #expect(damages > 800)
    #expect(errors > 300)
    for use in uses { try use(store) }
  }
}

/// Generates the same numbers in every run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite struct DamageMessageTests {
  private static let remade =
    "put library.sqlite back from a backup, or let `calotype repair` make the library anew from them"

  @Test(arguments: [
    (
      ResultCode.SQLITE_CORRUPT, "malformed database schema (CREATE TABLE asset (id INTEGER)) - near \"(\"",
      "malformed database schema", remade
    ),
    (.SQLITE_NOTADB, "file is not a database", "file is not a database", remade),
    // For SQLite, such a database is whole.
    (.SQLITE_ERROR, "malformed JSON", "malformed JSON", "`calotype repair` mends it"),
  ])
  func aDamagedDatabaseIsNamedWithWhatIsSafeAndWhatToDo(
    _ code: ResultCode, _ message: String, _ shown: String, _ advice: String
  ) {
    let error = #expect(throws: StoreError.self) {
      try StoreError.mapping("/photos/library.sqlite") { throw DatabaseError(resultCode: code, message: message) }
    }
    #expect(error?.code == .damaged)
    #expect(
      error?.reason == "the library’s database is damaged (\(shown)); the originals are safe; \(advice)")
  }
}

/// Tests a database that SQLite finds intact although texts of an asset can't be read.
@Suite struct MendingTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore
  private let asset: AssetRecord

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
    asset = try store.add("one")
    try store.commit { [asset] transaction in
      var detail = AssetDetailRecord.sample
      detail.keywords = ["fjord", "night train"]
      detail.placeNames = ["Bergen", "Norway"]
      try transaction.update(detail, of: asset)
    }
  }

  private func findings() throws -> [VerificationFinding] {
    let found = Mutex<[VerificationFinding]>([])
    try store.verify(
      isCancelled: { false }, progress: { _ in }, found: { finding in found.withLock { $0.append(finding) } })
    return found.withLock(\.self)
  }

  private func damage(_ column: String, _ value: String) throws {
    try DatabaseQueue(path: "\(folder.library)/library.sqlite").inDatabase { db in
      let schema = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'asset_detail'") ?? ""
      func use(_ sql: String) throws {
        try db.execute(sql: "PRAGMA writable_schema = ON")
        try db.execute(sql: "UPDATE sqlite_master SET sql = ? WHERE name = 'asset_detail'", arguments: [sql])
        try db.execute(sql: "PRAGMA writable_schema = RESET")
      }
      // SQLite writes no camera from which it can't compute the model.
      let model = ", camera_model TEXT GENERATED ALWAYS AS (json_extract(camera, '$.model')) VIRTUAL"
      try #require(schema.contains(model))
      try use(schema.replacingOccurrences(of: model, with: ""))
      try db.execute(sql: "UPDATE asset_detail SET \(column) = ?", arguments: [value])
      try use(schema)
    }
  }

  @Test(
    arguments: ["camera", "notes", "keywords", "place_names"], ["{", "", "7", "[1]", "null"])
  func aTextThatCannotBeReadIsFoundAndMended(_ column: String, _ value: String) throws {
    try damage(column, value)
    #expect(try store.damage() == nil)
    #expect(
      try findings() == [
        .database(
          file: "library.sqlite",
          message: "the \(column) of asset \(asset.uuid) can't be read; `calotype repair` mends it")
      ])
    #expect(try store.mendValues() == 1)
    #expect(try store.mendValues() == 0)
    #expect(try findings() == [])
    let detail = try #require(try store.detail(assetID: asset.id))
    #expect(detail.keywords == ["fjord", "night train"])
    #expect(detail.placeNames == ["Bergen", "Norway"])
  }
}
