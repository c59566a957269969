import Foundation
import Photos
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import PhotosServer

/// Tests `/api/v1/changes/stream` over real sockets.
@Suite(.serialized) struct EventStreamTests {
  /// An open stream, and a way to read it.
  private final class Stream {
    let connection: RawConnection
    /// The bytes that were received and not read yet.
    private var received = Data()

    init(
      _ url: URL, since: String? = nil, lastEventID: String? = nil, receiveBuffer: Int32? = nil,
      client: TestClient? = nil
    ) throws {
      connection = try RawConnection(port: url.port ?? 0, receiveBuffer: receiveBuffer)
      let query = since.map { "?since=\($0)" } ?? ""
      let id = lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
      connection.send("GET /api/v1/changes/stream\(query) HTTP/1.1\r\n\(client?.head(url) ?? head(url))\(id)\r\n")
    }

    /// Returns what comes up to a text.
    @discardableResult
    func read(until text: String) throws -> String {
      var found: Range<Data.Index>?
      try eventually("“\(text)” in the stream") {
        found = received.firstRange(of: Data(text.utf8))
        if found == nil { received += try connection.receive() }
        return found != nil
      }
      let end = try #require(found?.upperBound)
      defer { received = Data(received[end...]) }
      return String(decoding: received[..<end], as: UTF8.self)
    }

    /// Returns the lines of the next event with this name.
    func event(_ name: String) throws -> String {
      try read(until: "event: \(name)\n")
      return try read(until: "\n\n")
    }

    func begin() throws -> String { try read(until: "retry: 1000\n\n") }

    /// Returns the names and the data of the events up to this one.
    func events(until last: String) throws -> [String] {
      let name = last.prefix { $0 != " " }
      var events: [String] = []
      while events.last != last { events += Self.events(try read(until: "event: \(name)\n") + read(until: "\n\n")) }
      return events
    }

    static func events(_ text: String) -> [String] {
      text.matches(of: /event: (\w+)\n(?:id: .*\n)?data: (.*)\n/).map { "\($0.1) \($0.2)" }
    }
  }

  /// The program asks before the stream begins, or after.
  @Test(arguments: [true, false])
  func `a program on this machine that asks is announced to the owner's pages`(hasStream: Bool) async throws {
    let server = try TestServer()
    try await streaming(server) { url, _ in
      let before = server.library.currentChangeToken.stringValue
      let earlier = hasStream ? try Stream(url, since: before) : nil
      _ = try earlier?.begin()
      let library = try PHPhotoLibrary(
        url: server.library.url,
        client: LibraryClient(identifier: "com.example.A", name: "A", usageDescription: "Shows them."))
      library.authorizationAnswerer = AuthorizationScript { _ in .unanswered(reason: "nobody is here") }
      #expect(await library.requestAuthorization(for: .readWrite) == .notDetermined)
      let stream = try earlier ?? Stream(url, since: before)
      #expect(try stream.event("access") == "data: {}\n\n")
    }
  }

  /// Serves the library while `body` runs.
  private func streaming<Value: Sendable>(
    _ server: TestServer, _ times: EventStream.Times = EventStream.Times(),
    environment: ServerEnvironment = ServerEnvironment(),
    _ body: @escaping @Sendable (URL, BuiltServer) async throws -> Value
  ) async throws -> Value {
    var limits = ServerLimits(connections: 128)
    limits.streams = times
    var environment = environment
    environment.passwordParameters = .cheap
    return try await listening(server, limits: limits, environment: environment, body)
  }

  private func setFavorite(_ photo: PHAsset, _ value: Bool, in library: PHPhotoLibrary) throws {
    try library.performChangesAndWait { PHAssetChangeRequest(for: photo).isFavorite = value }
  }

  @Test func `G-01: a change of another process is reported when it is committed`() async throws {
    let server = try TestServer()
    let photo = try server.add(bitmap())
    let other = try PHPhotoLibrary(url: server.library.url)
    let theirs = try PHAsset.withID(photo.uuid[...], in: other)
    // No check comes to the aid of the news.
    try await streaming(server, EventStream.Times(check: .seconds(86_400))) { url, _ in
      let stream = try Stream(url)
      let start = try stream.begin()
      #expect(start.contains("HTTP/1.1 200 OK"))
      #expect(start.lowercased().contains("content-type: text/event-stream"))
      #expect(start.contains("id: \(server.library.currentChangeToken.stringValue)\n"))
      for value in [true, false, true, false, true] {
        try setFavorite(theirs, value, in: other)
        let event = try stream.event("change")
        let revision = other.currentChangeToken.stringValue
        #expect(event.contains("id: \(revision)\n"))
        #expect(
          event.contains(
            #""assets":{"deleted":[],"inserted":[],"updated":["\#(photo.uuid)"]},"collections":{"deleted":[],"inserted":[],"updated":[]},"revision":"\#(revision)","transactions":["#
          ))
      }
    }
  }

  @Test func `G-05: after a break everything is there, from Last-Event-ID or since`() async throws {
    let server = try TestServer()
    let photos = try (0..<5).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    let before = server.library.currentChangeToken.stringValue
    for photo in photos { try setFavorite(photo, true, in: server.library) }
    let updated = photos.map { "\"\($0.uuid)\"" }.sorted().joined(separator: ",")
    try await streaming(server) { url, _ in
      for stream in [try Stream(url, lastEventID: before), try Stream(url, since: before)] {
        _ = try stream.begin()
        #expect(try stream.event("change").contains(#""updated":[\#(updated)]"#))
      }
    }
  }

  @Test(arguments: ["x", "00000000-0000-4000-8000-000000000000-7"])
  func `G-05: a position that the library doesn't know leads to a reset`(id: String) async throws {
    let server = try TestServer()
    try server.add(bitmap())
    let revision = server.library.currentChangeToken.stringValue
    try await streaming(server) { url, _ in
      let event = try Stream(url, lastEventID: id).event("reset")
      #expect(event == "id: \(revision)\ndata: {\"revision\":\"\(revision)\"}\n\n")
    }
  }

  @Test(arguments: [true, false])
  func `O-07: a stream resets once if the history has lost what it asks for, and then goes on`(
    isExpired: Bool
  ) async throws {
    let temporary = try TemporaryLibrary()
    let server = try TestServer(library: temporary.library)
    let photo = try server.add(bitmap())
    let before = server.library.currentChangeToken.stringValue
    try setFavorite(photo, true, in: server.library)
    if isExpired { try temporary.expireHistory() } else { try temporary.thinHistory() }
    let revision = server.library.currentChangeToken.stringValue
    try await streaming(server) { url, _ in
      let streams = [try Stream(url, lastEventID: before), try Stream(url, since: before)]
      for stream in streams {
        #expect(try stream.event("reset") == "id: \(revision)\ndata: {\"revision\":\"\(revision)\"}\n\n")
      }
      let resumed = try Stream(url, lastEventID: revision)
      _ = try resumed.begin()
      try setFavorite(photo, false, in: server.library)
      let present = server.library.currentChangeToken.stringValue
      for stream in streams + [resumed] {
        let text = try stream.read(until: "event: change\nid: \(present)\n")
        #expect(!text.contains("event: reset"))
      }
    }
  }

  @Test func `O-07: a stream resets if its position is in the future, as after restoring a backup`() async throws {
    let server = try TestServer()
    try server.add(bitmap())
    let present = server.library.currentChangeToken
    let future = "\(present.stringValue.prefix(36))-\(present.number + 7)"
    try await streaming(server) { url, _ in
      let event = try Stream(url, lastEventID: future).event("reset")
      #expect(event.hasPrefix("id: \(present.stringValue)\n"))
    }
  }

  @Test func `G-08: a client that leaves has no stream any more`() async throws {
    let server = try TestServer()
    try await streaming(server) { url, built in
      let streams = try (0..<3).map { _ in try Stream(url) }
      for stream in streams { _ = try stream.begin() }
      #expect(built.changes.feed.streamCount == 3)
      for stream in streams { stream.connection.hangUp() }
      try await wait(for: "the end of the streams") { built.changes.feed.streamCount == 0 }
    }
  }

  @Test func `a stream ends with its session`() async throws {
    let server = try TestServer()
    try await streaming(server, EventStream.Times(check: .seconds(86_400))) { url, built in
      let stream = try Stream(url)
      _ = try stream.begin()
      let person = try server.library.signIns.owner().id
      for session in try built.signIn.sessions.all(of: person) { try built.signIn.sessions.end(session.id, of: person) }
      try stream.read(until: "0\r\n\r\n")
    }
  }

  @Test func `a stream ends after another process has ended its session`() async throws {
    let server = try TestServer()
    let clock = TestClock(Date())
    let times = EventStream.Times(check: .milliseconds(10))
    try await streaming(server, times, environment: .living(by: clock)) { url, _ in
      let stream = try Stream(url)
      _ = try stream.begin()
      try PhotosServer.resetPassword(of: try PHPhotoLibrary(url: server.library.url))
      clock.advance(1)
      try stream.read(until: "0\r\n\r\n")
    }
  }

  private static let password = "correct horse battery"
  private static let locked = #"data: {"isLocked":true}"# + "\n\n"
  private static let open = #"data: {"isLocked":false}"# + "\n\n"

  /// Sends JSON as a signed-in page. Returns the status.
  private func send(_ method: String, _ path: String, _ json: String, _ url: URL) throws -> Int {
    let body = Data(json.utf8)
    return try RawConnection(port: url.port ?? 0).exchange(
      "\(method) /api/v1/\(path) HTTP/1.1\r\n\(head(url))Sec-Fetch-Site: same-origin\r\n"
        + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n", body
    ).status
  }

  @Test func `U-20: each page is told when Hidden is locked or opened for it`() async throws {
    let server = try TestServer()
    try server.setPassword(Self.password)
    try await streaming(server) { url, _ in
      let otherURL = try signedInURL(of: server.library, port: url.port ?? 0)
      let page = try Stream(url)
      let other = try Stream(otherURL)
      for stream in [page, other] { #expect(try stream.event("hidden") == Self.open) }
      #expect(try send("PUT", "hidden-lock", #"{"isSet":true}"#, url) == 200)
      for stream in [page, other] { #expect(try stream.event("hidden") == Self.locked) }
      #expect(try send("POST", "hidden-lock/opening", #"{"password":"\#(Self.password)"}"#, otherURL) == 200)
      #expect(try other.event("hidden") == Self.open)
      #expect(try send("DELETE", "hidden-lock/opening", "", otherURL) == 204)
      #expect(try other.event("hidden") == Self.locked)
      #expect(try send("POST", "hidden-lock/opening", #"{"password":"\#(Self.password)"}"#, url) == 200)
      // It is the first news for this page since the lock was set.
      #expect(try page.event("hidden") == Self.open)
    }
  }

  @Test func `U-20: a page is told when the time of the opened lock is over`() async throws {
    let server = try TestServer()
    try server.setPassword(Self.password)
    let clock = TestClock(Date())
    let times = EventStream.Times(check: .milliseconds(10))
    try await streaming(server, times, environment: .living(by: clock)) { url, _ in
      #expect(try send("PUT", "hidden-lock", #"{"isSet":true}"#, url) == 200)
      #expect(try send("POST", "hidden-lock/opening", #"{"password":"\#(Self.password)"}"#, url) == 200)
      let stream = try Stream(url)
      #expect(try stream.event("hidden") == Self.open)
      clock.advance(601)
      #expect(try stream.event("hidden") == Self.locked)
      // It sees other questions and edits now.
      #expect(try [stream.event("confirm"), stream.event("edit")].allSatisfy { $0.contains("{}") })
    }
  }

  @Test func `U-20: after Hidden is locked, a stream that is open names no hidden photo`() async throws {
    let server = try TestServer()
    try server.setPassword(Self.password)
    let (hidden, shown) = (try server.add(bitmap(red: 1)), try server.add(bitmap(red: 2), minute: 1))
    try server.library.performChangesAndWait { PHAssetChangeRequest(for: hidden).isHidden = true }
    try await streaming(server) { url, _ in
      let stream = try Stream(url)
      _ = try stream.begin()
      try setFavorite(hidden, true, in: server.library)
      #expect(try stream.event("change").contains(hidden.uuid))
      #expect(try send("PUT", "hidden-lock", #"{"isSet":true}"#, url) == 200)
      _ = try stream.event("hidden")
      try server.library.performChangesAndWait {
        for photo in [hidden, shown] { PHAssetChangeRequest(for: photo).isFavorite = photo === shown }
      }
      let event = try stream.event("change")
      #expect(event.contains(shown.uuid))
      #expect(!event.contains(hidden.uuid))
    }
  }

  @Test func `U-20: a client reads everything anew after Hidden was locked`() async throws {
    let server = try TestServer()
    try server.setPassword(Self.password)
    let client = try await TestClient(server: server).answered("full")
    try await streaming(server) { url, _ in
      let stream = try Stream(url, client: client)
      _ = try stream.begin()
      #expect(try send("PUT", "hidden-lock", #"{"isSet":true}"#, url) == 200)
      let revision = server.library.currentChangeToken.stringValue
      #expect(try stream.event("reset").contains(#"{"revision":"\#(revision)"}"#))
    }
  }

  @Test func `B-08: a client's stream says nothing of an asset that the client does not see`() async throws {
    let server = try TestServer()
    let (seen, unseen) = (try server.add(bitmap(red: 1)), try server.add(bitmap(red: 2), minute: 1))
    let client = try await TestClient(server: server).answered("limited", assets: [seen])
    try await streaming(server) { url, _ in
      struct Library: Decodable { var revision: String }
      let before = try JSONDecoder().decode(Library.self, from: try await client.ask("/library").body).revision
      let number = try #require(PHPersistentChangeToken(stringValue: before)).number
      let stream = try Stream(url, client: client)
      _ = try stream.begin()
      try setFavorite(unseen, true, in: server.library)
      try server.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([unseen] as NSArray) }
      try setFavorite(seen, true, in: server.library)
      let first = try stream.read(until: "\n\n")
      #expect(first.contains("event: change\nid: \(before.prefix(36))-\(number + 1)\n"))
      #expect(first.contains(#""updated":["\#(seen.uuid)"]"#))
      #expect(!first.contains(unseen.uuid))
    }
  }

  /// A change of a client's access while its stream is open.
  private struct Withdrawal: CustomTestStringConvertible {
    let testDescription: String
    /// The client's statuses before, if they are not those of limited access.
    var start: String?
    /// The owner's request by the web app.
    var request: (method: String, path: String, json: String)
    /// The same in another process.
    var elsewhere: @Sendable (PHPhotoLibrary, LibraryClient, [PHAsset]) throws -> Void
    /// The statuses that are reported; `nil` if they do not change.
    var statuses: String?
    var resets = true
    /// Whether the client sees the first asset afterwards.
    var isReading = true
  }

  /// The client's selection contains the assets 0 and 1.
  private static let withdrawals = [
    Withdrawal(
      testDescription: "deny", request: ("PATCH", "", #"{"readWrite":"denied"}"#),
      elsewhere: { library, client, _ in try library.setAuthorization(.denied, for: client, accessLevel: .readWrite) },
      statuses: #"{"addOnly":"notDetermined","readWrite":"denied"}"#, resets: false, isReading: false),
    Withdrawal(
      testDescription: "restrict", request: ("PATCH", "", #"{"readWrite":"restricted"}"#),
      elsewhere: { library, client, _ in
        try library.setAuthorization(.restricted, for: client, accessLevel: .readWrite)
      },
      statuses: #"{"addOnly":"notDetermined","readWrite":"restricted"}"#, resets: false, isReading: false),
    Withdrawal(
      testDescription: "limit", start: "authorized", request: ("PATCH", "", #"{"readWrite":"limited"}"#),
      elsewhere: { library, client, assets in
        try library.setAuthorization(limitedTo: Array(assets[..<2]), for: client)
      },
      statuses: #"{"addOnly":"authorized","readWrite":"limited"}"#),
    Withdrawal(
      testDescription: "deselect one", request: ("PUT", "/selection", #"{"assets":["0"]}"#),
      elsewhere: { library, client, assets in try library.deselect([assets[1]], for: client) }),
    Withdrawal(
      testDescription: "select one", request: ("PUT", "/selection", #"{"assets":["0","1","2"]}"#),
      elsewhere: { library, client, assets in try library.select([assets[2]], for: client) }),
    Withdrawal(
      testDescription: "full again", start: "denied", request: ("PATCH", "", #"{"readWrite":"authorized"}"#),
      elsewhere: { library, client, _ in
        try library.setAuthorization(.authorized, for: client, accessLevel: .readWrite)
      },
      statuses: #"{"addOnly":"authorized","readWrite":"authorized"}"#),
    Withdrawal(
      testDescription: "full", request: ("PATCH", "", #"{"readWrite":"authorized"}"#),
      elsewhere: { library, client, _ in
        try library.setAuthorization(.authorized, for: client, accessLevel: .readWrite)
      },
      statuses: #"{"addOnly":"authorized","readWrite":"authorized"}"#),
  ]

  @Test(arguments: withdrawals, [false, true])
  private func `A-12: a client's stream says exactly what the owner has changed for it`(
    withdrawal: Withdrawal, isElsewhere: Bool
  ) async throws {
    let server = try TestServer()
    let assets = try (0..<4).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    let client = try await TestClient(server: server).answered("limited", assets: Array(assets[..<2]))
    let recorded = LibraryClient(identifier: try #require(client.origin))
    let path = "access/clients/\(try await server.onlyClient())"
    let other = try PHPhotoLibrary(url: server.library.url)
    try await streaming(server, EventStream.Times(pause: .milliseconds(1), check: .seconds(86_400))) { url, _ in
      if let start = withdrawal.start {
        #expect(try send("PATCH", path, #"{"readWrite":"\#(start)"}"#, url) == 200)
      }
      let stream = try Stream(url, client: client)
      _ = try stream.begin()
      if isElsewhere {
        try withdrawal.elsewhere(other, recorded, try assets.map { try PHAsset.withID($0.uuid[...], in: other) })
      } else {
        let (method, end, json) = withdrawal.request
        let body = json.replacing(/"(\d)"/) { "\"\(assets[Int($0.1) ?? 0].uuid)\"" }
        #expect(try send(method, path + end, body, url) == 200)
      }
      // The client's positions are of its own history.
      func revision() -> String { server.library.photoLibrary(for: recorded).currentChangeToken.stringValue }
      let expected =
        [withdrawal.statuses.map { "access \($0)" }, withdrawal.resets ? #"reset {"revision":"\#(revision())"}"# : nil]
        .compactMap(\.self)
      #expect(try stream.events(until: expected.last ?? "") == expected)
      let last: String
      if withdrawal.isReading {
        // A limited client must not see the next commits. A client with full access would see them,
        // so they are left out for it.
        if withdrawal.statuses?.contains(#""readWrite":"authorized""#) != true {
          try setFavorite(assets[3], true, in: server.library)
          try server.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([assets[3]] as NSArray) }
          try server.library.setAuthorization(
            .authorized, for: LibraryClient(identifier: "com.example.A"), accessLevel: .readWrite)
        }
        try setFavorite(assets[0], true, in: server.library)
        let nothing = #""deleted":[],"inserted":[]"#
        last =
          #"change {"assets":{\#(nothing),"updated":["\#(assets[0].uuid)"]},"collections":{\#(nothing),"updated":[]},"#
          + #""revision":"\#(revision())","transactions":[]}"#
      } else {
        for asset in assets { try setFavorite(asset, true, in: server.library) }
        try server.add(bitmap(red: 9), minute: 9)
        try server.library.setAuthorization(.authorized, for: recorded, accessLevel: .addOnly)
        let statuses = try #require(withdrawal.statuses)
        last = "access \(statuses.replacing(#""addOnly":"notDetermined""#, with: #""addOnly":"authorized""#))"
      }
      #expect(try stream.events(until: last) == [last])
    }
  }

  @Test(arguments: ["revoke", "forget"], [false, true])
  func `A-12: a client's stream ends with its token, and sends no later change`(
    end: String, isElsewhere: Bool
  ) async throws {
    let server = try TestServer()
    let asset = try server.add(bitmap())
    let client = try await TestClient(server: server).answered("full")
    let access = try #require(try await server.access().clients.first)
    let clock = TestClock(Date())
    // A check finds that another process has ended the token.
    let times = EventStream.Times(check: isElsewhere ? .milliseconds(10) : .seconds(86_400))
    try await streaming(server, times, environment: .living(by: clock)) { url, _ in
      let stream = try Stream(url, client: client)
      _ = try stream.begin()
      let other = try PHPhotoLibrary(url: server.library.url)
      switch (end, isElsewhere) {
      case ("revoke", false): #expect(try send("DELETE", "access/tokens/\(access.tokens[0].id)", "", url) == 204)
      case ("revoke", true): #expect(try other.clientTokens.delete(access.tokens[0].id))
      case ("forget", false): #expect(try send("DELETE", "access/clients/\(access.id)", "", url) == 204)
      default: try other.forget(LibraryClient(identifier: access.identifier))
      }
      if isElsewhere { clock.advance(1) }
      let events = Stream.events(try stream.read(until: "0\r\n\r\n"))
      // The commit may be noticed before the end of the token.
      let forgotten = #"access {"addOnly":"notDetermined","readWrite":"notDetermined"}"#
      #expect(events.isEmpty || end == "forget" && events == [forgotten], "\(events)")
      try setFavorite(asset, true, in: server.library)
      let answer = try Stream(url, client: client).read(until: "\r\n\r\n")
      #expect(answer.contains("HTTP/1.1 401"))
    }
  }

  @Test func `a session has at most 32 streams`() async throws {
    let server = try TestServer()
    try await streaming(server) { url, _ in
      // A connection is a stranger's until its request is read. Of the 128, strangers may have 28.
      let streams = try (0..<32).map { _ in
        let stream = try Stream(url)
        _ = try stream.begin()
        return stream
      }
      let refused = try Stream(url).read(until: "too-many-requests")
      #expect(refused.contains("HTTP/1.1 429"))
      let left = streams[0]
      left.connection.hangUp()
      try await wait(for: "a place for another stream") {
        try Stream(url).read(until: "\r\n\r\n").contains("200 OK")
      }
    }
  }

  @Test(arguments: [true, false])
  func `commits in quick succession become few events`(hasStream: Bool) async throws {
    let server = try TestServer()
    let photos = try (0..<40).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    // The pause after the first event lasts until the gate is open.
    let pauses = Mutex<[Duration]>([])
    let (isOpen, gate) = AsyncStream.makeStream(of: Void.self)
    var times = EventStream.Times()
    times.sleep = { duration in
      pauses.withLock { $0.append(duration) }
      for await _ in isOpen {}
    }
    try await streaming(server, times) { url, _ in
      defer { gate.finish() }
      // The first commit comes before the stream begins, or after.
      let before = server.library.currentChangeToken.stringValue
      if !hasStream { try setFavorite(photos[0], true, in: server.library) }
      let stream = try Stream(url, since: before)
      _ = try stream.begin()
      if hasStream { try setFavorite(photos[0], true, in: server.library) }
      #expect(try stream.event("change").contains(photos[0].uuid))
      for photo in photos.dropFirst() { try setFavorite(photo, true, in: server.library) }
      gate.finish()
      let last = server.library.currentChangeToken.stringValue
      let text = try stream.read(until: "id: \(last)\n")
      #expect(text.components(separatedBy: "event: change").count - 1 == 1)
    }
    #expect(pauses.withLock(\.first) == .milliseconds(200))
  }

  @Test func `a client that does not read keeps nobody waiting, and takes no memory`() async throws {
    let server = try TestServer()
    let photos = try (0..<40).map { try server.add(bitmap(red: UInt8($0)), minute: $0) }
    try await streaming(server, EventStream.Times(pause: .milliseconds(1))) { url, built in
      let slow = try Stream(url, receiveBuffer: 4096)
      let reader = try Stream(url)
      _ = try reader.begin()
      for value in [true, false, true, false, true] {
        for photo in photos { try setFavorite(photo, value, in: server.library) }
        let last = server.library.currentChangeToken.stringValue
        try reader.read(until: "id: \(last)\n")
      }
      #expect(built.inFlight.byteCount < 256 << 10)
      withExtendedLifetime(slow) {}
    }
  }

  @Test func `a silent stream sends comments`() async throws {
    let times = EventStream.Times(heartbeat: .milliseconds(100), check: .milliseconds(50))
    try await streaming(try TestServer(), times) { url, _ in
      let stream = try Stream(url)
      _ = try stream.begin()
      for _ in 0..<3 { try stream.read(until: ":\n\n") }
    }
  }
}
