import Foundation
import GRDB
import Testing

@testable import LibraryStore

@Suite struct MigrationTests {
  /// Makes a library with the first version of the tables. It contains two photos, one of which is
  /// hidden and a frame of a burst, and their history.
  private func makeFirstVersion(_ folder: TemporaryFolder) throws {
    for name in ["originals/2020/01", "renditions", "incoming"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder.library)/\(name)", withIntermediateDirectories: true)
    }
    let pool = try DatabasePool(path: "\(folder.library)/library.sqlite")
    try SQLiteDatabase.migrator(Schema.migrations).migrate(pool, upTo: "1: assets, originals, history")
    try pool.write { db in
      try db.execute(
        sql: """
          INSERT INTO asset (id, uuid, media_type, creation_date, time_zone_offset, local_date, local_day, modification_date,
            added_date, pixel_width, pixel_height, is_hidden, burst_identifier, represents_burst, rendition_version) VALUES
            (1, 'A', 1, 10, 0, 10, 0, 10, 10, 4, 3, 0, NULL, 0, '1'), (2, 'B', 1, 20, 0, 20, 0, 20, 20, 4, 3, 1, 'burst', 1, '1');
          INSERT INTO asset_detail VALUES
            (1, 'file', 'machine', NULL, NULL, '{"make":"Apple","model":"iPhone X","lens":"iPhone X front camera"}', '[]', NULL),
            (2, 'file', 'machine', NULL, NULL, '{}', '["Premature end of JPEG file"]', NULL);
          INSERT INTO original VALUES (1, zeroblob(32), 'originals/2020/01/A.DNG', 7);
          INSERT INTO resource (asset_id, type, original_id, original_filename, uniform_type_identifier, pixel_width, pixel_height)
            VALUES (1, 1, 1, 'A.DNG', 'com.adobe.raw-image', 4, 3);
          INSERT INTO history_transaction VALUES (1, 10);
          INSERT INTO history_change VALUES (1, 1, 'A', 1), (1, 1, 'gone', 3);
          """)
    }
    try pool.close()
  }

  @Test func aLibraryOfTheFirstVersionKeepsWhatItHas() throws {
    let folder = try TemporaryFolder()
    try makeFirstVersion(folder)
    let store = try folder.open()
    #expect(try store.fetch(FetchQuery(.assets)).ids == [1])
    var hidden = FetchQuery(.assets)
    hidden.includesHidden = true
    #expect(try store.fetch(hidden).ids == [1, 2])
    let detail = try #require(try store.detail(assetID: 1))
    #expect(detail.originalFilename == "A.DNG")
    #expect(detail.fileSize == 7)
    var found = FetchQuery(.assets)
    found.searchText = "iphone dng"
    #expect(try store.fetch(found).ids == [1])
    #expect(try store.fetch(FetchQuery(.assetsInSmartAlbum(.raw))).ids == [1])
    #expect(try store.fetch(FetchQuery(.assetsInSmartAlbum(.selfPortraits))).ids == [1])
    var damaged = FetchQuery(.assetsInSmartAlbum(.damaged))
    damaged.includesHidden = true
    #expect(try store.fetch(damaged).ids == [2])
    #expect(try store.latestTransaction() == 1)
    #expect(try store.database.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM history_change") } == 1)
    let albums = try store.fetch(FetchQuery(.collections(.smartAlbum, subtype: nil))).ids
    let counts = try store.collections(ids: albums).compactMap(\.assetCount)
    #expect(albums.count == SmartAlbum.listed.count)
    #expect(counts.contains(1))
  }

  @Test(
    "A note of an older library says that a photo is damaged",
    arguments: [
      ("Premature end of JPEG file", true), ("Corrupt JPEG data: premature end of data segment", true),
      ("Corrupt JPEG data: bad Huffman code", true), ("Corrupt JPEG data: found marker 0xd3 instead of RST1", true),
      ("Corrupt JPEG data: 512 extraneous bytes before marker 0xd9", true),
      ("Corrupt JPEG data: 3 extraneous bytes before marker 0xd9", false),
      ("Corrupt JPEG data: 60 extraneous bytes before marker 0xe1", false),
      ("Inconsistent progression sequence for component 0 coefficient 2", true), ("12 of 48 rows are missing", true),
      ("Invalid SOS parameters for sequential JPEG", false), ("The EXIF data is damaged.", false),
    ])
  func damage(note: String, isDamaged: Bool) throws {
    let folder = try TemporaryFolder()
    try makeFirstVersion(folder)
    let pool = try DatabasePool(path: "\(folder.library)/library.sqlite")
    let notes = String(decoding: try JSONEncoder().encode(["The first.", note]), as: UTF8.self)
    try pool.write { try $0.execute(sql: "UPDATE asset_detail SET notes = ? WHERE asset_id = 1", arguments: [notes]) }
    try pool.close()
    #expect(try folder.open().fetch(FetchQuery(.assetsInSmartAlbum(.damaged))).ids == (isDamaged ? [1] : []))
  }

  @Test(arguments: [
    ("pxl_1.raw-01.cover|Pixel 6|1.0", "pxl_1|Pixel 6|1.0"), ("pxl_1.raw-02.original|Pixel 6|1.0", "pxl_1|Pixel 6|1.0"),
    ("pxl_1.raw-01.mp.cover|Pixel 6|1.0", "pxl_1|Pixel 6|1.0"), ("é.raw-01.cover|Pixel 6|1.0", "é|Pixel 6|1.0"),
    ("a|b.raw-01.cover|Pixel 6|1.0", "a|b|Pixel 6|1.0"),
    // Other names, and a key that a newer version made.
    ("pxl_1.raw-01.cover|b|Pixel 6|1.0", "pxl_1.raw-01.cover|b|Pixel 6|1.0"),
    ("pxl_1.raw-1.cover|Pixel 6|1.0", "pxl_1.raw-1.cover|Pixel 6|1.0"),
    ("pxl_1.raw-01.copy|Pixel 6|1.0", "pxl_1.raw-01.copy|Pixel 6|1.0"), ("pxl_1|Pixel 6|1.0", "pxl_1|Pixel 6|1.0"),
  ])
  func `an older library's key of a shot loses the kind of the file`(old: String, new: String) throws {
    let folder = try TemporaryFolder()
    try makeFirstVersion(folder)
    let pool = try DatabasePool(path: "\(folder.library)/library.sqlite")
    try pool.write {
      try $0.execute(sql: "UPDATE asset_detail SET shot_key = ? WHERE asset_id = 1", arguments: [old])
    }
    try pool.close()
    let store = try folder.open()
    #expect(try store.inspect { try $0.assets(shotKey: new).map(\.uuid) } == ["A"])
    #expect(try store.database.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(shot_key) FROM asset_detail") } == 1)
  }

  @Test func theFileOfAVideoOfAnOlderLibraryKnowsHowLongItIs() throws {
    let folder = try TemporaryFolder()
    try makeFirstVersion(folder)
    let pool = try DatabasePool(path: "\(folder.library)/library.sqlite")
    try pool.write { db in
      try db.execute(
        sql: """
          UPDATE asset SET media_type = 2, duration = 2.5 WHERE id = 1;
          UPDATE resource SET type = 2 WHERE asset_id = 1;
          """)
    }
    try pool.close()
    #expect(try folder.open().resources(assetIDs: [1])[1]?.map(\.duration) == [2.5])
  }
}

@Suite struct TallyTests {
  /// Compares the counts of the triggers with the counts of the rows.
  @Test func theTallyIsWhatThereIsAfterEveryKindOfChange() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    let asset = try store.add("one")
    _ = try store.add("two", as: "B.jpg")
    func check(_ comment: Comment) throws {
      let (counted, found) = try store.database.pool.read { db in
        (
          try Row.fetchAll(db, sql: "SELECT * FROM asset_tally WHERE count <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7").map(
            \.description),
          try Row.fetchAll(
            db,
            sql: """
              SELECT visibility, media_type, media_subtypes, is_favorite, is_unreadable, represents_burst, traits, COUNT(*) AS count
              FROM asset GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
              """
          ).map(\.description)
        )
      }
      #expect(counted == found, comment)
    }
    try check("two assets")
    try store.commit { transaction in
      var changed = try #require(try transaction.asset(uuid: asset.uuid))
      changed.isFavorite = true
      changed.isHidden = true
      try transaction.update(changed)
    }
    try check("a hidden favorite")
    try store.commit { try $0.trash(try #require(try $0.asset(uuid: asset.uuid))) }
    try check("one in the trash")
    try store.commit { try $0.expunge(try #require(try $0.asset(uuid: asset.uuid))) }
    try check("one expunged")
  }
}

@Suite struct AlbumOrderTests {
  @Test func movingWithinALargeAlbumDoesNotRewriteIt() throws {
    let folder = try TemporaryFolder()
    let store = try folder.open()
    let first = try store.add("bytes")
    let sha256 = try store.inspect { try $0.resources(of: first)[0].sha256 }
    let album = try store.commit { transaction in
      let ids = try (0..<500).map { _ in
        try transaction.insert(.sample(), .sample, resources: [(record: .sample(name: "A.jpg"), sha256: sha256)]).id
      }
      let album = try transaction.insert(.album, uuid: UUID().uuidString, title: "Large")
      try transaction.append(ids, to: album)
      return album
    }
    func ranks() throws -> [Int64: Int64] {
      try store.database.pool.read { db in
        Dictionary(
          try Row.fetchAll(db, sql: "SELECT asset_id, rank FROM collection_asset").map { ($0[0], $0[1]) },
          uniquingKeysWith: { first, _ in first })
      }
    }
    // Each round moves the last asset behind the first. That halves the distance of ranks there
    // until neighbors must be given new ranks.
    var expected = try store.fetch(FetchQuery(.assetsInAlbum(album.id))).ids
    var most = 0
    for _ in 0..<200 {
      let before = try ranks()
      let last = expected.removeLast()
      try store.commit { try $0.place([last], in: album, afterFirstOf: [expected[0]]) }
      expected.insert(last, at: 1)
      let after = try ranks()
      most = max(most, before.filter { after[$0.key] != $0.value }.count)
    }
    #expect(try store.fetch(FetchQuery(.assetsInAlbum(album.id))).ids == expected)
    #expect(most <= 65)
    #expect(most > 1)
  }
}
