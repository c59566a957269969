import Foundation
import NIOCore

/// An event of a `text/event-stream`.
struct ServerSentEvent: Sendable {
  var name: String
  /// The position to which the browser returns when it connects again; `nil` leaves it as it is.
  var id: String?
  /// One line of JSON.
  var data: String

  init(_ name: String, id: String? = nil, _ data: some Encodable) {
    self.name = name
    self.id = id
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding can't fail: the values contain only strings, integers and truth values.
    self.data = (try? encoder.encode(data)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }

  var bytes: ByteBuffer {
    ByteBuffer(string: "event: \(name)\n" + (id.map { "id: \($0)\n" } ?? "") + "data: \(data)\n\n")
  }

  /// The beginning of a stream: the position, and the milliseconds after which the browser connects
  /// again.
  static func beginning(at id: String) -> ByteBuffer { ByteBuffer(string: "id: \(id)\nretry: 1000\n\n") }

  /// A comment, which keeps proxies from closing the connection.
  static let heartbeat = ByteBuffer(string: ":\n\n")
}
