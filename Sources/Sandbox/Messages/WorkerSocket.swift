import CProcess
import Foundation

/// The largest number of files in one request to a worker.
package let mostFilesOfRequest = calotype_most_descriptors

/// One end of the socket between a program and a worker.
///
///     try socket.send(descriptors: descriptors) { $0.put(request) }
///     let head = try socket.receiveHead(wait: watch.wait)
///
/// A message is two lengths of eight bytes each, the coded part (`MessageCoder`), and the payload.
/// Each end limits the other's lengths. Only a worker receives descriptors.
package struct WorkerSocket {
  package let descriptor: Int32

  package enum Failure: Error {
    /// The other end is closed.
    case ended
    case tookTooLong
    case refused(Int32)
  }

  package struct Head {
    package var coded: [UInt8]
    /// The number of bytes that follow the coded part.
    package var payloadByteCount: Int
  }

  static let headerByteCount = 16
  /// The limit of the coded part. The metadata of 32 usual files takes far less.
  package static let codedByteLimit = 4 << 20

  /// Returns a pair of connected ends that no other program inherits.
  package static func pair() -> (WorkerSocket, WorkerSocket)? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      return nil
    }
    return (WorkerSocket(descriptor: ends[0]), WorkerSocket(descriptor: ends[1]))
  }

  // MARK: Sending

  func send(_ message: some MessagePart, payloadByteCount: Int = 0) throws {
    try send(payloadByteCount: payloadByteCount) { $0.put(message) }
  }

  func send(
    payloadByteCount: Int = 0, descriptors: [Int32] = [], _ write: (inout MessageCoder) -> Void
  ) throws {
    var coder = MessageCoder()
    write(&coder)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerByteCount + coder.bytes.count)
    for number in [coder.bytes.count, payloadByteCount] {
      withUnsafeBytes(of: UInt64(number).littleEndian) { bytes.append(contentsOf: $0) }
    }
    bytes += coder.bytes
    try bytes.withUnsafeBytes { bytes in
      guard !descriptors.isEmpty else { return try send(bytes) }
      let count = calotype_send_descriptors(
        descriptor, bytes.baseAddress, bytes.count, descriptors, Int32(descriptors.count))
      guard count > 0 else { throw count < 0 ? Self.failure(errno) : .ended }
      try send(UnsafeRawBufferPointer(rebasing: bytes[count...]))
    }
  }

  package func send(_ bytes: UnsafeRawBufferPointer) throws {
    var sent = 0
    while sent < bytes.count {
      let count = Glibc.send(
        descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(errno) }
      sent += count
    }
  }

  private static func failure(_ code: Int32) -> Failure {
    switch code {
    case EPIPE, ECONNRESET: .ended
    case EAGAIN: .tookTooLong
    default: .refused(code)
    }
  }

  // MARK: Receiving

  /// Receives the lengths and the coded part. `wait` is called before each read, and may throw.
  package func receiveHead(wait: () throws -> Void) throws -> Head {
    var header = [UInt8](repeating: 0, count: Self.headerByteCount)
    try header.withUnsafeMutableBytes { try receive(into: $0, wait: wait) }
    return try receiveCoded(header, wait: wait)
  }

  /// Waits for the next message with descriptors; returns nil if the other end has closed.
  func receiveJob() throws -> (head: Head, descriptors: [Int32])? {
    var header = [UInt8](repeating: 0, count: Self.headerByteCount)
    var passed = [Int32](repeating: -1, count: mostFilesOfRequest)
    var number: Int32 = 0
    let count = calotype_receive_descriptors(descriptor, &header, header.count, &passed, &number)
    guard count != 0 else { return nil }
    guard count == header.count, number > 0 else { throw MalformedReply("a request without a file") }
    return (try receiveCoded(header, wait: {}), Array(passed.prefix(Int(number))))
  }

  private func receiveCoded(_ header: [UInt8], wait: () throws -> Void) throws -> Head {
    let lengths = header.withUnsafeBytes { bytes in
      [0, 8].map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)) }
    }
    guard lengths[0] <= UInt64(Self.codedByteLimit), let payload = Int(exactly: lengths[1]) else {
      throw MalformedReply("a message of \(lengths[0]) and \(lengths[1]) bytes")
    }
    var coded = [UInt8](repeating: 0, count: Int(lengths[0]))
    try coded.withUnsafeMutableBytes { try receive(into: $0, wait: wait) }
    return Head(coded: coded, payloadByteCount: payload)
  }

  /// Fills the whole buffer.
  func receive(into buffer: UnsafeMutableRawBufferPointer, wait: () throws -> Void) throws {
    var filled = 0
    while filled < buffer.count {
      try wait()
      let count = recv(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, 0)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count != 0 else { throw Failure.ended }
      guard count > 0 else { throw Self.failure(errno) }
      filled += count
    }
  }

  package static func decode<Message: MessagePart>(_ type: Message.Type, from head: Head) throws -> Message {
    var coder = MessageCoder(reading: head.coded)
    let message: Message = coder.get()
    guard coder.isComplete else { throw MalformedReply("a message that can't be read") }
    return message
  }

  /// Waits until there are bytes to read or the other end has closed. Returns false after this
  /// time, or if a signal came.
  func isReadable(within milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, milliseconds) > 0
  }

  package func close() { _ = Glibc.close(descriptor) }
}
