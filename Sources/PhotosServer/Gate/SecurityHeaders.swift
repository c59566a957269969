import HTTPTypes

/// The security headers of every answer.
struct SecurityHeaders: Sendable {
  private let all: [(HTTPField.Name, String)]

  /// `isHTTPS` is true if browsers reach the server by HTTPS.
  init(isHTTPS: Bool) {
    var all: [(HTTPField.Name, String)] = [
      (.contentSecurityPolicy, Self.contentSecurityPolicy), (.xContentTypeOptions, "nosniff"),
      (.referrerPolicy, "no-referrer"), (.crossOriginOpenerPolicy, "same-origin"),
      (.crossOriginResourcePolicy, "same-origin"), (.permissionsPolicy, Self.permissionsPolicy),
    ]
    if isHTTPS { all.append((.strictTransportSecurity, "max-age=31536000")) }
    self.all = all
  }

  static let contentSecurityPolicy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
    "media-src 'self' blob:", "connect-src 'self'", "font-src 'self'", "manifest-src 'self'", "worker-src 'self'",
    "base-uri 'none'", "object-src 'none'", "form-action 'self'", "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].joined(separator: "; ")

  /// The features that a page may use. A feature that isn't listed has the browser's default, so
  /// those that read the surroundings are listed as forbidden.
  static let permissionsPolicy = [
    "fullscreen=(self)", "screen-wake-lock=(self)", "publickey-credentials-get=(self)", "camera=()", "microphone=()",
    "geolocation=()", "display-capture=()", "usb=()", "serial=()", "hid=()", "midi=()", "payment=()",
    "accelerometer=()", "gyroscope=()", "magnetometer=()", "xr-spatial-tracking=()",
  ].joined(separator: ", ")

  /// The policy for a picture that the server itself has drawn as SVG.
  static let drawnPicturePolicy = "default-src 'none'; style-src 'unsafe-inline'"

  /// The policy for an original. It disables scripts and forms, since anybody may have made the
  /// file.
  static let originalPolicy = "sandbox"

  /// Adds the headers that the answer hasn't set itself.
  func add(to fields: inout HTTPFields) {
    for (name, value) in all where fields[name] == nil { fields[name] = value }
  }
}

extension HTTPField.Name {
  static let referrerPolicy = known("Referrer-Policy")
  static let permissionsPolicy = known("Permissions-Policy")
  static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
  static let clearSiteData = known("Clear-Site-Data")
  static let xForwardedFor = known("X-Forwarded-For")
  /// The second `Host` field of a request. The first one is in the request's authority.
  static let secondHost = known("Host")
  static let secFetchSite = known("Sec-Fetch-Site")
  static let secFetchMode = known("Sec-Fetch-Mode")
  static let secFetchDest = known("Sec-Fetch-Dest")
  /// Sent by an open page while no person is there.
  static let unattended = known("Calotype-Unattended")
  /// The part of a movie that has been made, from 0 to 1.
  static let progress = known("Calotype-Progress")

  /// Converts a literal that is a valid header name. A test uses all of them.
  static func known(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) can't be a header's name") }
    return name
  }
}
