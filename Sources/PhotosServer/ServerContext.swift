import Hummingbird
import Logging
import NIOCore
import Photos

/// The context that a handler gets with its request.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The connection of the request. The client may close it at any time.
  let channel: (any Channel)?
  /// The address of the other end of the connection: the client's, or a proxy's.
  let peer: String
  /// The sender of the request. A middleware sets it.
  var client = SignInClient(address: "", device: "")
  /// The session of the request. It is there in every handler that needs one.
  var session: BrowserSession?

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
    peer = source.channel.remoteAddress?.ipAddress ?? ""
  }

  /// Makes the context of a request without a connection.
  init(logger: Logger, peer: String) {
    struct Source: RequestContextSource { let logger: Logger }
    coreContext = .init(source: Source(logger: logger))
    channel = nil
    self.peer = peer
  }

  /// Waits until the client has accepted everything that was written to it.
  func waitUntilAccepted() async throws { try await channel?.waitUntilAccepted() }

  /// Returns a part of the path that the route names.
  func parameter(_ name: String) throws -> Substring { try parameters.require(name)[...] }

  /// Returns the session, or throws 401.
  func requireSession() throws -> BrowserSession {
    guard let session else { throw SessionMiddleware.refusal }
    return session
  }
}
