import Foundation
import Testing

@testable import PhotosServer

@Suite struct MapTests {
  private struct Places: Decodable {
    struct Place: Decodable, Equatable {
      var name: String
      var latitude: Double
      var longitude: Double
    }

    var places: [Place]
  }

  /// Returns a server that has the map of the repository.
  private func server() throws -> TestServer {
    let server = try TestServer()
    let file = APIDocument.file.deletingLastPathComponent().appendingPathComponent("world.json")
    try Data(contentsOf: file).write(to: server.webFolder.appendingPathComponent("world.json"))
    return server
  }

  @Test(arguments: [
    ("oslo", ["Oslo"]), ("os", ["Osaka", "Oslo"]), ("YORK", ["New York"]), ("reykjavik", ["Reykjavík"]),
    ("San%20J", ["San José"]), ("+san+%20jose+", ["San José"]), ("Sao", ["São Paulo", "São Tomé"]), ("slo", []),
    ("spain", ["Port-of-Spain"]), ("port%20au", ["Port-au-Prince"]), ("", []),
  ])
  func `cities are found by the beginnings of their words`(text: String, names: [String]) async throws {
    let answer = try await server().ask("/api/v1/places?q=\(text)")
    #expect(answer.status == 200)
    #expect(try JSONDecoder().decode(Places.self, from: answer.body).places.map(\.name) == names)
  }

  @Test func `cities whose names begin with the text are first`() throws {
    let json = #"{"scale":100,"countries":[],"cities":[["New Delhi",2860,7720],["Delhi",2867,7723]]}"#
    #expect(try WorldMap(json: Data(json.utf8)).cities(named: "delhi").map(\.name) == ["Delhi", "New Delhi"])
  }

  @Test func `a city has its place in degrees`() async throws {
    let answer = try await server().ask("/api/v1/places?q=oslo")
    #expect(
      try JSONDecoder().decode(Places.self, from: answer.body).places
        == [.init(name: "Oslo", latitude: 59.92, longitude: 10.75)])
  }

  @Test func `a request for places without q is refused`() async throws {
    let answer = try await server().ask("/api/v1/places")
    #expect(answer.status == 400)
    #expect(answer.problem?.detail == "q has to be the beginning of a word in a city's name")
  }

  @Test func `the outlines are a path for each country, with the holes of its land`() throws {
    let json =
      #"{"scale":10,"countries":[{"name":"A","rings":[[10,20,30,0,0,-5],[11,19,2,0]]},{"name":"B","rings":[[0,0,1,1]]}],"cities":[]}"#
    #expect(
      try WorldMap(json: Data(json.utf8)).outlines == """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="-180 -90 360 180">
        <g transform="scale(0.1)" fill="currentColor" fill-rule="evenodd">
        <path d="M0 0m10 -20 30 0 0 5zM0 0m11 -19 2 0z"/>
        <path d="M0 0m0 0 1 -1z"/>
        </g>
        </svg>

        """)
  }

  @Test(arguments: ["map/outlines.svg", "places?q=oslo"])
  func `the map is not sent again to a client that has its tag`(path: String) async throws {
    let server = try server()
    let first = try await server.ask("/api/v1/\(path)")
    let tag = try #require(first.field("ETag"))
    #expect(first.status == 200)
    #expect(!first.body.isEmpty)
    let second = try await server.ask("/api/v1/\(path)", ["If-None-Match": tag])
    #expect(second.status == 304)
    #expect(second.body.isEmpty)
  }

  @Test func `the outlines are an SVG picture of all countries`() async throws {
    let answer = try await server().ask("/api/v1/map/outlines.svg")
    #expect(answer.field("Content-Type") == "image/svg+xml")
    #expect(answer.text.ranges(of: "<path d=").count == 177)
  }

  @Test func `a server without a map says so`() async throws {
    let server = try TestServer()
    try FileManager.default.removeItem(at: server.webFolder.appendingPathComponent("world.json"))
    let answer = try await server.ask("/api/v1/map/outlines.svg")
    #expect(answer.status == 404)
    #expect(answer.problem?.detail == "this server has no map")
  }
}
