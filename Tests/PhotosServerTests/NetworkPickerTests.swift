import Foundation
import Hummingbird
import Photos
import PhotosTesting
import Testing

@testable import PhotosServer

/// The pickers of pages without a window, and of programs on other machines.
@Suite struct NetworkPickerTests {
  private let server: TestServer
  private let asset: PHAsset

  init() throws {
    server = try TestServer()
    asset = try server.add(bitmap(), named: "Fjord.BMP")
  }

  private static let page = "https://page.example"

  private struct Opened: Decodable {
    var session: String
    var picker: String
    var code: String
    var expiresIn: Int
    var path: String { "/picker/v1/sessions/\(session)" }
    var window: String { "/picker/v1/windows/\(picker.components(separatedBy: "#s=").last ?? "")" }
    var wrongCode: String { code == "10" ? "11" : "10" }
  }

  private struct News: Decodable {
    struct Item: Decodable {
      struct File: Decodable { var type: String }
      var item: String
      var identifier: String?
      var mediaType: String
      var name: String
      var types: [File]
      var pixelWidth: Int
    }
    var state: String
    var items: [Item]?
  }

  /// Sends a request of a page, or of a program.
  private func ask(
    _ path: String, method: String = "GET", json: String = "", origin: String? = page, peer: String = "127.0.0.1"
  ) async throws -> TestServer.Answer {
    var fields = ["Content-Type": "application/json"]
    fields["Origin"] = origin
    fields["Sec-Fetch-Site"] = origin == nil ? nil : "cross-site"
    return try await server.ask(path, fields, method: method, body: json, peer: peer, isSignedIn: false)
  }

  private func begin(
    _ configuration: String = "{}", origin: String? = page, peer: String = "127.0.0.1"
  ) async throws -> TestServer.Answer {
    let name = origin == nil ? #","clientName":"Frame""# : ""
    let json = #"{"configuration":\#(configuration)\#(name)}"#
    return try await ask("/picker/v1/sessions", method: "POST", json: json, origin: origin, peer: peer)
  }

  private func opened(_ configuration: String = "{}", origin: String? = page) async throws -> Opened {
    let answer = try await begin(configuration, origin: origin)
    #expect(answer.status == 201, "\(answer.text)")
    return try JSONDecoder().decode(Opened.self, from: answer.body)
  }

  private func news(_ opened: Opened, origin: String? = page) async throws -> News {
    try await JSONDecoder().decode(News.self, from: ask(opened.path + "?wait=0", origin: origin).body)
  }

  private func type(_ code: String, _ opened: Opened) async throws -> Int {
    try await server.post("\(opened.window)/code", json: #"{"code":"\#(code)"}"#, isSignedIn: true).status
  }

  private func answer(
    _ opened: Opened, _ type: String, _ assets: [PHAsset], representation: String = "current"
  ) async throws -> Int {
    try await server.post(
      "\(opened.window)/answer",
      json: #"{"type":"\#(type)","assets":\#(TestServer.list(assets)),"representation":"\#(representation)"}"#,
      isSignedIn: true
    ).status
  }

  /// Begins a session, in which the person types the code and picks assets.
  private func picked(
    _ assets: [PHAsset], _ configuration: String = "{}", origin: String? = page, representation: String = "current"
  ) async throws -> Opened {
    let opened = try await opened(configuration, origin: origin)
    _ = try await server.ask(opened.window)
    #expect(try await type(opened.code, opened) == 204)
    #expect(try await answer(opened, "picked", assets, representation: representation) == 204)
    return opened
  }

  @Test(arguments: [page, nil])
  func `T-23: over the network nothing is picked before the person has typed the code`(origin: String?) async throws {
    let opened = try await opened(origin: origin)
    #expect(opened.code.count == 2 && opened.expiresIn == 900)
    #expect(try await news(opened, origin: origin).state == "waiting")
    let shown = try await server.ask(opened.window).text
    #expect(shown.contains(#""needsCode":true"#))
    #expect(!shown.contains(opened.session) && !shown.contains(#""\#(opened.code)""#))
    #expect(shown.contains(origin.map { #""origin":"\#($0)""# } ?? #""address":"127.0.0.1""#))
    #expect(shown.contains(#""clientName":"Frame""#) == (origin == nil))
    for type in ["picked", "change"] { #expect(try await answer(opened, type, [asset]) == 409) }
    #expect(try await type(opened.wrongCode, opened) == 403)
    #expect(try await answer(opened, "picked", [asset]) == 409)
    #expect(try await news(opened, origin: origin).items == nil)
    #expect(try await type(opened.code, opened) == 204)
    #expect(try await answer(opened, "picked", [asset]) == 204)
    let news = try await news(opened, origin: origin)
    let item = try #require(news.items?.first)
    #expect(news.state == "picked")
    #expect((item.name, item.mediaType, item.pixelWidth, item.identifier) == ("Fjord.BMP", "image", 8, nil))
    #expect(try await ask("\(opened.path)/items/\(item.item)/main", origin: origin).status == 200)
    #expect(try await ask("\(opened.path)/items/\(asset.uuid)/main", origin: origin).status == 404)
  }

  @Test func `T-23: the fifth wrong code ends the picker`() async throws {
    let opened = try await opened()
    _ = try await server.ask(opened.window)
    for _ in 0..<4 { #expect(try await type(opened.wrongCode, opened) == 403) }
    #expect(try await type(opened.wrongCode, opened) == 409)
    #expect(try await type(opened.code, opened) == 409)
    #expect(try await news(opened).state == "cancelled")
  }

  @Test func `a person can cancel without the code`() async throws {
    let opened = try await opened()
    _ = try await server.ask(opened.window)
    #expect(try await answer(opened, "cancelled", []) == 204)
    #expect(try await news(opened).state == "cancelled")
  }

  @Test func `a page reads its own session, and no other page does`() async throws {
    let opened = try await picked([asset])
    let answer = try await ask(opened.path)
    #expect(answer.field("Access-Control-Allow-Origin") == Self.page)
    #expect(answer.field("Access-Control-Allow-Credentials") == nil)
    #expect(answer.field("Cache-Control") == "private, no-store")
    let item = try #require(try await news(opened).items?.first?.item)
    for path in [opened.path, "\(opened.path)/items/\(item)/main"] {
      for origin in ["https://evil.example", nil] { #expect(try await ask(path, origin: origin).status == 404) }
      #expect(try await server.askAsProgram(path).status == 404)
    }
    #expect(try await begin(origin: "null").status == 422)
    #expect(try await ask(opened.path, method: "DELETE").status == 204)
    #expect(try await ask(opened.path).status == 404)
  }

  @Test func `a browser may send a page's request`() async throws {
    let fields = ["Origin": Self.page, "Access-Control-Request-Method": "POST"]
    let answer = try await server.ask("/picker/v1/sessions", fields, method: "OPTIONS", isSignedIn: false)
    #expect(answer.status == 204)
    #expect(answer.field("Access-Control-Allow-Origin") == Self.page)
    #expect(answer.field("Access-Control-Allow-Headers")?.contains("Content-Type") == true)
  }

  @Test func `a session of the library's user can't be used over the network`() async throws {
    let own = try await server.askAsProgram(
      "/picker/v1/sessions", method: "POST", json: #"{"configuration":{},"clientName":"Album"}"#)
    #expect(!own.text.contains("code"))
    struct Own: Decodable { var session: String }
    let session = try JSONDecoder().decode(Own.self, from: own.body).session
    #expect(try await ask("/picker/v1/sessions/\(session)", origin: nil).status == 404)
    // No such route is open to programs.
    let command = try await ask("/picker/v1/sessions/\(session)/commands", method: "POST", json: "{}", origin: nil)
    #expect(command.status == 405)
  }

  @Test func `T-13: copies have no place unless the person includes it`() async throws {
    var metadata = SampleMetadata()
    metadata.place = SampleMetadata.Place(latitude: 48.8584, longitude: 2.2945)
    let data = try SampleMedia.jpeg(size: PictureSize(width: 64, height: 48), metadata: metadata)
    let photo = try server.add(data, named: "Place.JPG")
    let opened = try await picked([photo])
    let item = try #require(try await news(opened).items?.first)
    #expect(item.types.map(\.type) == ["image/jpeg"])
    let file = try await ask("\(opened.path)/items/\(item.item)/main")
    #expect(file.body.count == data.count)
    #expect(file.body != data)
  }

  @Test func `T-14: a page knows what it has picked by identifiers of its own`() async throws {
    let identifiers = #"{"identifiers":true}"#
    let first = try await news(picked([asset], identifiers)).items?.first?.identifier
    let identifier = try #require(first)
    #expect(identifier.count == 22)
    let other = try await opened(#"{"identifiers":true,"preselected":["\#(identifier)","\#(asset.uuid)"]}"#)
    let shown = try await server.ask(other.window).text
    #expect(shown.contains(#""preselected":["\#(asset.uuid)"]"#))
    #expect(try await type(other.code, other) == 204)
    #expect(try await answer(other, "picked", [asset]) == 204)
    let again = try #require(try await news(other).items?.first)
    #expect(again.identifier == identifier)
    #expect(again.types.isEmpty)
    // A page can not name an asset that it was not given.
    for preselected in [asset.uuid, asset.localIdentifier] {
      let guess = try await opened(#"{"identifiers":true,"preselected":["\#(preselected)"]}"#)
      #expect(!(try await server.ask(guess.window).text.contains(asset.uuid)))
    }
    #expect(try await begin(identifiers, origin: nil).status == 422)
  }

  @Test(arguments: [#"{"maxPixelSize":100}"#, #"{"deliver":"address"}"#, #"{"choosesAccess":true}"#])
  func `wishes that only the picker's window grants are refused`(configuration: String) async throws {
    let answer = try await begin(configuration)
    #expect(answer.status == 422)
    #expect(answer.field("Access-Control-Allow-Origin") == Self.page)
  }

  @Test func `T-16: an origin and an address have ten pickers a minute, and five open ones`() async throws {
    var opened: [Opened] = []
    for _ in 0..<5 { opened.append(try await self.opened()) }
    let refused = try await begin()
    #expect(refused.status == 429)
    #expect(refused.field("Retry-After") == "60")
    #expect(try await begin(origin: "https://other.example").status == 201)
    #expect(try await begin(origin: nil).status == 201)
    #expect(try await begin(origin: nil, peer: "10.0.0.7").status == 201)
    for one in opened { _ = try await ask(one.path, method: "DELETE") }
    // Six attempts are counted.
    for _ in 0..<4 { _ = try await ask(try await self.opened().path, method: "DELETE") }
    #expect(try await begin().status == 429)
    server.clock.advance(60)
    #expect(try await begin().status == 201)
  }

  /// Picks a photo that has to be drawn as a JPEG, and returns the path of its file.
  private func drawnFile() async throws -> String {
    let opened = try await picked([asset], representation: "compatible")
    let item = try #require(try await news(opened).items?.first)
    return "\(opened.path)/items/\(item.item)/main"
  }

  @Test func `T-16: a picker has at most eight drawn pictures at once`() async throws {
    let path = try await drawnFile()
    // An answer that is not read keeps its place.
    var answers: [Response] = []
    for _ in 0..<PictureWork.limitOfAsker {
      let fields = ["Origin": Self.page, "Sec-Fetch-Site": "cross-site"]
      answers.append(try await server.response(to: path, fields, isSignedIn: false))
    }
    #expect(answers.map(\.status.code) == Array(repeating: 200, count: PictureWork.limitOfAsker))
    #expect(try await ask(path).status == 429)
    answers = []
    #expect(try await ask(path).status == 200)
  }

  @Test func `a picture is not drawn for its head`() async throws {
    let path = try await drawnFile()
    #expect(try await ask(path, method: "HEAD").status == 204)
    #expect(try await ask(path).field("Content-Type") == "image/jpeg")
  }

  @Test func `T-16: twenty pickers of one address are open, whatever their origins`() async throws {
    for number in 0..<20 { #expect(try await begin(origin: "https://a\(number / 5).example").status == 201) }
    #expect(try await begin(origin: "https://other.example").status == 429)
    #expect(try await begin(origin: nil, peer: "10.0.0.7").status == 201)
  }

  @Test func `Stop, forgetting the page and signing out everywhere end access to picked items`() async throws {
    for path in ["handed-over?origin=\(Self.page)", "origins?origin=\(Self.page)"] {
      let (own, other) = (try await picked([asset]), try await picked([asset], origin: "https://other.example"))
      _ = try await server.ask("/picker/v1/\(path)", method: "DELETE")
      #expect(try await ask(own.path).status == 404)
      #expect(try await ask(other.path, origin: "https://other.example").status == 200)
    }
    let program = try await picked([asset], origin: nil)
    #expect(try await server.ask("/api/v1/sessions/others", method: "DELETE").status == 204)
    #expect(try await ask(program.path, origin: nil).status == 404)
  }

  private struct HandedOver: Decodable {
    struct Origin: Decodable, Equatable {
      var origin: String
      var count: Int
      var until: String?
      var hasIdentifiers: Bool
    }
    struct Program: Decodable {
      var picker: String
      var name: String
      var address: String
      var count: Int
      var until: String
    }
    var origins: [Origin]
    var programs: [Program]
  }

  private func handedOver() async throws -> HandedOver {
    try await JSONDecoder().decode(HandedOver.self, from: server.ask("/picker/v1/handed-over").body)
  }

  @Test func `the owner sees a page that got photos without identifiers, and can stop it`() async throws {
    let opened = try await picked([asset])
    let listed = try #require(try await handedOver().origins.first)
    #expect((listed.origin, listed.count, listed.hasIdentifiers) == (Self.page, 1, false))
    #expect(listed.until != nil)
    _ = try await server.ask("/picker/v1/handed-over?origin=\(Self.page)", method: "DELETE")
    #expect(try await ask(opened.path).status == 404)
    #expect(try await handedOver().origins == [])
  }

  @Test func `the owner sees each program that got photos, and can stop one of them`() async throws {
    let programs = [try await picked([asset], origin: nil), try await picked([asset], origin: nil)]
    let listed = try await handedOver().programs
    #expect(listed.map(\.name) == ["Frame", "Frame"])
    #expect(listed.map(\.address) == ["127.0.0.1", "127.0.0.1"])
    #expect(listed.map(\.count) == [1, 1])
    #expect(!(try await server.ask("/picker/v1/handed-over").text.contains(programs[0].session)))
    let stopped = try await server.ask("/picker/v1/handed-over?picker=\(listed[0].picker)", method: "DELETE")
    #expect(stopped.status == 204)
    #expect(try await ask(programs[0].path, origin: nil).status == 404)
    #expect(try await ask(programs[1].path, origin: nil).status == 200)
    #expect(try await handedOver().programs.map(\.picker) == [listed[1].picker])
  }

  @Test func `pickers without picked photos, and those of the library's user, are not listed`() async throws {
    let open = try await opened(origin: nil)
    _ = try await server.ask(open.window)
    let canceled = try await opened()
    _ = try await server.ask(canceled.window)
    #expect(try await answer(canceled, "cancelled", []) == 204)
    _ = try await server.askAsProgram(
      "/picker/v1/sessions", method: "POST", json: #"{"configuration":{},"clientName":"Album"}"#)
    let listed = try await handedOver()
    #expect(listed.origins.isEmpty && listed.programs.isEmpty)
    for query in ["", "?origin=\(Self.page)&picker=a"] {
      #expect(try await server.ask("/picker/v1/handed-over\(query)", method: "DELETE").status == 400)
    }
  }

  @Test func `T-22: under another host no picker begins`() async throws {
    let answer = try await server.ask(
      "/picker/v1/sessions", ["Content-Type": "application/json", "Origin": Self.page], method: "POST",
      host: "evil.example", body: #"{"configuration":{}}"#, isSignedIn: false)
    #expect(answer.status == 421)
  }

  @Test func `a configuration over the network has at most 16 kB`() async throws {
    let long = String(repeating: "x", count: 20_000)
    #expect(try await begin(#"{"purpose":"\#(long)"}"#).status == 413)
  }

  @Test func `only the signed-in owner types a code`() async throws {
    let opened = try await opened()
    let answer = try await server.post("\(opened.window)/code", json: #"{"code":"\#(opened.code)"}"#)
    #expect(answer.status == 401)
  }
}
