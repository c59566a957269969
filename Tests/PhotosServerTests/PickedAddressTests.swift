import Foundation
import NIOCore
import Photos
import Testing

@testable import PhotosServer

/// The addresses at which a page loads what was picked for it.
@Suite struct PickedAddressTests {
  private let server: TestServer
  private let asset: PHAsset

  init() throws {
    server = try TestServer()
    asset = try server.add(bitmap())
  }

  private static let page = "https://page.example"
  private static let bytes = "a picture"

  private struct Address: Decodable {
    var id: String
    var path: String
  }

  private func handOver(
    type: String = "image/jpeg", seconds: String = "60", origin: String = page
  ) async throws -> TestServer.Answer {
    try await server.ask(
      "/picker/v1/addresses?origin=\(origin)&asset=\(asset.uuid)&seconds=\(seconds)&name=Fjord.jpg",
      ["Content-Type": type], method: "POST", body: Self.bytes)
  }

  private func address() async throws -> Address {
    try await JSONDecoder().decode(Address.self, from: handOver().body)
  }

  /// Loads an address as a script of an origin does.
  private func load(_ address: Address, origin: String = page, _ more: [String: String] = [:]) async throws
    -> TestServer.Answer
  {
    try await server.ask(
      address.path,
      ["Origin": origin, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"].merging(more) { $1 }, isSignedIn: false)
  }

  @Test func `T-10: the page of the address reads the copy and parts of it`() async throws {
    let address = try await address()
    let whole = try await load(address)
    #expect(whole.status == 200)
    #expect(whole.text == Self.bytes)
    #expect(whole.field("Access-Control-Allow-Origin") == Self.page)
    #expect(whole.field("Access-Control-Allow-Credentials") == nil)
    #expect(whole.field("Cache-Control") == "private, no-store")
    let part = try await load(address, ["Range": "bytes=2-4"])
    #expect(part.status == 206)
    #expect(part.text == "pic")
    let preflight = try await server.ask(
      address.path, ["Origin": Self.page, "Access-Control-Request-Method": "GET"], method: "OPTIONS", isSignedIn: false)
    #expect(preflight.status == 204)
    #expect(preflight.field("Access-Control-Allow-Headers") == "Range, If-Range")
  }

  @Test(
    "T-10: an address is for one origin, and for pictures and movies",
    arguments: [
      (["Origin": "https://evil.example", "Sec-Fetch-Mode": "cors"], 403),
      (["Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"], 200),
      (["Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "video"], 200),
      (["Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"], 403),
      (["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"], 403),
      (["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"], 403),
      ([:], 403),
    ])
  func rows(fields: [String: String], status: Int) async throws {
    let answer = try await server.ask(address().path, fields, isSignedIn: false)
    #expect(answer.status == status)
    #expect(answer.field("Access-Control-Allow-Origin") == nil)
  }

  @Test func `T-11, T-12: a copy is a download that runs nothing and leaves no trace`() async throws {
    let answer = try await load(address())
    #expect(answer.field("Content-Type") == "image/jpeg")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    #expect(answer.field("Content-Security-Policy") == "sandbox; default-src 'none'")
    #expect(answer.field("Cross-Origin-Resource-Policy") == "cross-origin")
    #expect(answer.field("Content-Disposition")?.hasPrefix("attachment; filename=\"Fjord.jpg\"") == true)
    #expect(answer.field("Referrer-Policy") == "no-referrer")
  }

  @Test(
    "T-12: only pictures and movies are handed over",
    arguments: ["text/html", "image/svg+xml", "image/jpeg; charset=x", "application/pdf", ""])
  func types(type: String) async throws { #expect(try await handOver(type: type).status == 415) }

  @Test(arguments: [("0", page), ("86401", page), ("x", page), ("60", "null")])
  func `a copy has an origin and ends within a day`(seconds: String, origin: String) async throws {
    #expect(try await handOver(seconds: seconds, origin: origin).status == 422)
  }

  @Test func `T-09: a thousand guessed addresses find nothing, as one that has ended`() async throws {
    let ended = try await address()
    _ = try await server.ask("/picker/v1/addresses/\(ended.id)", method: "DELETE")
    let valid = try await address()
    let expected = try await load(ended)
    #expect(expected.status == 404)
    for _ in 0..<1000 {
      let guess = Address(id: "", path: "/picked/\(Secret(.system).text)/Fjord.jpg")
      let answer = try await load(guess)
      #expect((answer.status, answer.text) == (404, expected.text))
      #expect(answer.fields == expected.fields)
    }
    #expect(try await load(valid).status == 200)
  }

  @Test func `T-10: an address ends with its time, by its page, by Stop, and with its asset`() async throws {
    let (first, second) = (try await address(), try await address())
    let list = try await server.ask("/picker/v1/handed-over").text
    #expect(list.contains(#""count":2,"hasIdentifiers":false,"origin":"https://page.example""#))
    _ = try await server.ask("/picker/v1/addresses/\(first.id)", method: "DELETE")
    #expect(try await load(first).status == 404)
    _ = try await server.ask("/picker/v1/handed-over?origin=https://other.example", method: "DELETE")
    #expect(try await load(second).status == 200)
    _ = try await server.ask("/picker/v1/handed-over?origin=https://page.example", method: "DELETE")
    #expect(try await load(second).status == 404)
    let fourth = try await address()
    server.clock.advance(60)
    #expect(try await load(fourth).status == 404)
    let fifth = try await address()
    try server.library.performChangesAndWait { [asset] in PHAssetChangeRequest(for: asset).isHidden = true }
    #expect(try await load(fifth).status == 404)
  }

  @Test func `T-10: an address ends when the owner signs out everywhere`() async throws {
    let first = try await address()
    #expect(try await server.ask("/api/v1/sessions/others", method: "DELETE").status == 204)
    #expect(try await load(first).status == 404)
    let second = try await address()
    let password = try await server.post(
      "/api/v1/password", json: #"{"newPassword":"a river in the night"}"#, isSignedIn: true)
    #expect(password.status == 204)
    #expect(try await load(second).status == 404)
  }

  @Test func `T-10: an address ends when the password is reset in another process`() async throws {
    let (first, second) = (try await address(), try await address())
    try PhotosServer.resetPassword(of: try PHPhotoLibrary(url: server.library.url))
    #expect(try await load(first).status == 404)
    let link = try server.signIn.makeOwnerLink().fragment ?? ""
    let entry = try await server.post("/api/v1/session/link", json: #"{"link":"\#(link)"}"#)
    #expect(try await load(second).status == 404)
    let list = try await server.ask("/picker/v1/handed-over", ["Cookie": entry.cookieField], isSignedIn: false)
    #expect(list.text == #"{"origins":[],"programs":[]}"#)
  }

  private struct Identifiers: Decodable { var identifiers: [String] }
  private struct Assets: Decodable { var assets: [String] }

  private func identifier(origin: String = page) async throws -> String {
    let answer = try await server.post(
      "/picker/v1/identifiers", json: #"{"origin":"\#(origin)","assets":["\#(asset.uuid)"]}"#, isSignedIn: true)
    return try #require(JSONDecoder().decode(Identifiers.self, from: answer.body).identifiers.first)
  }

  private func found(_ identifier: String) async throws -> [String] {
    let answer = try await server.post(
      "/picker/v1/preselected", json: #"{"origin":"\#(Self.page)","identifiers":["\#(identifier)"]}"#,
      isSignedIn: true)
    return try JSONDecoder().decode(Assets.self, from: answer.body).assets
  }

  @Test func `a forgotten origin loses its addresses and its identifiers, and others keep theirs`() async throws {
    let other = "https://other.example"
    let (address, first, others) = (try await address(), try await identifier(), try await identifier(origin: other))
    #expect(try await found(first) == [asset.uuid])
    #expect(
      try await server.ask("/picker/v1/handed-over").text.contains(
        #"{"count":0,"hasIdentifiers":true,"origin":"https://other.example"},{"count":1,"hasIdentifiers":true,"#))
    #expect(try await server.ask("/picker/v1/origins?origin=\(Self.page)", method: "DELETE").status == 204)
    #expect(
      try await server.ask("/picker/v1/handed-over").text
        == #"{"origins":[{"count":0,"hasIdentifiers":true,"origin":"https://other.example"}],"programs":[]}"#)
    #expect(try await load(address).status == 404)
    #expect(try await found(first) != [asset.uuid])
    let second = try await identifier()
    #expect(second != first)
    #expect(try await found(second) == [asset.uuid])
    #expect(try await identifier(origin: other) == others)
  }

  @Test func `identifiers that an earlier version gave stay valid until the origin is forgotten`() async throws {
    let given = try await identifier()
    let secret = try server.library.signIns.deviceKey(orElse: Data())
    #expect(OriginIdentifiers(origin: Self.page, secret: secret).identifier(ofAsset: asset.uuid) == given)
  }

  private struct Seen: Decodable {
    struct Cell: Decodable { var id: String }
    var total: Int
    var assets: [Cell]
  }

  @Test func `Q-10: a page that is a client finds what it has picked, as far as it may see it`() async throws {
    let (seen, hidden) = (try server.add(bitmap(red: 7)), try server.add(bitmap(red: 8)))
    let client = try await TestClient(server: server, origin: Self.page).answered("limited", assets: [seen, hidden])
    try await server.library.performChanges { @Sendable in PHAssetChangeRequest(for: hidden).isHidden = true }
    let all = try await server.post(
      "/picker/v1/identifiers",
      json: #"{"origin":"\#(Self.page)","assets":\#(TestServer.list([asset, seen, hidden]))}"#, isSignedIn: true)
    let identifiers = try JSONDecoder().decode(Identifiers.self, from: all.body).identifiers
    let guessed = try await identifier(origin: "https://other.example")
    let answer = try await client.ask("/picked?identifiers=\(([guessed, "x"] + identifiers).joined(separator: ","))")
    let found = try JSONDecoder().decode(Seen.self, from: answer.body)
    #expect(found.assets.map(\.id) == [seen.uuid])
    #expect(found.total == 1)
  }

  @Test func `photos that a page has picked are found in the order of its request`() async throws {
    let other = try server.add(bitmap(red: 7))
    let client = try await TestClient(server: server, origin: Self.page).answered("full")
    let answer = try await server.post(
      "/picker/v1/identifiers",
      json: #"{"origin":"\#(Self.page)","assets":\#(TestServer.list([other, asset]))}"#, isSignedIn: true)
    let identifiers = try JSONDecoder().decode(Identifiers.self, from: answer.body).identifiers
    for (asked, expected) in [(identifiers, [other, asset]), (identifiers.reversed(), [asset, other])] {
      let answer = try await client.ask("/picked?identifiers=\(asked.joined(separator: ","))")
      #expect(try JSONDecoder().decode(Seen.self, from: answer.body).assets.map(\.id) == expected.map(\.uuid))
    }
    let many = Array(repeating: identifiers[0], count: 501).joined(separator: ",")
    #expect(try await client.ask("/picked?identifiers=\(many)").status == 400)
  }

  @Test func `only a page knows photos by the picker's identifiers`() async throws {
    let path = "/api/v1/picked?identifiers=\(try await identifier())"
    #expect(try await server.ask(path).status == 403)
    let page = TestClient(server: server, origin: Self.page)
    #expect(try await page.ask("/picked?identifiers=x").text.contains(#""total":0"#))
  }

  @Test func `only an origin can be forgotten`() async throws {
    for argument in ["", "?origin=null", "?origin=x"] {
      #expect(try await server.ask("/picker/v1/origins\(argument)", method: "DELETE").status == 400)
    }
  }

  private static func files(byteLimit: Int = 1000, fileLimit: Int = 1000) -> HandedOverFiles {
    HandedOverFiles(
      clock: { Date() }, random: .system, space: CopySpace(byteLimit: byteLimit, fileLimit: fileLimit))
  }

  @Test func `copies are limited together, also while they are made`() throws {
    let files = Self.files(byteLimit: 1000)
    let piece = ByteBuffer(repeating: 0, count: 250)
    var first = try (1...4).map { try files.makeFile(for: "https://\($0).example") }
    for file in first { try file.append(piece) }
    let second = try files.makeFile(for: "https://5.example")
    #expect(throws: Failure.self) { try second.append(piece) }
    first.removeFirst()
    try second.append(piece)
    #expect(second.byteCount == 250)
  }

  @Test func `the copies of one origin have a quarter of the space`() throws {
    let files = Self.files(byteLimit: 1000)
    let piece = ByteBuffer(repeating: 0, count: 200)
    var first: HandedOverFile? = try files.makeFile(for: "https://a.example")
    try first?.append(piece)
    let second = try files.makeFile(for: "https://a.example")
    #expect(throws: Failure.self) { try second.append(piece) }
    try files.makeFile(for: "https://b.example").append(piece)
    first = nil
    try second.append(piece)
  }

  @Test func `one origin has a quarter of the addresses`() throws {
    let files = Self.files(fileLimit: 12)
    func add(to origin: String) throws {
      _ = files.add(
        try files.makeFile(for: origin), of: "", origin: origin, name: "a", contentType: "image/jpeg",
        deviceKey: Data(),
        seconds: 60)
    }
    for _ in 1...3 { try add(to: "https://a.example") }
    #expect(throws: Failure.self) { try add(to: "https://a.example") }
    for name in ["b", "c", "d"] {
      for _ in 1...3 { try add(to: "https://\(name).example") }
    }
    #expect(throws: Failure.self) { try add(to: "https://e.example") }
    files.remove(origin: "https://a.example")
    try add(to: "https://a.example")
  }

  @Test func `copies that are being made count as those that have an address`() throws {
    let files = Self.files(fileLimit: 12)
    var made = try (1...3).map { _ in try files.makeFile(for: "https://a.example") }
    #expect(throws: Failure.self) { try files.makeFile(for: "https://a.example") }
    made.removeLast()
    made.append(try files.makeFile(for: "https://a.example"))
  }

  @Test func `a refusal says whether one page or all pages have too much`() throws {
    let files = Self.files(byteLimit: 1000, fileLimit: 1000)
    let piece = ByteBuffer(repeating: 0, count: 250)
    func message(_ body: () throws -> Void) -> String? {
      do { try body() } catch let failure as Failure { return failure.message } catch {}
      return nil
    }
    let copies = try (1...5).map { try files.makeFile(for: "https://\($0).example") }
    for copy in copies.prefix(4) { try copy.append(piece) }
    #expect(
      message { try copies[0].append(piece) }
        == "the copies for this page are too large together; release some, or try again later")
    #expect(
      message { try copies[4].append(piece) }
        == "the copies for web pages are too large together; release some, or try again later")
  }

  @Test func `T-22: under another host there is no picker, and nothing at an address`() async throws {
    for path in ["/picker", try await address().path] {
      #expect(try await server.ask(path, host: "evil.example").status == 421)
    }
  }

  @Test func `only the owner hands over, sees the list and stops`() async throws {
    for (path, method) in [
      ("/picker/v1/addresses", "POST"), ("/picker/v1/handed-over", "GET"), ("/picker/v1/handed-over", "DELETE"),
      ("/picker/v1/origins", "DELETE"),
    ] {
      #expect(try await server.ask(path, method: method, isSignedIn: false).status == 401)
    }
  }
}

@Suite struct OriginIdentifierTests {
  private let secret = Data(0..<32)
  private let asset = "0B4A1C2D-3E4F-4051-8263-7485960A1B2C"

  @Test func `T-14: an asset has another identifier for each origin, which leads back to it`() throws {
    let (a, b) = (
      OriginIdentifiers(origin: "https://a", secret: secret), OriginIdentifiers(origin: "https://b", secret: secret)
    )
    let identifier = try #require(a.identifier(ofAsset: asset))
    #expect(identifier.count == 22)
    #expect(a.identifier(ofAsset: asset) == identifier)
    #expect(a.asset(of: identifier) == asset)
    #expect(b.identifier(ofAsset: asset) != identifier)
    #expect(b.asset(of: identifier) != asset)
  }

  @Test(arguments: [
    "", "A", String(repeating: "A", count: 21), String(repeating: "!", count: 22), "0B4A1C2D-3E4F-4051-8263",
  ])
  func `an invalid identifier finds no asset`(text: String) {
    #expect(OriginIdentifiers(origin: "https://a", secret: secret).asset(of: text) == nil)
  }
}
