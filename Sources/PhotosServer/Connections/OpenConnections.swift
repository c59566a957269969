import NIOCore
import Synchronization

/// The open connections. If there are too many, the one that has been idle longest is closed to
/// make room for a new one.
///
/// Otherwise, idle connections would lock out all other clients until they time out.
final class OpenConnections: Sendable {
  private let comfortable: Int
  private let state = Mutex(State())

  private struct State {
    var count = 0
    var waiting: [ObjectIdentifier: Waiting] = [:]
  }

  private struct Waiting {
    var channel: any Channel
    var deadline: NIODeadline
  }

  /// Reserves an eighth of the limit for connections that are being closed.
  init(limit: Int) { comfortable = limit - limit / 8 }

  /// Counts a new connection, and closes another one if there are too many.
  func opened() {
    let dispensable = state.withLock { state -> (any Channel)? in
      state.count += 1
      guard state.count > comfortable,
        let oldest = state.waiting.min(by: { $0.value.deadline < $1.value.deadline })
      else { return nil }
      state.waiting[oldest.key] = nil
      return oldest.value.channel
    }
    dispensable?.close(promise: nil)
  }

  /// Notes the deadline for the next request; `nil` if the connection has a request.
  func waits(_ channel: any Channel, until deadline: NIODeadline?) {
    state.withLock { state in
      state.waiting[ObjectIdentifier(channel)] = deadline.map { Waiting(channel: channel, deadline: $0) }
    }
  }

  func closed(_ channel: any Channel) {
    state.withLock { state in
      state.count -= 1
      state.waiting[ObjectIdentifier(channel)] = nil
    }
  }
}
