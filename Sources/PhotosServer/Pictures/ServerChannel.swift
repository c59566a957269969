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
  let pictures: GridPictures
  let limits: ServerLimits
  let connections: OpenConnections
  let inFlight: BytesInFlight

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    http.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self)
      try pipeline.addHandlers(
        [
          RequestTargetHandler(), GridPictureHandler(pictures: pictures, gate: gate, wire: encoder),
          ConnectionLimitsHandler(limits: limits, connections: connections, inFlight: inFlight),
        ], position: .after(decoder))
      return value
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async { await http.handle(value: value, logger: logger) }
}
