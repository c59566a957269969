import NIOCore
import Synchronization

/// The open connections. If there are too many, the one that has been idle longest is closed to
/// make room for a new one.
///
/// Otherwise, idle connections would lock out all other clients until they time out.
final class OpenConnections: Sendable {
  private let softLimit: Int
  private let state = Mutex(State())

  private struct State {
    var count = 0
    var idle: [ObjectIdentifier: IdleConnection] = [:]
  }

  private struct IdleConnection {
    var channel: any Channel
    var deadline: NIODeadline
  }

  /// Reserves an eighth of the limit for connections that are being closed.
  init(limit: Int) { softLimit = limit - limit / 8 }

  /// Counts a new connection, and closes another one if there are too many.
  func opened() {
    let evicted = state.withLock { state -> (any Channel)? in
      state.count += 1
      guard state.count > softLimit,
        let oldest = state.idle.min(by: { $0.value.deadline < $1.value.deadline })
      else { return nil }
      state.idle[oldest.key] = nil
      return oldest.value.channel
    }
    evicted?.close(promise: nil)
  }

  /// Notes the deadline for the next request; `nil` if the connection has a request.
  func setIdle(_ channel: any Channel, until deadline: NIODeadline?) {
    state.withLock { state in
      state.idle[ObjectIdentifier(channel)] = deadline.map { IdleConnection(channel: channel, deadline: $0) }
    }
  }

  func closed(_ channel: any Channel) {
    state.withLock { state in
      state.count -= 1
      state.idle[ObjectIdentifier(channel)] = nil
    }
  }
}
