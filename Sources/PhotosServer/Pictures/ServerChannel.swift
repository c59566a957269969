import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Hummingbird's HTTP connection, with limits, and with a handler for grid pictures before the
/// router.
struct ServerChannel: ServerChildChannel {
  let http: HTTP1Channel
  let gate: RequestGate
  let sessions: Sessions
  let pictures: GridPictures
  let limits: ServerLimits
  let connections: OpenConnections
  let inFlight: BytesInFlight

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
    http.setup(channel: channel, logger: logger).flatMapThrowing { value in
      try addHandlers(to: channel)
      // Otherwise the kernel buffers up to four megabytes for a client that doesn't read.
      try channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: Self.bytesInKernel)
      return AcceptedConnection(value)
    }
  }

  /// Adds the limits and the grid pictures to a connection that decodes requests and encodes
  /// answers.
  func addHandlers(to channel: any Channel) throws {
    let pipeline = channel.pipeline.syncOperations
    let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
    let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self)
    let connection = ConnectionLimitsHandler(limits: limits, connections: connections, now: channel.eventLoop.now)
    try pipeline.addHandlers(
      [
        RequestTargetHandler(),
        GridPictureHandler(
          pictures: pictures, gate: gate, sessions: sessions, connection: connection, encoderContext: encoder),
        connection,
      ],
      position: .after(decoder))
    try pipeline.addHandler(SentBytesHandler(inFlight: inFlight, connection: connection), position: .first)
  }

  private static var bytesInKernel: SocketOptionValue { 128 << 10 }

  func handle(value: AcceptedConnection, logger: Logger) async {
    await http.handle(value: value.handled(), logger: logger)
  }
}
