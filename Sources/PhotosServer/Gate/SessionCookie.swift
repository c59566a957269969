import Photos

/// The cookies of a signed-in browser. Scripts and other sites can't use them.
///
/// The prefix `__Host-` makes browsers refuse a cookie of that name that another host or an
/// unencrypted page has set. Browsers treat `localhost` and names below it as encrypted.
struct SessionCookie: Sendable {
  /// False if the server is reached over unencrypted HTTP from other machines.
  let isSecure: Bool
  let port: ServerPort
  /// The port that needs no mention in the name.
  private static let standardPort = 2839

  /// Browsers share cookies among all ports of a host. Each port therefore has a name of its own.
  var name: String {
    let prefix = isSecure ? "__Host-calotype" : "calotype-insecure"
    return port.value == Self.standardPort ? prefix : "\(prefix)-\(port.value)"
  }

  /// The name of the cookie by which a browser is known that has signed in before.
  var deviceName: String { name + "-device" }

  func field(token: String, kind: BrowserSession.Kind) -> String {
    switch kind {
    // The browser forgets the cookie when it is closed.
    case .sharedComputer: field(name, token, maximumAge: nil)
    case .ownBrowser, .unencrypted:
      field(name, token, maximumAge: Int(SessionRules.ageLimit(of: kind)))
    }
  }

  func deviceField(_ value: String) -> String { field(deviceName, value, maximumAge: 365 * 86_400) }

  var removal: String { field(name, "", maximumAge: 0) }

  var deviceRemoval: String { field(deviceName, "", maximumAge: 0) }

  private func field(_ name: String, _ value: String, maximumAge: Int?) -> String {
    var parts = ["\(name)=\(value)", "Path=/"]
    if let maximumAge { parts.append("Max-Age=\(maximumAge)") }
    if isSecure { parts.append("Secure") }
    return (parts + ["HttpOnly", "SameSite=Strict"]).joined(separator: "; ")
  }

  /// Returns the values of a cookie in a `Cookie` field. Each picture of a page is a request with
  /// this field, so it is read by its bytes.
  static func values(of name: String, in field: String?) -> [Substring] {
    guard let field else { return [] }
    return field.utf8.split(separator: UInt8(ascii: ";")).compactMap { pair in
      let pair = pair.drop { $0 == UInt8(ascii: " ") }
      let rest = pair.dropFirst(name.utf8.count)
      guard pair.starts(with: name.utf8), rest.first == UInt8(ascii: "=") else { return nil }
      return Substring(rest.dropFirst())
    }
  }
}
