import Foundation
import Photos
import PhotosTesting
import TestSupport
import Testing

@testable import PhotosServer

/// The pickers of programs: the socket's answers, and those to the window.
@Suite struct PickerRouteTests {
  private let server: TestServer
  private let asset: PHAsset

  init() throws {
    server = try TestServer()
    asset = try server.add(bitmap(), named: "Fjord.BMP")
  }

  private struct Opened: Decodable {
    var session: String
    var picker: String
    var path: String { "/picker/v1/sessions/\(session)" }
    var window: String { "/picker/v1/windows/\(picker.components(separatedBy: "#s=").last ?? "")" }
  }

  private struct News: Decodable {
    struct Item: Decodable {
      var item: String
      var identifier: String?
      var name: String
    }
    var revision: Int
    var state: String
    var items: [Item]?
  }

  private func open(_ configuration: String = #"{"identifiers":true,"representation":"current"}"#) async throws
    -> Opened
  {
    let answer = try await server.askAsProgram(
      "/picker/v1/sessions", method: "POST", json: #"{"configuration":\#(configuration),"clientName":"Album"}"#)
    #expect(answer.status == 201)
    return try JSONDecoder().decode(Opened.self, from: answer.body)
  }

  private func news(_ opened: Opened) async throws -> News {
    try await JSONDecoder().decode(News.self, from: server.askAsProgram(opened.path).body)
  }

  private func answer(
    _ opened: Opened, _ type: String, _ assets: [PHAsset], includesLocation: Bool = true
  ) async throws -> Int {
    let ids = assets.map { "\"\($0.uuid)\"" }.joined(separator: ",")
    return try await server.post(
      "\(opened.window)/answer",
      json: #"{"type":"\#(type)","assets":[\#(ids)],"representation":"current","#
        + #""includeLocation":\#(includesLocation),"includeCaptions":true}"#,
      isSignedIn: true
    ).status
  }

  @Test func `R-26: the program gets what was picked in the window, and nothing else`() async throws {
    let other = try server.add(bitmap(red: 7), named: "Other.BMP")
    let opened = try await open()
    #expect(try await news(opened).state == "waiting")
    #expect(try await server.ask(opened.window).text.contains(#""clientName":"Album""#))
    #expect(try await answer(opened, "picked", [asset]) == 204)
    let news = try await news(opened)
    #expect(news.state == "picked")
    let item = try #require(news.items?.first)
    #expect(news.items?.count == 1)
    #expect(item.identifier == asset.localIdentifier)
    #expect(item.name == "Fjord.BMP")
    // Programs escape the name in the path.
    let name = item.item.utf8.map { String(format: "%%%02X", $0) }.joined()
    let file = try await server.askAsProgram("\(opened.path)/items/\(name)/main")
    #expect(file.body == bitmap())
    for name in [asset.uuid, other.uuid, "x"] {
      #expect(try await server.askAsProgram("\(opened.path)/items/\(name)/main").status == 404)
    }
    #expect(try await server.askAsProgram("/api/v1/library").status == 404)
  }

  @Test(arguments: [true, false])
  func `R-24: the person's choice of the place wins over the program's`(includesLocation: Bool) async throws {
    var metadata = SampleMetadata()
    metadata.place = SampleMetadata.Place(latitude: 48.8584, longitude: 2.2945)
    let data = try SampleMedia.jpeg(size: PictureSize(width: 64, height: 48), metadata: metadata)
    let photo = try server.add(data, named: "Place.JPG")
    let opened = try await open(#"{"representation":"current","includeLocation":\#(!includesLocation)}"#)
    _ = try await server.ask(opened.window)
    _ = try await answer(opened, "picked", [photo], includesLocation: includesLocation)
    let item = try #require(try await news(opened).items?.first?.item)
    let file = try await server.askAsProgram("\(opened.path)/items/\(item)/main")
    #expect(file.body.count == data.count)
    #expect((file.body == data) == includesLocation)
  }

  @Test func `a hundred thousand assets can be selected when a picker opens`() async throws {
    let identifiers = (0..<100_000).map { _ in "\"\(UUID().uuidString)/L0/001\"" }.joined(separator: ",")
    let opened = try await open(#"{"identifiers":true,"preselected":[\#(identifiers)]}"#)
    let shown = try await server.ask(opened.window)
    #expect(shown.status == 200)
    #expect(shown.body.count > 4_000_000)
  }

  @Test func `a configuration that the window would refuse is refused at once, with its key`() async throws {
    let answer = try await server.askAsProgram(
      "/picker/v1/sessions", method: "POST", json: #"{"configuration":{"selectionLimit":-1},"clientName":"Album"}"#)
    #expect(answer.status == 422)
    #expect(answer.text.contains("configuration.selectionLimit: this has to be a whole number from 0 to"))
  }

  @Test func `a filter of 32 levels is shown`() async throws {
    let filter = (1..<32).reduce(#""images""#) { filter, _ in #"{"any":[\#(filter)]}"# }
    let opened = try await open(#"{"filter":\#(filter)}"#)
    #expect(try await server.ask(opened.window).text.contains(filter))
  }

  @Test func `a program without a library in its configuration gets no identifiers`() async throws {
    let opened = try await open("{}")
    _ = try await server.ask(opened.window)
    _ = try await answer(opened, "picked", [asset])
    #expect(try await news(opened).items?.map(\.identifier) == [nil])
  }

  @Test func `T-25: hidden and deleted assets are not handed over`() async throws {
    let deleted = try server.add(bitmap(red: 7), named: "Other.BMP")
    try server.library.performChangesAndWait { [asset] in
      PHAssetChangeRequest(for: asset).isHidden = true
      PHAssetChangeRequest.deleteAssets([deleted] as NSArray)
    }
    let opened = try await open()
    _ = try await server.ask(opened.window)
    #expect(try await answer(opened, "picked", [asset, deleted]) == 204)
    #expect(try await news(opened).items?.isEmpty == true)
  }

  @Test func `T-09: a photo that is taken away before Add can't be loaded`() async throws {
    let opened = try await open()
    _ = try await server.ask(opened.window)
    _ = try await answer(opened, "change", [asset])
    let item = try #require(try await news(opened).items?.first?.item)
    _ = try await answer(opened, "picked", [])
    #expect(try await server.askAsProgram("\(opened.path)/items/\(item)/main").status == 404)
  }

  @Test func `the program's commands reach the window in their order`() async throws {
    let opened = try await open()
    for type in ["zoomIn", "zoomOut", "close"] {
      _ = try await server.askAsProgram("\(opened.path)/commands", method: "POST", json: #"{"type":"\#(type)"}"#)
    }
    #expect(
      try await server.ask("\(opened.window)/commands?wait=1").text
        == #"{"commands":[{"type":"zoomIn"},{"type":"zoomOut"}],"isClosed":true,"next":2}"#)
    #expect(try await answer(opened, "picked", [asset]) == 409)
  }

  @Test(arguments: [true, false])
  func `B-01: the window learns apart from the configuration that the choice decides about access`(
    choosesAccess: Bool
  ) async throws {
    let opened = try await open(choosesAccess ? #"{"choosesAccess":true,"purpose":"x"}"# : #"{"purpose":"x"}"#)
    let shown = try await server.ask(opened.window).text
    #expect(shown.contains(#""choosesAccess":\#(choosesAccess),"#))
    #expect(
      shown.contains(
        #""configuration":{"includeCaptions":true,"includeLocation":true,"purpose":"x","representation":"automatic"}"#))
  }

  @Test func `a window can say that it is hidden, and waits for nothing then`() async throws {
    let opened = try await open()
    for value in [1, 0] {
      #expect(try await server.ask("\(opened.window)/commands?wait=0&hidden=\(value)").status == 200)
    }
    #expect(try await news(opened).state == "open")
  }

  @Test func `only the signed-in owner's own pages see a picker`() async throws {
    let opened = try await open()
    #expect(try await server.ask(opened.window, isSignedIn: false).status == 401)
    let foreign = ["Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"]
    #expect(try await server.ask(opened.window, foreign).status == 403)
    #expect(try await server.ask("/picker/v1/windows/x").status == 404)
    _ = try await server.askAsProgram(opened.path, method: "DELETE")
    #expect(try await server.askAsProgram(opened.path).status == 404)
  }

  @Test func `T-23: only the user who runs the server can connect to the socket`() async throws {
    let path = try socketPath(.pickers, of: server.library.url)
    try await serving(server) { _ in
      try await wait(for: "the socket") { FileManager.default.fileExists(atPath: path) }
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? Int) == 0o600)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
