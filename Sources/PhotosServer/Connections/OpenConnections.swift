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
    /// The connections with a request.
    var busy: Set<ObjectIdentifier> = []
    /// The connections that are being closed.
    var evicted: Set<ObjectIdentifier> = []

    /// Returns the connection to close if there are too many; `nil` if none of them is idle.
    mutating func evict(over limit: Int) -> (any Channel)? {
      guard count - evicted.count > limit, let oldest = idle.min(by: { $0.value.deadline < $1.value.deadline }) else {
        return nil
      }
      idle[oldest.key] = nil
      evicted.insert(oldest.key)
      return oldest.value.channel
    }
  }

  private struct IdleConnection {
    var channel: any Channel
    var deadline: NIODeadline
  }

  /// Reserves an eighth of the limit for connections that are being closed.
  init(limit: Int) { softLimit = limit - limit / 8 }

  /// Counts a new connection, and closes another one if there are too many.
  func opened() {
    let evicted = state.withLock { state in
      state.count += 1
      return state.evict(over: softLimit)
    }
    evicted?.close(promise: nil)
  }

  /// Notes the deadline for the next request; `nil` if the connection has a request. When a request
  /// ends, it makes the room that no idle connection could make before.
  func setIdle(_ channel: any Channel, until deadline: NIODeadline?) {
    let evicted = state.withLock { state -> (any Channel)? in
      let id = ObjectIdentifier(channel)
      guard let deadline else {
        state.idle[id] = nil
        state.busy.insert(id)
        return nil
      }
      guard !state.evicted.contains(id) else { return nil }
      state.idle[id] = IdleConnection(channel: channel, deadline: deadline)
      return state.busy.remove(id) == nil ? nil : state.evict(over: softLimit)
    }
    // The end of the answer is written first.
    evicted?.eventLoop.execute { evicted?.close(promise: nil) }
  }

  func closed(_ channel: any Channel) {
    state.withLock { state in
      let id = ObjectIdentifier(channel)
      state.count -= 1
      state.idle[id] = nil
      state.busy.remove(id)
      state.evicted.remove(id)
    }
  }
}
