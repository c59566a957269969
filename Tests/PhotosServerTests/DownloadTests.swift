import Foundation
import Photos
import PhotosTesting
import Testing

@testable import PhotosServer

@Suite struct DownloadTests {
  private struct Ticket: Decodable {
    var ticket: String
    var bytes: Int
    var files: Int
    var missing: [String]
    var path: String { "/api/v1/downloads/\(ticket)" }
  }

  private func ticket(_ server: TestServer, _ assets: [PHAsset], kind: String = "originals") async throws -> Ticket {
    let list = assets.map { "\"\($0.uuid)\"" }.joined(separator: ",")
    let answer = try await server.post(
      "/api/v1/downloads", json: "{\"assets\":[\(list)],\"kind\":\"\(kind)\"}", isSignedIn: true)
    try #require(answer.status == 201, "\(answer.text)")
    return try JSONDecoder().decode(Ticket.self, from: answer.body)
  }

  @Test func `originals come as one ZIP file that other programs read`() async throws {
    let temporary = try TemporaryLibrary()
    let live = try temporary.add(SampleMedia.livePhoto(), named: "IMG_0001")
    let others = try temporary.add(
      SampleFile("IMG_0001.HEIC", bitmap(red: 1)), SampleFile("Île d’Yeu.bmp", bitmap(red: 2)))
    let server = try TestServer(library: temporary.library)
    let ticket = try await ticket(server, [live] + others)
    let answer = try await server.ask(ticket.path)
    #expect(answer.status == 200)
    #expect(answer.field("Content-Type") == "application/zip")
    #expect(answer.field("Content-Length") == "\(ticket.bytes)")
    #expect(answer.body.count == ticket.bytes)
    #expect(ticket.files == 4)
    let archive = try ArchiveFile(answer.body)
    #expect(
      try archive.entries().map(\.name) == ["IMG_0001.HEIC", "IMG_0001.MOV", "IMG_0001 (2).HEIC", "Île d’Yeu.bmp"])
    #expect(try archive.contents(of: "Île d’Yeu.bmp") == bitmap(red: 2))
    #expect(try archive.contents(of: "IMG_0001 (2).HEIC") == bitmap(red: 1))
    try archive.check()
  }

  @Test func `a range that is too long for a download is refused before its assets are looked up`() async throws {
    let server = try TestServer()
    try server.add(bitmap())
    let range =
      #"{"range":{"collection":"userLibrary","revision":"\#(server.library.currentChangeToken.stringValue)","#
      + #""first":0,"end":100001}}"#
    let answer = try await server.post(
      "/api/v1/downloads", json: #"{"assets":\#(range),"kind":"originals"}"#, isSignedIn: true)
    #expect((answer.status, answer.problem?.detail) == (422, "assets: a download needs 1 to 100000 assets"))
  }

  @Test func `the oldest ticket of a holder ends for its newest, and no other's`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    let client = try await TestClient(server: server).answered("full")
    let owners = try await ticket(server, [photo]).path
    var made: [String] = []
    for _ in 0...Downloads.largestCountOfHolder {
      server.clock.advance(1)
      let answer = try await client.ask(
        "/downloads", method: "POST", json: #"{"assets":["\#(photo.uuid)"],"kind":"originals"}"#)
      made.append(String(try #require(answer.field("Location")).dropFirst("/api/v1".count)))
    }
    #expect(try await client.ask(made[0]).status == 404)
    for path in made.dropFirst() { #expect(try await client.ask(path).status == 200) }
    #expect(try await server.ask(owners).status == 200)
  }

  @Test func `every range has the bytes that the whole has`() async throws {
    let server = try TestServer()
    var assets: [PHAsset] = []
    for red in 1...5 as ClosedRange<UInt8> { assets.append(try server.add(bitmap(width: 40, red: red))) }
    let whole = try await server.ask(ticket(server, assets).path).body
    // A new ticket has computed nothing yet.
    for seed in 0..<40 {
      let path = try await ticket(server, assets).path
      let first = seed * 7919 % whole.count
      let last = min(first + seed * 104_729 % 9000, whole.count - 1)
      let part = try await server.ask(path, ["Range": "bytes=\(first)-\(last)"])
      #expect(part.status == 206)
      #expect(part.field("Content-Range") == "bytes \(first)-\(last)/\(whole.count)")
      #expect(part.body == whole[first...last])
    }
    let path = try await ticket(server, assets).path
    #expect(try await server.ask(path, ["Range": "bytes=-22"]).body == whole.suffix(22))
    #expect(try await server.ask(path, ["Range": "bytes=\(whole.count)-"]).status == 416)
    let head = try await server.ask(path, method: "HEAD")
    #expect(head.field("Content-Length") == "\(whole.count)")
    let tag = try #require(head.field("ETag"))
    #expect(try await server.ask(path, ["Range": "bytes=0-1", "If-Range": tag]).status == 206)
    #expect(try await server.ask(path, ["Range": "bytes=0-1", "If-Range": "\"other\""]).status == 200)
  }

  @Test func `the current version of an edited photo has the original's name`() async throws {
    let temporary = try TemporaryLibrary()
    let edited = try temporary.add(.photo(named: "IMG_0001"))
    let plain = try temporary.add(.photo(named: "IMG_0002"))
    try await edited.edit { $0.turn(byQuarters: 1) }
    let server = try TestServer(library: temporary.library)
    let originals = try ArchiveFile(await server.ask(ticket(server, [edited, plain]).path).body)
    let current = try ArchiveFile(await server.ask(ticket(server, [edited, plain], kind: "current").path).body)
    #expect(try originals.entries().map(\.name) == ["IMG_0001.JPG", "IMG_0002.JPG"])
    let names = try current.entries().map(\.name)
    #expect(names.map { $0.lowercased() } == ["img_0001.jpg", "img_0002.jpg"])
    let render = try #require(
      try temporary.refetched(edited).storedResources.first { $0.type == .fullSizePhoto })
    #expect(try current.contents(of: names[0]).count == render.dataSize)
    #expect(try current.contents(of: names[1]) == originals.contents(of: names[1]))
  }

  @Test func `a file that changes while it is sent ends the download`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap(width: 700, height: 500))
    let path = try await ticket(server, [asset]).path
    let file = try #require(server.originals().first)
    _ = try await server.ask(path, ["Range": "bytes=0-40"])
    var bytes = try Data(contentsOf: file)
    bytes[5000] ^= 1
    try bytes.write(to: file)
    await #expect(throws: Failure.self) { try await server.ask(path) }
    try bytes.prefix(1000).write(to: file)
    await #expect(throws: Failure.self) { try await server.ask(path) }
    try FileManager.default.removeItem(at: file)
    await #expect(throws: (any Error).self) { try await server.ask(path) }
  }

  @Test func `the central directory of a download names no file that its client can no longer see`() async throws {
    let server = try TestServer()
    let (photo, other) = (try server.add(bitmap()), try server.add(bitmap(red: 1), minute: 1))
    let client = try await TestClient(server: server).answered("limited", assets: [photo, other])
    let made = try await client.ask(
      "/downloads", method: "POST", json: #"{"assets":["\#(photo.uuid)"],"kind":"originals"}"#)
    let path = try #require(made.field("Location"))
    let fields = ["Authorization": "Bearer \(client.token ?? "")", "Origin": client.origin ?? ""]
    #expect(try await server.ask(path, fields, isSignedIn: false).status == 200)
    var range = fields
    range["Range"] = "bytes=-60"
    #expect(try await server.ask(path, range, isSignedIn: false).status == 206)
    let number = try await server.onlyClient()
    let deselected = try await server.post(
      "/api/v1/access/clients/\(number)/selection", json: #"{"assets":["\#(other.uuid)"]}"#, method: "PUT",
      isSignedIn: true)
    #expect(deselected.status == 200)
    for fields in [fields, range] {
      let answer = try await server.ask(path, fields, isSignedIn: false)
      #expect(answer.status == 404)
      #expect(answer.field("ETag") == nil)
    }
  }

  @Test func `missing files are left out and named`() async throws {
    let server = try TestServer()
    let gone = try server.add(bitmap(red: 1), named: "gone.bmp")
    try FileManager.default.removeItem(at: #require(server.originals().first))
    let body = "{\"assets\":[\"\(gone.uuid)\"],\"kind\":\"originals\"}"
    #expect(try await server.post("/api/v1/downloads", json: body, isSignedIn: true).status == 404)
    let there = try server.add(bitmap(red: 2), named: "there.bmp")
    let ticket = try await ticket(server, [gone, there])
    #expect(ticket.missing == ["gone.bmp"])
    #expect(ticket.files == 1)
  }

  @Test func `a ticket belongs to its session, for an hour`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    let path = try await ticket(server, [asset]).path
    let other = try TestServer(library: server.library)
    #expect(try await server.ask(path, ["Cookie": other.cookie]).status == 404)
    #expect(try await server.ask(path, isSignedIn: false).status == 401)
    #expect(try await server.ask("/api/v1/downloads/x").status == 404)
    server.clock.advance(3599)
    #expect(try await server.ask(path).status == 200)
    server.clock.advance(1)
    #expect(try await server.ask(path).status == 404)
  }

  @Test func `a range of a collection is downloaded`() async throws {
    let server = try TestServer()
    for red in 1...3 as ClosedRange<UInt8> {
      try server.add(bitmap(red: red), named: "\(red).bmp", minute: Int(red))
    }
    let revision = server.library.currentChangeToken.stringValue
    let range = """
      {"range":{"collection":"userLibrary","order":"newest","revision":"\(revision)","first":0,"end":2}}
      """
    let answer = try await server.post(
      "/api/v1/downloads", json: "{\"assets\":\(range),\"kind\":\"originals\"}", isSignedIn: true)
    try #require(answer.status == 201, "\(answer.text)")
    let ticket = try JSONDecoder().decode(Ticket.self, from: answer.body)
    let archive = try ArchiveFile(await server.ask(ticket.path).body)
    #expect(try archive.entries().map(\.name) == ["3.bmp", "2.bmp"])
  }

  @Test(arguments: [
    "{\"assets\":[],\"kind\":\"originals\"}", "{\"assets\":[\"x\"],\"kind\":\"other\"}", "{\"kind\":\"originals\"}",
    "[]",
  ])
  func `a wrong request is refused`(body: String) async throws {
    #expect(try await TestServer().post("/api/v1/downloads", json: body, isSignedIn: true).status == 422)
  }

  @Test func `the names in an archive are different, and harmless`() {
    let given: [(files: [String], names: [String])] = [
      (["a.jpg"], ["a.jpg"]), (["A.JPG"], ["A (2).JPG"]), (["a.jpg", "a.mov"], ["a (3).jpg", "a (3).mov"]),
      (["a.mov", "A.MOV"], ["a.mov", "A (2).MOV"]), (["../../x"], ["x"]), ([""], ["original"]),
      (["a:b?.jpg"], ["a_b_.jpg"]), (["é.jpg"], ["é.jpg"]), (["e\u{301}.jpg"], ["é (2).jpg"]),
    ]
    var names = UniqueNames()
    for (files, expected) in given { #expect(names.names(of: files) == expected) }
  }
}

extension TestServer {
  /// The original files of the library.
  func originals() -> [URL] {
    let folder = library.url.appendingPathComponent("originals")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
    return (files?.allObjects as? [URL] ?? []).filter {
      (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
    }
  }
}
