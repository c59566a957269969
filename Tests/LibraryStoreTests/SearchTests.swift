import Foundation
import Testing

@testable import LibraryStore

/// Tests which assets a search finds.
@Suite struct SearchTests {
  private let folder: TemporaryFolder
  private let store: LibraryStore
  private let asset: AssetRecord

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
    asset = try store.add("bytes", as: "IMG_2682.HEIC")
    try store.add("others", as: "Other.jpg")
    var detail = AssetDetailRecord.sample
    detail.originalFilename = "IMG_2682.HEIC"
    detail.title = "Café in Århus"
    detail.caption = "Ünter den Linden, 2019"
    detail.keywords = ["red house", "fjord"]
    detail.placeNames = ["Bergen", "Norway"]
    detail.camera = #"{"make":"Canon","model":"EOS R5"}"#
    try store.commit { [asset, detail] in try $0.update(detail, of: asset) }
  }

  private func find(_ text: String) throws -> Bool {
    var query = FetchQuery(.assets)
    query.searchText = text
    let found = try store.fetch(query).ids
    #expect(found.isEmpty || found == [asset.id])
    return !found.isEmpty
  }

  @Test(arguments: [
    "cafe", "CAFÉ", "arhus", "unter", "lind", "2019", "house", "red fjord", "bergen norway", "canon", "eos r5", "img",
    "2682", "heic", "café, århus!",
  ])
  func `the beginnings of words are found without case and accents`(_ text: String) throws {
    #expect(try find(text))
  }

  @Test(arguments: [
    "afe", "cafe oslo", "linden strasse", "", " ", "!?", "\"", "*", "red AND green", "NOT cafe oslo", "title:cafe",
    "682",
  ])
  func `other texts and the operators of SQLite's search find nothing`(_ text: String) throws {
    #expect(try !find(text))
  }

  @Test(arguments: ["cafe\"", "cafe*", "(cafe)", "-cafe", "^cafe", "{cafe}", "cafe\u{0}"])
  func `the characters of SQLite's search language only separate words`(_ text: String) throws {
    #expect(try find(text))
  }

  @Test func `a changed text is found by its new words alone`() throws {
    var detail = try #require(try store.inspect { try $0.detail(of: asset) })
    detail.title = "Harbor"
    try store.commit { [asset, detail] in try $0.update(detail, of: asset) }
    #expect(try find("harbor"))
    #expect(try !find("cafe"))
  }

  @Test func `an asset is found by the titles of its albums as they are now`() throws {
    var album = try store.commit { transaction in
      let album = try transaction.insert(.album, uuid: "album", title: "Summer")
      try transaction.append([asset.id], to: album)
      return album
    }
    #expect(try find("summer cafe"))
    album.title = "Autumn"
    try store.commit { [album] in try $0.update(album) }
    #expect(try !find("summer"))
    #expect(try find("autumn"))
    try store.commit { [album] in try $0.delete(album) }
    #expect(try !find("autumn"))
  }

  @Test func `each word may be in a text, or in the title of another album`() throws {
    try store.commit { transaction in
      for title in ["Summer", "Autumn trip"] {
        try transaction.append([asset.id], to: transaction.insert(.album, uuid: title, title: title))
      }
    }
    for text in ["summer autumn", "trip cafe summer", "cafe autumn", "cafe fjord summer trip"] {
      #expect(try find(text))
    }
    for text in ["summer winter", "autumn cafe winter", "summer other"] { #expect(try !find(text)) }
  }

  @Test func `a search for two words reads albums by their titles, not by each asset`() throws {
    var query = FetchQuery(.assets)
    query.searchText = "apple iphone"
    let plan = try store.explanation(of: query)
    #expect(plan.contains("SEARCH collection_asset USING COVERING INDEX collection_asset_by_place"))
    #expect(!plan.contains("SEARCH collection_asset USING PRIMARY KEY"))
  }

  @Test func `collections are found by words of their titles`() throws {
    let ids = try ["Summer in Norway", "Norwegian Wood", "Slo-mo Norge"].map { title in
      try store.commit { try $0.insert(.album, uuid: title, title: title) }
    }.map(\.id)
    func found(_ text: String) throws -> [Int64] {
      var query = FetchQuery(.collectionsOfKinds([.album]))
      query.searchText = text
      return try store.fetch(query).ids
    }
    #expect(try found("norw").sorted() == [ids[0], ids[1]])
    #expect(try found("NORWAY sum") == [ids[0]])
    #expect(try found("slo-mo") == [ids[2]])
    #expect(try found("way") == [])
    #expect(try found("!") == [])
  }

  @Test func `a set of rows contains what was added, and no row beyond its range`() throws {
    var rows = try #require(RowSet(upTo: 130))
    for id: Int64 in [0, 63, 64, 130, 1000, -1, .min, .max] { rows.insert(id) }
    #expect((-2...1001).filter(rows.contains) == [0, 63, 64, 130])
    #expect(!rows.contains(.min))
    #expect(RowSet(upTo: -1) == nil)
    #expect(RowSet(upTo: RowSet.most + 1) == nil)
  }

  @Test func `a search finds a few of many assets, and most of them, in the same order`() throws {
    let many = try (0..<40).map { number in
      let photo = try store.add("bytes \(number)")
      var detail = AssetDetailRecord.sample
      detail.title = "Photo \(number)"
      try store.commit { [detail] in try $0.update(detail, of: photo) }
      return photo.id
    }
    let album = try store.commit { transaction in
      let album = try transaction.insert(.album, uuid: "photos", title: "Photos of Ålesund")
      try transaction.append([asset.id], to: album)
      return album
    }
    func found(_ text: String, _ source: FetchQuery.Source = .assets, limit: Int = 0) throws -> [Int64] {
      var query = FetchQuery(source)
      query.searchText = text
      query.sort = [.init(.localDate, ascending: false)]
      query.limit = limit
      let ids = try store.fetch(query).ids
      #expect(try store.dayCounts(of: ids).map { [$0.day, $0.count] } == [[0, ids.count]])
      return ids
    }
    #expect(try found("photo 17") == [many[17]])
    #expect(try found("bergen") == [asset.id])
    #expect(try found("photo") == many.reversed() + [asset.id])
    #expect(try found("photo", limit: 3) == many.suffix(3).reversed())
    #expect(try found("photo", .assetsInAlbum(album.id)) == [asset.id])
  }

  @Test func `a deleted asset is found in the trash alone, and an expunged one nowhere`() throws {
    try store.commit { try $0.trash(asset) }
    #expect(try !find("cafe"))
    var trash = FetchQuery(.assets)
    trash.isOfTrash = true
    trash.searchText = "cafe"
    #expect(try store.fetch(trash).ids == [asset.id])
    try store.commit { transaction in
      if let asset = try transaction.asset(uuid: asset.uuid) { try transaction.expunge(asset) }
    }
    #expect(try store.fetch(trash).ids.isEmpty)
  }

  private func client(selecting assets: [AssetRecord]) throws -> ClientRecord {
    try store.commit { transaction in
      let client = try transaction.save(ClientRecord(identifier: "c", name: "C", creationDate: .distantPast))
      try transaction.select(assets.map(\.id), for: client)
      return client
    }
  }

  @Test func `a client with a selection finds its assets by the same words as the owner`() throws {
    let odd = """
      Straße ÅNGSTRÖM ﬁsh 東京タワー Ελλάδα ΣΊΣΥΦΟΣ ½ x² Ⅻ e\u{301}tude नमस्ते 👩‍👧 O'Neil naïve İstanbul GROẞ \u{10570}a 𝒜bc \
      ა Ა ﷺ I\u{307} a\u{0}b ǆ ﬃ K\u{212A} \u{E000}private 1\u{FE0F}\u{20E3} ไทย\u{200D}คำ ᏣᎳᎩ ꭰ Ꚁ \u{1F170} ٣٤ ①②
      """
    var detail = AssetDetailRecord.sample
    (detail.title, detail.caption, detail.keywords) = (odd, "Ünter den Linden, 2019", ["red house", "fjord"])
    try store.commit { [asset, detail] in try $0.update(detail, of: asset) }
    let client = try client(selecting: [asset])
    let words = odd.split(whereSeparator: \.isWhitespace).map(String.init)
    let texts =
      words + words.map { $0.lowercased() } + words.map { $0.uppercased() } + words.map { String($0.dropLast()) }
      + words.map { String($0.dropFirst()) } + words.map { "linden \($0)" }
      + ["unter linden", "lin 20 fjo hou", "den 2018", "house red", "linden2019", "und", "img jpg"]
    var foundCount = 0
    for text in texts {
      var query = FetchQuery(.assets)
      query.searchText = text
      let expected = try store.fetch(query).ids
      query.limitedToClient = client.id
      #expect(try store.fetch(query).ids == expected, "\(text)")
      foundCount += expected.count
    }
    // The exact number depends on the words that SQLite's version of Unicode knows.
    #expect(foundCount > 100)
  }

  @Test func `a client's search reads the texts of its selection alone`() throws {
    let other = try #require(try store.fetch(FetchQuery(.assets)).ids.last)
    try #require(other != asset.id)
    let client = try client(selecting: [asset])
    var query = FetchQuery(.assets)
    query.limitedToClient = client.id
    query.searchText = "img"
    #expect(try store.fetch(query).ids == [asset.id])
    let explanation = try store.explanation(of: query)
    #expect(!explanation.contains("MATCH"))
    let plan = explanation.split(separator: "\n").map { $0.trimmingPrefix("  ") }
    #expect(plan.contains("SEARCH client_asset USING PRIMARY KEY (client_id=?)"))
    // SQLite's name for a look-up of one row. The whole index would be `INDEX 0:`.
    #expect(plan.filter { $0.contains("asset_search VIRTUAL") } == ["SCAN asset_search VIRTUAL TABLE INDEX 0:="])
  }
}
