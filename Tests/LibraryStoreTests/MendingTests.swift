import Foundation
import GRDB
import Synchronization
import Testing

@testable import LibraryStore

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
    #expect(try store.mendRows() == 1)
    #expect(try store.mendRows() == 0)
    #expect(try findings() == [])
    let detail = try #require(try store.detail(assetID: asset.id))
    #expect(detail.keywords == ["fjord", "night train"])
    #expect(detail.placeNames == ["Bergen", "Norway"])
  }
}
