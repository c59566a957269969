import CoreLocation
import Foundation
import NIOCore
import Photos
import PhotosTesting
import Testing

@testable import PhotosServer

/// A library with an album, a folder, a hidden and a deleted photo, and names for its photos.
struct ListFixture {
  let server: TestServer
  /// Five photos, each a day later than the one before.
  let photos: [PHAsset]
  let album: String
  let folder: String

  init() throws {
    let server = try TestServer()
    photos = try (0..<5).map {
      try server.add(bitmap(width: 8 + $0, red: UInt8($0)), named: "FJORD_\($0).BMP", minute: $0 * 1440 - 600)
    }
    var ids: [String] = []
    let contents = [3, 0, 1].map { [photos] in photos[$0] }
    try server.library.performChangesAndWait { [photos] in
      let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Norway")
      album.addAssets(contents as NSArray)
      let folder = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Travels")
      folder.addChildCollections([album.placeholderForCreatedAssetCollection] as NSArray)
      ids = [
        album.placeholderForCreatedAssetCollection.localIdentifier,
        folder.placeholderForCreatedCollectionList.localIdentifier,
      ]
      PHAssetChangeRequest(for: photos[1]).isHidden = true
      PHAssetChangeRequest(for: photos[2]).isFavorite = true
    }
    try server.library.performChangesAndWait { [photos] in PHAssetChangeRequest.deleteAssets([photos[4]] as NSArray) }
    (album, folder) = (String(ids[0].prefix(36)), String(ids[1].prefix(36)))
    self.server = server
  }

  /// Returns the numbers of the photos that an address lists.
  func numbers(_ path: String) async throws -> [Int] {
    let answer = try await server.ask("/api/v1/\(path)")
    return try numbers(JSONDecoder().decode(AssetsAnswer.self, from: answer.body).assets.map(\.id))
  }

  func numbers(_ ids: [String]) -> [Int] { ids.compactMap { id in photos.firstIndex { $0.uuid == id } } }

  func object(_ path: String) async throws -> [String: Any] {
    let answer = try await server.ask("/api/v1/\(path)")
    #expect(answer.status == 200, "\(path): \(answer.text)")
    return try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
  }
}

@Suite struct ListTests {
  @Test func `a part of a list is kept only if it lasts until the library changes`() async throws {
    let server = try TestServer()
    let moment = try Moment(of: server.library, dependsOnTime: false)
    let list = AssetList(.collection("userLibrary", order: nil), in: server.library, moment)
    var (bodies, madeCount): ([String], Int) = ([], 0)
    for isLasting in [false, true, true] {
      let body = list.part(0..<2) {
        madeCount += 1
        return (StableBody(ByteBuffer(string: "\(madeCount)"), at: moment, type: .json), isLasting: isLasting)
      }
      bodies.append(String(buffer: body.bytes))
    }
    #expect(bodies == ["1", "2", "2"])
  }

  @Test func `a cell lasts until the library changes, unless its placeholder is still to be made`() throws {
    let server = try TestServer()
    #expect(try GridCell.all([server.add(bitmap())]).map(\.isLasting) == [true])
    let temporary = try TemporaryLibrary()
    let without = try temporary.add([SampleAsset].photos(1).map(\.withoutFiles))
    #expect(try GridCell.all(without).map(\.isLasting) == [false])
  }

  @Test func `a cell says that the time of its date is not known`() async throws {
    let server = try TestServer()
    try server.library.performChangesAndWait {
      for (index, name) in ["IMG-20161224-WA0014.bmp", "IMG_20161225_101112.bmp"].enumerated() {
        let options = PHAssetResourceCreationOptions()
        options.originalFilename = name
        PHAssetCreationRequest.forAsset().addResource(
          with: .photo, data: bitmap(red: UInt8(index)), options: options)
      }
    }
    let answer = try await server.ask("/api/v1/collections/userLibrary/assets?order=oldest")
    let cells = try JSONDecoder().decode(AssetsAnswer.self, from: answer.body).assets
    #expect(cells.map(\.datePrecision) == ["day", nil])
    #expect(answer.text.components(separatedBy: #""datePrecision":"day""#).count == 2)
  }

  @Test func `a part of a list is answered again with the same bytes and headers`() async throws {
    let fixture = try ListFixture()
    let path = "/api/v1/collections/userLibrary/assets?limit=100"
    let (first, second) = (try await fixture.server.ask(path), try await fixture.server.ask(path))
    #expect((first.status, first.fields, first.body) == (second.status, second.fields, second.body))
    #expect(first.field("Content-Encoding") == nil)
    #expect(try JSONDecoder().decode(AssetsAnswer.self, from: second.body).assets.count == 3)
    let compressed = try await fixture.server.ask(path, ["Accept-Encoding": "gzip"])
    #expect(compressed.field("Content-Encoding") == "gzip")
    #expect(compressed.field("ETag") == first.field("ETag"))
    #expect(try await fixture.server.ask(path, ["Accept-Encoding": "gzip"]).body == compressed.body)
  }

  @Test func `C-01: the collections have counts without hidden and deleted photos`() async throws {
    let fixture = try ListFixture()
    let answer = try await fixture.object("collections")
    let collections = try #require(answer["collections"] as? [[String: Any]])
    let counts = Dictionary(
      uniqueKeysWithValues: collections.map { ($0["id"] as? String ?? "", $0["count"] as? Int ?? -1) })
    #expect(counts["userLibrary"] == 3)
    #expect(counts["favorites"] == 1)
    #expect(counts["allHidden"] == 1)
    #expect(counts["recentlyDeleted"] == 1)
    #expect(counts["videos"] == 0)
    #expect(counts["recentlyAdded"] == 3)
    #expect(counts[fixture.album] == 2)
    #expect(counts[fixture.folder] == 2)
    #expect(collections.map { $0["kind"] as? String }.suffix(2) == ["folder", "album"])
    #expect(collections.last?["parent"] as? String == fixture.folder)
    #expect(collections.allSatisfy { ($0["imageCount"] as? Int) == ($0["count"] as? Int) })
  }

  @Test func `C-02: a cover is the newest photo, and an album's in its own order is not its first`() async throws {
    let fixture = try ListFixture()
    let collections = try #require(try await fixture.object("collections")["collections"] as? [[String: Any]])
    func covers(_ id: String) -> [Int] {
      let collection = collections.first { $0["id"] as? String == id }
      return fixture.numbers((collection?["covers"] as? [[String: String]])?.compactMap { $0["id"] } ?? [])
    }
    #expect(covers("userLibrary") == [3])
    #expect(covers("favorites") == [2])
    #expect(covers("recentlyDeleted") == [4])
    #expect(covers(fixture.album) == [3])
    #expect(covers(fixture.folder) == [3])
    #expect(covers("videos") == [])
    let album = try #require(collections.last)
    #expect((album["startDate"] as? String)?.hasPrefix("2019-03-04") == true)
    #expect((album["endDate"] as? String)?.hasPrefix("2019-03-07") == true)
    #expect(album["can"] as? [String] == ["rename", "delete", "addContent", "removeContent", "rearrangeContent"])
  }

  @Test func `a collection is listed in each order`() async throws {
    let fixture = try ListFixture()
    #expect(try await fixture.numbers("collections/userLibrary/assets") == [3, 2, 0])
    #expect(try await fixture.numbers("collections/userLibrary/assets?order=oldest") == [0, 2, 3])
    #expect(try await fixture.numbers("collections/recentlyAdded/assets") == [3, 2, 0])
    #expect(try await fixture.numbers("collections/\(fixture.album)/assets") == [3, 0])
    #expect(try await fixture.numbers("collections/\(fixture.album)/assets?order=oldest") == [0, 3])
    #expect(try await fixture.numbers("collections/\(fixture.folder)/assets") == [3, 0])
    #expect(try await fixture.numbers("collections/allHidden/assets") == [1])
    #expect(try await fixture.numbers("collections/recentlyDeleted/assets") == [4])
    #expect(try await fixture.numbers("collections/favorites/assets") == [2])
  }

  @Test(arguments: [
    ("userLibrary", "order=custom"), ("userLibrary", "order=deleted"), ("userLibrary", "order=random"),
  ])
  func `an order that a collection does not have is refused`(id: String, query: String) async throws {
    let answer = try await TestServer().ask("/api/v1/collections/\(id)/assets?\(query)")
    #expect(answer.status == 400)
    #expect(answer.problem?.detail.contains("order") == true)
  }

  @Test(arguments: ["days", "aspects", "colors", "assets", "locations"])
  func `a collection that does not exist is not found`(part: String) async throws {
    for id in ["nothing", UUID().uuidString, "smartAlbumFavorites", "'"] {
      #expect(try await TestServer().ask("/api/v1/collections/\(id)/\(part)").status == 404)
    }
  }

  @Test func `days are those of the order`() async throws {
    let fixture = try ListFixture()
    func days(_ path: String) async throws -> String {
      let text = try await fixture.server.ask("/api/v1/collections/\(path)").text
      return String(text.drop { $0 != "[" })
    }
    let newest = try await days("userLibrary/days")
    #expect(newest.hasPrefix(#"[["2019-03-07",1],["2019-03-06",1]"#))
    #expect(try await days("userLibrary/days?order=oldest").hasSuffix(#",["2019-03-07",1]]}"#))
    #expect(try await days("\(fixture.album)/days") == "[[null,2]]}")
    #expect(try await days("\(fixture.folder)/days").hasPrefix(#"[["2019-03-07",1],["#))
    #expect(try await days("videos/days") == "[]}")
  }

  @Test func `shapes and colors are a few bytes for each photo`() async throws {
    let fixture = try ListFixture()
    let aspects = try await fixture.server.ask("/api/v1/collections/userLibrary/aspects")
    // The heights are 4 and the widths 11, 10 and 8.
    #expect(Array(aspects.body) == [11.0, 10, 8].map { UInt8((42 * log2($0 / 4)).rounded() + 128) })
    #expect(aspects.field("Content-Type") == "application/octet-stream")
    let colors = try await fixture.server.ask("/api/v1/collections/userLibrary/colors")
    #expect(colors.body.count == 9)
  }

  @Test func `shapes and colors are sent in ranges of photos`() async throws {
    let fixture = try ListFixture()
    for (path, width) in [("aspects", 1), ("colors", 3)] {
      let path = "/api/v1/collections/userLibrary/\(path)"
      let whole = try await fixture.server.ask(path)
      #expect(whole.field("Accept-Ranges") == "bytes")
      let tag = try #require(whole.field("ETag"))
      let second = ["Range": "bytes=\(width)-\(2 * width - 1)", "Accept-Encoding": "gzip"]
      let part = try await fixture.server.ask(path, second)
      #expect(part.status == 206)
      #expect(part.body == whole.body.dropFirst(width).prefix(width))
      #expect(part.field("Content-Range") == "bytes \(width)-\(2 * width - 1)/\(3 * width)")
      #expect((part.field("ETag"), part.field("Content-Encoding")) == (tag, nil))
      #expect(try await fixture.server.ask(path, second.merging(["If-Range": tag]) { $1 }).status == 206)
      #expect(try await fixture.server.ask(path, second.merging(["If-None-Match": tag]) { $1 }).status == 304)
      let former = try await fixture.server.ask(path, second.merging(["If-Range": "\"1\""]) { $1 })
      #expect((former.status, former.body) == (200, whole.body))
      let outside = try await fixture.server.ask(path, ["Range": "bytes=\(3 * width)-"])
      #expect((outside.status, outside.field("Content-Range")) == (416, "bytes */\(3 * width)"))
    }
  }

  @Test func `compressed colors have a tag of their own, which is of no range`() async throws {
    let temporary = try TemporaryLibrary()
    try temporary.add([SampleAsset].photos(500).map(\.withoutFiles))
    let server = try TestServer(library: temporary.library)
    let (path, gzip) = ("/api/v1/collections/userLibrary/colors", ["Accept-Encoding": "gzip"])
    let (plain, compressed) = (try await server.ask(path), try await server.ask(path, gzip))
    #expect(compressed.field("Content-Encoding") == "gzip")
    let tags = [try #require(plain.field("ETag")), try #require(compressed.field("ETag"))]
    #expect(tags[0] != tags[1])
    for tag in tags {
      let known = try await server.ask(path, gzip.merging(["If-None-Match": tag]) { $1 })
      #expect((known.status, known.field("ETag")) == (304, tag))
    }
    for (tag, status) in zip(tags, [206, 200]) {
      #expect(try await server.ask(path, ["Range": "bytes=0-2", "If-Range": tag]).status == status)
    }
  }

  @Test func `places are listed with their photos`() async throws {
    let fixture = try ListFixture()
    try fixture.server.library.performChangesAndWait {
      PHAssetChangeRequest(for: fixture.photos[2]).location = CLLocation(latitude: 59.9139, longitude: 10.7522)
    }
    let revision = fixture.server.library.currentChangeToken.stringValue
    #expect(
      try await fixture.server.ask("/api/v1/collections/userLibrary/locations").text
        == #"{"revision":"\#(revision)","locations":[[59.9139,10.7522,1,"\#(fixture.photos[2].uuid)"]]}"#)
  }

  @Test(arguments: [
    "collections", "collections/userLibrary/days", "collections/userLibrary/assets",
    "collections/userLibrary/locations",
    "assets?where=mediaType==1", "search?q=img", "changes",
  ])
  func `a list says its revision`(path: String) async throws {
    let fixture = try ListFixture()
    #expect(
      try await fixture.object(path)["revision"] as? String == fixture.server.library.currentChangeToken.stringValue)
  }

  @Test func `an asset is found in a list, and a part is around it`() async throws {
    let fixture = try ListFixture()
    let path = "collections/userLibrary/assets"
    #expect(try await fixture.object("\(path)?at=\(fixture.photos[2].uuid)")["index"] as? Int == 1)
    #expect(try await fixture.object("\(path)?at=\(fixture.photos[4].uuid)")["index"] is NSNull)
    #expect(try await fixture.object("\(path)?at=nothing")["index"] is NSNull)
    #expect(try await fixture.numbers("\(path)?around=\(fixture.photos[0].uuid)&limit=2") == [2, 0])
    #expect(try await fixture.server.ask("/api/v1/\(path)?around=nothing").status == 404)
  }

  @Test func `D-04: a deleted photo says how many days are left`() async throws {
    let fixture = try ListFixture()
    let answer = try await fixture.server.ask("/api/v1/collections/recentlyDeleted/assets")
    #expect(try JSONDecoder().decode(AssetsAnswer.self, from: answer.body).assets.map(\.daysLeft) == [30])
    let shown = try await fixture.server.ask("/api/v1/collections/userLibrary/assets").text
    #expect(!shown.contains("daysLeft"))
  }

  @Test func `J-09: a deleted photo in full says how many days are left, to the owner alone`() async throws {
    let fixture = try ListFixture()
    #expect(try await fixture.object("assets/\(fixture.photos[4].uuid)")["daysLeft"] as? Int == 30)
    #expect(try await fixture.object("assets/\(fixture.photos[3].uuid)")["daysLeft"] == nil)
    let client = try await TestClient(server: fixture.server).answered("full")
    #expect(try await client.ask("/assets/\(fixture.photos[3].uuid)").status == 200)
    #expect(try await client.ask("/assets/\(fixture.photos[4].uuid)").status == 404)
  }

  @Test func `F-05: the photo of a burst says how many frames it has, and a RAW file is named`() async throws {
    let server = try TestServer()
    let size = PictureSize(width: 16, height: 16)
    for (index, frame) in try SampleMedia.burst(count: 3, size: size).enumerated() {
      try server.add(frame, named: "IMG_\(index).JPG")
    }
    try server.add(SampleMedia.dng(size: size), named: "LEICA.DNG", minute: 1)
    try server.add(bitmap(), minute: 2)
    let answer = try await server.ask("/api/v1/collections/userLibrary/assets")
    let cells = try JSONDecoder().decode(AssetsAnswer.self, from: answer.body).assets
    #expect(cells.map(\.burstCount) == [nil, nil, 3])
    #expect(cells.map(\.hasRaw) == [false, true, false])
    #expect(answer.text.components(separatedBy: "burstCount").count == 2)
  }

  @Test func `H-15: each frame of a burst names all of them in their order, and other photos none`() async throws {
    let server = try TestServer()
    let size = PictureSize(width: 16, height: 16)
    for (index, frame) in try SampleMedia.burst(count: 3, size: size).enumerated() {
      try server.add(frame, named: "IMG_\(index).JPG")
    }
    try server.add(bitmap(), minute: 1)
    let answer = try await server.ask("/api/v1/collections/userLibrary/assets?order=oldest")
    let cells = try JSONDecoder().decode(AssetsAnswer.self, from: answer.body).assets
    let frames = try #require(try await server.burst(of: cells[0].id).burstFrames)
    #expect(frames.compactMap(\.burstCount) == [3], "one of them represents the burst")
    var names: [String] = []
    for frame in frames {
      let burst = try await server.burst(of: frame.id)
      #expect(burst.burstFrames == frames)
      names.append(burst.originalFilename)
    }
    #expect(names == ["IMG_0.JPG", "IMG_1.JPG", "IMG_2.JPG"])
    #expect(try await server.burst(of: cells[1].id).burstFrames == nil)
  }

  @Test func `H-15: the only frame that is left of a burst is a photo like any other`() async throws {
    let server = try TestServer()
    let frames = try await server.addBurst()
    _ = try await server.change(#"{"type":"deleteAssets","assets":["\#(frames[0])","\#(frames[2])"]}"#)
    #expect(try await server.cells().map(\.id) == [frames[1]])
    #expect(try await server.cells().map(\.burstCount) == [nil])
    #expect(try await server.burst(of: frames[1]).burstFrames == nil)
    #expect(try await server.post("/api/v1/undo", json: "{}", isSignedIn: true).status == 200)
    #expect(try await server.cells().map(\.burstCount) == [3])
  }

  @Test func `H-15: each kept frame of a burst is a photo of its own, and an undo joins them again`() async throws {
    let server = try TestServer()
    let frames = try await server.addBurst()
    _ = try await server.change(#"{"type":"setAssets","assets":["\#(frames[1])","\#(frames[2])"],"isBurstPick":true}"#)
    let cells = try await server.cells()
    #expect(cells.map(\.id) == frames)
    #expect(cells.map(\.isBurstPick) == [nil, true, true])
    #expect(cells.map(\.burstCount) == [3, nil, nil])
    #expect(try await server.burst(of: frames[0]).burstFrames == cells)
    #expect(try await server.post("/api/v1/undo", json: "{}", isSignedIn: true).status == 200)
    #expect(try await server.cells().map(\.id) == [frames[0]])
  }

  @Test func `AX-03: a cell says where a photo was taken, to a hundredth of a degree`() async throws {
    let server = try TestServer()
    var metadata = SampleMetadata()
    metadata.place = SampleMetadata.Place(latitude: 59.9139, longitude: -10.7522)
    try server.add(SampleMedia.jpeg(size: PictureSize(width: 16, height: 16), metadata: metadata), named: "OSLO.JPG")
    try server.add(bitmap(), minute: 1)
    let answer = try await server.ask("/api/v1/collections/userLibrary/assets?order=oldest")
    let cells = try JSONDecoder().decode(AssetsAnswer.self, from: answer.body).assets
    #expect(cells.map(\.latitude) == [59.91, nil])
    #expect(cells.map(\.longitude) == [-10.75, nil])
  }

  @Test func `a photo in full names its albums`() async throws {
    let fixture = try ListFixture()
    let albums = try await fixture.object("assets/\(fixture.photos[0].uuid)")["albums"] as? [[String: String]]
    #expect(albums == [["id": fixture.album, "title": "Norway"]])
  }

  @Test func `O-01: a predicate and an order choose assets`() async throws {
    let fixture = try ListFixture()
    #expect(try await fixture.numbers("assets?limit=2&sort=-creationDate&where=mediaType==1") == [3, 2])
    #expect(try await fixture.numbers("assets?sort=pixelWidth&where=favorite%20==%20NO") == [0, 3])
    #expect(try await fixture.numbers("assets") == [3, 2, 0])
  }

  @Test(arguments: [
    ("where=size%20%3E%205", ["size", "character 1"]), ("where=mediaType%20LIKE%20'a'", ["mediaType", "LIKE"]),
    ("where=mediaType", ["character"]), ("where=mediaType%20==%20%25@", ["%@"]), ("sort=size", ["size"]),
    ("where=creationDate%20%3E%205", ["creationDate", "character 16"]),
    ("where=(mediaSubtype%20%26%204)%20!=%200", ["mediaSubtype", "mediaSubtypes"]),
  ])
  func `O-02: an error of a predicate names the key and the place`(query: String, words: [String]) async throws {
    let answer = try await TestServer().ask("/api/v1/assets?\(query)")
    #expect(answer.status == 400)
    let detail = try #require(answer.problem?.detail)
    for word in words { #expect(detail.contains(word), "\(detail)") }
  }

  @Test func `O-02: a predicate may contain the misspelled key as a text, and the right one`() async throws {
    let fixture = try ListFixture()
    #expect(try await fixture.numbers("assets?where=(mediaSubtypes%20%26%204)%20!=%200") == [])
    #expect(try await fixture.numbers("assets?where=originalFilename%20==%20'mediaSubtype'") == [])
  }

  @Test func `a search finds words, and says what it has understood`() async throws {
    let fixture = try ListFixture()
    let answer = try await fixture.object("search?q=fjord+march%202019")
    #expect(answer["total"] as? Int == 3)
    #expect(
      answer["understood"] as? [[String: String]] == [
        ["kind": "date", "text": "March 2019"], ["kind": "text", "text": "fjord"],
      ])
    #expect((answer["days"] as? [[Any]])?.count == 3)
    #expect(try await fixture.object("search?q=norw")["total"] as? Int == 2)
    let suggestions = try await fixture.object("search?q=norw")["suggestions"] as? [[String: String]]
    #expect(suggestions == [["kind": "album", "title": "Norway", "id": fixture.album]])
    #expect(try await fixture.object("search?q=favorites")["total"] as? Int == 1)
    #expect(try await fixture.object("search?q=norway%20live")["total"] as? Int == 0)
    let inside = try await fixture.object("search?q=orw")["suggestions"] as? [[String: String]]
    #expect(inside == [])
    #expect(try await fixture.object("search?q=%20")["total"] as? Int == 0)
    #expect(try await fixture.server.ask("/api/v1/search").status == 400)
  }

  @Test func `a NUL in a search ends a word`() async throws {
    let fixture = try ListFixture()
    let answer = try await fixture.object("search?q=norw%00")
    #expect(answer["total"] as? Int == 2)
    #expect((answer["suggestions"] as? [[String: String]])?.map { $0["title"] } == ["Norway"])
  }

  @Test func `text is compressed for a client that reads it`() async throws {
    let fixture = try ListFixture()
    for path in ["/api/v1/collections", "/api/v1/openapi.json"] {
      let plain = try await fixture.server.ask(path)
      let answer = try await fixture.server.ask(path, ["Accept-Encoding": "br, gzip"])
      #expect(answer.field("Content-Encoding") == "gzip")
      #expect(answer.body.count < plain.body.count)
      #expect(answer.body.starts(with: [0x1F, 0x8B]))
      #expect(plain.field("Content-Encoding") == nil)
      #expect(try await fixture.server.ask(path, ["Accept-Encoding": "gzip;q=0"]).field("Content-Encoding") == nil)
    }
  }
}

/// The parts of an asset in full that name its file and the frames of its burst.
private struct BurstAnswer: Decodable {
  var originalFilename: String
  var burstFrames: [GridCell]?
}

extension TestServer {
  /// Adds a burst of three frames, and returns their ids.
  fileprivate func addBurst() async throws -> [String] {
    let size = PictureSize(width: 16, height: 16)
    for (index, frame) in try SampleMedia.burst(count: 3, size: size).enumerated() {
      try add(frame, named: "IMG_\(index).JPG")
    }
    return try #require(try await burst(of: cells()[0].id).burstFrames).map(\.id)
  }

  /// Returns the cells of all assets, the oldest first.
  fileprivate func cells() async throws -> [GridCell] {
    let answer = try await ask("/api/v1/collections/userLibrary/assets?order=oldest")
    return try JSONDecoder().decode(AssetsAnswer.self, from: answer.body).assets
  }

  fileprivate func change(_ change: String) async throws -> Answer {
    let answer = try await post("/api/v1/changes", json: #"{"changes":[\#(change)]}"#, isSignedIn: true)
    #expect(answer.status == 200, "\(answer.text)")
    return answer
  }

  fileprivate func burst(of id: String) async throws -> BurstAnswer {
    try JSONDecoder().decode(BurstAnswer.self, from: try await ask("/api/v1/assets/\(id)").body)
  }
}
