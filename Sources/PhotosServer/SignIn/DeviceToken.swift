import Crypto
import Foundation

/// The token by which the server knows a browser that has signed in before: a random name, and a
/// signature that only the library's key can make.
///
/// A known browser has its own limit of attempts, so that strangers can't lock its owner out. The
/// token alone signs nobody in.
struct DeviceToken {
  private let key: SymmetricKey

  init(key: Data) { self.key = SymmetricKey(data: key) }

  func text(for name: String) -> String { "\(name).\(Secret.base64URL(signature(of: name)))" }

  /// Returns the name in a token, or `nil` if its signature is wrong.
  func name(in text: Substring) -> String? {
    guard let dot = text.firstIndex(of: ".") else { return nil }
    let name = String(text[..<dot])
    let expected = Array(self.text(for: name).utf8)
    let given = Array(text.utf8)
    guard !name.isEmpty, expected.count == given.count else { return nil }
    return zip(expected, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0 ? name : nil
  }

  private func signature(of name: String) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: Data(name.utf8), using: key))
  }
}
