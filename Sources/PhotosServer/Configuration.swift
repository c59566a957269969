import Foundation
import Photos

extension PhotosServer {
  public struct Configuration: Sendable {
    /// The address to listen on: a loopback address or `localhost`; or, if other machines are to
    /// reach the server, any IP address of this machine.
    public var host: String
    /// The port; 0 for any free one.
    public var port: Int
    /// The folder of the web app's files.
    public var webFolder: URL
    /// The address under which browsers reach the server, if it is another one than it listens on:
    /// `https://photos.example`. Requests under other hosts are refused.
    public var publicURL: URL?
    /// The addresses of proxies whose `X-Forwarded-For` is believed.
    public var trustedProxies: [String]
    /// Whether other machines may use the server without encryption.
    public var allowsUnencrypted: Bool
    /// The size in bytes that an upload may have.
    public var largestUpload: Int
    /// Whether the server ends a minute after the last picker of a program.
    public var endsAfterPicking = false
    /// The process for whose pickers the server was started. Its picked items are removed once it
    /// exits.
    public var pickingProcess: Int?
    /// Called with a sentence about a part that failed, without which the server goes on.
    public var notice: (@Sendable (String) -> Void)?
    /// Called while a movie is made playable, with its asset and the finished share from 0 to 1.
    public var movieProgress: (@Sendable (PHAsset, Double) -> Void)?

    public init(
      host: String = "127.0.0.1", port: Int = 2839, webFolder: URL, publicURL: URL? = nil,
      trustedProxies: [String] = [], allowsUnencrypted: Bool = false, largestUpload: Int = standardLargestUpload,
      movieProgress: (@Sendable (PHAsset, Double) -> Void)? = nil
    ) {
      self.host = host
      self.port = port
      self.webFolder = webFolder
      self.publicURL = publicURL
      self.trustedProxies = trustedProxies
      self.allowsUnencrypted = allowsUnencrypted
      self.largestUpload = largestUpload
      self.movieProgress = movieProgress
    }

    /// The size in bytes that an upload may have unless the configuration says another one.
    public static let standardLargestUpload = 16_000_000_000

    /// Returns the address to listen on, and the addresses under which browsers reach the server.
    func addresses() throws -> (address: String, site: SiteAddress) {
      for proxy in trustedProxies where NetworkAddress.canonical(proxy) != proxy {
        throw PhotosServerError.notAnAddress(ofProxy: proxy)
      }
      let reach = try reach()
      let loopback = Loopback.address(of: host)
      let literal = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
      guard let address = loopback ?? NetworkAddress.canonical(literal) else {
        throw PhotosServerError.notAnAddress(host)
      }
      guard loopback != nil || reach != .thisMachine else { throw PhotosServerError.notLoopback(host) }
      let isNamed = ["127.0.0.1", "::1", "0.0.0.0", "::"].contains(address)
      return (
        address,
        SiteAddress(
          reach: reach, port: ServerPort(port),
          printedHost: isNamed ? SiteAddress.localName : Loopback.urlHost(address))
      )
    }

    private func reach() throws -> SiteAddress.Reach {
      guard let publicURL else {
        return Loopback.address(of: host) == nil && allowsUnencrypted ? .network : .thisMachine
      }
      let parts = URLComponents(url: publicURL, resolvingAgainstBaseURL: false)
      guard let parts, let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
        let name = parts.host?.lowercased(), !name.isEmpty, parts.user == nil, parts.query == nil,
        parts.fragment == nil,
        ["", "/"].contains(parts.path)
      else { throw PhotosServerError.unusable(publicURL) }
      guard scheme == "https" || allowsUnencrypted else { throw PhotosServerError.unencrypted(publicURL) }
      let isStandard = parts.port == nil || parts.port == (scheme == "https" ? 443 : 80)
      return .published(
        scheme: scheme, authority: isStandard ? name : "\(name):\(parts.port.map(String.init) ?? "")")
    }
  }
}
