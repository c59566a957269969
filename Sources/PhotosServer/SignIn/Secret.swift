import Crypto
import Foundation

/// A source of random bytes. Tests pass their own.
struct RandomBytes: Sendable {
  let make: @Sendable (Int) -> [UInt8]

  static let system = RandomBytes { count in
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}

/// A secret of 256 random bits. The library stores only its SHA-256.
struct Secret: Sendable {
  /// 43 characters of base64url.
  let text: String

  init(_ random: RandomBytes) { text = Self.base64URL(random.make(32)) }

  var hash: Data { Self.hash(of: text[...]) }

  static func hash(of text: Substring) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }

  static func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}

/// The code that allows setting the first password from another machine: 80 random bits in four
/// groups of letters and digits that are hard to confuse.
struct SetUpCode: Sendable {
  let text: String

  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")

  init(_ random: RandomBytes) {
    let characters = random.make(16).map { Self.alphabet[Int($0 % 32)] }
    text = stride(from: 0, to: 16, by: 4).map { String(characters[$0..<$0 + 4]) }.joined(separator: "-")
  }

  /// Returns the SHA-256 of a code as a person types it: in any case, with or without hyphens.
  static func hash(of typed: String) -> Data {
    let significant = typed.lowercased().filter { !$0.isWhitespace && $0 != "-" }
    return Secret.hash(of: significant[...])
  }
}
