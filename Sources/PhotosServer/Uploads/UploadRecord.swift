import Foundation

/// The state of an upload that outlasts the server.
struct UploadRecord: Codable, Hashable {
  /// The one who made the upload. Nobody else can use it.
  var asker: String
  var name: String
  var creationDate: Date
  /// The number of bytes of the whole file, once it is known.
  var length: Int?
  /// The SHA-256 that the whole file has to have, if the client has sent it.
  var sha256: Data?
  /// The modification date of the client's file.
  var fileDate: Date?
  var isComplete = false
  /// True until the request that creates the upload has all its bytes. Nobody knows the address
  /// before.
  var isNew: Bool?
  /// The result of the import. Its bytes are gone then.
  var outcome: Outcome?

  struct Outcome: Codable, Hashable {
    enum Kind: String, Codable, CaseIterable { case added, known, joined, refused }
    var kind: Kind
    /// The UUID of the asset that has the file.
    var asset: String?
    var reason: String?
  }
}

/// The identifiers of uploads: 128 random bits.
enum UploadID {
  static func make(_ random: RandomBytes) -> String { Secret.base64URL(random.make(16)) }

  /// Returns an identifier of a request, which becomes a file's name.
  static func checked(_ text: some StringProtocol) throws -> String {
    guard text.utf8.count == 22, text.utf8.allSatisfy(isAllowed) else {
      throw Failure(.notFound, "there is no upload \(text.prefix(64))")
    }
    return String(text)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
