/// The secret that authorizes a client. It is in the URL that the server prints, and later in a
/// cookie. Each start of the server makes a new one.
struct SessionToken: Sendable {
  /// 32 hexadecimal digits.
  let value: String

  init() {
    var random = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef")
    value = String((0..<32).map { _ in digits[Int.random(in: 0..<16, using: &random)] })
  }

  /// Compares in time that depends only on the length, not on the digits.
  func matches(_ text: Substring) -> Bool {
    let (own, other) = (value.utf8, text.utf8)
    guard own.count == other.count else { return false }
    return zip(own, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
