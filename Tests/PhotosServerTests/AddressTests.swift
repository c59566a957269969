import Foundation
import Testing

@testable import PhotosServer

@Suite struct AddressTests {
  private func configuration(
    _ host: String, publicURL: String? = nil, proxies: [String] = [], insecure: Bool = false
  ) -> PhotosServer.Configuration {
    .init(
      host: host, webFolder: URL(fileURLWithPath: "/"), publicURL: publicURL.flatMap(URL.init(string:)),
      trustedProxies: proxies, allowsUnencrypted: insecure)
  }

  @Test(arguments: ["0.0.0.0", "::", "192.168.1.2", "fe80::1"])
  func `U-11: other machines are let in only behind TLS, or by a flag that says what is lost`(host: String) throws {
    let error = #expect(throws: PhotosServerError.self) { try configuration(host).addresses() }
    #expect(error?.code == .addressIsNotLoopback)
    #expect(error?.description.contains("--public-url https://") == true)
    #expect(error?.description.contains("--insecure-http") == true)
    #expect(try configuration(host, insecure: true).addresses().site.reach == .network)
    #expect(try configuration(host, publicURL: "https://photos.example").addresses().site.isEncrypted)
  }

  @Test func `U-11: an unencrypted server has another cookie, for twelve hours, and says so on its pages`() async throws
  {
    let server = try TestServer(host: "0.0.0.0", allowsUnencrypted: true)
    let host = "192.168.1.2:2839"
    let link = try server.signIn.makeOwnerLink().fragment ?? ""
    let answer = try await server.post("/api/v1/session/link", json: #"{"link":"\#(link)"}"#, host: host)
    #expect(answer.cookies[0].hasPrefix("calotype-insecure="))
    #expect(answer.cookies[0].hasSuffix("; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"))
    for path in ["/start", "/sign-in", "/sessions"] {
      #expect(try await server.ask(path, host: host).text.contains("This connection is not encrypted"))
    }
    #expect(
      try await server.ask("/api/v1/session", ["Cookie": answer.cookieField], host: host, isSignedIn: false)
        .text.contains(#""isEncrypted":false"#))
  }

  @Test(
    arguments: [
      ("https://photos.example", "photos.example"), ("https://Photos.Example/", "photos.example"),
      ("https://photos.example:443", "photos.example"), ("https://photos.example:8443", "photos.example:8443"),
      ("https://photos.example/library", nil), ("https://me@photos.example", nil), ("https://photos.example?a", nil),
      ("ftp://photos.example", nil), ("photos.example", nil), ("http://photos.example", nil),
    ] as [(String, String?)])
  func `a public address is a scheme and a host`(url: String, authority: String?) throws {
    let site = try? configuration("127.0.0.1", publicURL: url).addresses().site
    #expect(site?.reach == authority.map { .published(scheme: "https", authority: $0) })
  }

  @Test(arguments: [
    ("127.0.0.1", "http://calotype.localhost:2839/start"), ("localhost", "http://calotype.localhost:2839/start"),
    ("::1", "http://calotype.localhost:2839/start"), ("127.8.9.10", "http://127.8.9.10:2839/start"),
  ])
  func `the printed address has a host name of its own`(host: String, url: String) throws {
    #expect(try configuration(host).addresses().site.url(path: "start").absoluteString == url)
  }

  @Test(arguments: ["example.com", "127.1", "", "localhost.evil"])
  func `only an address can be listened on`(host: String) throws {
    let error = #expect(throws: PhotosServerError.self) { try configuration(host, insecure: true).addresses() }
    #expect(error?.code == .invalidAddress)
  }

  @Test(arguments: ["proxy.example", "10.0.0.0/8", "::0001"])
  func `a proxy is named by its address`(proxy: String) {
    #expect(throws: PhotosServerError.self) { try configuration("127.0.0.1", proxies: [proxy]).addresses() }
  }

  @Test(
    arguments: [
      // The columns: the other end of the connection, X-Forwarded-For, the sender.
      ("203.0.113.9", [], "203.0.113.9"), ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
      ("127.0.0.1", ["198.51.100.1"], "198.51.100.1"), ("127.0.0.1", ["6.6.6.6, 198.51.100.1"], "198.51.100.1"),
      ("127.0.0.1", ["6.6.6.6", "198.51.100.1"], "198.51.100.1"),
      ("127.0.0.1", ["6.6.6.6, 198.51.100.1, 10.0.0.1"], "198.51.100.1"), ("127.0.0.1", ["nonsense"], "127.0.0.1"),
      ("127.0.0.1", ["6.6.6.6, nonsense"], "127.0.0.1"), ("127.0.0.1", ["6.6.6.6,"], "127.0.0.1"),
      ("::ffff:127.0.0.1", ["2001:DB8::1"], "2001:db8::1"), ("127.0.0.1", ["127.0.0.1, 10.0.0.1"], "127.0.0.1"),
    ] as [(String, [String], String)])
  func `U-12: the sender is the last address that no trusted proxy has`(
    peer: String, forwarded: [String], sender: String
  ) {
    #expect(
      NetworkAddress.sender(peer: peer, forwardedFor: forwarded, trusted: ["127.0.0.1", "10.0.0.1"]) == sender)
  }

  @Test func `U-12: a forged X-Forwarded-For doesn't change the limit of its sender`() async throws {
    let server = try TestServer(publicURL: "https://photos.example", proxies: ["10.0.0.1"])
    try server.setPassword("a river in the night")
    var statuses: [Int] = []
    for number in 0..<6 {
      // The proxy appends the address that it sees.
      let fields = ["X-Forwarded-For": "6.6.6.\(number), 198.51.100.1"]
      statuses.append(
        try await server.post(
          "/api/v1/session/password", json: #"{"password":"wrong"}"#, fields, host: "photos.example", peer: "10.0.0.1"
        ).status)
    }
    #expect(statuses == [401, 401, 401, 401, 401, 429])
  }

  @Test(arguments: [
    ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"), ("203.0.113.9", "203.0.113.9"),
  ])
  func `one subscriber has one limit`(address: String, key: String) {
    let other = NetworkAddress.network(of: address)
    #expect(address.contains(":") ? other == "20:1:d:b8:0:1:0:2::/64" : other == key)
  }

  @Test(
    arguments: [
      ("127.0.0.1", "127.0.0.1"), ("127.1.2.3", "127.1.2.3"), ("::1", "::1"), ("[::1]", "::1"),
      ("localhost", "127.0.0.1"), ("0.0.0.0", nil), ("::", nil), ("192.168.1.2", nil), ("example.com", nil), ("", nil),
      ("127.1", nil), ("127.0.0.1.evil.example", nil),
    ] as [(String, String?)])
  func `a loopback address is known by its form`(host: String, address: String?) {
    #expect(Loopback.address(of: host) == address)
  }
}
