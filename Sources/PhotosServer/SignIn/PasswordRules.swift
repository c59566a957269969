import Foundation

/// The rules for new passwords. Any characters are allowed, exactly as they are typed.
struct PasswordRules: Sendable {
  static let shortestCount = 8
  static let longestByteCount = 1024

  /// The words that anybody who knows the library would try: its name and its owner's.
  let ownWords: [String]

  /// Returns the reason that a password is refused, or `nil` if it is accepted.
  func problem(of password: String) -> String? {
    if password.count < Self.shortestCount { return "the password needs at least \(Self.shortestCount) characters" }
    if password.utf8.count > Self.longestByteCount {
      return "the password is longer than \(Self.longestByteCount) bytes"
    }
    if password.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "the password contains a character that can't be typed"
    }
    if FrequentPasswords(ownWords: ownWords).contains(password) {
      return "that password is easy to guess; use several words with spaces between them, or other characters"
    }
    return nil
  }
}
