import HummingbirdCore
import NIOCore
import Synchronization

/// A connection that a server accepted.
///
/// A server that ends drops the connections that it accepted and doesn't handle yet. NIO ends the
/// process if one of them is released before it is closed (apple/swift-nio#2637).
final class AcceptedConnection: ServerChildChannelValue {
  private let http: HTTP1Channel.Value
  private let isHandled = Mutex(false)

  var channel: any Channel { http.channel }

  init(_ http: HTTP1Channel.Value) { self.http = http }

  deinit {
    guard !isHandled.withLock({ $0 }) else { return }
    Task { [http] in try? await http.executeThenClose { _, _ in } }
  }

  /// Returns the connection's messages to a handler, which closes the connection.
  func handled() -> HTTP1Channel.Value {
    isHandled.withLock { $0 = true }
    return http
  }
}
