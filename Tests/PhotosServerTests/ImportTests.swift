import Foundation
import Photos
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import PhotosServer

/// The path of a folder with files of real cameras.
private let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

@Suite struct ImportTests {
  @Test func `X-01: assets come into an album in the order of the request, with the creation`() async throws {
    let temporary = try TemporaryLibrary()
    let known = try temporary.add(SampleFile("known.bmp", bitmap(red: 1)))[0]
    let album = try temporary.addAlbum("Norway", of: [])
    let server = try TestServer(library: temporary.library)
    let before = temporary.library.currentChangeToken
    var ids: [String] = []
    for (name, red) in [("c.bmp", 3), ("known.bmp", 1), ("a.bmp", 2)] as [(String, UInt8)] {
      ids.append(try await server.upload(bitmap(red: red), named: name))
    }
    let files = try await server.importUploads(ids, album: album.localIdentifier)
    #expect(files.map(\.outcome) == ["added", "known", "added"])
    #expect(files.map(\.upload) == ids)
    #expect(files[1].asset == known.uuid)
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let inAlbum = PHAsset.fetchAssets(in: try temporary.refetched(album), options: options)
    #expect((0..<inAlbum.count).map { inAlbum.object(at: $0).uuid } == files.map(\.asset))
    // A program that watches the library never sees them outside the album.
    #expect(try temporary.library.fetchPersistentChanges(since: before).reduce(0) { count, _ in count + 1 } == 1)
  }

  @Test func `X-02: a file that the library has is known before it is uploaded`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap(red: 1))
    let hashes = try [asset.storedResources[0].sha256, String(repeating: "0", count: 64)]
    let files = hashes.map { "{\"sha256\":\"\($0)\",\"bytes\":1}" }.joined(separator: ",")
    let answer = try await server.post(
      "/api/v1/uploads/check", json: "{\"files\":[\(files)]}", isSignedIn: true)
    #expect(answer.text == "{\"known\":[\"\(asset.uuid)\",null]}")
    for text in ["zz", "", String(repeating: "é", count: 64)] {
      let wrong = try await server.post(
        "/api/v1/uploads/check", json: "{\"files\":[{\"sha256\":\"\(text)\",\"bytes\":1}]}", isSignedIn: true)
      #expect(wrong.status == 400)
    }
    try server.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset] as NSArray) }
    let deleted = try await server.post(
      "/api/v1/uploads/check", json: "{\"files\":[\(files)]}", isSignedIn: true)
    #expect(deleted.text == "{\"known\":[null,null]}")
  }

  @Test func `X-07: the halves of a Live Photo in one request are one asset`() async throws {
    let temporary = try TemporaryLibrary()
    let server = try TestServer(library: temporary.library)
    let pair = try Self.livePhoto()
    var ids: [String] = []
    for file in pair { ids.append(try await server.upload(file.data, named: file.name)) }
    let files = try await server.importUploads(ids)
    #expect(files.map(\.outcome) == ["added", "added"])
    #expect(Set(files.map(\.asset)).count == 1)
    #expect(server.assets().map(\.mediaSubtypes) == [.photoLive])
  }

  @Test(arguments: [false, true])
  func `X-07: the halves of a Live Photo in two requests are one asset`(movieFirst: Bool) async throws {
    let temporary = try TemporaryLibrary()
    let server = try TestServer(library: temporary.library)
    let pair = try Self.livePhoto()
    var files: [TestServer.ImportedFile] = []
    for file in movieFirst ? pair.reversed() : pair {
      let id = try await server.upload(file.data, named: file.name)
      files += try await server.importUploads([id])
    }
    #expect(files.map(\.outcome) == ["added", "joined"])
    #expect(Set(files.map(\.asset)).count == 1)
    #expect(server.assets().map(\.mediaSubtypes) == [.photoLive])
  }

  @Test(.enabled(if: corpus != nil, "CALOTYPE_CORPUS is not set"))
  func `O-06: a Live Photo of an iPhone comes back as it was uploaded, byte for byte`() async throws {
    let folder = URL(fileURLWithPath: try #require(corpus)).appendingPathComponent("apple-live")
    let temporary = try TemporaryLibrary()
    let server = try TestServer(library: temporary.library)
    let pair = try ["IMG_3589.HEIC", "IMG_3589.mov"].map { try Data(contentsOf: folder.appendingPathComponent($0)) }
    let ids = [
      try await server.upload(pair[0], named: "IMG_3589.HEIC"), try await server.upload(pair[1], named: "IMG_3589.mov"),
    ]
    let asset = try #require(try await server.importUploads(ids).first?.asset)
    #expect(server.assets().map(\.mediaSubtypes) == [.photoLive])
    for (index, data) in pair.enumerated() {
      let answer = try await server.ask("/api/v1/resources/\(asset)/\(index)")
      #expect(answer.status == 200)
      #expect(answer.body == data)
    }
  }

  @Test func `two files of one name are two assets`() async throws {
    let server = try TestServer()
    var ids: [String] = []
    for red in [1, 2] as [UInt8] { ids.append(try await server.upload(bitmap(red: red), named: "IMG_1.BMP")) }
    let files = try await server.importUploads(ids)
    #expect(files.map(\.outcome) == ["added", "added"])
    #expect(try server.assets().map { try $0.storedResources[0].originalFilename } == ["IMG_1.BMP", "IMG_1.BMP"])
  }

  @Test(arguments: [
    ("page.jpg", "<html><script>alert(1)</script>", "named like a photo or a video"),
    ("drawing.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "no photo or video"),
    ("paper.pdf", "%PDF-1.7", "no photo or video"), ("empty.jpg", "", "empty file"),
    ("notes.txt", "notes", "no photo or video"),
  ])
  func `X-08: a file that is no photo or video is refused with the reason`(
    name: String, content: String, reason: String
  ) async throws {
    let server = try TestServer()
    let id = try await server.upload(Data(content.utf8), named: name)
    let files = try await server.importUploads([id])
    #expect(files.map(\.outcome) == ["refused"])
    #expect(files[0].asset == nil)
    #expect(files[0].reason?.contains(reason) == true, "\(files[0].reason ?? "")")
    #expect(server.assets().isEmpty)
  }

  @Test func `X-08: a damaged photo is kept, and the reason says what is wrong`() async throws {
    let server = try TestServer()
    let id = try await server.upload(BrokenFiles.garbageJPEG(), named: "IMG_1.JPG")
    let files = try await server.importUploads([id])
    #expect(files.map(\.outcome) == ["added"])
    #expect(files[0].reason?.isEmpty == false)
    #expect(files[0].reason?.contains(server.library.url.path) == false)
  }

  @Test func `the file's date and name are those of the client's file`() async throws {
    let server = try TestServer()
    let id = try await server.upload(
      bitmap(), named: "../../Ferien.bmp", ["Upload-Last-Modified": "1551741611000"])
    #expect(try await server.importUploads([id]).map(\.name) == ["Ferien.bmp"])
    let asset = try #require(server.assets().first)
    #expect(asset.creationDate == Date(timeIntervalSince1970: 1_551_741_611))
    #expect(try asset.storedResources[0].originalFilename == "Ferien.bmp")
  }

  @Test func `a repeated request has the same outcomes, and adds nothing`() async throws {
    let server = try TestServer()
    let ids = [try await server.upload(bitmap(), named: "a.bmp"), try await server.upload(Data(), named: "b.jpg")]
    let files = try await server.importUploads(ids)
    #expect(try await server.importUploads(ids) == files)
    #expect(server.assets().count == 1)
    #expect(try await server.send("HEAD", "/api/v1/uploads/\(ids[0])").field("Upload-Complete") == "?1")
    let folder = server.library.url.appendingPathComponent("incoming/uploads").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ids.map { "\($0).json" }.sorted())
  }

  @Test func `the library links the bytes instead of copying them`() async throws {
    let server = try TestServer()
    let id = try await server.upload(bitmap(), named: "a.bmp")
    let file = server.library.url.appendingPathComponent("incoming/uploads/\(id)").path
    let number = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
    #expect(try await server.importUploads([id]).map(\.outcome) == ["added"])
    let original = try #require(server.originals().first)
    let attributes = try FileManager.default.attributesOfItem(atPath: original.path)
    #expect(attributes[.systemFileNumber] as? Int == number)
  }

  @Test func `X-09: a full disk keeps the uploads, and another request imports them`() async throws {
    let temporary = try TemporaryLibrary()
    let server = try TestServer(library: temporary.library)
    let id = try await server.upload(bitmap(), named: "a.bmp")
    temporary.failNextChange(.notEnoughSpace, "no space is left on its disk")
    let answer = try await server.post("/api/v1/imports", json: "{\"uploads\":[\"\(id)\"]}", isSignedIn: true)
    #expect(answer.status == 507)
    #expect(answer.text.contains("no space is left on its disk"))
    #expect(try await server.importUploads([id]).map(\.outcome) == ["added"])
  }

  @Test func `a locked library keeps the uploads, and another request imports them`() async throws {
    let temporary = try TemporaryLibrary()
    let server = try TestServer(library: temporary.library)
    let id = try await server.upload(bitmap(), named: "a.bmp")
    temporary.failNextChange(.relinquishingLibraryBundleToWriter, "another process is changing the library")
    let answer = try await server.post("/api/v1/imports", json: "{\"uploads\":[\"\(id)\"]}", isSignedIn: true)
    #expect(answer.status == 503)
    #expect(try await server.importUploads([id]).map(\.outcome) == ["added"])
  }

  @Test func `the revision of an import is that of its own last transaction`() async throws {
    let server = try TestServer()
    let ids = [
      try await server.upload(bitmap(red: 1), named: "a.bmp"), try await server.upload(bitmap(red: 2), named: "b.bmp"),
    ]
    let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
    func revision() async throws -> String? {
      let answer = try await server.post("/api/v1/imports", json: "{\"uploads\":[\(list)]}", isSignedIn: true)
      return try JSONDecoder().decode(TestServer.ImportAnswer.self, from: answer.body).revision
    }
    let first = try await revision()
    #expect(first == server.library.currentChangeToken.stringValue)
    try server.add(bitmap(red: 3))
    // Nothing is changed by a repeated request.
    #expect(try await revision() == server.library.currentChangeToken.stringValue)
    #expect(first != server.library.currentChangeToken.stringValue)
  }

  @Test func `no one waits for another's import`() async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    let id = try await server.upload(bitmap(red: 1), named: "a.bmp")
    // The owner's import waits for a change of the owner's.
    let gate = DispatchSemaphore(value: 0)
    let isBlocked = Atomic(false)
    let change = Task {
      try await server.library.performChanges {
        isBlocked.store(true, ordering: .relaxed)
        gate.waits(for: "the client's import")
      }
    }
    defer { gate.signal() }
    try await wait(for: "the owner's change") { isBlocked.load(ordering: .relaxed) }
    let owners = Task { try await server.importUploads([id]) }
    try await wait(for: "the owner's import") { server.uploads.claimedCount == 1 }
    let answer = try await client.add(bitmap(red: 2))
    #expect(answer.text.contains(#""outcome":"added""#))
    #expect(server.assets().count == 1)
    gate.signal()
    try await change.value
    #expect(try await result(of: owners, "the owner's import").get().map(\.outcome) == ["added"])
  }

  @Test func `an unfinished upload is not imported`() async throws {
    let server = try TestServer()
    let id = try await server.createUpload(length: 10)
    let answer = try await server.post("/api/v1/imports", json: "{\"uploads\":[\"\(id)\"]}", isSignedIn: true)
    #expect(answer.status == 409)
    let twice = try await server.post(
      "/api/v1/imports", json: "{\"uploads\":[\"\(id)\",\"\(id)\"]}", isSignedIn: true)
    #expect(twice.status == 400)
    let album = try await server.post(
      "/api/v1/imports", json: "{\"uploads\":[\"\(id)\"],\"album\":\"nothing\"}", isSignedIn: true)
    #expect(album.status == 404)
  }

  @Test func `a client with limited access sees what it adds, and learns nothing else`() async throws {
    let server = try TestServer()
    let known = try server.add(bitmap(red: 1)).storedResources[0].sha256
    let client = try await TestClient(server: server).answered("limited", assets: [])
    let check = "{\"files\":[{\"sha256\":\"\(known)\",\"bytes\":1}]}"
    #expect(try await client.ask("/uploads/check", method: "POST", json: check).text == "{\"known\":[null]}")
    let answer = try await client.add(bitmap(red: 1))
    #expect(answer.status == 200)
    let files = try JSONDecoder().decode(TestServer.ImportAnswer.self, from: answer.body).files
    #expect(files.map(\.outcome) == ["added"])
    #expect(files[0].asset != nil)
    #expect(try await client.assetCount() == 1)
  }

  @Test func `A-08: a client that may only add gets no identifiers, and no album`() async throws {
    let temporary = try TemporaryLibrary()
    let album = try temporary.addAlbum("Norway", of: [])
    let server = try TestServer(library: temporary.library)
    let client = try await TestClient(server: server).answered("addOnly", level: "addOnly")
    let answer = try await client.add(bitmap())
    #expect(answer.status == 200)
    let imported = try JSONDecoder().decode(TestServer.ImportAnswer.self, from: answer.body)
    #expect(imported.files.map(\.outcome) == ["added"])
    #expect(imported.files.map(\.asset) == [nil])
    #expect(imported.revision == nil)
    #expect(server.assets().count == 1)
    let intoAlbum = try await client.add(bitmap(red: 9), album: album)
    #expect(intoAlbum.status == 403)
    #expect(intoAlbum.text.contains("3311"))
    #expect(server.assets().count == 1)
  }

  @Test func `A-08: a client that may only add does not learn that the library has its file`() async throws {
    let server = try TestServer()
    let known = try server.add(bitmap(red: 1))
    let deleted = try server.add(bitmap(red: 2), minute: 1)
    try server.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([deleted] as NSArray) }
    let client = try await TestClient(server: server).answered("addOnly", level: "addOnly")
    func answer(_ red: UInt8) async throws -> (Int, [String], String) {
      let uploaded = try await client.upload(bitmap(red: red), named: "IMG_0001.BMP")
      let id = String(uploaded.field("Location")?.split(separator: "/").last ?? "")
      let imported = try await client.ask("/imports", method: "POST", json: #"{"uploads":["\#(id)"]}"#)
      return (
        imported.status,
        (uploaded.fields + imported.fields).map { "\($0.name): \($0.value)".replacing(id, with: "ID") },
        (uploaded.text + imported.text).replacing(id, with: "ID")
      )
    }
    let new = try await answer(3)
    #expect(new.2 == #"{"upload":"ID"}{"files":[{"name":"IMG_0001.BMP","outcome":"added","upload":"ID"}]}"#)
    for red in [1, 2, 3] as [UInt8] { #expect(try await answer(red) == new, "\(red)") }
    let digest = try known.storedResources[0].sha256
    let check = #"{"files":[{"sha256":"\#(digest)","bytes":1}]}"#
    #expect(try await client.ask("/uploads/check", method: "POST", json: check).text == #"{"known":[null]}"#)
  }

  @Test func `a client without access uploads nothing`() async throws {
    let server = try TestServer()
    let client = try await TestClient(server: server).answered("full")
    let number = try await server.onlyClient()
    let json = #"{"readWrite":"denied","addOnly":"denied"}"#
    _ = try await server.post("/api/v1/access/clients/\(number)", json: json, method: "PATCH", isSignedIn: true)
    let answer = try await client.upload(bitmap())
    #expect(answer.status == 403)
    #expect(answer.text.contains("3311"))
  }

  private static func livePhoto() throws -> [SampleFile] {
    let live = try SampleMedia.livePhoto()
    return [SampleFile("IMG_0001.HEIC", live.still), SampleFile("IMG_0001.MOV", live.video)]
  }
}
