import Foundation

/// The `Content-Disposition` of a download (RFC 6266), whatever name the file came with.
enum ContentDisposition {
  static func attachment(filename: String) -> String {
    let name = filename.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
    let safe = String(
      String.UnicodeScalarView(
        name.unicodeScalars.filter {
          // Characters that break a line, hide, or turn the direction of what follows: `photo‮gpj.exe`.
          ![.control, .format, .lineSeparator, .paragraphSeparator, .privateUse].contains($0.properties.generalCategory)
        }))
    let shown = safe.trimmingCharacters(in: .whitespaces).isEmpty ? "original" : safe
    let ascii = String(shown.map { $0.isASCII && isPlain($0) ? $0 : "_" })
    let encoded = shown.addingPercentEncoding(withAllowedCharacters: attributeCharacters) ?? ascii
    return "attachment; filename=\"\(ascii)\"; filename*=UTF-8''\(encoded)"
  }

  private static func isPlain(_ character: Character) -> Bool {
    character != "\"" && character != "\\" && character != "%"
  }

  /// RFC 5987's attr-char.
  private static let attributeCharacters = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$&+-.^_`|~")
}
