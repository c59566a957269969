import NIOCore
import NIOEmbedded
import Testing

@testable import PhotosServer

/// Tests which connection is closed if there are too many. Of 64, 56 may be open: 28 of strangers,
/// and 14 of one network.
@Suite struct OpenConnectionsTests {
  private let inFlight = BytesInFlight(limit: 1 << 20)
  private let connections: OpenConnections

  init() {
    connections = OpenConnections(
      limit: 64, inFlight: inFlight, proxies: ["127.0.0.1"], now: { .uptimeNanoseconds(0) + .seconds(10) })
  }

  private func at(_ second: Int) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(Int64(second)) }

  private func open(from address: String, isIdle: Bool = false, _ second: Int = 0) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    channel.connect(to: try SocketAddress(ipAddress: address, port: 1), promise: nil)
    channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
    connections.opened(channel, idleUntil: isIdle ? at(second) : nil)
    return channel
  }

  /// Opens connections of as many networks, each with a request.
  private func open(_ count: Int) throws -> [EmbeddedChannel] {
    try (0..<count).map { try open(from: "10.0.0.\($0)") }
  }

  private func closed(_ channels: [EmbeddedChannel]) -> [Int] {
    for channel in channels { channel.embeddedEventLoop.run() }
    return channels.indices.filter { !channels[$0].isActive }
  }

  @Test(arguments: [(64, 56, 28, 14), (1024, 896, 448, 224), (16, 14, 7, 7), (32, 28, 14, 8), (1, 1, 0, 0)])
  func `strangers have shares of the limit`(limit: Int, all: Int, strangers: Int, ofNetwork: Int) {
    let limits = OpenConnections.Limits(limit: limit)
    #expect((limits.all, limits.strangers, limits.strangersOfNetwork) == (all, strangers, ofNetwork))
  }

  @Test func `strangers have half of the connections`() throws {
    let channels = try open(28)
    #expect(closed(channels) == [])
    let new = try open(from: "10.0.1.1")
    #expect(closed(channels) == [0])
    #expect(new.isActive)
  }

  @Test(arguments: ["192.0.2.7", "2001:db8::7"])
  func `the strangers of one network have a quarter of the connections`(address: String) throws {
    let other = try open(from: "10.0.0.1")
    let channels = try (0..<14).map { _ in try open(from: address) }
    #expect(closed([other] + channels) == [])
    let new = try open(from: address)
    #expect(closed([other] + channels) == [1])
    #expect(new.isActive)
  }

  @Test func `the addresses of an IPv6 network have one share`() throws {
    let channels = try (0..<14).map { try open(from: "2001:db8:0:1::\($0)") }
    _ = try open(from: "2001:db8:0:2::1")
    #expect(closed(channels) == [])
    _ = try open(from: "2001:db8:0:1::ffff")
    #expect(closed(channels) == [0])
  }

  @Test func `the clients of a proxy have only the share of all strangers`() throws {
    let channels = try (0..<28).map { _ in try open(from: "127.0.0.1") }
    #expect(closed(channels) == [])
    _ = try open(from: "127.0.0.1")
    #expect(closed(channels) == [0])
  }

  @Test func `a connection with a session is in no stranger's share`() throws {
    let known = try (0..<28).map { _ in
      let channel = try open(from: "192.0.2.7")
      connections.noteAsker(of: channel)
      return channel
    }
    let channels = try open(28)
    #expect(closed(known + channels) == [])
  }

  @Test func `the connection that has been stalled longest makes room first`() throws {
    let channels = try open(28)
    connections.setIdle(channels[1], until: at(1))
    for (place, second) in [(5, 3), (7, 2), (9, 4)] { inFlight.add(1, to: channels[place], now: at(second)) }
    let later = try (0..<4).map { try open(from: "10.0.1.\($0)") }
    // After the stalled ones, the one that has been idle longest, and then the oldest.
    #expect(closed(channels) == [1, 5, 7, 9])
    _ = try open(from: "10.0.1.9")
    #expect(closed(channels) == [0, 1, 5, 7, 9])
    #expect(closed(later) == [])
  }

  @Test func `a client that has just been sent something is not stalled`() throws {
    let channels = try open(28)
    inFlight.add(1, to: channels[5], now: at(9))
    _ = try open(from: "10.0.1.1")
    #expect(closed(channels) == [0])
  }

  @Test func `the network with the most connections makes room`() throws {
    let alone = try open(from: "192.0.2.7", isIdle: true)
    let crowd = try (0..<27).map { try open(from: "10.0.0.\($0 % 3)") }
    #expect(closed([alone] + crowd) == [])
    _ = try open(from: "10.0.0.1")
    #expect(closed([alone] + crowd) == [1])
  }

  @Test func `the stalled connections are closed one after another, the longest first`() throws {
    let channels = try open(28)
    for (place, second) in [(5, 3), (7, 2)] { inFlight.add(1, to: channels[place], now: at(second)) }
    _ = try open(from: "10.0.1.1")
    #expect(closed(channels) == [7])
  }

  @Test func `the connection that has been idle longest makes room before busy ones`() throws {
    let channels = try open(28)
    for (place, second) in [(3, 9), (4, 8)] { connections.setIdle(channels[place], until: at(second)) }
    _ = try open(from: "10.0.1.1")
    #expect(closed(channels) == [4])
  }

  @Test func `if all is full, a stranger makes room before an idle connection with a session`() throws {
    let known = try (0..<55).map { _ in
      let channel = try open(from: "192.0.2.7", isIdle: true)
      connections.noteAsker(of: channel)
      return channel
    }
    let stranger = try open(from: "10.0.0.1")
    _ = try open(from: "10.0.0.2")
    #expect(closed(known + [stranger]) == [55])
  }

  @Test func `without strangers, the connection with a session that has been idle longest makes room`() throws {
    let known = try (0..<56).map { number in
      let channel = try open(from: "192.0.2.7", isIdle: true, number == 3 ? 1 : 2)
      connections.noteAsker(of: channel)
      return channel
    }
    let new = try open(from: "10.0.0.1", isIdle: true)
    #expect(closed(known) == [3])
    #expect(new.isActive)
  }

  @Test func `a request that ends makes the room that no connection could make before`() throws {
    let known = try (0..<57).map { _ in
      let channel = try open(from: "192.0.2.7")
      connections.noteAsker(of: channel)
      return channel
    }
    #expect(closed(known) == [])
    connections.setIdle(known[9], until: at(1))
    #expect(closed(known) == [9])
  }

  @Test func `a connection that is being closed does not count`() throws {
    let channels = try open(28)
    for number in 0..<3 { _ = try open(from: "10.0.1.\(number)") }
    #expect(closed(channels) == [0, 1, 2])
    for place in 0..<3 { connections.closed(channels[place]) }
    _ = try open(from: "10.0.2.1")
    #expect(closed(channels) == [0, 1, 2, 3])
  }
}
