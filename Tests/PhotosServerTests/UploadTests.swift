import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Photos
import Synchronization
import TestSupport
import Testing

@testable import PhotosServer

@Suite struct UploadTests {
  private let picture = bitmap(width: 64, height: 64)

  @Test func `a file is uploaded in one request`() async throws {
    let server = try TestServer()
    let answer = try await server.send(
      "POST", "/api/v1/uploads",
      ["Upload-Complete": "?1", "Upload-Length": "\(picture.count)", "Repr-Digest": reprDigest(picture)], picture)
    #expect(answer.status == 201)
    #expect(answer.field("Upload-Complete") == "?1")
    #expect(answer.field("Upload-Offset") == "\(picture.count)")
    #expect(answer.field("Upload-Limit")?.hasPrefix("max-size=16000000000, max-age=") == true)
    let location = try #require(answer.field("Location"))
    #expect(location.hasPrefix("/api/v1/uploads/"))
    let state = try await server.send("HEAD", location)
    #expect(state.status == 204)
    #expect(state.field("Upload-Length") == "\(picture.count)")
    #expect(state.field("Upload-Complete") == "?1")
    #expect(state.field("Cache-Control") == "no-store")
  }

  @Test(arguments: [true, false])
  func `X-04: a file is uploaded in pieces, and its server may change`(changesServer: Bool) async throws {
    let first = try TestServer()
    let id = try await first.createUpload(["Upload-Name": "IMG%5F1.BMP", "Repr-Digest": reprDigest(picture)])
    var servers = [first]
    var offset = 0
    while offset < picture.count {
      if changesServer { servers.append(try TestServer(library: first.library)) }
      let server = try #require(servers.last)
      let state = try await server.send("HEAD", "/api/v1/uploads/\(id)")
      #expect(state.field("Upload-Offset") == "\(offset)")
      #expect(state.field("Upload-Complete") == "?0")
      let piece = Data(picture[offset...].prefix(5000))
      offset += piece.count
      let isLast = offset == picture.count
      let answer = try await server.send(
        "PATCH", "/api/v1/uploads/\(id)",
        ["Upload-Offset": "\(offset - piece.count)", "Upload-Complete": isLast ? "?1" : "?0"], piece)
      #expect(answer.status == (isLast ? 200 : 204))
      #expect(answer.field("Upload-Offset") == "\(offset)")
    }
    let server = try #require(servers.last)
    let files = try await server.importUploads([id])
    #expect(files.map(\.outcome) == ["added"])
    #expect(files.map(\.name) == ["IMG_1.BMP"])
    let asset = try #require(files[0].asset)
    #expect(try await server.ask("/api/v1/resources/\(asset)/0").body == picture)
  }

  @Test func `a wrong offset is told the right one, and changes nothing`() async throws {
    let server = try TestServer()
    let id = try await server.createUpload(length: 100)
    for offset in ["1", "100", "999999999999999"] {
      let answer = try await server.send(
        "PATCH", "/api/v1/uploads/\(id)", ["Upload-Offset": offset, "Upload-Complete": "?0"], Data("x".utf8))
      #expect(answer.status == 409)
      #expect(answer.field("Upload-Offset") == "0")
    }
    let without = try await server.send("PATCH", "/api/v1/uploads/\(id)", ["Upload-Complete": "?0"], Data("x".utf8))
    #expect(without.status == 400)
    #expect(try await server.send("HEAD", "/api/v1/uploads/\(id)").field("Upload-Offset") == "0")
  }

  @Test(arguments: [
    // Upload-Length, Upload-Complete, bytes
    ("5", "?1", 6), ("7", "?1", 6), ("5", "?0", 6), ("0", "?0", 1),
  ])
  func `a file that is not as long as it was to be is refused`(length: String, isComplete: String, bytes: Int)
    async throws
  {
    let server = try TestServer()
    let fields = ["Upload-Length": length, "Upload-Complete": isComplete]
    #expect(try await server.send("POST", "/api/v1/uploads", fields, Data(count: bytes)).status == 400)
    let id = try await server.createUpload(length: Int(length))
    let answer = try await server.send(
      "PATCH", "/api/v1/uploads/\(id)", ["Upload-Complete": isComplete, "Upload-Offset": "0"], Data(count: bytes))
    #expect(answer.status == 400)
    let other = try await server.send(
      "PATCH", "/api/v1/uploads/\(id)", ["Upload-Complete": "?0", "Upload-Offset": "0", "Upload-Length": "99"])
    #expect(other.status == 400)
    #expect(try uploadedFiles(server).count == 2)
  }

  @Test func `a body that is longer than it says ends its upload`() async throws {
    let server = try TestServer()
    let id = try await server.createUpload(length: 10)
    let answer = try await server.send(
      "PATCH", "/api/v1/uploads/\(id)", ["Upload-Complete": "?0", "Upload-Offset": "0", "Content-Length": "4"],
      Data(count: 11))
    #expect(answer.status == 400)
    #expect(try await server.send("HEAD", "/api/v1/uploads/\(id)").status == 404)
    #expect(try uploadedFiles(server) == [])
  }

  @Test func `bytes with another digest are thrown away`() async throws {
    let server = try TestServer()
    let answer = try await server.send(
      "POST", "/api/v1/uploads", ["Upload-Complete": "?1", "Repr-Digest": reprDigest(picture)], Data("other".utf8))
    #expect(answer.status == 422)
    #expect(try uploadedFiles(server) == [])
    for digest in ["sha-256=:AAAA:", "sha-256=AAAA"] {
      #expect(try await server.send("POST", "/api/v1/uploads", ["Repr-Digest": digest], picture).status == 400)
    }
    let several = "sha-512=:AAAA:, \(reprDigest(picture))"
    #expect(try await server.send("POST", "/api/v1/uploads", ["Repr-Digest": several], picture).status == 201)
  }

  @Test func `uploads are private, and nothing of them is served`() async throws {
    let server = try TestServer()
    let id = try await server.upload(Data("<script>".utf8), named: "page.html")
    let folder = server.library.url.appendingPathComponent("incoming/uploads")
    for (path, mode) in [("", 0o700), (id, 0o600), ("\(id).json", 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(path).path)
      #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
    }
    let answer = try await server.ask("/api/v1/uploads/\(id)")
    #expect(answer.status == 204)
    #expect(answer.body.isEmpty)
    for path in ["/incoming/uploads/\(id)", "/api/v1/uploads/..%2F\(id)", "/api/v1/resources/\(id)/0"] {
      #expect(try await server.ask(path).status == 404)
    }
  }

  @Test func `an upload belongs to the one who made it`() async throws {
    let server = try TestServer()
    let uploads = Uploads(
      library: server.library, limits: ServerLimits(connections: 1), clock: { server.clock.now }, random: .system)
    let fields = try UploadFields([.uploadComplete: "?1"])
    let state = try await uploads.create(fields, .of("client a", picture))
    #expect(try await server.send("HEAD", "/api/v1/uploads/\(state.id)").status == 404)
    #expect(try await server.send("DELETE", "/api/v1/uploads/\(state.id)").status == 404)
    let answer = try await server.post(
      "/api/v1/imports", json: "{\"uploads\":[\"\(state.id)\"]}", isSignedIn: true)
    #expect(answer.status == 404)
    #expect(try await uploads.state(of: state.id, by: "client a").isComplete)
    await #expect(throws: Failure.self) { try await uploads.state(of: state.id, by: "client b") }
  }

  @Test(arguments: ["x", "../../../../etc/passwd", "AAAAAAAAAAAAAAAAAAAAAA", "..", String(repeating: "a", count: 5000)])
  func `an unknown identifier is answered with 404`(id: String) async throws {
    let server = try TestServer()
    let encoded = try #require(id.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    for method in ["HEAD", "PATCH", "DELETE"] {
      let answer = try await server.send(
        method, "/api/v1/uploads/\(encoded)", ["Upload-Offset": "0", "Upload-Complete": "?0"])
      #expect(answer.status == 404)
    }
    let answer = try await server.post("/api/v1/imports", json: "{\"uploads\":[\"\(id)\"]}", isSignedIn: true)
    #expect(answer.status == 404)
  }

  @Test func `an upload is canceled`() async throws {
    let server = try TestServer()
    let id = try await server.upload(picture, named: "a.bmp")
    #expect(try await server.send("DELETE", "/api/v1/uploads/\(id)").status == 204)
    #expect(try await server.send("DELETE", "/api/v1/uploads/\(id)").status == 404)
    #expect(try uploadedFiles(server) == [])
  }

  @Test func `uploads end after seven days, and make room`() async throws {
    let server = try TestServer()
    let old = try await server.createUpload(length: 60_000_000_000 / 1000)
    server.clock.advance(6 * 86_400)
    #expect(try await server.send("HEAD", "/api/v1/uploads/\(old)").status == 204)
    server.clock.advance(86_400)
    #expect(try await server.send("HEAD", "/api/v1/uploads/\(old)").status == 404)
    let new = try await server.createUpload()
    #expect(try uploadedFiles(server) == [new, "\(new).json"].sorted())
  }

  @Test func `sizes are limited, for each file and for all unfinished ones`() async throws {
    var limits = ServerLimits(connections: 16)
    (limits.largestUpload, limits.unfinishedUploadBytes) = (100, 150)
    let server = try TestServer(limits: limits)
    let fields = ["Upload-Complete": "?0", "Upload-Length": "101"]
    let large = try await server.send("POST", "/api/v1/uploads", fields)
    #expect(large.status == 413)
    #expect(large.field("Upload-Limit")?.hasPrefix("max-size=100,") == true)
    #expect(try await server.send("POST", "/api/v1/uploads", [:], Data(count: 101)).status == 413)
    let first = try await server.createUpload(length: 100)
    #expect(try await server.send("POST", "/api/v1/uploads", [:], Data(count: 51)).status == 507)
    let growing = try await server.createUpload()
    let patch = ["Upload-Offset": "0", "Upload-Complete": "?0"]
    #expect(try await server.send("PATCH", "/api/v1/uploads/\(growing)", patch, Data(count: 51)).status == 507)
    // Another server counts what is on the disk.
    let other = try TestServer(library: server.library, limits: limits)
    #expect(try await other.send("POST", "/api/v1/uploads", [:], Data(count: 51)).status == 507)
    #expect(try await server.send("DELETE", "/api/v1/uploads/\(first)").status == 204)
    #expect(try await server.send("PATCH", "/api/v1/uploads/\(growing)", patch, Data(count: 51)).status == 204)
  }

  @Test func `the number of unfinished uploads is limited, for each asker and for all clients`() async throws {
    var limits = ServerLimits(connections: 16)
    (limits.unfinishedUploadsOfAsker, limits.unfinishedUploads) = (2, 2)
    let server = try TestServer(limits: limits)
    let client = try await TestClient(server: server).answered("full")
    let second = try await TestClient(server: server, origin: "https://other.example").answered("full")
    let first = try await server.createUpload()
    _ = try await server.createUpload()
    let refused = try await server.send("POST", "/api/v1/uploads", ["Upload-Complete": "?0"])
    #expect(refused.status == 429)
    #expect(refused.field("Retry-After") == "60")
    #expect(try await client.upload(bitmap()).status == 201)
    #expect(try await second.upload(bitmap()).status == 201)
    #expect(try await second.upload(bitmap()).status == 429)
    // Another server counts what is on the disk.
    let other = try TestServer(library: server.library, limits: limits)
    #expect(try await other.send("POST", "/api/v1/uploads", ["Upload-Complete": "?0"]).status == 429)
    #expect(try await server.send("DELETE", "/api/v1/uploads/\(first)").status == 204)
    _ = try await server.createUpload()
  }

  @Test func `a server that starts leaves the uploads that another one is making`() async throws {
    let server = try TestServer()
    let starting = Uploads(
      library: server.library, limits: ServerLimits(connections: 16), clock: { Date() }, random: .system)
    let isDone = Atomic(false)
    defer { isDone.store(true, ordering: .relaxed) }
    let cleaning = Task.detached {
      while !isDone.load(ordering: .relaxed) { try starting.removeLeftovers() }
    }
    var ids: [String] = []
    for _ in 0..<60 {
      ids.append(try await server.createUpload(length: 10))
    }
    isDone.store(true, ordering: .relaxed)
    try await cleaning.value
    for id in ids { #expect(try await server.send("HEAD", "/api/v1/uploads/\(id)").status == 204) }
  }

  @Test func `files of an upload without a record are leftovers once nobody makes one`() throws {
    let server = try TestServer()
    let folder = try server.library.uploads
    let starting = Uploads(
      library: server.library, limits: ServerLimits(connections: 16), clock: { Date() }, random: .system)
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: server.library.url.path + "/incoming/uploads")
    }
    let making = try folder.lockForMaking()
    try folder.makeFile(of: "A")
    try starting.removeLeftovers()
    #expect(try names() == ["A"])
    making.release()
    try starting.removeLeftovers()
    #expect(try names() == [])
  }

  @Test func `a page learns the limits before it uploads`() async throws {
    let answer = try await TestServer().ask("/api/v1/uploads", method: "OPTIONS")
    #expect(answer.status == 204)
    #expect(answer.field("Accept-Patch") == "application/partial-upload")
    #expect(answer.field("Upload-Limit") == "max-size=16000000000, max-age=604800")
  }

  @Test func `a piece needs its type, and a request from this server's pages`() async throws {
    let server = try TestServer()
    let id = try await server.createUpload()
    let fields = ["Upload-Offset": "0", "Upload-Complete": "?0"]
    let path = "/api/v1/uploads/\(id)"
    let ofOtherType = fields.merging(["Content-Type": "text/plain"]) { $1 }
    #expect(try await server.send("PATCH", path, ofOtherType, Data(count: 1)).status == 415)
    let ofOtherSite = fields.merging(["Sec-Fetch-Site": "same-site"]) { $1 }
    #expect(try await server.send("PATCH", path, ofOtherSite, Data(count: 1)).status == 403)
    #expect(try await server.ask("/api/v1/uploads", method: "POST", isSignedIn: false).status == 401)
  }

  @Test(
    arguments: [
      (["Upload-Name": "IMG%5F1.HEIC"], "IMG_1.HEIC"), (["Upload-Name": "..%2F..%2Fx"], "x"),
      (["Upload-Name": "..%5C..%5Cx.jpg"], "x.jpg"), (["Upload-Name": ".."], nil), (["Upload-Name": "%2F"], nil),
      (["Upload-Name": "a%00b%0A.jpg"], "ab.jpg"),
      (["Content-Disposition": "inline; filename=\"a b.jpg\""], "a b.jpg"),
      (["Content-Disposition": "inline; filename=\"x;y\\\"z.jpg\"; other=1"], "x;y\"z.jpg"),
      (["Content-Disposition": "inline; filename=\"_.jpg\"; filename*=UTF-8''%C3%8Ele.jpg"], "Île.jpg"),
      (["Content-Disposition": "inline"], nil), ([:], nil),
      (["Upload-Name": String(repeating: "a", count: 5000) + ".jpg"], String(repeating: "a", count: 196) + ".jpg"),
    ] as [([String: String], String?)])
  func `a name is only a name`(fields: [String: String], name: String?) throws {
    var given = HTTPFields()
    for (key, value) in fields { given[try #require(HTTPField.Name(key))] = value }
    let found = try UploadFields(given).name
    #expect(found == name)
  }

  /// Returns the names in the folder of uploads.
  private func uploadedFiles(_ server: TestServer) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: server.library.url.appendingPathComponent("incoming/uploads").path
    ).sorted()
  }
}
