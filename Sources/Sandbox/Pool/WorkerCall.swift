/// A request to a worker: the message and the file for it, its limits, and the code that reads its
/// reply.
package struct WorkerCall<Answer> {
  /// Writes the request's message.
  package var write: (inout MessageCoder) -> Void
  /// The open file that the worker reads.
  package var descriptor: Int32
  /// The limit of the worker's processor time. Elapsed time may be `Worker.clockFactor` times as
  /// long.
  package var limitInSeconds: Double
  /// Whether the request takes a few milliseconds at most.
  package var isBrief: Bool
  /// The number of bytes in the worker's memory that the reply is expected to refer to; 0 for a
  /// small reply.
  package var expectedByteCount: Int
  /// Checks the reply. Throws `MalformedReply` if the request can't have led to it.
  package var read: (inout ReplyReader) throws -> Answer

  package init(
    descriptor: Int32, limitInSeconds: Double, isBrief: Bool, expectedByteCount: Int = 0,
    write: @escaping (inout MessageCoder) -> Void, read: @escaping (inout ReplyReader) throws -> Answer
  ) {
    self.write = write
    self.descriptor = descriptor
    self.limitInSeconds = limitInSeconds
    self.isBrief = isBrief
    self.expectedByteCount = expectedByteCount
    self.read = read
  }
}
