import Testing

@testable import LibraryStore

@Suite struct FetchQuerySQLTests {
  private static func query(
    _ source: FetchQuery.Source = .assets, _ change: (inout FetchQuery) -> Void = { _ in }
  ) -> FetchQuery {
    var query = FetchQuery(source)
    change(&query)
    return query
  }

  @Test(
    "A query becomes exactly this SQL",
    arguments: [
      (query(), "SELECT id FROM asset WHERE visibility = 0 ORDER BY id ASC"),
      (query { $0.mediaType = 2 }, "SELECT id FROM asset WHERE media_type = 2 AND visibility = 0 ORDER BY id ASC"),
      (query { $0.includesHidden = true }, "SELECT id FROM asset WHERE visibility IN (0, 2) ORDER BY id ASC"),
      (query { $0.includesAllBurstAssets = true }, "SELECT id FROM asset WHERE visibility <= 1 ORDER BY id ASC"),
      (
        query {
          $0.includesHidden = true
          $0.includesAllBurstAssets = true
        }, "SELECT id FROM asset WHERE visibility <= 3 ORDER BY id ASC"
      ),
      (
        query {
          $0.isOfTrash = true
          $0.expiresTrash = true
        }, "SELECT id FROM asset WHERE visibility >= 4 AND trashed_date >= ? ORDER BY trashed_date DESC, id DESC"
      ),
      // One reading of a computer's clock hides nothing.
      (query { $0.isOfTrash = true }, "SELECT id FROM asset WHERE visibility >= 4 ORDER BY trashed_date DESC, id DESC"),
      (
        query {
          $0.sort = [.init(.localDate, ascending: false)]
          $0.limit = 50
        }, "SELECT id FROM asset WHERE visibility = 0 ORDER BY local_date DESC, id DESC LIMIT ?"
      ),
      (
        query { $0.sort = [.init(.isFavorite, ascending: false), .init(.creationDate, ascending: true)] },
        "SELECT id FROM asset WHERE visibility = 0 ORDER BY is_favorite DESC, creation_date ASC, id ASC"
      ),
      (
        query { $0.uuids = ["A"] },
        "SELECT id FROM asset WHERE uuid IN (SELECT value FROM json_each(?)) AND visibility = 0 ORDER BY id ASC"
      ),
      (
        query { $0.burstIdentifier = "B" },
        "SELECT id FROM asset WHERE burst_identifier = ? AND visibility = 0 ORDER BY id ASC"
      ),
      (
        query { $0.limitedToClient = 3 },
        """
        SELECT id FROM asset WHERE visibility <= 1 AND (burst_identifier IS NULL OR burst_selection_types & -2 <> 0 \
        OR asset.id = (SELECT frame.id FROM asset AS frame CROSS JOIN client_asset ON client_asset.asset_id = frame.id \
        WHERE frame.burst_identifier = asset.burst_identifier AND client_asset.client_id = 3 \
        ORDER BY frame.trashed_date IS NOT NULL, frame.id LIMIT 1)) \
        AND id IN (SELECT asset_id FROM client_asset WHERE client_id = ?) ORDER BY id ASC
        """
      ),
      (
        query {
          $0.limitedToClient = 3
          $0.includesAllBurstAssets = true
        },
        """
        SELECT id FROM asset WHERE visibility <= 1 AND id IN (SELECT asset_id FROM client_asset WHERE client_id = ?) \
        ORDER BY id ASC
        """
      ),
      (
        query { $0.sort = [.init(.originalFilename, ascending: true)] },
        """
        SELECT id FROM asset JOIN asset_detail AS detail ON detail.asset_id = id WHERE visibility = 0 \
        ORDER BY detail.original_filename ASC, id ASC
        """
      ),
      (
        query(.assetsInAlbum(7)),
        """
        SELECT member.asset_id FROM collection_asset AS member WHERE member.collection_id = ? AND member.visibility = 0 \
        ORDER BY member.rank ASC, member.asset_id ASC
        """
      ),
      (
        query(.assetsInAlbum(7)) { $0.condition = .comparison(.key(.isFavorite), .equal, .value(.integer(1))) },
        """
        SELECT id FROM collection_asset AS member JOIN asset ON id = member.asset_id WHERE member.collection_id = ? \
        AND member.visibility = 0 AND is_favorite = 1 ORDER BY member.rank ASC, member.asset_id ASC
        """
      ),
      (
        query(.assetsInSmartAlbum(.screenshots)),
        "SELECT id FROM asset WHERE media_subtypes & 4 != 0 AND visibility = 0 ORDER BY id ASC"
      ),
      (
        query(.collections(.album, subtype: nil)) {
          $0.condition = .text(.key(.title), .contains, "nor", [.caseInsensitive])
        },
        """
        SELECT id FROM collection WHERE kind = ? AND subtype <> 101 AND instr(folded(title, 1), ?) > 0 ORDER BY id ASC
        """
      ),
      (query(.children(of: 1)), "SELECT id FROM collection WHERE parent_id = ? ORDER BY rank ASC, id ASC"),
      (
        query(.assetsListed([3, 1])),
        """
        SELECT id FROM (SELECT key AS place, value AS member FROM json_each(?)) AS listed \
        JOIN asset ON id = listed.member WHERE visibility = 0 ORDER BY listed.place ASC
        """
      ),
    ])
  func select(query: FetchQuery, sql: String) throws { #expect(try query.select().sql == sql) }

  @Test(
    "A condition becomes exactly this SQL",
    arguments: [
      (.comparison(.key(.pixelWidth), .greater, .value(.integer(4000))), "pixel_width > ?"),
      (.comparison(.key(.isFavorite), .notEqual, .value(.integer(1))), "is_favorite = 0"),
      (.comparison(.key(.burstIdentifier), .equal, .value(.null)), "burst_identifier IS NULL"),
      (.comparison(.key(.burstIdentifier), .notEqual, .value(.null)), "burst_identifier IS NOT NULL"),
      (.comparison(.key(.cameraModel), .notEqual, .value(.text("X"))), "detail.camera_model IS NOT ?"),
      (
        .comparison(
          .arithmetic(.key(.mediaSubtypes), .bitAnd, .value(.integer(4))), .notEqual, .value(.integer(0))),
        "media_subtypes & 4 <> 0"
      ),
      (
        .comparison(.arithmetic(.key(.mediaSubtypes), .bitAnd, .value(.integer(4))), .equal, .value(.integer(4))),
        "media_subtypes & 4 <> 0"
      ),
      (
        .comparison(.arithmetic(.key(.mediaSubtypes), .bitAnd, .value(.integer(5))), .notEqual, .value(.integer(0))),
        "(media_subtypes & ?) IS NOT ?"
      ),
      (
        .comparison(.arithmetic(.key(.mediaSubtypes), .bitAnd, .value(.integer(4))), .equal, .value(.integer(0))),
        "(media_subtypes & ?) = ?"
      ),
      (.comparison(.key(.mediaType), .equal, .value(.integer(2))), "media_type = 2"),
      (.comparison(.key(.mediaType), .notEqual, .value(.integer(2))), "media_type IS NOT ?"),
      (
        .not(.comparison(.key(.latitude), .less, .value(.real(0)))), "(latitude < ?) IS NOT TRUE"
      ),
      (.between(.key(.duration), .value(.integer(1)), .value(.integer(9))), "duration BETWEEN ? AND ?"),
      (.isIn(.key(.mediaType), [.integer(1), .integer(2)]), "media_type IN (SELECT value FROM json_each(?))"),
      (
        .isIn(.key(.burstIdentifier), [.text("A"), .null]),
        "(burst_identifier IN (SELECT value FROM json_each(?)) OR burst_identifier IS NULL)"
      ),
      (
        .all([.always, .any([.never, .comparison(.key(.isHidden), .equal, .value(.integer(0)))])]),
        "(1 AND (0 OR is_hidden = 0))"
      ),
      (.all([]), "1"), (.any([]), "0"),
      (.text(.key(.title), .beginsWith, "No", []), "substr(title, 1, 2) = ?"),
      (.text(.key(.title), .endsWith, "ay", [.caseInsensitive]), "substr(folded(title, 1), -2) = ?"),
      (.text(.key(.title), .like, "N*", []), "matches(title, ?, 0)"),
      (.text(.key(.title), .equal, "É", [.caseInsensitive, .diacriticInsensitive]), "folded(title, 3) = ?"),
    ] as [(Condition, String)])
  func condition(_ condition: Condition, sql: String) throws { #expect(try condition.sql(KeyColumns()).sql == sql) }

  @Test func `a pattern with a time limit has its end as an argument`() throws {
    let condition = Condition.text(.key(.title), .like, "N*", [])
    let sql = try condition.sql(KeyColumns(deadline: 7))
    #expect(sql.sql == "matches(title, ?, 0, ?)")
    #expect(sql.arguments == [.text("(?s)N.*"), .integer(7)])
  }

  @Test func `a pattern is matched until its end, whatever the text`() throws {
    #expect(try TextFolding.matches("Norway", "N.*", options: [], until: .max))
    #expect(try !TextFolding.matches("Norway", "N", options: [], until: .max))
    #expect(try !TextFolding.matches("Norway", "Sweden", options: [], until: .max))
    let error = #expect(throws: StoreError.self) { try TextFolding.matches("Norway", "N.*", options: [], until: 0) }
    #expect(error?.code == .tookTooLong)
  }

  @Test func aWrongRegularExpressionIsAnErrorThatNamesIt() {
    let condition = Condition.text(.key(.title), .matches, "(", [])
    let error = #expect(throws: StoreError.self) { try condition.sql(KeyColumns()) }
    #expect(error?.description == "(: is not a regular expression")
  }

  @Test func daysAreCountedNewestFirst() throws {
    #expect(
      try Self.query().countByDay().sql
        == "SELECT local_day, COUNT(*) FROM asset WHERE visibility = 0 GROUP BY local_day ORDER BY local_day DESC")
  }

  @Test func aClientsCollectionsAreOrderedByTheAssetsThatItSees() throws {
    var query = FetchQuery(.collections(.smartAlbum, subtype: nil))
    query.limitedToClient = 3
    query.sort = [.init(.assetCount, ascending: true)]
    let sql = try query.select().sql
    #expect(sql.contains("client_id = 3") && !sql.contains("asset_tally"))
  }

  @Test(
    "A visibility becomes exactly this SQL",
    arguments: [
      ([], [], "visibility = 0"), ([], .unpickedFrame, "visibility <= 1"), ([], .hidden, "visibility IN (0, 2)"),
      ([], [.unpickedFrame, .hidden], "visibility <= 3"), (.hidden, .unpickedFrame, "visibility IN (2, 3)"),
      (.trashed, .all, "visibility >= 4"), ([.hidden, .trashed], [], "visibility = 6"),
    ] as [(Visibility, Visibility, String)])
  func visibility(required: Visibility, allowed: Visibility, sql: String) {
    #expect(Visibility.condition(requiring: required, allowing: allowed) == sql)
  }

  @Test func aSearchWithoutWordsFindsNothing() {
    #expect(SearchWords("beach, Ål-esund ☀️").words == ["beach", "Ål", "esund"])
    #expect(SearchWords(" ,").condition(limitedToClient: nil).sql == "0")
  }
}

@Suite struct FetchPlanTests {
  private func plan(_ query: BoundSQL, _ store: LibraryStore) throws -> [String] {
    let explained = BoundSQL(sql: "EXPLAIN QUERY PLAN " + query.sql, arguments: query.arguments)
    return try store.read { try $0.rows(explained).map { try $0.value("detail") } }
  }

  @Test func thePagesQueriesAreAnsweredByIndexesAlone() throws {
    let store = try TemporaryFolder().open()
    var query = FetchQuery(.assets)
    query.includesAllBurstAssets = true
    #expect(try plan(query.countByDay(), store) == ["SCAN asset USING COVERING INDEX asset_by_local_day"])
    query.sort = [.init(.localDate, ascending: false)]
    #expect(try plan(query.select(), store) == ["SCAN asset USING COVERING INDEX asset_by_local_date"])
  }

  @Test func aFetchSortedByDateReadsNoRowOfTheTable() throws {
    let store = try TemporaryFolder().open()
    var query = FetchQuery(.assets)
    query.sort = [.init(.creationDate, ascending: false)]
    query.condition = .comparison(.key(.pixelWidth), .greater, .value(.integer(9000)))
    #expect(try plan(query.select(), store) == ["SCAN asset USING COVERING INDEX asset_by_creation_date"])
  }

  @Test(
    "The assets of a kind by date are read from an index of their own",
    arguments: [
      (.panoramas, "panorama"), (.videos, "video"), (.timelapses, "timelapse"), (.slomoVideos, "high_frame_rate"),
      (.selfPortraits, "selfie"), (.screenshots, "screenshot"), (.depthEffect, "depth_effect"), (.livePhotos, "live"),
      (.animated, "animation"), (.longExposures, "long_exposure"), (.raw, "raw"), (.cinematic, "cinematic"),
      (.spatial, "spatial"), (.screenRecordings, "screen_recording"), (.damaged, "damaged"),
    ] as [(SmartAlbum, String)])
  func indexOfKind(album: SmartAlbum, name: String) throws {
    let store = try TemporaryFolder().open()
    var query = FetchQuery(.assetsInSmartAlbum(album))
    query.sort = [.init(.creationDate, ascending: false)]
    #expect(try plan(query.select(), store) == ["SCAN asset USING COVERING INDEX asset_\(name)"])
  }

  @Test func aPredicateAboutASubtypeUsesItsIndex() throws {
    let store = try TemporaryFolder().open()
    var query = FetchQuery(.assets)
    query.sort = [.init(.creationDate, ascending: false)]
    let bit = Operand.arithmetic(.key(.mediaSubtypes), .bitAnd, .value(.integer(1)))
    query.condition = .all([
      .comparison(bit, .notEqual, .value(.integer(0))),
      .comparison(.key(.pixelWidth), .greater, .value(.integer(9000))),
    ])
    #expect(try plan(query.select(), store) == ["SCAN asset USING COVERING INDEX asset_panorama"])
  }

  @Test func theFavoritesOfALargeAlbumAreLookedForAmongAllFavorites() throws {
    let store = try TemporaryFolder().open()
    var query = FetchQuery(.assetsInAlbum(1))
    query.condition = .all([.comparison(.key(.isFavorite), .equal, .value(.integer(1)))])
    #expect(query.isOfFavoritesInAlbum == 1)
    let plan = try plan(query.select(fromFavorites: true), store)
    #expect(
      plan == [
        "SCAN asset USING INDEX asset_by_favorite",
        "SEARCH member USING PRIMARY KEY (asset_id=? AND collection_id=?)", "USE TEMP B-TREE FOR ORDER BY",
      ])
  }

  @Test func anAlbumsOrderNeedsNoSort() throws {
    let store = try TemporaryFolder().open()
    #expect(
      try plan(FetchQuery(.assetsInAlbum(1)).select(), store) == [
        "SEARCH member USING COVERING INDEX collection_asset_by_rank (collection_id=? AND visibility=?)"
      ])
  }
}
