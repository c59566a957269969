import Foundation
import Synchronization

/// News about access: for pages of the owner, and for clients.
enum AccessEvent: Hashable, Sendable {
  /// The requests that wait for the owner have changed.
  case requests
  /// The access or the selection of the client with this identifier has changed.
  case client(String)
  /// A session or a token has ended before its time.
  case ending
  /// The lock of the Hidden album was set, removed, opened or closed.
  case hiddenLock
}

/// Passes on news about access to answers that last, within this process.
final class AccessEvents: Sendable {
  private let listeners = Mutex<[UUID: AsyncStream<AccessEvent>.Continuation]>([:])

  /// Returns the news from now on, until the task that reads them ends.
  func stream() -> AsyncStream<AccessEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: AccessEvent.self, bufferingPolicy: .bufferingNewest(64))
    let id = UUID()
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { _ = $0.removeValue(forKey: id) }
    }
    listeners.withLock { $0[id] = continuation }
    return stream
  }

  func send(_ event: AccessEvent) {
    for listener in listeners.withLock({ Array($0.values) }) { listener.yield(event) }
  }
}
