import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Photos

/// The server as a value: what the program runs, and what tests ask without a socket.
func buildApplication(
  library: PHPhotoLibrary, configuration: PhotosServer.Configuration,
  onReady: @escaping @Sendable (URL) -> Void = { _ in }
) throws -> Application<ServerResponder> {
  guard let address = Loopback.address(of: configuration.host) else {
    throw PhotosServerError.notLoopback(configuration.host)
  }
  let gate = RequestGate(port: ServerPort(configuration.port))
  let pictures = GridPictures()
  var application = Application(
    responder: ServerResponder(library: library, configuration, gate: gate, pictures: pictures),
    server: HTTPServerBuilder { responder in ServerChannel(responder: responder, gate: gate, pictures: pictures) },
    configuration: ApplicationConfiguration(
      address: .hostname(address, port: configuration.port), reuseAddress: true),
    onServerRunning: { channel in
      let port = channel.localAddress?.port ?? configuration.port
      gate.port.set(port)
      if let url = URL(string: "http://\(Loopback.urlHost(configuration.host)):\(port)/") { onReady(url) }
    })
  application.logger.logLevel = .critical
  return application
}
