import Foundation
import TestSupport

/// A connection to a loopback port on which a test sends exact bytes and reads the responses.
final class RawConnection: Sendable {
  private let socket: Int32

  struct Answer {
    var status: Int
    var fields: [String: String]
    var firstField: String
    var body: Data
  }

  /// `receiveBuffer` is the number of bytes that the kernel buffers for a test that doesn't read,
  /// or `nil` for the system's default.
  init(port: Int, receiveBuffer: Int32? = nil) throws {
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var receiveBuffer {
      setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    // The timeouts make a test fail that would wait forever.
    var timeout = timeval(tv_sec: Int(Patience.long.components.seconds), tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit { close(socket) }

  /// Sends each element when all previous requests have been answered. An element may contain
  /// several requests, which are sent at once.
  func exchange(_ requests: [String], waitsForEnd: Bool = true) throws -> [Answer] {
    var answers: [Answer] = []
    var received = Data()
    for request in requests {
      send(request)
      let methods = request.split(separator: "\r\n").filter { $0.hasSuffix(" HTTP/1.1") }.map { $0.hasPrefix("HEAD") }
      for isHead in methods { answers.append(try answer(&received, isHead: isHead)) }
    }
    if waitsForEnd, !isAtEnd() { throw POSIXError(.EBUSY) }
    return answers
  }

  /// Sends a request without waiting for the response.
  func send(_ request: String) {
    _ = Data(request.utf8).withUnsafeBytes {
      Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// Waits for bytes, and returns them.
  func receive() throws -> Data {
    var data = Data()
    try receive(into: &data)
    return data
  }

  /// Sends a request with a body, and reads its answer.
  func exchange(_ head: String, _ body: Data) throws -> Answer {
    send(head)
    send(body)
    return try answer()
  }

  /// Sends bytes. The rest is left out if the server closes the connection.
  func send(_ bytes: Data) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads an answer to a request that was sent before.
  func answer() throws -> Answer {
    var received = Data()
    return try answer(&received, isHead: false)
  }

  /// Says that nothing more will be sent.
  func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Closes the connection like a browser that leaves the page.
  func hangUp() { shutdown(socket, Int32(SHUT_RDWR)) }

  /// Returns whether the server closes the connection, and sends nothing more before.
  func isAtEnd() -> Bool {
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, 0) == 0
  }

  /// Reads until the server closes the connection, and returns what it has sent before.
  func receiveAll() throws -> Data {
    var data = Data()
    do { while true { try receive(into: &data) } } catch let error as POSIXError where error.code == .ECONNRESET {}
    return data
  }

  private func answer(_ received: inout Data, isHead: Bool) throws -> Answer {
    var head: Range<Data.Index>?
    while head == nil {
      head = received.range(of: Data("\r\n\r\n".utf8))
      if head == nil { try receive(into: &received) }
    }
    guard let end = head else { throw POSIXError(.EBADMSG) }
    let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { throw POSIXError(.EBADMSG) }
      fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    received = Data(received[end.upperBound...])
    let length = isHead ? 0 : Int(fields["content-length"] ?? "") ?? 0
    while received.count < length { try receive(into: &received) }
    let body = Data(received.prefix(length))
    received = Data(received.dropFirst(length))
    return Answer(
      status: Int(lines[0].split(separator: " ")[1]) ?? 0, fields: fields,
      firstField: lines[1].prefix { $0 != ":" }.lowercased(), body: body)
  }

  private func receive(into data: inout Data) throws {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &bytes, bytes.count, 0)
    guard count != 0 else { throw POSIXError(.ECONNRESET) }
    guard count > 0 else {
      if errno == EAGAIN { throw WaitedInVain("bytes of the server", within: Patience.long) }
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    data += bytes[..<count]
  }
}
