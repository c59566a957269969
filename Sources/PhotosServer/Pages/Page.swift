import HTTPTypes
import Hummingbird
import NIOCore

/// Text as HTML. Untrusted text can only be added escaped.
struct HTML: ExpressibleByStringInterpolation {
  let text: String

  init(stringLiteral text: String) { self.text = text }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
  init(joining parts: [HTML]) { text = parts.map(\.text).joined(separator: "\n") }

  /// Makes a sentence of a message, whose parts between backticks are commands.
  init(sentence message: String) {
    let sentence = "\(message.prefix(1).uppercased())\(message.dropFirst())."
    let parts = sentence.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    text = parts.map { $0.isMultiple(of: 2) ? Self.escaped(String($1)) : "<code>\(Self.escaped(String($1)))</code>" }
      .joined()
  }

  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }
    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ html: HTML) { text += html.text }
    mutating func appendInterpolation(_ string: String) { text += HTML.escaped(string) }
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}

/// A page that the server writes itself: it works without scripts, and is never kept.
struct Page {
  var title: String
  var body: HTML
  var script: String?
  /// Whether the connection is encrypted. If not, the page says so.
  var isEncrypted = true

  func response(_ status: HTTPResponse.Status = .ok, _ fields: HTTPFields = [:]) -> Response {
    var fields = fields
    fields[.contentType] = "text/html; charset=utf-8"
    fields[.cacheControl] = "no-store"
    return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: html.text)))
  }

  private var html: HTML {
    let warning: HTML =
      isEncrypted
      ? "" : "<p class=\"warning\">This connection is not encrypted: others in the network can read along.</p>\n"
    let scriptElement: HTML = script.map { "<script type=\"module\" src=\"\($0)\"></script>\n" } ?? ""
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <link rel="icon" href="/favicon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="/sign-in/sign-in.css">
      \(scriptElement)</head>
      <body>
      \(warning)<main>
      \(body)
      </main>
      </body>
      </html>

      """
  }
}
