import Foundation
import HTTPTypes
import Photos
import PhotosTesting
import Testing

@testable import PhotosServer

/// Compares the parameters and header fields that the server reads with those of the document.
@Suite struct APIParameterTests {
  /// A value of a parameter that changes an answer, if the parameter is read.
  private struct Probe {
    var parameter: APIDocument.Parameter
    var value: String
    /// The parameters and fields without which the value has no effect.
    var query: [String: String] = [:]
    var fields: [String: String] = [:]

    init(query name: String, _ value: String) {
      parameter = .init(name: name, place: "query")
      self.value = value
    }

    init(header name: String, _ value: String, query: [String: String] = [:], fields: [String: String] = [:]) {
      parameter = .init(name: name, place: "header")
      (self.value, self.query, self.fields) = (value, query, fields)
    }
  }

  /// The parameters that no answer to a `GET` shows.
  private static let silent = ["once", "Calotype-Unattended"]

  private static func probes(asset: String) -> [Probe] {
    [
      Probe(query: "as", "0"), Probe(query: "at", asset), Probe(query: "around", "none"),
      Probe(query: "before", "-1"),
      Probe(query: "identifiers", String(repeating: "a,", count: ListPart.largestLimit + 1)),
      Probe(query: "limit", "0"), Probe(query: "offset", "-1"), Probe(query: "order", "none"),
      Probe(query: "q", "none"), Probe(query: "since", "none"), Probe(query: "sort", "none"),
      Probe(query: "wait", "-1"), Probe(query: "where", "none"), Probe(header: "If-None-Match", "*"),
      Probe(header: "Range", "bytes=0-0"), Probe(header: "If-Range", "other", fields: ["Range": "bytes=0-0"]),
      Probe(header: "Last-Event-ID", "none", query: ["since": "none"]),
    ]
  }

  private typealias Send = (_ path: String, _ fields: [String: String]) async throws -> (Int, String?, Data)

  /// A library with an object for each path, and the clients that send requests.
  private struct Fixture {
    let temporary: TemporaryLibrary
    let server: TestServer
    let asset: PHAsset
    private let client: TestClient
    private let asking: TestClient
    private let paths: [String: String]

    init() async throws {
      temporary = try TemporaryLibrary()
      asset = try temporary.add(try SampleMedia.livePhoto())
      server = try TestServer(library: temporary.library)
      client = try await TestClient(server: server).answered("limited", assets: [asset])
      let receipt = try await TestClient(server: server, origin: "https://other.example").request()
      asking = TestClient(server: server, origin: "https://other.example", token: receipt.secret)
      struct Ticket: Decodable { var ticket: String }
      let download = try await server.post(
        "/api/v1/downloads", json: #"{"assets":["\#(asset.uuid)"],"kind":"originals"}"#, isSignedIn: true)
      let selection = try await client.ask("/access/selection/request", method: "POST")
      struct Selection: Decodable { var request: String }
      paths = [
        "/access/clients/{id}/selection": "/access/clients/\(try await server.onlyClient())/selection",
        "/access/requests/{id}": "/access/requests/\(receipt.request)",
        "/access/selection/request/{id}":
          "/access/selection/request/\(try JSONDecoder().decode(Selection.self, from: selection.body).request)",
        "/assets/{id}": "/assets/\(asset.uuid)",
        "/downloads/{ticket}": "/downloads/\(try JSONDecoder().decode(Ticket.self, from: download.body).ticket)",
        "/renditions/{id}/{version}/{kind}": "/renditions/\(asset.uuid)/\(asset.renditionVersion)/full",
        "/renditions/{id}/{version}/video": "/renditions/\(asset.uuid)/\(asset.renditionVersion)/video",
        "/resources/{id}/{index}": "/resources/\(asset.uuid)/0",
        "/uploads/{id}": "/uploads/\(try await server.createUpload())",
      ]
    }

    func path(of operation: APIDocument.Operation) -> String {
      let path = String(operation.template.dropFirst("/api/v1".count))
      return paths[path] ?? path.replacing("{id}", with: "userLibrary")
    }

    /// The owner, a client, and a page that waits for the answer to its request.
    var senders: [Send] {
      [
        { path, fields in
          let response = try await server.response(to: "/api/v1\(path)", fields)
          // A stream has no end.
          if response.headers[.contentType] == "text/event-stream" { return (response.status.code, nil, Data()) }
          let answer = try await server.ask("/api/v1\(path)", fields)
          return (answer.status, answer.field("ETag"), answer.body)
        },
        { path, fields in
          guard !path.hasPrefix("/changes/stream") else { return (0, nil, Data()) }
          let answer = try await client.ask(path, fields)
          return (answer.status, answer.field("ETag"), answer.body)
        },
        { path, fields in
          guard path.hasPrefix("/access/requests/") else { return (0, nil, Data()) }
          let answer = try await asking.ask(path, fields)
          return (answer.status, answer.field("ETag"), answer.body)
        },
      ]
    }
  }

  private func address(_ path: String, _ query: [String: String]) -> String {
    guard !query.isEmpty else { return path }
    return path + "?" + query.sorted(by: <).map { "\($0.key)=\($0.value)" }.joined(separator: "&")
  }

  @Test func `each GET reads the parameters and fields of the document, and no others`() async throws {
    let fixture = try await Fixture()
    let probes = Self.probes(asset: fixture.asset.uuid)
    for operation in APIDocument.operations where operation.method == "GET" {
      let path = fixture.path(of: operation)
      let required = operation.parameters.filter { $0.isRequired && $0.place == "query" }.map { ($0.name, "photos") }
      var read: Set<String> = []
      for send in fixture.senders {
        for probe in probes {
          let query = probe.query.merging(required) { $1 }
          var (probed, fields) = (query, probe.fields)
          if probe.parameter.place == "query" {
            probed[probe.parameter.name] = probe.value
          } else {
            fields[probe.parameter.name] = probe.value
          }
          let plain = try await send(address(path, query), probe.fields)
          if try await send(address(path, probed), fields) != plain { read.insert(probe.parameter.name) }
        }
      }
      let documented = Set(operation.parameters.map(\.name)).subtracting(Self.silent)
      #expect(read == documented, "\(operation.testDescription)")
    }
  }

  @Test func `the document has Idempotency-Key for the operations that read it, and for no others`() async throws {
    let server = try TestServer()
    for operation in APIDocument.operations where operation.bodyLimit != nil {
      let answer = try await server.post(
        operation.path, json: "{}", ["Idempotency-Key": ""], method: operation.method, isSignedIn: true)
      let isRead = answer.problem?.detail.hasPrefix("Idempotency-Key") == true
      #expect(operation.parameters.contains { $0.name == "Idempotency-Key" } == isRead, "\(operation.testDescription)")
    }
  }

  @Test func `each operation that counts as use has Calotype-Unattended in the document, and no other`() async throws {
    let server = try TestServer()
    func seen() async throws -> String {
      struct Session: Decodable { var lastSeen: String }
      let answer = try await server.ask("/api/v1/session", ["Calotype-Unattended": "1"])
      return try JSONDecoder().decode(Session.self, from: answer.body).lastSeen
    }
    // Signing out would end the session.
    for operation in APIDocument.operations where operation.testDescription != "DELETE /api/v1/session" {
      let start = try await seen()
      server.clock.advance(SessionRules.seenInterval)
      _ = try await server.response(to: operation.path, ["Calotype-Unattended": "1"], method: operation.method)
      #expect(try await seen() == start, "\(operation.testDescription)")
      _ = try await server.response(to: operation.path, method: operation.method)
      let isUse = try await seen() != start
      let isDocumented = operation.parameters.contains { $0.name == "Calotype-Unattended" }
      #expect(isDocumented == isUse, "\(operation.testDescription)")
    }
  }

  @Test(arguments: [
    ("Repr-Digest", "sha-256=:x:"), ("Upload-Complete", "?0"), ("Upload-Length", "1"), ("Upload-Offset", "7"),
  ])
  func `an upload reads the fields of the document, and no others`(name: String, value: String) async throws {
    let operations = ["POST /api/v1/uploads", "PATCH /api/v1/uploads/{id}"]
    for operation in APIDocument.operations where operations.contains(operation.testDescription) {
      let server = try TestServer()
      func send(_ fields: [String: String]) async throws -> [String?] {
        let id = try await server.createUpload()
        var base = ["Upload-Name": "A.BMP"]
        if operation.method == "PATCH" { base.merge(["Upload-Offset": "0", "Upload-Complete": "?1"]) { $1 } }
        let answer = try await server.send(
          operation.method, operation.template.replacing("{id}", with: id), base.merging(fields) { $1 }, bitmap())
        return ["\(answer.status)"] + ["Upload-Offset", "Upload-Complete", "Upload-Length"].map { answer.field($0) }
      }
      let isRead = try await send([name: value]) != send([:])
      #expect(operation.parameters.contains { $0.name == name } == isRead, "\(operation.testDescription)")
    }
  }

  // MARK: Names in the sources

  private static let sources: [(file: String, text: String)] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/PhotosServer").standardizedFileURL
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.compactMap { file in
      (try? String(contentsOf: file, encoding: .utf8)).map { (file.lastPathComponent, $0) }
    }
  }()

  private static func documented(_ place: String) -> Set<String> {
    Set(APIDocument.operations.flatMap(\.parameters).filter { $0.place == place }.map(\.name))
  }

  @Test func `every query parameter that the sources name is in the document`() {
    // The document is about `/api/v1`. docs/PICKER.md is about the picker.
    let ofPicker: Set = ["asset", "hidden", "name", "origin", "picker", "seconds"]
    let names = Self.sources.flatMap { source in
      source.text.matches(of: /(?:argument\(|queryParameters\[|query\[)"(\w+)"/).map { String($0.1) }
    }
    #expect(Set(names).subtracting(ofPicker) == Self.documented("query"))
  }

  @Test func `every field of a request that the sources name is in the document, or HTTP's own`() {
    // Browsers, HTTP libraries and proxies add these fields. The document has the others elsewhere:
    // as the type of a body, or as a kind of security.
    let general: Set = [
      "acceptencoding", "accesscontrolrequestmethod", "authorization", "contentlength", "contenttype", "cookie",
      "origin", "secfetchdest", "secfetchmode", "secfetchsite", "secondhost", "useragent", "xforwardedfor",
    ]
    let names = Self.sources.flatMap { source in
      source.text.matches(of: /request\.headers\[(?:values: )?\.(\w+)\]/).map { String($0.1) }
        + (source.file == "UploadFields.swift" ? source.text.matches(of: /fields\[\.(\w+)\]/).map { String($0.1) } : [])
    }
    let read = Set(names.map { $0 == "unattended" ? "calotypeunattended" : $0.lowercased() }).subtracting(general)
    #expect(read == Set(Self.documented("header").map { $0.lowercased().replacing("-", with: "") }))
  }
}
