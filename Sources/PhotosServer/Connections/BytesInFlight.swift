import NIOCore
import Synchronization

/// The budget for answers in memory: every byte that was written to a connection and that the
/// operating system has not taken yet. `SentBytesHandler` is the one place that counts them.
///
/// Answers don't wait for each other. The more bytes are in flight, the smaller are the pieces in
/// which files are sent. Beyond the limit, the connection that has been stalled longest is closed.
final class BytesInFlight: Sendable {
  private let limit: Int
  private let state = Mutex(State())

  private struct State {
    var count = 0
    var connections: [ObjectIdentifier: Connection] = [:]

    /// Takes the bytes of the connection that has been stalled longest out of the count, and
    /// returns the connection; `nil` if there is none but this one.
    mutating func dispense(keeping id: ObjectIdentifier) -> (any Channel)? {
      let others = connections.filter { $0.key != id && $0.value.bytes > 0 && !$0.value.isClosing }
      guard let oldest = others.min(by: { $0.value.stalledSince < $1.value.stalledSince }) else { return nil }
      connections[oldest.key]?.isClosing = true
      count -= oldest.value.bytes
      return oldest.value.channel
    }
  }

  private struct Connection {
    let channel: any Channel
    var bytes = 0
    /// The time since which none of them was taken.
    var stalledSince: NIODeadline
    /// Its bytes no longer count, although they may be freed a moment later.
    var isClosing = false
  }

  init(limit: Int) { self.limit = limit }

  static let pieceSizes = (16 << 10)...(256 << 10)

  var value: Int { state.withLock(\.count) }

  /// The number of bytes to read next.
  var pieceSize: Int {
    min(max((limit - value) / 8, Self.pieceSizes.lowerBound), Self.pieceSizes.upperBound)
  }

  /// Counts bytes that are written to a connection, and closes others if there are too many.
  func add(_ bytes: Int, to channel: any Channel, now: NIODeadline) {
    let id = ObjectIdentifier(channel)
    let stalled = state.withLock { state -> [any Channel] in
      var connection = state.connections[id] ?? Connection(channel: channel, stalledSince: now)
      guard !connection.isClosing else { return [] }
      if connection.bytes == 0 { connection.stalledSince = now }
      connection.bytes += bytes
      state.connections[id] = connection
      state.count += bytes
      var stalled: [any Channel] = []
      while state.count > limit, let channel = state.dispense(keeping: id) { stalled.append(channel) }
      return stalled
    }
    for channel in stalled { channel.close(promise: nil) }
  }

  /// Counts bytes that were taken from a connection.
  func remove(_ bytes: Int, from channel: any Channel, now: NIODeadline) {
    state.withLock { state in
      let id = ObjectIdentifier(channel)
      guard var connection = state.connections[id], !connection.isClosing else { return }
      connection.bytes -= bytes
      connection.stalledSince = now
      state.connections[id] = connection
      state.count -= bytes
    }
  }

  /// Forgets a connection that was closed.
  func closed(_ channel: any Channel) {
    state.withLock { state in
      guard let connection = state.connections.removeValue(forKey: ObjectIdentifier(channel)) else { return }
      if !connection.isClosing { state.count -= connection.bytes }
    }
  }
}
