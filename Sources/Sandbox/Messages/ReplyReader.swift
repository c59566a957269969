/// Reads one reply of a worker: a message, and the bytes that follow it.
///
///     let reply = try reader.message(PictureReply.self)
///     let pixels = try reader.memory(at: reply.address, byteCount: reply.byteCount)
///
/// A file may have compromised the worker, so nothing in a reply is trusted: each endpoint checks
/// the message before it reads the bytes.
package struct ReplyReader {
  private let coded: [UInt8]
  /// The number of bytes that follow the message.
  package let payloadByteCount: Int
  private var buffer: ReceiveBuffer
  private let receive: (UnsafeMutableRawBufferPointer, _ address: UInt64?) throws -> Void

  /// `receive` fills a buffer with the next bytes of the payload, or with those at an address of
  /// the worker's memory.
  package init(
    _ coded: [UInt8], payloadByteCount: Int, into buffer: ReceiveBuffer = ReceiveBuffer(),
    receive: @escaping (UnsafeMutableRawBufferPointer, _ address: UInt64?) throws -> Void
  ) {
    self.coded = coded
    self.payloadByteCount = payloadByteCount
    self.buffer = buffer
    self.receive = receive
  }

  package func message<Message: MessagePart>(_ type: Message.Type) throws(MalformedReply) -> Message {
    var coder = MessageCoder(reading: coded)
    let message: Message = coder.get()
    guard coder.isComplete else { throw MalformedReply("a message that can't be read") }
    return message
  }

  /// Returns the parts of a list. Its count is read first, and has to be the expected one.
  package func list<Part: MessagePart>(of type: Part.Type, count: Int) throws(MalformedReply) -> [Part] {
    var coder = MessageCoder(reading: coded)
    let declaredCount: Int = coder.get()
    guard declaredCount == count else { throw MalformedReply("\(declaredCount) answers about \(count) files") }
    let parts = (0..<count).map { _ -> Part in coder.get() }
    guard coder.isComplete else { throw MalformedReply("a message that can't be read") }
    return parts
  }

  /// Fills the buffer with the next bytes of the payload.
  package func receivePayload(into bytes: UnsafeMutableRawBufferPointer) throws { try receive(bytes, nil) }

  /// Returns bytes of the worker's memory.
  package mutating func memory(at address: UInt64, byteCount: Int) throws -> [UInt8] {
    var bytes = buffer.take(byteCount: byteCount)
    try bytes.withUnsafeMutableBytes { try receive($0, address) }
    return bytes
  }
}

/// The reason why a reply can't be what the request asked for.
package struct MalformedReply: Error {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}
