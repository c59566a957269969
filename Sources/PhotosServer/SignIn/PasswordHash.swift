import CryptoExtras
import Foundation

/// A password's hash as the library stores it: `$scrypt$ln=16,r=8,p=2$salt$key`.
struct PasswordHash: Sendable {
  struct Parameters: Hashable, Sendable {
    /// The logarithm of the number of rounds to the base 2.
    var logRounds: Int
    var blockSize: Int
    var parallelism: Int

    /// 64 MB, and about 0.3 seconds of a processor.
    static let standard = Parameters(logRounds: 16, blockSize: 8, parallelism: 2)

    /// A stored hash may not take more memory or time than one of today. Somebody else may have
    /// written it.
    var isPermitted: Bool {
      let most = Self.standard
      return (1...most.logRounds).contains(logRounds) && (1...most.blockSize).contains(blockSize)
        && (1...most.parallelism).contains(parallelism)
    }
  }

  let parameters: Parameters
  let salt: Data
  let key: Data

  private static let keyByteCount = 32
  static let saltByteCount = 16

  /// Hashes a password. Takes 64 MB with the standard parameters.
  init(of password: String, salt: Data, _ parameters: Parameters) throws {
    self.parameters = parameters
    self.salt = salt
    key = try Self.key(of: password, salt, parameters)
  }

  /// Makes a hash that no password has. Comparing with it takes as long as with any other.
  init(ofNothing random: RandomBytes, _ parameters: Parameters) {
    self.parameters = parameters
    salt = Data(random.make(Self.saltByteCount))
    key = Data(random.make(Self.keyByteCount))
  }

  /// Returns `nil` if the text is no hash.
  init?(text: String) {
    let parts = text.split(separator: "$")
    guard parts.count == 4, parts[0] == "scrypt", let salt = Data(base64Encoded: String(parts[2])),
      let key = Data(base64Encoded: String(parts[3])), !salt.isEmpty, key.count == Self.keyByteCount
    else { return nil }
    var numbers: [Substring: Int] = [:]
    for part in parts[1].split(separator: ",") {
      let pair = part.split(separator: "=")
      guard pair.count == 2, let number = Int(pair[1]) else { return nil }
      numbers[pair[0]] = number
    }
    guard let logRounds = numbers["ln"], let blockSize = numbers["r"], let parallelism = numbers["p"] else {
      return nil
    }
    parameters = Parameters(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
    guard parameters.isPermitted else { return nil }
    self.salt = salt
    self.key = key
  }

  var text: String {
    "$scrypt$ln=\(parameters.logRounds),r=\(parameters.blockSize),p=\(parameters.parallelism)"
      + "$\(salt.base64EncodedString())$\(key.base64EncodedString())"
  }

  /// Returns whether the password is this one. Takes as long for a wrong one.
  func matches(_ password: String) throws -> Bool {
    let other = try Self.key(of: password, salt, parameters)
    return zip(key, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0 && key.count == other.count
  }

  private static func key(of password: String, _ salt: Data, _ parameters: Parameters) throws -> Data {
    // scrypt can't take an empty password. No password is empty.
    let bytes = password.isEmpty ? [0] : Array(password.utf8)
    let key = try KDF.Scrypt.deriveKey(
      from: bytes, salt: salt, outputByteCount: keyByteCount, rounds: 1 << parameters.logRounds,
      blockSize: parameters.blockSize, parallelism: parameters.parallelism)
    return key.withUnsafeBytes { Data($0) }
  }
}
