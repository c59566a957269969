import NIOCore
import Synchronization

/// The memory budget of all answers. It counts every byte that was written to a connection and not
/// yet accepted by the operating system. Only `SentBytesHandler` counts them.
///
/// Answers don't wait for each other. The more bytes are in flight, the smaller are the pieces in
/// which files are sent. If the limit is exceeded, the connection that has been stalled longest is
/// closed.
final class BytesInFlight: Sendable {
  private let limit: Int
  private let state = Mutex(State())

  private struct State {
    var count = 0
    var connections: [ObjectIdentifier: Connection] = [:]

    /// Removes the bytes of the connection that has been stalled longest from the count, and
    /// returns the connection. The connection `id` is exempt. Returns `nil` if no other has bytes
    /// in flight.
    mutating func evictLongestStalled(except id: ObjectIdentifier) -> (any Channel)? {
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
    /// The time since which none of the bytes was accepted.
    var stalledSince: NIODeadline
    /// True after its bytes were removed from the count. They may be freed a moment later.
    var isClosing = false
  }

  init(limit: Int) { self.limit = limit }

  static let pieceSizes = (16 << 10)...(256 << 10)

  var byteCount: Int { state.withLock(\.count) }

  /// The number of bytes to read next from a file.
  var pieceSize: Int {
    min(max((limit - byteCount) / 8, Self.pieceSizes.lowerBound), Self.pieceSizes.upperBound)
  }

  /// Counts bytes that are written to a connection, and closes other connections over the limit.
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
      while state.count > limit, let channel = state.evictLongestStalled(except: id) { stalled.append(channel) }
      return stalled
    }
    for channel in stalled { channel.close(promise: nil) }
  }

  /// Removes bytes that a connection's client has accepted from the count.
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

  /// Returns the one of some connections that has been stalled longest; `nil` if none has been
  /// since that time.
  func longestStalled(of ids: some Collection<ObjectIdentifier>, since time: NIODeadline) -> ObjectIdentifier? {
    state.withLock { state in
      let stalled = ids.compactMap { id in state.connections[id].map { (id: id, connection: $0) } }
      return stalled.filter {
        $0.connection.bytes > 0 && !$0.connection.isClosing && $0.connection.stalledSince <= time
      }
      .min { $0.connection.stalledSince < $1.connection.stalledSince }?.id
    }
  }

  /// Removes a closed connection and its bytes.
  func closed(_ channel: any Channel) {
    state.withLock { state in
      guard let connection = state.connections.removeValue(forKey: ObjectIdentifier(channel)) else { return }
      if !connection.isClosing { state.count -= connection.bytes }
    }
  }
}
