import Foundation
import GRDB
import Testing

@testable import LibraryStore

/// Tests rows that SQLite accepts in a library's own tables, with all their constraints.
@Suite struct DamagedRowTests {
  private let library: FilledLibrary
  private let queue: DatabaseQueue

  init() throws {
    library = try FilledLibrary()
    queue = try library.connect()
  }

  private func tamper(_ sql: String) throws { try queue.inDatabase { try $0.execute(sql: sql) } }

  private func files() -> [String] { library.folder.files(in: "originals") }

  /// Returns the problems of the database, without the advice that each ends with.
  private func problems() throws -> [String] {
    try library.findings().compactMap { finding in
      guard case .database("library.sqlite", let message) = finding else { return nil }
      #expect(message.hasSuffix("; `calotype repair` mends it"))
      return String(message.prefix { $0 != ";" })
    }
  }

  private func expectReadable(_ comment: Comment? = nil) {
    for use in library.uses { #expect(throws: Never.self, comment) { try use(library.store) } }
  }

  @Test(arguments: [
    ("asset", "creation_date = 9e999", "asset ASSET"),
    ("asset", "altitude = -9e999", "asset ASSET"),
    ("asset", "local_day = 9223372036854775807", "asset ASSET"),
    ("asset", "pixel_width = 9223372036854775807", "asset ASSET"),
    ("asset", "rendition_version = '1' || char(0)", "asset ASSET"),
    ("asset_detail", "file_size = -1", "asset ASSET"),
    ("asset_detail", "title = 'a' || char(0) || 'b'", "asset ASSET"),
    ("asset_detail", "keywords = '[1'", "asset ASSET"),
    ("original", "byte_count = 9223372036854775807", "the file originals/1970/01/Secret 0.jpg"),
    ("original", "path = path || char(0)", "the file originals/1970/01/Secret 0.jpg"),
    ("resource", "pixel_height = -1", "asset ASSET"),
    ("resource", "duration = 9e999", "asset ASSET"),
    ("collection", "rank = -1", "folder ROOT"),
    ("collection", "title = char(0)", "folder ROOT"),
    ("collection_asset", "visibility = 9", "asset ASSET"),
    ("collection_asset", "rank = -9223372036854775808", "asset ASSET"),
    ("client", "asked_date = 9e999", "client Secret"),
    ("client", "latest_position = 9223372036854775807", "client Secret"),
    ("client", "latest_position = 0", "client Secret"),
    ("history_transaction", "date = 9e999", "row 1 of history_transaction"),
    ("completed_request", "answer = char(0)", "a row of completed_request"),
  ])
  func aValueThatCannotBeReadIsNamedAndMended(_ table: String, _ damage: String, _ object: String) throws {
    let files = files()
    let name = object.replacing("ASSET", with: library.assets[0].uuid)
      .replacing("ROOT", with: try library.store.inspect { try $0.collection(id: 1)?.uuid ?? "" })
    try queue.inDatabase { db in
      let column = try String.fetchOne(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table]) ?? ""
      try db.execute(sql: "UPDATE \(table) SET \(damage) WHERE \(column) = (SELECT MIN(\(column)) FROM \(table))")
      #expect(db.changesCount == 1)
    }
    let column = damage.prefix { $0 != " " }
    #expect(try problems() == ["the \(column) of \(name) can't be read"])
    let store = try library.folder.open()
    #expect(try store.damage() == nil)
    #expect(try store.mendRows() == 1)
    #expect(try library.findings() == [])
    #expect(self.files() == files)
    expectReadable()
  }

  /// Another person's table may lack the constraint.
  @Test(arguments: ["latitude", "longitude"]) func aPlaceThatIsNotOnEarthIsNotRead(_ column: String) throws {
    let asset = library.assets[0]
    try tamper("PRAGMA ignore_check_constraints = ON; UPDATE asset SET \(column) = 1e300 WHERE id = \(asset.id)")
    let error = #expect(throws: StoreError.self) { try library.store.assets(ids: [asset.id]) }
    #expect(error?.code == .damaged)
  }

  @Test func aMendedAssetHasItsValuesFromElsewhere() throws {
    let asset = library.assets[0]
    let before = try #require(try library.store.assets(ids: [asset.id]).first)
    let resource = try #require(try library.store.resources(assetIDs: [asset.id]).values.first?.first)
    try tamper(
      """
      UPDATE asset SET creation_date = 9e999, pixel_width = 9223372036854775807, local_day = 5 WHERE id = \(asset.id);
      UPDATE asset_detail SET file_size = -1 WHERE asset_id = \(asset.id);
      UPDATE original SET byte_count = 9223372036854775807 WHERE id = \(resource.originalID);
      """)
    #expect(try library.store.mendRows() > 0)
    #expect(try library.store.assets(ids: [asset.id]).first == before)
    #expect(try library.store.resources(assetIDs: [asset.id]).values.first == [resource])
    #expect(try library.store.detail(assetID: asset.id)?.fileSize == 7)
  }

  @Test func aMendedAssetIsUpdatedInTheHistory() throws {
    let before = try #require(try library.store.transactions(after: 0)?.last?.number)
    try tamper("UPDATE asset_detail SET file_size = -1; UPDATE collection SET rank = -1 WHERE uuid = 'album'")
    #expect(try library.store.mendRows() == 4)
    let changes = try #require(try library.store.transactions(after: before)?.first?.changes).map(\.change)
    #expect(Set(changes.map(\.uuid)) == Set(library.assets.map(\.uuid) + ["album"]))
    #expect(Set(changes.map(\.kind)) == [.updated])
  }

  @Test(arguments: [
    (
      "UPDATE collection SET parent_id = 999 WHERE uuid = 'album'",
      ["the parent_id of album album refers to a missing row of collection"]
    ),
    (
      "UPDATE collection SET key_asset_id = 999 WHERE uuid = 'album'",
      ["the key_asset_id of album album refers to a missing row of asset"]
    ),
    ("INSERT INTO client_asset VALUES (999, 1)", ["the client_id of asset ASSET refers to a missing row of client"]),
    ("INSERT INTO asset_tally VALUES (0, 1, 0, 1, 0, 0, 0, 7)", ["the numbers of assets of each kind are wrong"]),
    ("DELETE FROM collection WHERE subtype = 1000000302", ["the album Damaged is missing"]),
    (
      "UPDATE collection SET parent_id = (SELECT id FROM collection WHERE uuid = 'album') WHERE uuid = 'folder'; "
        + "UPDATE collection SET parent_id = (SELECT id FROM collection WHERE uuid = 'folder') WHERE uuid = 'album'",
      ["folder folder is in a folder that contains itself", "album album is in a folder that contains itself"]
    ),
    (
      "DELETE FROM collection WHERE subtype = 101",
      [
        "the parent_id of album album refers to a missing row of collection",
        "the parent_id of folder folder refers to a missing row of collection", "the root folder is missing",
      ]
    ),
  ])
  func aRowInNoPlaceIsNamedAndMended(_ damage: String, _ expected: [String]) throws {
    try tamper(damage)
    #expect(try problems() == expected.map { $0.replacing("ASSET", with: library.assets[0].uuid) })
    #expect(try library.folder.open().mendRows() == expected.count)
    #expect(try library.findings() == [])
    expectReadable()
    let children = try library.store.inspect { try $0.children(of: $0.root()) }.map(\.uuid)
    #expect(children.contains("album") || children.contains("folder"))
  }

  /// A repair makes an asset of a file without a row.
  @Test(arguments: [
    ("asset", [VerificationFinding.stray(path: "originals/1970/01/Secret 0.jpg")]),
    ("original", [.emptyAsset(uuid: "ASSET"), .stray(path: "originals/1970/01/Secret 0.jpg")]),
  ])
  func theFileOfARowThatIsGoneStays(_ table: String, _ expected: [VerificationFinding]) throws {
    let files = files()
    let resource = try #require(try library.store.resources(assetIDs: [library.assets[0].id]).values.first?.first)
    try tamper("DELETE FROM \(table) WHERE id = \(table == "asset" ? resource.assetID : resource.originalID)")
    #expect(try !problems().isEmpty)
    #expect(try library.folder.open().mendRows() > 0)
    let found = try library.findings().map { finding in
      if case .emptyAsset = finding { VerificationFinding.emptyAsset(uuid: "ASSET") } else { finding }
    }
    #expect(found == expected)
    #expect(self.files() == files)
    expectReadable()
  }
}
