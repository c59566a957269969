import Foundation
import NIOCore
import NIOHTTP1

/// Answers requests for cached grid pictures on the event loop, and passes every other request on.
///
/// A screen of the grid is about a hundred requests, and a task for each would cost several times
/// as much as the answer. The handler answers only HTTP/1.1 GET requests that the gate admits, of
/// sessions that were read within the last second. The connection must be persistent and writable,
/// and must have no other unanswered request. All other requests pass to the routes, which answer
/// with the same headers and bytes.
final class GridPictureHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let pictures: GridPictures
  private let gate: RequestGate
  private let sessions: Sessions
  private let cookieName: String
  private let connection: ConnectionLimitsHandler
  /// The encoder's context. Bytes written from here bypass the encoder.
  private let encoderContext: ChannelHandlerContext
  private var request = RequestState.forwarded
  /// The number of requests that were passed on and have no answer yet.
  private var unanswered = 0
  private var needsFlush = false
  private var statusLine = StatusLine()
  /// The `Host` field that was admitted last. A client sends the same one with each request.
  private var admittedHost: String?

  private enum RequestState {
    case answered
    case forwarded
  }

  init(
    pictures: GridPictures, gate: RequestGate, sessions: Sessions, connection: ConnectionLimitsHandler,
    encoderContext: ChannelHandlerContext
  ) {
    self.pictures = pictures
    self.gate = gate
    self.sessions = sessions
    cookieName = gate.site.cookie.name
    self.connection = connection
    self.encoderContext = encoderContext
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      if unanswered == 0, context.channel.isWritable, let picture = picture(for: head) {
        request = .answered
        needsFlush = true
        encoderContext.write(NIOAny(statusLine.bytes(now: .now())), promise: nil)
        encoderContext.write(NIOAny(picture.encodedBytes), promise: nil)
        return
      }
      request = .forwarded
      unanswered += 1
    }
    if request == .forwarded { context.fireChannelRead(data) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if needsFlush {
      needsFlush = false
      encoderContext.flush()
      connection.requestWasAnswered()
    }
    context.fireChannelReadComplete()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { unanswered = max(0, unanswered - 1) }
    context.write(data, promise: promise)
  }

  private func picture(for head: HTTPRequestHead) -> PictureAnswer? {
    guard head.method == .GET, head.version == .http1_1, let picture = pictures.picture(at: head.uri) else {
      return nil
    }
    var claims = RequestGate.Claims()
    var cookies: String?
    var isUnattended = false
    for (name, value) in head.headers {
      switch name.lowercased() {
      case "host":
        guard claims.host == nil else { return nil }
        claims.host = value
      case "origin":
        guard claims.origin == nil else { return nil }
        claims.origin = value
      case "sec-fetch-site":
        guard claims.fetchSite == nil else { return nil }
        claims.fetchSite = value
      case "sec-fetch-dest":
        guard claims.fetchDestination == nil else { return nil }
        claims.fetchDestination = value
      case "calotype-unattended": isUnattended = true
      case "cookie":
        guard cookies == nil else { return nil }
        cookies = value
      // Requests with a body and connections that are to be closed are rare enough for the routes.
      case "content-length", "transfer-encoding", "expect", "upgrade": return nil
      case "connection": guard value.lowercased() == "keep-alive" else { return nil }
      default: break
      }
    }
    guard admits(claims.host), gate.refusal(of: claims, .content) == nil,
      let token = SessionCookie.values(of: cookieName, in: cookies).first,
      sessions.knownSession(token: token, isUse: claims.isUse(isUnattended: isUnattended)) != nil
    else { return nil }
    return picture
  }

  private func admits(_ host: String?) -> Bool {
    guard let host else { return false }
    // `==` is also true for some texts of other bytes.
    if let admittedHost, host.utf8.elementsEqual(admittedHost.utf8) { return true }
    guard gate.admits(host: host) else { return false }
    admittedHost = host
    return true
  }
}

/// The status line and the date of an answer, renewed once a second.
private struct StatusLine {
  private var line = ByteBuffer()
  private var validUntil = NIODeadline.distantPast

  mutating func bytes(now: NIODeadline) -> ByteBuffer {
    if now >= validUntil {
      let date = Date()
      line = ByteBuffer(string: "HTTP/1.1 200 OK\r\nDate: \(HTTPDate.string(date))\r\n")
      validUntil =
        now + .milliseconds(Int64(1000 * (1 - date.timeIntervalSince1970.truncatingRemainder(dividingBy: 1))) + 1)
    }
    return line
  }
}
