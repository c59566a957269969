import Crypto
import CryptoExtras
import Foundation
import Photos

/// The identifiers by which a page of another origin knows the assets that it got.
///
/// An identifier is the asset's UUID, encrypted with a key of the origin. It is the same whenever
/// this origin gets the asset, until the owner forgets the origin. Other origins get others, so
/// they can't be compared, and nobody can make one of an asset that was not handed over.
struct OriginIdentifiers: Sendable {
  private let key: SymmetricKey

  /// Makes the identifiers of an origin. A forgotten one has a salt, so that its key is another.
  init(origin: String, salt: Data? = nil, secret: Data) {
    let name = Data("picker identifiers\n\(origin)".utf8)
    let code = HMAC<SHA256>.authenticationCode(
      for: name + (salt.map { Data("\n".utf8) + $0 } ?? Data()), using: SymmetricKey(data: secret))
    key = SymmetricKey(data: Data(code))
  }

  /// Reads the key of an origin, and makes the library's own if there is none yet. The origin comes
  /// to the owner's list if `isListed` is true.
  init(of origin: String, in library: PHPhotoLibrary, _ random: RandomBytes, isListed: Bool) throws {
    let (signIns, hash) = (try library.signIns, Secret.hash(of: origin[...]))
    if isListed { try signIns.addPickerOrigin(origin, hash) }
    self.init(
      origin: origin, salt: try signIns.identifierSalt(ofOrigin: hash),
      secret: try signIns.deviceKey(orElse: Data(random.make(32))))
  }

  /// Returns the identifier of an asset: 22 characters.
  func identifier(ofAsset id: String) -> String? {
    guard let uuid = UUID(uuidString: id) else { return nil }
    let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
    // One block of random-looking bytes needs no initialization vector.
    guard let block = try? AES._CBC.encrypt(bytes, using: key, iv: Self.noVector(), noPadding: true) else { return nil }
    return Secret.base64URL(Array(block))
  }

  /// Returns the asset of an identifier, which need not exist; `nil` if the text is no identifier.
  func asset(of identifier: String) -> String? {
    let base64 = identifier.replacing("-", with: "+").replacing("_", with: "/") + "=="
    guard identifier.utf8.count == 22, let block = Data(base64Encoded: base64), block.count == 16,
      let bytes = try? AES._CBC.decrypt(block, using: key, iv: Self.noVector(), noPadding: true), bytes.count == 16
    else { return nil }
    return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }).uuidString
  }

  private static func noVector() throws -> AES._CBC.IV { try AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: 16)) }
}
