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
}
