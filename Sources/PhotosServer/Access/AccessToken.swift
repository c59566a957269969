import Foundation

/// A key by which a client uses the library: `cal_`, 43 characters of secret, and 6 of checksum.
///
/// By the prefix and the checksum, scanners find tokens in published files, and the server refuses
/// a mistyped token without a look into the library.
struct AccessToken: Sendable {
  let text: String

  private static let prefix = "cal_"
  private static let checksumLength = 6
  private static let length = 53

  init(_ random: RandomBytes) {
    let secret = Self.prefix + Secret(random).text
    text = secret + Self.checksum(of: secret)
  }

  /// Returns `nil` if the text is no token.
  init?(_ text: Substring) {
    guard text.utf8.count == Self.length, text.hasPrefix(Self.prefix) else { return nil }
    let secret = String(text.dropLast(Self.checksumLength))
    guard text.utf8.elementsEqual((secret + Self.checksum(of: secret)).utf8) else { return nil }
    self.text = String(text)
  }

  var hash: Data { Secret.hash(of: text[...]) }

  /// The first characters, by which a person recognizes the token.
  var start: String { String(text.prefix(8)) }

  private static func checksum(of secret: String) -> String {
    String(Secret.base64URL(Array(Secret.hash(of: secret[...]))).prefix(checksumLength))
  }
}
