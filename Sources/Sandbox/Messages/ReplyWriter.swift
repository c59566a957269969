import Foundation

/// Sends one reply, from within the worker.
package struct ReplyWriter {
  let socket: WorkerSocket

  /// Sends a message, followed by the bytes of each block.
  package func send(_ message: some MessagePart, blocks: [some ContiguousBytes & Collection] = [[UInt8]]()) throws {
    try socket.send(message, payloadByteCount: blocks.reduce(0) { $0 + $1.count })
    for block in blocks { try block.withUnsafeBytes(socket.send) }
  }

  /// Sends a message that contains the address of `bytes`.
  ///
  /// The parent copies the bytes out of this process if the kernel allows it, which is faster than
  /// the socket. Meanwhile this process waits.
  package func send(memory bytes: [UInt8], _ message: (_ address: UInt64) -> some MessagePart) throws {
    try bytes.withUnsafeBytes { bytes in
      try socket.send(message(UInt64(UInt(bitPattern: bytes.baseAddress))))
      var answer: UInt8 = 0
      try withUnsafeMutableBytes(of: &answer) { try socket.receive(into: $0, wait: {}) }
      if MemoryDelivery(rawValue: answer) == .wanted { try socket.send(bytes) }
    }
  }
}

/// The parent's answer to the address of a reply's bytes.
enum MemoryDelivery: UInt8 {
  /// The parent has read them.
  case taken = 1
  /// The kernel does not let one process read another's memory, and the worker has to send the
  /// bytes.
  case wanted
}
