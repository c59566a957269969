import NIOCore
import Synchronization

/// The connections that are open. Where there are many, the one that has waited longest for a request makes room for a new one.
///
/// Without it, connections that do nothing would keep everybody else out until their time is over.
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

  /// The last eighth is room for connections that are being closed.
  init(limit: Int) { comfortable = limit - limit / 8 }

  /// Counts a new connection, and closes another one where there are too many.
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

  /// `deadline`: until when the connection waits for a request; `nil` while it has one.
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
