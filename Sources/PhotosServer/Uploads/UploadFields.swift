import Foundation
import HTTPTypes

/// The header fields of requests that upload (draft-ietf-httpbis-resumable-upload).
struct UploadFields: Hashable {
  /// Whether the body is the end of the file.
  var isComplete: Bool?
  var offset: Int?
  var length: Int?
  /// The number of bytes in the body; `nil` if it is sent in chunks.
  var contentLength: Int?
  var sha256: Data?
  var name: String?
  var fileDate: Date?

  init(_ fields: HTTPFields) throws {
    isComplete = ["?0": false, "?1": true][Self.item(fields[.uploadComplete]) ?? ""]
    offset = Self.integer(fields[.uploadOffset])
    length = Self.integer(fields[.uploadLength])
    contentLength = Self.integer(fields[.contentLength])
    sha256 = try Self.sha256(fields[.reprDigest])
    name =
      (fields[.uploadName]?.removingPercentEncoding ?? ContentDisposition.filename(in: fields[.contentDisposition]))
      .flatMap(Filename.safe)
    fileDate = Self.integer(fields[.uploadLastModified]).map { Date(timeIntervalSince1970: Double($0) / 1000) }
  }

  /// Returns a structured field's item without its parameters.
  private static func item(_ field: String?) -> String? {
    field.map { $0.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces) }
  }

  /// Returns a number that is not negative. Fields with other values are ignored, as the draft
  /// says.
  private static func integer(_ field: String?) -> Int? {
    guard let text = item(field), (1...15).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text)
  }

  /// Returns the SHA-256 of a `Repr-Digest` field, which may contain further digests.
  private static func sha256(_ field: String?) throws -> Data? {
    for member in (field ?? "").split(separator: ",") {
      let parts = member.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, parts[0] == "sha-256" else { continue }
      let value = item(parts[1]) ?? ""
      guard value.hasPrefix(":"), value.hasSuffix(":"),
        let digest = Data(base64Encoded: String(value.dropFirst().dropLast())), digest.count == 32
      else { throw Failure(.badRequest, "Repr-Digest: sha-256 has to be 32 bytes in base64, between colons") }
      return digest
    }
    return nil
  }
}

extension ContentDisposition {
  /// Returns the filename in a `Content-Disposition` field (RFC 6266).
  static func filename(in field: String?) -> String? {
    var parameters: [String: String] = [:]
    for part in split(field ?? "") {
      guard let equals = part.firstIndex(of: "=") else { continue }
      let name = part[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
      parameters[name] = part[part.index(after: equals)...].trimmingCharacters(in: .whitespaces)
    }
    if let extended = parameters["filename*"], extended.lowercased().hasPrefix("utf-8'"),
      let quote = extended.lastIndex(of: "'")
    {
      return extended[extended.index(after: quote)...].removingPercentEncoding
    }
    return parameters["filename"]
  }

  /// Splits the parameters at the semicolons outside of quotes, and removes the quotes.
  private static func split(_ field: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    var isEscaped = false
    for character in field {
      if isEscaped {
        parts[parts.count - 1].append(character)
        isEscaped = false
      } else if character == "\\", isQuoted {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == ";", !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}

extension HTTPField.Name {
  static let uploadComplete = known("Upload-Complete")
  static let uploadOffset = known("Upload-Offset")
  static let uploadLength = known("Upload-Length")
  static let uploadLimit = known("Upload-Limit")
  static let uploadName = known("Upload-Name")
  static let uploadLastModified = known("Upload-Last-Modified")
  static let reprDigest = known("Repr-Digest")
  static let acceptPatch = known("Accept-Patch")
}
