import Foundation
import NIOCore

/// The reason why a server can't start. The message contains the address.
public struct PhotosServerError: LocalizedError, CustomStringConvertible {
  public enum Code: Sendable {
    case addressIsNotLoopback
    case addressInUse
    case cannotListen
  }

  public var code: Code
  public var description: String
  public var errorDescription: String? { description }

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  static func notLoopback(_ host: String) -> PhotosServerError {
    PhotosServerError(
      .addressIsNotLoopback,
      "can't serve on \(host): until there are accounts, only loopback addresses are allowed (127.0.0.0/8, ::1, localhost)"
    )
  }

  /// Converts an error of listening. No other code does.
  init(_ error: IOError, host: String, port: Int) {
    let address = Loopback.urlHost(host) + ":\(port)"
    switch error.errnoCode {
    case EADDRINUSE: self.init(.addressInUse, "can't serve on \(address): another program is using this port")
    case EACCES: self.init(.cannotListen, "can't serve on \(address): ports below 1024 need privileges")
    default: self.init(.cannotListen, "can't serve on \(address): \(String(cString: strerror(error.errnoCode)))")
    }
  }
}
