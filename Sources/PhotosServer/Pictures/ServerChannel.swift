import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection as Hummingbird makes it, with the grid's pictures in front.
struct ServerChannel: ServerChildChannel {
  private let http: HTTP1Channel
  private let gate: RequestGate
  private let pictures: GridPictures

  init(responder: @escaping HTTPChannelHandler.Responder, gate: RequestGate, pictures: GridPictures) {
    http = HTTP1Channel(responder: responder)
    self.gate = gate
    self.pictures = pictures
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    http.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self)
      try pipeline.addHandler(
        GridPictureHandler(pictures: pictures, gate: gate, wire: encoder), position: .after(decoder))
      return value
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async { await http.handle(value: value, logger: logger) }
}
