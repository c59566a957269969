import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Listens at the library's socket `picker.socket`, at which programs of the same user ask for
/// pickers. Without it the server runs as well, for example in a folder that can't be written.
struct PickerSocketService: Service {
  let libraryURL: URL
  /// Has an element when the server listens for browsers, which a picker's address needs.
  let ready: AsyncStream<Void>
  let responder: RouterResponder<ServerContext>
  let logger: Logger

  static let name = "picker.socket"

  func run() async throws {
    for await _ in ready.cancelOnGracefulShutdown() { break }
    guard let socket = LibrarySocket(named: Self.name, inLibraryAt: libraryURL) else {
      return try await gracefulShutdown()
    }
    defer {
      socket.remove()
      close(socket.folder)
    }
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
      server.channel.close(promise: nil)
    }
  }
}

extension Channel {
  /// Closes the connection of another user's process. The socket's mode admits none, but a folder
  /// may be shared in ways that disregard it.
  fileprivate func closeUnlessOwnUser() -> EventLoopFuture<Void> {
    guard let options = self as? any SocketOptionProvider else { return close() }
    // struct ucred: process, user, group.
    let credentials: EventLoopFuture<SocketPeer> = options.unsafeGetSocketOption(
      level: .socket, name: .init(rawValue: SO_PEERCRED))
    return credentials.flatMap { peer in
      peer.user == geteuid() ? self.eventLoop.makeSucceededVoidFuture() : self.close()
    }
  }
}

/// The fields of the kernel's `struct ucred`.
private struct SocketPeer: Sendable {
  var process: Int32
  var user: UInt32
  var group: UInt32
}
