import Foundation
import NIOCore

/// The reason why a server can't start, or can't be asked for a link. The message contains the
/// address.
public struct PhotosServerError: LocalizedError, CustomStringConvertible {
  public enum Code: Sendable {
    case addressIsNotLoopback
    case invalidAddress
    case invalidPublicURL
    case addressInUse
    case cannotListen
    case notServed
    /// Another library has taken the place of the served one, as after a repair.
    case libraryReplaced
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
      "can't serve on \(host): other machines would reach the library unencrypted. Put a proxy with TLS in front and pass "
        + "its address as --public-url https://…, or pass --insecure-http: then everybody in the network can read "
        + "passwords and photos along, and browsers withhold what they allow only encrypted pages")
  }

  static func notAnAddress(_ host: String) -> PhotosServerError {
    PhotosServerError(
      .invalidAddress, "can't serve on \(host): it is no IP address; 0.0.0.0 and :: are all addresses of this machine")
  }

  static func notAnAddress(ofProxy proxy: String) -> PhotosServerError {
    PhotosServerError(.invalidAddress, "can't trust the proxy \(proxy): it is no IP address in its usual form")
  }

  static func unusable(_ url: URL) -> PhotosServerError {
    PhotosServerError(
      .invalidPublicURL,
      "can't serve as \(url.absoluteString): the public address has to be like https://photos.example or "
        + "https://photos.example:8443; a path after it is not supported")
  }

  static func unencrypted(_ url: URL) -> PhotosServerError {
    PhotosServerError(
      .invalidPublicURL,
      "can't serve as \(url.absoluteString): it is not encrypted; use an https address, or pass --insecure-http too")
  }

  /// Converts an error of listening. No other code does. `isServed` says whether another server of
  /// the library runs, which is most often the one that has the port.
  init(_ error: IOError, host: String, port: Int, isServed: Bool) {
    let address = Loopback.urlHost(host) + ":\(port)"
    switch error.errnoCode {
    case EADDRINUSE where isServed:
      self.init(
        .addressInUse, "can't serve on \(address): this library is served already; `calotype open` prints a link to it")
    case EADDRINUSE: self.init(.addressInUse, "can't serve on \(address): another program is using this port")
    case EACCES: self.init(.cannotListen, "can't serve on \(address): ports below 1024 need privileges")
    default: self.init(.cannotListen, "can't serve on \(address): \(String(cString: strerror(error.errnoCode)))")
    }
  }
}
