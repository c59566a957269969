import NIOCore
import NIOHTTP1

/// Replaces a request's `Host` field if its target is a whole URL, as in
/// `GET http://127.0.0.1:2839/ HTTP/1.1`. The URL's host takes precedence (RFC 9112, 3.2.2).
final class RequestTargetHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), let target = AbsoluteTarget(head.uri) else {
      return context.fireChannelRead(data)
    }
    head.uri = target.path
    // A later handler refuses a request with two `Host` fields.
    if head.headers["Host"].count < 2 { head.headers.replaceOrAdd(name: "Host", value: target.authority) }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}

/// The parts of `http://127.0.0.1:2839/path?query`.
struct AbsoluteTarget: Hashable {
  var authority: String
  /// The path with its query. It begins with a slash.
  var path: String

  /// Returns `nil` if the target is not a whole URL.
  init?(_ target: String) {
    guard !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") else { return nil }
    let rest = target[scheme.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    authority = String(rest[..<end])
    path = rest[end...].hasPrefix("/") ? String(rest[end...]) : "/" + rest[end...]
  }
}
