/// The reply to a request, whose body is read in pieces.
final class SocketReply {
  let status: Int
  /// The size of the body; `nil` if the server does not know it beforehand.
  let byteCount: Int?
  private let connection: SocketConnection
  private var pending: [UInt8]
  private var framing: Framing

  private enum Framing {
    case length(Int)
    /// The bytes that are left of the current chunk.
    case chunked(Int)
    case untilEnd
    case done
  }

  /// The most bytes of the head, or of a line between chunks.
  private static let mostLineBytes = 1 << 16

  init(_ connection: SocketConnection) throws {
    self.connection = connection
    var received: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    var found: Range<Int>?
    while found == nil {
      guard received.count < Self.mostLineBytes, let piece = try connection.receive() else {
        throw SocketConnection.lost
      }
      received += piece
      found = received.firstRange(of: end)
    }
    guard let found else { throw SocketConnection.lost }
    let lines = String(decoding: received[..<found.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      throw SocketConnection.lost
    }
    self.status = status
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    let isChunked = fields["transfer-encoding"]?.lowercased() == "chunked"
    byteCount = isChunked ? nil : fields["content-length"].flatMap { Int($0) }.map { max(0, $0) }
    framing = isChunked ? .chunked(0) : byteCount.map(Framing.length) ?? (status == 204 ? .done : .untilEnd)
    pending = Array(received[found.upperBound...])
  }

  /// Returns the next piece of the body, or `nil` at its end. Throws if the body is cut off.
  func nextPiece() throws -> Data? {
    switch framing {
    case .done: return nil
    case .untilEnd:
      guard try fill() else {
        framing = .done
        return nil
      }
      return take(pending.count)
    case .length(let left):
      guard left > 0 else {
        framing = .done
        return nil
      }
      guard try fill() else { throw SocketConnection.lost }
      let piece = take(min(left, pending.count))
      framing = .length(left - piece.count)
      return piece
    case .chunked(0):
      guard let size = Int(try line().prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces), radix: 16), size >= 0
      else { throw SocketConnection.lost }
      framing = size == 0 ? .done : .chunked(size)
      return try nextPiece()
    case .chunked(let left):
      guard try fill() else { throw SocketConnection.lost }
      let piece = take(min(left, pending.count))
      framing = .chunked(left - piece.count)
      if piece.count == left { _ = try line() }
      return piece
    }
  }

  func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
    var body = Data()
    while let piece = try nextPiece() { body += piece }
    do { return try JSONDecoder().decode(type, from: body) } catch {
      throw PHPhotosError(
        .internalError, picking: "the library's server gave an answer that is not understood: \(error)")
    }
  }

  /// Makes sure that bytes are pending. Returns `false` at the end of the connection.
  private func fill() throws -> Bool {
    guard pending.isEmpty else { return true }
    guard let piece = try connection.receive() else { return false }
    pending = Array(piece)
    return true
  }

  private func take(_ count: Int) -> Data {
    defer { pending.removeFirst(count) }
    return Data(pending[..<count])
  }

  /// Returns a line without its end.
  private func line() throws -> String {
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") {
      guard line.count < Self.mostLineBytes, try fill() else { throw SocketConnection.lost }
      line.append(pending.removeFirst())
    }
    return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
