import Foundation
import PhotosTesting
import TestSupport
import Testing

/// Kills servers while they receive and import uploads. The next server goes on.
@Suite(.serialized) struct ServeKillTests {
  /// The files of ten photos and a Live Photo.
  private static func files() throws -> [SampleFile] {
    let size = PictureSize(width: 320, height: 240)
    let pair = try SampleMedia.livePhoto(size: size, seed: 100, stillType: .jpeg)
    return try (0..<10).map { SampleFile("IMG_\($0).JPG", try SampleMedia.jpeg(size: size, seed: UInt64($0))) }
      + [SampleFile("LIVE.JPG", pair.still), SampleFile("LIVE.MOV", pair.video)]
  }

  private func upload(_ file: SampleFile, to server: Server, cookie: String) throws -> String {
    let answer = Connection(port: server.port, waits: true).post(
      "/api/v1/uploads", file.data,
      ["Cookie": cookie, "Content-Type": "application/octet-stream", "Upload-Name": file.name])
    return try String(#require(answer.firstMatch(of: /"upload":"([\w-]{22})"/), "\(answer)").1)
  }

  private func order(_ uploads: [String]) -> Data {
    Data("{\"uploads\":[\(uploads.map { "\"\($0)\"" }.joined(separator: ","))]}".utf8)
  }

  private func fields(_ cookie: String) -> [String: String] {
    ["Cookie": cookie, "Content-Type": "application/json"]
  }

  /// Returns the outcomes in the answer of an import.
  private func outcomes(_ answer: String) -> [String] {
    answer.matches(of: /"outcome":"(\w+)"/).map { String($0.1) }
  }

  /// Returns the names in a folder, sorted.
  private func names(in folder: String, of library: TemporaryLibrary) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: library.url.path + "/" + folder)) ?? []).sorted()
  }

  /// Returns the names of the folders of sessions in which files of an import wait.
  private func importFolders(of library: TemporaryLibrary) -> [String] {
    names(in: "incoming", of: library).flatMap { session in
      names(in: "incoming/\(session)", of: library).filter { $0.hasPrefix("import.") }
    }
  }

  private struct Listed: Decodable {
    struct Resource: Decodable { var sha256: String }
    var resources: [Resource]
  }

  /// Returns the hashes of each asset's files.
  private func contents(of library: TemporaryLibrary) throws -> [[String]] {
    try Program(library: library.url.path).run("list", "--json").lines.map { line in
      try JSONDecoder().decode(Listed.self, from: Data(line.utf8)).resources.map(\.sha256)
    }.sorted { $0.joined() < $1.joined() }
  }

  @Test func `an import of a server that is killed at any instant loses and doubles nothing`() throws {
    let files = try Self.files()
    var duration = Duration.zero
    var expected: [[String]] = []
    let instants = Soak.count(few: 2, many: 40)
    for instant in 0...instants {
      let temporary = try TemporaryLibrary()
      let server = try Server(temporary)
      let cookie = try #require(server.signIn(with: server.link))
      let uploads = try files.map { try upload($0, to: server, cookie: cookie) }
      let connection = Connection(port: server.port, waits: true)
      if instant == 0 {
        // The first server is not killed.
        let start = ContinuousClock.now
        let answer = connection.post("/api/v1/imports", order(uploads), fields(cookie))
        duration = ContinuousClock.now - start
        #expect(outcomes(answer) == Array(repeating: "added", count: files.count), "\(answer)")
        server.stop()
        expected = try contents(of: temporary)
        #expect(expected.count == 11)
        continue
      }
      connection.begin("/api/v1/imports", order(uploads), fields(cookie))
      if Soak.isOn {
        Soak.pause(duration * Double(instant) / Double(instants))
      } else {
        // The import has begun, or has stored a file. Folders of imports may come and go unseen. A
        // late look kills later, or after the end, which must give the same.
        try eventually("instant \(instant) of the import") {
          instant == 1 && !importFolders(of: temporary).isEmpty || !names(in: "originals", of: temporary).isEmpty
        }
      }
      server.kill()

      let next = try Server(temporary)
      #expect(importFolders(of: temporary) == [], "instant \(instant)")
      let left = names(in: "incoming/uploads", of: temporary)
      #expect(Set(left).isSubset(of: uploads + uploads.map { $0 + ".json" }), "instant \(instant)")
      let again = try #require(next.signIn(with: next.link))
      let answer = Connection(port: next.port, waits: true).post("/api/v1/imports", order(uploads), fields(again))
      #expect(outcomes(answer).count == files.count, "instant \(instant): \(answer)")
      #expect(!outcomes(answer).contains("refused"), "instant \(instant): \(answer)")
      #expect(names(in: "incoming/uploads", of: temporary) == uploads.map { $0 + ".json" }.sorted())
      next.stop()
      #expect(try contents(of: temporary) == expected, "instant \(instant)")
      let verified = try Program(library: temporary.url.path).run("verify")
      #expect(verified.status == 0, "instant \(instant): \(verified.output)\(verified.errors)")
    }
  }

  @Test func `an upload that a killed server was creating leaves nothing`() throws {
    let temporary = try TemporaryLibrary()
    let server = try Server(temporary)
    let cookie = try #require(server.signIn(with: server.link))
    let kept = try upload(try Self.files()[0], to: server, cookie: cookie)
    let connection = Connection(port: server.port, waits: true)
    connection.begin(
      "/api/v1/uploads", Data(count: 600_000),
      ["Cookie": cookie, "Content-Type": "application/octet-stream", "Upload-Name": "Large.JPG"], length: 4_000_000)
    try eventually("the upload's files") { names(in: "incoming/uploads", of: temporary).count == 4 }
    server.kill()
    let next = try Server(temporary)
    #expect(names(in: "incoming/uploads", of: temporary) == [kept, kept + ".json"])
    next.stop()
    withExtendedLifetime(connection) {}
  }
}
