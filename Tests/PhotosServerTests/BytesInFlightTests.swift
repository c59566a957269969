import NIOCore
import NIOEmbedded
import Testing

@testable import PhotosServer

@Suite struct BytesInFlightTests {
  private let start = NIODeadline.uptimeNanoseconds(0)
  private func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }

  @Test(arguments: [(0, 256), (30 << 20, 256), (31 << 20, 128), (32 << 20, 16)])
  func `pieces become smaller where much is in flight`(inFlight: Int, kilobytes: Int) {
    let bytes = BytesInFlight(limit: 32 << 20)
    let channel = EmbeddedChannel()
    bytes.add(inFlight, to: channel, now: start)
    #expect(bytes.pieceSize == kilobytes << 10)
    bytes.remove(inFlight, from: channel, now: start)
    #expect(bytes.pieceSize == 256 << 10)
  }

  @Test func `beyond the limit, the connection that has been stalled longest is closed`() throws {
    let bytes = BytesInFlight(limit: 100)
    let channels = try (0..<3).map { _ in try connected() }
    for (second, channel) in channels.enumerated() { bytes.add(30, to: channel, now: at(Int64(second))) }
    bytes.remove(10, from: channels[0], now: at(3))
    bytes.add(30, to: channels[2], now: at(4))
    #expect(channels.map(\.isActive) == [true, false, true])
    #expect(bytes.byteCount == 80)
    // The rest of the closed connection's bytes is freed later and no longer counts.
    bytes.remove(30, from: channels[1], now: at(5))
    bytes.add(5, to: channels[1], now: at(5))
    bytes.closed(channels[1])
    #expect(bytes.byteCount == 80)
    bytes.closed(channels[0])
    #expect(bytes.byteCount == 60)
  }

  @Test func `a connection is never closed for what is written to itself`() throws {
    let bytes = BytesInFlight(limit: 100)
    let channel = try connected()
    bytes.add(200, to: channel, now: start)
    #expect(channel.isActive)
    #expect(bytes.byteCount == 200)
  }

  private func connected() throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    return channel
  }
}
