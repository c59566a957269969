import Foundation
import Photos
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import PhotosServer

@Suite(.serialized) struct ListeningTests {
  @Test func `a port that is taken is named`() async throws {
    let (server, other) = (try TestServer(), try TestServer())
    try await serving(server) { url in
      let port = url.port ?? 0
      let second = PhotosServer(library: other.library, configuration: .init(port: port, webFolder: other.webFolder))
      let error = await #expect(throws: PhotosServerError.self) { try await second.run { _ in } }
      #expect(error?.code == .addressInUse)
      #expect(
        error?.localizedDescription == "can't serve on 127.0.0.1:\(port): another program is using this port")
    }
  }

  @Test func `a library that is served already is reported with the command that prints a link`() async throws {
    let server = try TestServer()
    try await serving(server) { url in
      let port = url.port ?? 0
      let second = PhotosServer(library: server.library, configuration: .init(port: port, webFolder: server.webFolder))
      let error = await #expect(throws: PhotosServerError.self) { try await second.run { _ in } }
      #expect(error?.code == .addressInUse)
      #expect(
        error?.localizedDescription
          == "can't serve on 127.0.0.1:\(port): this library is served already; `calotype open` prints a link to it")
    }
  }

  /// Each server drops connections that it accepted and doesn't handle yet.
  @Test func `a server ends while programs connect`() async throws {
    let server = try TestServer()
    for _ in 0..<20 { try await connectUntilTheEnd(of: server) }
  }

  private func connectUntilTheEnd(of server: TestServer) async throws {
    let connected = Atomic(0)
    // Another server may get the port afterwards.
    let hasEnded = Atomic(false)
    defer { hasEnded.store(true, ordering: .relaxed) }
    try await serving(server) { url in
      let port = url.port ?? 0
      Thread.detachNewThread {
        while !hasEnded.load(ordering: .relaxed), (try? RawConnection(port: port)) != nil {
          connected.add(1, ordering: .relaxed)
        }
      }
      try await wait(for: "a hundred connections") { connected.load(ordering: .relaxed) >= 100 }
    }
  }

  @Test func `a picture at hand is answered as the routes answer`() async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    let path = "/api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)/grid"
    // Pictures are at hand for a second, which does not end here.
    try await serving(server, environment: .living(by: TestClock(Date()))) { url in
      let host = head(url)
      let request = "GET \(path) HTTP/1.1\r\n\(host)"
      // The routes answer the first request, and the second is at hand. The pictures requested
      // behind another response are answered by the routes in their turn, and the one after them is
      // at hand again. All requests use one connection, which the last one closes.
      let answers = try RawConnection(port: url.port ?? 0).exchange([
        "\(request)\r\n", "\(request)\r\n",
        "GET /api/v1/library HTTP/1.1\r\n\(host)\r\n\(request)\r\n\(request)\r\n", "\(request)\r\n",
        "\(request)Origin: http://evil.example\r\n\r\n", "\(request)Sec-Fetch-Site: cross-site\r\n\r\n",
        "GET \(path) HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(url.port ?? 0)\r\n\r\n", "HEAD \(path) HTTP/1.1\r\n\(host)\r\n",
        "\(request)Connection: close\r\n\r\n",
      ])
      #expect(answers.map(\.status) == [200, 200, 200, 200, 200, 200, 403, 403, 421, 401, 200, 200])
      // The handler of pictures at hand writes the date first, which distinguishes its responses
      // from those of the routes.
      #expect(answers.indices.filter { answers[$0].firstField == "date" } == [1, 5])
      #expect(answers[2].fields["content-type"] == "application/json; charset=utf-8")
      let first = answers[0]
      #expect(first.body.count == Int(first.fields["content-length"] ?? ""))
      for index in [1, 3, 4, 5, 11] {
        #expect(answers[index].body == first.body)
        var fields = answers[index].fields
        fields["date"] = first.fields["date"]
        fields["connection"] = first.fields["connection"]
        #expect(fields == first.fields)
      }
      #expect(answers[10].body.isEmpty)
    }
  }

  @Test func `a movie is sent when it has been made, and from then on at once`() async throws {
    let temporary = try TemporaryLibrary()
    let asset = try temporary.add(SampleFile("IMG_0002.MOV", SampleMedia.movie()))[0]
    let server = try TestServer(library: temporary.library)
    try await serving(server) { url in
      let request =
        "GET /api/v1/renditions/\(asset.uuid)/\(asset.renditionVersion)/video HTTP/1.1\r\n\(head(url))"
      let answers = try RawConnection(port: url.port ?? 0).exchange(
        ["\(request)\r\n", "\(request)Range: bytes=4-7\r\n\r\n", "\(request)Connection: close\r\n\r\n"])
      #expect(answers.map(\.status) == [200, 206, 200])
      let made = answers[0]
      #expect(made.body.count == Int(made.fields["content-length"] ?? ""))
      #expect(made.body[made.body.startIndex + 4..<made.body.startIndex + 8] == Data("ftyp".utf8))
      #expect(answers[1].body == Data("ftyp".utf8) && answers[2].body == made.body)
    }
  }

  @Test func `a browser that goes away does not wait for its movie any more`() async throws {
    let temporary = try TemporaryLibrary()
    let long = try temporary.add(SampleFile("IMG_0003.MOV", longMovie()))[0]
    let short = try temporary.add(SampleFile("IMG_0004.MOV", SampleMedia.movie()))[0]
    let server = try TestServer(library: temporary.library)
    let hasBegun = Atomic(false)
    let tell: @Sendable (PHAsset, Double) -> Void = { asset, _ in
      if asset.uuid == long.uuid { hasBegun.store(true, ordering: .relaxed) }
    }
    try await serving(server, movieProgress: tell) { url in
      let requests = [long, short].map {
        "GET /api/v1/renditions/\($0.uuid)/\($0.renditionVersion)/video HTTP/1.1\r\nConnection: close\r\n\(head(url))\r\n"
      }
      let browser = try RawConnection(port: url.port ?? 0)
      browser.send(requests[0])
      try await wait(for: "the movie's first progress") { hasBegun.load(ordering: .relaxed) }
      browser.hangUp()
      // One movie is made at a time. The second movie is made because no request waits for the
      // first.
      #expect(try RawConnection(port: url.port ?? 0).exchange([requests[1]])[0].status == 200)
      #expect(try await PHImageManager.default().existingPlayableMovie(for: long) == nil)
    }
  }

  @Test func `HEAD says which part of a movie has been made`() async throws {
    let temporary = try TemporaryLibrary()
    let long = try temporary.add(SampleFile("IMG_0003.MOV", longMovie()))[0]
    let server = try TestServer(library: temporary.library)
    let hasBegun = Atomic(false)
    let tell: @Sendable (PHAsset, Double) -> Void = { _, _ in hasBegun.store(true, ordering: .relaxed) }
    try await serving(server, movieProgress: tell) { url in
      let path = "/api/v1/renditions/\(long.uuid)/\(long.renditionVersion)/video"
      func progress() throws -> String? {
        let answer = try RawConnection(port: url.port ?? 0)
          .exchange(["HEAD \(path) HTTP/1.1\r\nConnection: close\r\n\(head(url))\r\n"])[0]
        #expect(answer.status == 204)
        return answer.fields["calotype-progress"]
      }
      #expect(try progress() == nil)
      let browser = try RawConnection(port: url.port ?? 0)
      browser.send("GET \(path) HTTP/1.1\r\nConnection: close\r\n\(head(url))\r\n")
      try await wait(for: "the movie's first progress") { hasBegun.load(ordering: .relaxed) }
      let share = try #require(Double(progress() ?? ""))
      #expect(0..<1 ~= share)
      browser.hangUp()
    }
  }

  /// Returns a movie whose conversion would take minutes.
  private func longMovie() throws -> Data {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ListeningTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (short, long) = (folder.appendingPathComponent("short.mov"), folder.appendingPathComponent("long.mov"))
    for arguments in [
      ["-f", "lavfi", "-i", "testsrc=s=1280x720:d=5:r=30", "-c:v", "mpeg4", short.path],
      ["-stream_loop", "100", "-i", short.path, "-c", "copy", long.path],
    ] {
      let outcome = try Child.run("ffmpeg", ["-nostdin", "-loglevel", "error"] + arguments)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
    return try Data(contentsOf: long)
  }

  @Test func `a stop closes the connections`() async throws {
    let server = try TestServer()
    let connection = try await serving(server) { url in
      let connection = try RawConnection(port: url.port ?? 0)
      _ = try connection.exchange(["GET / HTTP/1.1\r\n\(head(url))\r\n"], waitsForEnd: false)
      return connection
    }
    #expect(connection.isAtEnd())
  }
}
