import Photos
import ServiceLifecycle
import Synchronization

/// Gives owner links to processes of the account, from the moment that the server has the socket.
final class OwnerSocketService: Service {
  private let sockets: AccountSockets
  private let socket = Mutex<OwnerSocket?>(nil)
  /// Has an element if the server listens for browsers and has no socket.
  private let (missing, isMissing) = AsyncStream.makeStream(of: SignInService.self)

  init(_ sockets: AccountSockets) { self.sockets = sockets }

  /// Listens now, if the socket is free.
  func begin(_ signIn: SignInService) {
    guard let listening = sockets.listen(.ownerLinks) else {
      isMissing.yield(signIn)
      return
    }
    use(listening, signIn)
  }

  func run() async throws {
    for await signIn in missing.cancelOnGracefulShutdown() {
      if let listening = await sockets.wait(for: .ownerLinks) { use(listening, signIn) }
    }
  }

  func close() { socket.withLock { $0?.close() } }

  private func use(_ listening: ServerSocket, _ signIn: SignInService) {
    socket.withLock { $0 = OwnerSocket(listening) { try signIn.makeOwnerLink() } }
  }
}
