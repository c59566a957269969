import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Photos
import ServiceLifecycle

/// Listens at the account's socket at which programs of the same user ask for pickers. Until
/// the server gets it, it runs without it.
struct PickerSocketService: Service {
  let sockets: AccountSockets
  /// Has an element when the server listens for browsers, which a picker's address needs.
  let ready: AsyncStream<Void>
  let responder: RouterResponder<ServerContext>
  let logger: Logger

  func run() async throws {
    for await _ in ready.cancelOnGracefulShutdown() { break }
    guard let socket = await sockets.wait(for: .pickers) else { return }
    defer { socket.remove() }
    let http = HTTP1Channel.watched { request, writer, channel in
      let context = ServerContext(source: .init(channel: channel, logger: logger))
      let response = try await responder.respond(to: request, context: context)
      try await writer.write(response: response.head, body: response.body)
    }
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(socket.listener) { [logger] channel in
        channel.closeUnlessOwnUser()
          .flatMap { http.setup(channel: channel, logger: logger) }
          .map(AcceptedConnection.init)
      }
    try await withGracefulShutdownHandler {
      try await server.executeThenClose { connections in
        try await withThrowingDiscardingTaskGroup { group in
          for try await connection in connections {
            group.addTask { await http.handle(value: connection.handled(), logger: logger) }
          }
          group.cancelAll()
        }
      }
    } onGracefulShutdown: {
      socket.remove()
      server.channel.close(promise: nil)
    }
  }
}

extension Channel {
  /// Closes the connection of another user's process. The socket's mode admits none, but root
  /// disregards it.
  fileprivate func closeUnlessOwnUser() -> EventLoopFuture<Void> {
    guard let options = self as? any SocketOptionProvider else { return close() }
    let peer: EventLoopFuture<ServerSocket.Peer> = options.unsafeGetSocketOption(
      level: .socket, name: .init(rawValue: SO_PEERCRED))
    return peer.flatMap { $0.isOwnUser ? self.eventLoop.makeSucceededVoidFuture() : self.close() }
  }
}
