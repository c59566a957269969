import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Photos

/// Builds the server. The program runs it; tests send requests to it without a socket.
func buildApplication(
  library: PHPhotoLibrary, configuration: PhotosServer.Configuration, limits: ServerLimits,
  onReady: @escaping @Sendable (URL) -> Void = { _ in }
) throws -> Application<ServerResponder> {
  guard let address = Loopback.address(of: configuration.host) else {
    throw PhotosServerError.notLoopback(configuration.host)
  }
  let gate = RequestGate(port: ServerPort(configuration.port))
  let pictures = GridPictures()
  let connections = OpenConnections(limit: limits.connections)
  let inFlight = BytesInFlight(limit: limits.bytesInFlight)
  var application = Application(
    responder: ServerResponder(
      library: library, configuration, gate: gate, pictures: pictures, inFlight: inFlight),
    server: HTTPServerBuilder { responder in
      ServerChannel(
        http: HTTP1Channel(responder: responder), gate: gate, pictures: pictures, limits: limits,
        connections: connections, inFlight: inFlight)
    },
    configuration: ApplicationConfiguration(
      address: .hostname(address, port: configuration.port), reuseAddress: true,
      availableConnectionsDelegate: MaximumAvailableConnections(limits.connections)),
    onServerRunning: { channel in
      let port = channel.localAddress?.port ?? configuration.port
      gate.port.set(port)
      let address = "http://\(Loopback.urlHost(configuration.host)):\(port)/?token=\(gate.token.value)"
      if let url = URL(string: address) { onReady(url) }
    })
  application.logger.logLevel = .critical
  return application
}
