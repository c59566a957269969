import HTTPTypes

/// The security headers of every answer.
enum SecurityHeaders {
  static let contentSecurityPolicy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  /// The policy for a picture that the server itself has drawn as SVG.
  static let drawnPicturePolicy = "default-src 'none'; style-src 'unsafe-inline'"

  /// The policy for an original. It disables scripts and forms, since anybody may have made the
  /// file.
  static let originalPolicy = "sandbox"

  /// Adds the headers that the answer hasn't set itself.
  static func add(to fields: inout HTTPFields) {
    for (name, value) in all where fields[name] == nil { fields[name] = value }
  }

  private static let all: [(HTTPField.Name, String)] = [
    (.contentSecurityPolicy, contentSecurityPolicy), (.xContentTypeOptions, "nosniff"),
    (.referrerPolicy, "no-referrer"), (.crossOriginOpenerPolicy, "same-origin"),
    (.crossOriginResourcePolicy, "same-origin"),
  ]
}

extension HTTPField.Name {
  static let referrerPolicy = known("Referrer-Policy")
  static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
  /// The second `Host` field of a request. The first one is in the request's authority.
  static let secondHost = known("Host")
  static let secFetchSite = known("Sec-Fetch-Site")
  static let secFetchMode = known("Sec-Fetch-Mode")
  static let secFetchDest = known("Sec-Fetch-Dest")

  /// Converts a literal that is a valid header name. A test uses all of them.
  private static func known(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) can't be a header's name") }
    return name
  }
}
