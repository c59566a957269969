import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Photos
import Synchronization
import Testing

@testable import PhotosServer

/// Tests answers that take long, and whose reader loses its access meanwhile.
@Suite struct TransferTests {
  private let server: TestServer
  private let photo: PHAsset
  private let other: PHAsset

  init() throws {
    server = try TestServer()
    var noise = bitmap(width: 700, height: 500)
    var random = UInt64(1)
    for index in noise.indices.dropFirst(54) {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      noise[index] = UInt8(truncatingIfNeeded: random >> 56)
    }
    photo = try server.add(noise)
    other = try server.add(bitmap(red: 1), minute: 1)
  }

  private func path(to kind: String, _ ask: (String, String) async throws -> TestServer.Answer) async throws -> String {
    switch kind {
    case "original": return "/api/v1/resources/\(photo.uuid)/0"
    case "full": return "/api/v1/renditions/\(photo.uuid)/\(photo.renditionVersion)/full"
    default:
      let made = try await ask("/downloads", #"{"assets":["\#(photo.uuid)"],"kind":"originals"}"#)
      return try #require(made.field("Location"), "\(made.text)")
    }
  }

  private func response(of kind: String, to client: TestClient) async throws -> Response {
    var fields = ["Authorization": "Bearer \(client.token ?? "")", "Origin": client.origin ?? ""]
    guard kind.hasPrefix("image") else {
      let path = try await path(to: kind) { try await client.ask($0, method: "POST", json: $1) }
      return try await server.response(to: path, fields, isSignedIn: false)
    }
    fields["Content-Type"] = "application/json"
    let mode = kind == "images" ? "opportunistic" : "highQualityFormat"
    return try await server.response(
      to: "/api/v1/images", fields, method: "POST",
      body: #"{"asset":"\#(photo.uuid)","deliveryMode":"\#(mode)"}"#, isSignedIn: false)
  }

  private func withdraw(_ kind: String) async throws -> Int {
    let client = try #require(try await server.access().clients.first)
    let path = "/api/v1/access/clients/\(client.id)"
    switch kind {
    case "revoke": return try await server.ask("/api/v1/access/tokens/\(client.tokens[0].id)", method: "DELETE").status
    case "forget": return try await server.ask(path, method: "DELETE").status
    case "deny":
      return try await server.post(
        path, json: #"{"readWrite":"denied","addOnly":"denied"}"#, method: "PATCH", isSignedIn: true
      ).status
    default:
      return try await server.post(
        "\(path)/selection", json: #"{"assets":["\#(other.uuid)"]}"#, method: "PUT", isSignedIn: true
      ).status
    }
  }

  @Test(arguments: ["revoke", "forget", "deny", "deselect"], ["original", "full", "download", "image", "images"])
  func `A-12, U-13: a transfer ends when its client loses access`(end: String, kind: String) async throws {
    let client = try await TestClient(server: server).answered("limited", assets: [photo, other])
    let response = try await response(of: kind, to: client)
    #expect(response.status == .ok)
    let length = response.body.contentLength ?? .max
    let body = PausedBody(server.clock) {
      let status = try await withdraw(end)
      #expect(200...204 ~= status)
    }
    await #expect(throws: (any Error).self) { try await response.body.write(body) }
    #expect(1..<length ~= body.byteCount)
  }

  @Test(arguments: ["original", "full", "download", "image", "images"])
  func `A-12: a transfer goes on while its client has access`(kind: String) async throws {
    let client = try await TestClient(server: server).answered("limited", assets: [photo, other])
    let response = try await response(of: kind, to: client)
    let body = PausedBody(server.clock) {}
    try await response.body.write(body)
    #expect(body.byteCount > 0)
    if let length = response.body.contentLength { #expect(body.byteCount == length) }
  }

  @Test(arguments: ["original", "full", "download"])
  func `U-06: signing out ends a transfer`(kind: String) async throws {
    let path = try await path(to: kind) { try await server.post("/api/v1\($0)", json: $1, isSignedIn: true) }
    let response = try await server.response(to: path)
    let length = try #require(response.body.contentLength)
    let body = PausedBody(server.clock) {
      let status = try await server.ask("/api/v1/session", method: "DELETE").status
      #expect(status == 204)
    }
    await #expect(throws: (any Error).self) { try await response.body.write(body) }
    #expect(1..<length ~= body.byteCount)
  }

  @Test(arguments: ["original", "full", "download"], ["the password", "a link"])
  func `U-06: a transfer goes on after its owner confirms the session`(kind: String, proof: String) async throws {
    let password = "correct horse battery"
    try server.setPassword(password)
    let path = try await path(to: kind) { try await server.post("/api/v1\($0)", json: $1, isSignedIn: true) }
    let response = try await server.response(to: path)
    let link = try server.signIn.makeOwnerLink().fragment ?? ""
    let (route, json) =
      proof == "a link" ? ("link", #"{"link":"\#(link)"}"#) : ("authentication", #"{"password":"\#(password)"}"#)
    let body = PausedBody(server.clock) {
      let confirmed = try await server.post("/api/v1/session/\(route)", json: json, isSignedIn: true)
      #expect(confirmed.status == 204)
      let old = try await server.ask("/api/v1/library").status
      #expect(old == 401)
    }
    try await response.body.write(body)
    #expect(body.byteCount == response.body.contentLength)
  }

  @Test func `U-06: the download of a session stays its own after the password`() async throws {
    let password = "correct horse battery"
    try server.setPassword(password)
    let path = try await path(to: "download") { try await server.post("/api/v1\($0)", json: $1, isSignedIn: true) }
    let confirmed = try await server.post(
      "/api/v1/session/authentication", json: #"{"password":"\#(password)"}"#, isSignedIn: true)
    let answer = try await server.ask(path, ["Cookie": confirmed.cookieField], isSignedIn: false)
    #expect(answer.status == 200)
  }

  @Test func `T-10: a copy that is sent to a page ends with its address`() async throws {
    let bytes = Data(count: 700_000)
    let made = try await server.ask(
      "/picker/v1/addresses?origin=https://page.example&asset=\(photo.uuid)&seconds=60&name=a.jpg",
      ["Content-Type": "image/jpeg"], method: "POST", bytes: bytes)
    struct Address: Decodable { var path: String }
    let address = try JSONDecoder().decode(Address.self, from: made.body)
    let response = try await server.response(
      to: address.path, ["Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"], isSignedIn: false)
    let body = PausedBody(server.clock) {
      let ended = try await server.ask("/picker/v1/handed-over?origin=https://page.example", method: "DELETE")
      #expect(ended.status == 204)
    }
    await #expect(throws: (any Error).self) { try await response.body.write(body) }
    #expect(1..<bytes.count ~= body.byteCount)
  }

  @Test(arguments: ["Stop", "hiding the photo", "nothing"], [true, false])
  func `T-10: a transfer to a program elsewhere ends at Stop, and if the photo is hidden`(
    end: String, hasMetadata: Bool
  ) async throws {
    struct Opened: Decodable { var session, picker, code: String }
    struct News: Decodable {
      struct Item: Decodable { var item: String }
      var items: [Item]
    }
    // Without the place, the program gets a copy and not the original.
    let configuration = #"{"includeLocation":\#(hasMetadata),"includeCaptions":\#(hasMetadata)}"#
    let begun = try await server.post(
      "/picker/v1/sessions", json: #"{"configuration":\#(configuration),"clientName":"A"}"#)
    let opened = try JSONDecoder().decode(Opened.self, from: begun.body)
    let name = opened.picker.components(separatedBy: "#s=").last ?? ""
    let window = "/picker/v1/windows/\(name)"
    _ = try await server.ask(window)
    _ = try await server.post("\(window)/code", json: #"{"code":"\#(opened.code)"}"#, isSignedIn: true)
    let location = hasMetadata ? #","includeLocation":true,"includeCaptions":true"# : ""
    let answered = try await server.post(
      "\(window)/answer",
      json: #"{"type":"picked","assets":["\#(photo.uuid)"],"representation":"current"\#(location)}"#, isSignedIn: true)
    #expect(answered.status == 204, "\(answered.text)")
    let path = "/picker/v1/sessions/\(opened.session)"
    let news = try JSONDecoder().decode(News.self, from: try await server.ask(path, isSignedIn: false).body)
    let item = try #require(news.items.first?.item)
    let response = try await server.response(to: "\(path)/items/\(item)/main", isSignedIn: false)
    let length = try #require(response.body.contentLength)
    let body = PausedBody(server.clock) {
      switch end {
      case "Stop":
        let ended = try await server.ask("/picker/v1/handed-over?picker=\(name)", method: "DELETE")
        #expect(ended.status == 204)
      case "hiding the photo":
        try server.library.performChangesAndWait { PHAssetChangeRequest(for: photo).isHidden = true }
      default: break
      }
    }
    guard end != "nothing" else {
      try await response.body.write(body)
      #expect(body.byteCount == length)
      return
    }
    await #expect(throws: (any Error).self) { try await response.body.write(body) }
    #expect(1..<length ~= body.byteCount)
  }
}

/// Takes the first part of an answer, and the rest a second after something else has happened.
private final class PausedBody: ResponseBodyWriter {
  private let count = Mutex(0)
  private let clock: TestClock
  private let pause: @Sendable () async throws -> Void

  init(_ clock: TestClock, _ pause: @escaping @Sendable () async throws -> Void) {
    self.clock = clock
    self.pause = pause
  }

  var byteCount: Int { count.withLock(\.self) }

  func write(_ buffer: ByteBuffer) async throws {
    let isFirst = count.withLock { count in
      count += buffer.readableBytes
      return count == buffer.readableBytes
    }
    guard isFirst else { return }
    try await pause()
    clock.advance(1)
  }

  func finish(_ trailers: HTTPFields?) async throws {}
}
