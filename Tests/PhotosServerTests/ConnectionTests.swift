import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing

@testable import Photos
@testable import PhotosServer

@Suite(.serialized) struct ConnectionTests {
  /// The beginning of a request whose client never sends the rest.
  private static let beginnings = [
    "", "GET / HT", "GET / HTTP/1.1\r\nAccept: */*\r\n",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc",
  ]

  @Test(arguments: beginnings)
  func `a client that does not finish its request loses its connection`(beginning: String) async throws {
    let server = try TestServer()
    let limits = ServerLimits(connections: 16, requestTime: .milliseconds(100))
    try await serving(server, limits: limits) { url in
      let slow = try RawConnection(port: url.port ?? 0)
      slow.send(beginning)
      _ = try slow.receiveAll()
    }
  }

  @Test(arguments: beginnings)
  func `a client has half a minute for each request`(beginning: String) throws {
    let connection = try TimedConnection(to: TestServer())
    connection.advance(.seconds(29))
    try connection.receive("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(connection.answerer.count == 1)
    try connection.receive(beginning)
    connection.advance(.seconds(29))
    #expect(connection.isOpen)
    connection.advance(.seconds(1))
    #expect(!connection.isOpen)
  }

  @Test func `a client that takes nothing of its answer loses its connection`() async throws {
    let server = try TestServer()
    let asset = try server.add(unreadable(byteCount: 32 << 20))
    // The second connection is accepted once the first one is closed.
    let limits = ServerLimits(connections: 1, writeTime: .milliseconds(100))
    try await serving(server, limits: limits) { url in
      let slow = try RawConnection(port: url.port ?? 0)
      slow.send("GET /api/v1/resources/\(asset.uuid)/0 HTTP/1.1\r\n\(head(url))\r\n")
      // The end of this one may cut its answer, since it has no more time than the first one.
      let next = try RawConnection(port: url.port ?? 0)
      next.send("GET / HTTP/1.1\r\n\(head(url))Connection: close\r\n\r\n")
      _ = try next.receiveAll()
      withExtendedLifetime(slow) {}
    }
  }

  @Test func `a client has a minute for each part of its answer`() throws {
    let connection = try TimedConnection(to: TestServer())
    connection.answerer.endsAnswers = false
    connection.socket.isFull = true
    try connection.receive("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    connection.advance(.seconds(59))
    #expect(connection.socket.takeOne())
    connection.advance(.seconds(59))
    #expect(connection.isOpen)
    connection.advance(.seconds(1))
    #expect(!connection.isOpen)
  }

  @Test(arguments: [(100, 100), (101, 100), (4_000, 100)])
  func `at most a hundred requests of a connection wait for their answers`(sent: Int, arrived: Int) throws {
    let connection = try TimedConnection(to: TestServer())
    connection.answerer.endsAnswers = false
    try connection.receive(String(repeating: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", count: sent))
    #expect(connection.answerer.count == arrived)
    #expect(connection.isOpen == (sent == arrived))
  }

  @Test func `a connection may have any number of requests one after another`() throws {
    let connection = try TimedConnection(to: TestServer())
    try connection.receive(String(repeating: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 300))
    #expect(connection.answerer.count == 300)
    #expect(connection.isOpen)
  }

  @Test func `a client that is served in time keeps its connection`() throws {
    let server = try TestServer()
    let pictures = picture(at: "/a", of: server)
    let connection = try TimedConnection(to: server, pictures: pictures)
    for count in 1...4 {
      connection.advance(.seconds(29))
      try connection.receive("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      connection.advance(.seconds(29))
      // This response comes from a handler before the one with the deadlines.
      try connection.receive("GET /a HTTP/1.1\r\nHost: localhost:2839\r\nCookie: \(server.cookie)\r\n\r\n")
      #expect(connection.answerer.count == count)
      #expect(connection.isOpen)
    }
    connection.advance(.seconds(30))
    #expect(!connection.isOpen)
  }

  @Test(arguments: [
    ("Sec-Fetch-Dest: image", 0), ("Calotype-Unattended: 1", 0), ("Sec-Fetch-Dest: empty", 1),
  ])
  func `a picture at hand passes the routes only if its request uses the session`(
    field: String, passed: Int
  ) async throws {
    let server = try TestServer()
    let pictures = picture(at: "/a", of: server)
    let connection = try TimedConnection(to: server, pictures: pictures)
    server.clock.advance(SessionRules.seenInterval)
    pictures.confirm(revision: "1")
    #expect(try await server.ask("/api/v1/library", ["Calotype-Unattended": "1"]).status == 200)
    try connection.receive("GET /a HTTP/1.1\r\nHost: localhost:2839\r\nCookie: \(server.cookie)\r\n\(field)\r\n\r\n")
    #expect(connection.answerer.count == passed)
  }

  @Test(arguments: ["localhost:2839.example.com", "evil.example", ""])
  func `a picture at hand is not sent to another host of the same connection`(host: String) async throws {
    let server = try TestServer()
    let connection = try TimedConnection(to: server, pictures: picture(at: "/a", of: server))
    let cookie = "Cookie: \(server.cookie)\r\n\r\n"
    try connection.receive("GET /a HTTP/1.1\r\nHost: localhost:2839\r\n\(cookie)")
    #expect(connection.answerer.count == 0)
    try connection.receive("GET /a HTTP/1.1\r\nHost: \(host)\r\n\(cookie)")
    #expect(connection.answerer.count == 1)
  }

  @Test(arguments: [
    ("POST /api/v1/uploads", true), ("PATCH /api/v1/uploads/1", true), ("POST /picker/v1/addresses?name=a.jpg", true),
    ("POST /api/v1/imports", false), ("PUT /api/v1/uploads", false),
  ])
  func `an upload has as much time as it needs while its bytes come`(request: String, isUpload: Bool) throws {
    var limits = ServerLimits(connections: 1)
    limits.uploadProgress = 1000
    let connection = try TimedConnection(to: TestServer(), limits: limits)
    try connection.receive("\(request) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n")
    for _ in 0..<9 {
      connection.advance(.seconds(29))
      guard connection.isOpen else { break }
      try connection.receive(String(repeating: "a", count: 1000))
    }
    #expect(connection.isOpen == isUpload)
    connection.advance(.seconds(29))
    #expect(connection.isOpen == isUpload)
    connection.advance(.seconds(1))
    #expect(!connection.isOpen)
  }

  @Test func `if too many connections wait, the one that has waited longest is closed`() async throws {
    let server = try TestServer()
    try await serving(server, limits: ServerLimits(connections: 16)) { url in
      let request = "GET / HTTP/1.1\r\n\(head(url))\r\n"
      let idle = try (0..<14).map { _ in
        let connection = try RawConnection(port: url.port ?? 0)
        #expect(try connection.exchange([request], waitsForEnd: false).map(\.status) == [200])
        return connection
      }
      // All connections send another request, the first connection last.
      for connection in idle.dropFirst() + idle.prefix(1) {
        #expect(try connection.exchange([request], waitsForEnd: false).map(\.status) == [200])
      }
      let new = try RawConnection(port: url.port ?? 0)
      #expect(try new.exchange([request], waitsForEnd: false).map(\.status) == [200])
      #expect(idle[1].isAtEnd())
      #expect(try idle[0].exchange([request], waitsForEnd: false).map(\.status) == [200])
    }
  }

  @Test func `strangers who take nothing don't keep the owner out`() async throws {
    let server = try TestServer()
    // No connection is closed because too many bytes wait.
    let limits = ServerLimits(connections: 64, bytesInFlight: 1 << 30)
    try Data(count: 1 << 20).write(to: server.webFolder.appendingPathComponent("sign-in/sign-in.css"))
    try await listening(server, limits: limits) { url, built in
      let port = url.port ?? 0
      let stalling = "GET /sign-in/sign-in.css HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
      // The owner's page is open, and waits.
      let page = try RawConnection(port: port)
      let request = "GET / HTTP/1.1\r\n\(head(url))\r\n"
      #expect(try page.exchange([request], waitsForEnd: false).map(\.status) == [200])
      var crowd: [RawConnection] = []
      for _ in 0..<(2 * limits.connections) {
        crowd.append(try RawConnection(port: port, receiveBuffer: 4096))
        crowd[crowd.count - 1].send(String(repeating: stalling, count: 8))
        // The server has let it in once it answers, or closes it. While others still come in, they
        // can take the place of a connection that has sent nothing yet.
        _ = try? crowd[crowd.count - 1].receive()
      }
      try await wait(for: "a crowd that is stalled") { built.inFlight.byteCount > 0 }
      #expect(try page.exchange([request], waitsForEnd: false).map(\.status) == [200])
      for _ in 0..<limits.connections {
        #expect(try RawConnection(port: port).exchange([request], waitsForEnd: false).map(\.status) == [200])
      }
      withExtendedLifetime(crowd) {}
    }
  }

  @Test(arguments: [(0, 16, 4), (64, 16, 8), (1024, 320, 128), (4096, 1024, 512), (1 << 20, 1024, 1000)])
  func `connections and copies leave descriptors for everything else`(
    descriptors: Int, connections: Int, copies: Int
  ) {
    let limits = ServerLimits(descriptors: descriptors)
    #expect(limits.connections == connections)
    #expect(limits.handedOverFiles == copies)
  }

  @Test func `deadlines follow what the client has to do next`() {
    let limits = ServerLimits(connections: 1, requestTime: .seconds(30), writeTime: .seconds(60))
    let start = NIODeadline.uptimeNanoseconds(0)
    func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }
    var deadlines = ClientDeadlines(limits: limits, now: start)
    #expect(deadlines.next == at(30))
    deadlines.requestBegan(now: at(10))
    #expect(deadlines.next == at(40))
    deadlines.requestEnded()
    #expect(deadlines.next == nil)
    deadlines.writeBegan(now: at(100))
    deadlines.writeBegan(now: at(110))
    #expect(deadlines.next == at(160))
    deadlines.writeEnded(now: at(120))
    #expect(deadlines.next == at(180))
    deadlines.answerEnded(now: at(130))
    #expect(deadlines.next == at(160))
    deadlines.writeEnded(now: at(140))
    #expect(deadlines.next == at(160))
    deadlines.requestWasAnswered(now: at(150))
    #expect(deadlines.next == at(180))
  }

  @Test func `an answer that comes before the end of its request does not end the waiting for it`() {
    let limits = ServerLimits(connections: 1, requestTime: .seconds(30))
    let start = NIODeadline.uptimeNanoseconds(0)
    var deadlines = ClientDeadlines(limits: limits, now: start)
    deadlines.requestBegan(now: start)
    deadlines.answerEnded(now: start + .seconds(1))
    deadlines.requestEnded()
    #expect(deadlines.next == start + .seconds(31))
  }
}

/// Returns a file with a picture's beginning, which the library keeps although it can't be decoded.
func unreadable(byteCount: Int) -> Data {
  bitmap(width: 64, height: 64).prefix(60) + Data(count: byteCount - 60)
}

/// Returns pictures at hand, of which one has the path.
private func picture(at path: String, of server: TestServer) -> GridPictures {
  let pictures = GridPictures { server.clock.time }
  pictures.confirm(revision: "1")
  let rendition = AssetRendition(
    data: Data("picture".utf8), uniformTypeIdentifier: "public.jpeg", pixelWidth: 1, pixelHeight: 1)
  pictures.insert(PictureAnswer(rendition, SecurityHeaders(isHTTPS: false)), at: path, revision: "1")
  return pictures
}

/// A connection with the server's handlers. Its time goes on when a test says so.
private final class TimedConnection {
  let answerer = Answerer()
  let socket = FullSocket()
  private let channel = EmbeddedChannel()

  init(
    to server: TestServer, limits: ServerLimits = ServerLimits(connections: 1), pictures: GridPictures = GridPictures()
  ) throws {
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(HTTPResponseEncoder())
    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
    let inFlight = BytesInFlight(limit: 1 << 20)
    try ServerChannel(
      http: .watched { _, _, _ in }, gate: RequestGate(site: server.signIn.site), sessions: server.signIn.sessions,
      pictures: pictures, limits: limits, connections: OpenConnections(limit: 16, inFlight: inFlight),
      inFlight: inFlight
    ).addHandlers(to: channel)
    try pipeline.addHandler(answerer)
    try pipeline.addHandler(socket, position: .first)
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
  }

  deinit {
    if isOpen { channel.close(promise: nil) }
    channel.embeddedEventLoop.run()
  }

  var isOpen: Bool { channel.isActive }

  func advance(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

  func receive(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }
}

/// Answers each request.
private final class Answerer: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  var endsAnswers = true
  /// The number of requests that have come.
  private(set) var count = 0

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .end = unwrapInboundIn(data) else { return }
    count += 1
    let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "1"])
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "a")))), promise: nil)
    if endsAnswers { context.write(wrapOutboundOut(.end(nil)), promise: nil) }
    context.flush()
  }
}

/// Keeps what is written while it is full, as if the client took nothing.
private final class FullSocket: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  var isFull = false
  private var kept: [EventLoopPromise<Void>?] = []

  /// Takes one part. Returns false if there is none.
  func takeOne() -> Bool {
    guard !kept.isEmpty else { return false }
    kept.removeFirst()?.succeed()
    return true
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if isFull { kept.append(promise) } else { context.write(data, promise: promise) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    for promise in kept { promise?.fail(ChannelError.ioOnClosedChannel) }
    kept = []
    context.fireChannelInactive()
  }
}
