import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
@_spi(Testing) import Photos
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import PhotosServer

/// Tests pictures that are being made while the requester loses access to them.
///
/// The disk is slow: it delivers an original when the test says so.
@Suite(.serialized) struct WithdrawalTests {
  private let disk = SlowDisk()
  private let server: TestServer
  private let photo: PHAsset
  private let movie: PHAsset

  private static let kinds = ["grid", "screen", "full", "video", "image"]

  init() throws {
    let folder = TestFolder(in: FileManager.default.temporaryDirectory)
    let library = try PHPhotoLibrary(
      url: folder.url.appendingPathComponent("Summer.calotype"), clock: { Date() },
      originals: { [disk] in SlowOriginals(base: $0, disk: disk) })
    library.situations.keep(folder)
    server = try TestServer(library: library)
    photo = try server.add(bitmap())
    let file = try SampleMedia.movie()
    try library.performChangesAndWait {
      let options = PHAssetResourceCreationOptions()
      options.originalFilename = "IMG_0002.MOV"
      PHAssetCreationRequest.forAsset().addResource(with: .video, data: file, options: options)
    }
    let options = PHFetchOptions()
    options.photoLibrary = library
    movie = try #require(PHAsset.fetchAssets(with: .video, options: options).firstObject)
  }

  /// Sends a request for a picture or a movie as a client, or as the owner.
  private func ask(_ kind: String, of uuid: String? = nil, by client: TestClient? = nil) async throws
    -> TestServer.Answer
  {
    let asset = kind == "video" ? movie : photo
    let uuid = uuid ?? asset.uuid
    let (path, json) =
      kind == "image"
      ? ("/images", #"{"asset":"\#(uuid)"}"#) : ("/renditions/\(uuid)/\(asset.renditionVersion)/\(kind)", nil)
    let method = json == nil ? "GET" : "POST"
    if let client { return try await client.ask(path, method: method, json: json) }
    return try await server.ask(
      "/api/v1\(path)", ["Content-Type": "application/json"], method: method, body: json ?? "")
  }

  /// Asks for a picture, and calls `change` while it is being made.
  private func ask(
    _ kind: String, by client: TestClient? = nil, meanwhile change: () async throws -> Void
  ) async throws -> TestServer.Answer {
    forgetPictures()
    let asking = Task { try await ask(kind, by: client) }
    try await read(asking, meanwhile: change)
    return try await result(of: asking, "the answer").get()
  }

  /// Makes the next request for a picture wait for the disk. It would not need the disk for the
  /// small pictures, which are made at import.
  private func forgetPictures() {
    server.library.forgetRenditionsForTesting(of: [photo, movie])
    disk.hold()
  }

  /// Calls `change` while a task waits for the disk.
  private func read(_ task: Task<some Sendable, any Error>, meanwhile change: () async throws -> Void) async throws {
    defer { disk.goOn() }
    try await wait(for: "a picture that is made") { disk.isReading }
    try await change()
  }

  private func limited() async throws -> TestClient {
    try await TestClient(server: server).answered("limited", assets: [photo, movie])
  }

  private func withdraw(_ kind: String) async throws {
    let client = try #require(try await server.access().clients.first)
    let path = "/api/v1/access/clients/\(client.id)"
    func change(_ path: String, _ json: String, _ method: String) async throws -> Int {
      try await server.post(path, json: json, method: method, isSignedIn: true).status
    }
    let status =
      switch kind {
      case "nothing": 200
      case "revoke": try await server.ask("/api/v1/access/tokens/\(client.tokens[0].id)", method: "DELETE").status
      case "forget": try await server.ask(path, method: "DELETE").status
      case "deselect": try await change("\(path)/selection", #"{"assets":[]}"#, "PUT")
      case "addOnly": try await change(path, #"{"readWrite":"denied","addOnly":"authorized"}"#, "PATCH")
      default: try await change(path, #"{"readWrite":"\#(kind)","addOnly":"\#(kind)"}"#, "PATCH")
      }
    #expect(200...204 ~= status)
  }

  @Test(
    arguments: kinds, [("denied", 3311), ("notDetermined", 3311), ("addOnly", 3311), ("restricted", 3310)])
  func `A-12: a picture that is being made when access is withdrawn is refused with 403`(
    kind: String, end: (name: String, code: Int)
  ) async throws {
    let answer = try await ask(kind, by: limited()) { try await withdraw(end.name) }
    #expect(answer.status == 403)
    #expect(answer.problem?.detail == "access to this photo was withdrawn")
    #expect(answer.problem?.phPhotosErrorCode == end.code)
    let name = end.code == 3310 ? "access-restricted" : "access-user-denied"
    #expect(answer.problem?.type == "urn:calotype:problem:\(name)")
  }

  @Test(arguments: kinds, ["revoke", "forget"])
  func `A-12: a picture that is being made when its client's token ends is refused with 401`(
    kind: String, end: String
  ) async throws {
    let client = try await limited()
    let answer = try await ask(kind, by: client) { try await withdraw(end) }
    #expect(answer.status == 401)
    #expect(answer.field("WWW-Authenticate") == "Bearer")
    let later = try await ask(kind, by: client)
    #expect(answer.body == later.body)
  }

  @Test(arguments: kinds)
  func `A-12, B-03: a picture whose asset is deselected while it is made is answered as unknown`(
    kind: String
  ) async throws {
    let client = try await limited()
    let answer = try await ask(kind, by: client) { try await withdraw("deselect") }
    let missing = UUID().uuidString
    let expected = try await ask(kind, of: missing, by: client)
    #expect(answer.status == 404)
    #expect(answer.fields == expected.fields)
    #expect(answer.text == expected.text.replacing(missing, with: kind == "video" ? movie.uuid : photo.uuid))
    // The owner still gets the picture.
    #expect(try await ask(kind).status == 200)
  }

  @Test(arguments: kinds)
  func `A-12: a picture that is being made arrives if its client keeps its access`(kind: String) async throws {
    let answer = try await ask(kind, by: limited()) { try await withdraw("nothing") }
    #expect(answer.status == 200)
    #expect(!answer.body.isEmpty)
  }

  @Test(arguments: [("denied", 403), ("revoke", 401), ("deselect", 404)])
  func `A-12: a series of images ends before the next one when access is withdrawn`(
    end: String, status: Int
  ) async throws {
    let client = try await limited()
    let response = try await server.response(
      to: "/api/v1/images",
      [
        "Authorization": "Bearer \(client.token ?? "")", "Origin": client.origin ?? "",
        "Content-Type": "application/json",
      ], method: "POST", body: #"{"asset":"\#(photo.uuid)","deliveryMode":"opportunistic"}"#, isSignedIn: false)
    #expect(response.status == .ok)
    let body = CountedBody()
    forgetPictures()
    let writing = Task { try await response.body.write(body) }
    try await read(writing) { try await withdraw(end) }
    let failure = try await #require(throws: Failure.self) { try await result(of: writing, "the end").get() }
    #expect(failure.status.code == status)
    #expect(body.byteCount == 0)
  }

  @Test(arguments: kinds)
  func `U-06: a picture that is being made when its owner signs out is refused with 401`(kind: String) async throws {
    let answer = try await ask(kind) {
      let status = try await server.ask("/api/v1/session", method: "DELETE").status
      #expect(status == 204)
    }
    #expect(answer.status == 401)
    let later = try await ask(kind)
    #expect(answer.body == later.body)
  }

  @Test(arguments: kinds)
  func `a picture whose asset is locked again while it is made is answered as unknown`(
    kind: String
  ) async throws {
    let password = "correct horse battery"
    try server.setPassword(password)
    try server.library.performChangesAndWait { [photo, movie] in
      for asset in [photo, movie] { PHAssetChangeRequest(for: asset).isHidden = true }
    }
    #expect(
      try await server.post("/api/v1/hidden-lock", json: #"{"isSet":true}"#, method: "PUT", isSignedIn: true).status
        == 200)
    let opened = try await server.post(
      "/api/v1/hidden-lock/opening", json: #"{"password":"\#(password)"}"#, isSignedIn: true)
    #expect(200...204 ~= opened.status)
    let answer = try await ask(kind) {
      let status = try await server.ask("/api/v1/hidden-lock/opening", method: "DELETE").status
      #expect(status == 204)
    }
    #expect(answer.status == 404)
    let later = try await ask(kind)
    #expect(answer.body == later.body)
  }
}

/// Counts the bytes of an answer.
private final class CountedBody: ResponseBodyWriter, Sendable {
  private let count = Mutex(0)

  var byteCount: Int { count.withLock(\.self) }

  func write(_ buffer: ByteBuffer) async throws { count.withLock { $0 += buffer.readableBytes } }
  func finish(_ trailers: HTTPFields?) async throws {}
}
