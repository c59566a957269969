import Foundation

/// The `Content-Disposition` header of a download (RFC 6266), safe for any filename.
enum ContentDisposition {
  static func attachment(filename: String) -> String {
    let shown = Filename.safe(filename) ?? "original"
    let ascii = String(shown.map { $0.isASCII && isPlain($0) ? $0 : "_" })
    let encoded = shown.addingPercentEncoding(withAllowedCharacters: attributeCharacters) ?? ascii
    return "attachment; filename=\"\(ascii)\"; filename*=UTF-8''\(encoded)"
  }

  private static func isPlain(_ character: Character) -> Bool {
    character != "\"" && character != "\\" && character != "%"
  }

  /// The attr-char set of RFC 5987.
  private static let attributeCharacters = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$&+-.^_`|~")
}
