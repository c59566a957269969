import NIOCore
import Synchronization

/// The open connections. If there are too many, one is closed to make room for a new one.
///
/// A connection belongs to strangers until one of its requests has a valid session or token.
/// Strangers have a share of the connections, all of them together and those of one network, and
/// make room first. So they can't keep the owner out: a new connection of the owner counts as a
/// stranger's only until its first request is answered, and is younger than those that wait.
final class OpenConnections: Sendable {
  private let limits: Limits
  private let inFlight: BytesInFlight
  /// The addresses that many clients share.
  private let proxies: Set<String>
  private let now: @Sendable () -> NIODeadline
  private let state = Mutex(State())

  /// The time after which a client that takes nothing of its answer counts as stalled.
  private static let patience = TimeAmount.seconds(2)

  struct Limits {
    let all: Int
    let strangers: Int
    let strangersOfNetwork: Int

    /// Reserves an eighth of the limit for connections that are being closed. A browser opens six
    /// connections at once, so eight may be of one network even if there are few in all.
    init(limit: Int) {
      all = limit - limit / 8
      strangers = all / 2
      strangersOfNetwork = max(all / 4, min(8, strangers))
    }
  }

  private struct State {
    var connections: [ObjectIdentifier: Connection] = [:]
    var openedCount = 0
  }

  private struct Connection {
    let channel: any Channel
    /// The network of the other end; `nil` for a proxy.
    let network: String?
    /// The number of connections that were opened before.
    let number: Int
    var isStranger = true
    /// The deadline for the next request; `nil` while there is one.
    var idleUntil: NIODeadline?
    var isClosing = false
  }

  init(
    limit: Int, inFlight: BytesInFlight, proxies: Set<String> = [],
    now: @escaping @Sendable () -> NIODeadline = { .now() }
  ) {
    limits = Limits(limit: limit)
    self.inFlight = inFlight
    self.proxies = proxies
    self.now = now
  }

  /// Adds a new connection, and closes another one if there are too many.
  func opened(_ channel: any Channel, idleUntil deadline: NIODeadline?) {
    let id = ObjectIdentifier(channel)
    let peer = channel.remoteAddress?.ipAddress ?? ""
    let address = NetworkAddress.canonical(peer) ?? peer
    let network = proxies.contains(address) ? nil : NetworkAddress.network(of: address)
    let evicted = state.withLock { state in
      state.connections[id] = Connection(
        channel: channel, network: network, number: state.openedCount, idleUntil: deadline)
      state.openedCount += 1
      return evict(from: &state, for: id)
    }
    evicted?.close(promise: nil)
  }

  /// Notes that a request of a connection had a valid session or token.
  func noteAsker(of channel: any Channel) {
    state.withLock { $0.connections[ObjectIdentifier(channel)]?.isStranger = false }
  }

  /// Notes the deadline for the next request; `nil` if the connection has a request. When a request
  /// ends, it makes the room that no idle connection could make before.
  func setIdle(_ channel: any Channel, until deadline: NIODeadline?) {
    let evicted = state.withLock { state -> (any Channel)? in
      let id = ObjectIdentifier(channel)
      guard let connection = state.connections[id] else { return nil }
      state.connections[id]?.idleUntil = deadline
      return connection.idleUntil == nil && deadline != nil ? evict(from: &state) : nil
    }
    // The end of the answer is written first.
    evicted?.eventLoop.execute { evicted?.close(promise: nil) }
  }

  func closed(_ channel: any Channel) {
    state.withLock { _ = $0.connections.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  /// Returns the connection to close if there are too many; `nil` if none of them may be closed. A
  /// new connection makes room in the share of its own network first, and is not closed itself.
  private func evict(from state: inout State, for new: ObjectIdentifier? = nil) -> (any Channel)? {
    guard state.connections.count > min(limits.all, limits.strangersOfNetwork) else { return nil }
    let open = state.connections.filter { !$0.value.isClosing }
    let strangers = open.filter(\.value.isStranger)
    let network = new.flatMap { open[$0]?.network }
    let neighbors = network == nil ? [:] : strangers.filter { $0.value.network == network }
    let isFull = open.count > limits.all
    var candidates: [ObjectIdentifier: Connection]
    if neighbors.count > limits.strangersOfNetwork {
      candidates = neighbors
    } else if strangers.count > limits.strangers || isFull {
      candidates = strangers
    } else {
      return nil
    }
    if let new { candidates[new] = nil }
    guard let id = slowest(of: candidates) ?? (isFull ? Self.longestIdle(of: open, except: new) : nil) else {
      return nil
    }
    state.connections[id]?.isClosing = true
    return open[id]?.channel
  }

  /// Returns the connection whose client has taken nothing of its answer for the longest time. If
  /// none is stalled, returns one of the network that has the most: the one that has been idle
  /// longest, else the oldest.
  private func slowest(of connections: [ObjectIdentifier: Connection]) -> ObjectIdentifier? {
    if let stalled = inFlight.longestStalled(of: connections.keys, since: now() - Self.patience) { return stalled }
    let counts = Dictionary(grouping: connections.values, by: \.network).mapValues(\.count)
    let most = counts.values.max()
    let largest = connections.filter { counts[$0.value.network] == most }
    return Self.longestIdle(of: largest) ?? largest.min { $0.value.number < $1.value.number }?.key
  }

  private static func longestIdle(
    of connections: [ObjectIdentifier: Connection], except new: ObjectIdentifier? = nil
  ) -> ObjectIdentifier? {
    connections.compactMap { id, connection in connection.idleUntil.map { (id: id, deadline: $0) } }
      .filter { $0.id != new }.min { $0.deadline < $1.deadline }?.id
  }
}
