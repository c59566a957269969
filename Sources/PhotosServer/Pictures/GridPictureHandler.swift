import Foundation
import NIOCore
import NIOHTTP1

/// Answers requests for the grid's pictures that are at hand on the spot, and lets every other request pass.
///
/// A screen of the grid is a hundred such requests, and a task for each costs several times what the answer does. Only plain
/// requests are answered here: HTTP/1.1, GET, one that the gate lets in, on a connection that stays open and takes what is
/// written, and while no other request of the connection waits for its answer. The rest finds its way through the routes, to
/// the same headers and bytes.
final class GridPictureHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let pictures: GridPictures
  private let gate: RequestGate
  /// The encoder's place in the pipeline: what is written from there is bytes already.
  private let wire: ChannelHandlerContext
  private var request = RequestState.passesOn
  /// Requests that passed and have no answer yet.
  private var unanswered = 0
  private var hasToFlush = false
  private var statusLine = StatusLine()

  private enum RequestState {
    case answeredHere
    case passesOn
  }

  init(pictures: GridPictures, gate: RequestGate, wire: ChannelHandlerContext) {
    self.pictures = pictures
    self.gate = gate
    self.wire = wire
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      let now = NIODeadline.now()
      if unanswered == 0, context.channel.isWritable, let picture = picture(for: head, now: now) {
        request = .answeredHere
        hasToFlush = true
        wire.write(NIOAny(statusLine.bytes(now: now)), promise: nil)
        wire.write(NIOAny(picture.wire), promise: nil)
        return
      }
      request = .passesOn
      unanswered += 1
    }
    if request == .passesOn { context.fireChannelRead(data) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if hasToFlush {
      hasToFlush = false
      wire.flush()
      context.fireUserInboundEventTriggered(ConnectionLimitsHandler.Event.requestWasAnswered)
    }
    context.fireChannelReadComplete()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { unanswered = max(0, unanswered - 1) }
    context.write(data, promise: promise)
  }

  private func picture(for head: HTTPRequestHead, now: NIODeadline) -> PictureAnswer? {
    guard head.method == .GET, head.version == .http1_1, let picture = pictures.picture(at: head.uri, now: now) else {
      return nil
    }
    var claims = RequestGate.Claims()
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
      case "cookie":
        guard claims.cookie == nil else { return nil }
        claims.cookie = value
      case "authorization":
        guard claims.authorization == nil else { return nil }
        claims.authorization = value
      // With a body, or not to stay open: rare enough for the routes.
      case "content-length", "transfer-encoding", "expect", "upgrade": return nil
      case "connection": guard value.lowercased() == "keep-alive" else { return nil }
      default: break
      }
    }
    return gate.refusal(of: claims, isPrivate: true) == nil && gate.isSignedIn(claims) ? picture : nil
  }
}

/// The first two lines of an answer, made once a second.
private struct StatusLine {
  private var line = ByteBuffer()
  private var holdsUntil = NIODeadline.distantPast

  mutating func bytes(now: NIODeadline) -> ByteBuffer {
    if now >= holdsUntil {
      let date = Date()
      line = ByteBuffer(string: "HTTP/1.1 200 OK\r\nDate: \(HTTPDate.string(date))\r\n")
      holdsUntil =
        now + .milliseconds(Int64(1000 * (1 - date.timeIntervalSince1970.truncatingRemainder(dividingBy: 1))) + 1)
    }
    return line
  }
}
