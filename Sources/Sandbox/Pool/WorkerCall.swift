/// A request to a worker: the message and the files for it, its limits, and the code that reads its
/// reply.
package struct WorkerCall<Answer> {
  /// Writes the request's message.
  package var write: (inout MessageCoder) -> Void
  /// The open files that the worker reads: `mostFilesOfRequest` at most.
  package var descriptors: [Int32]
  /// The limit of the worker's processor time.
  package var limitInSeconds: Double
  /// The limit of elapsed time: at first `Worker.clockFactor` times as long, and a second.
  package var elapsedLimitInSeconds: Double
  /// Whether the request takes a few milliseconds at most.
  package var isBrief: Bool
  /// The number of bytes in the worker's memory that the reply is expected to refer to; 0 for a
  /// small reply.
  package var expectedByteCount: Int
  /// Checks the reply. Throws `MalformedReply` if the request can't have led to it.
  package var read: (inout ReplyReader) throws -> Answer

  package init(
    descriptors: [Int32], limitInSeconds: Double, isBrief: Bool, expectedByteCount: Int = 0,
    write: @escaping (inout MessageCoder) -> Void, read: @escaping (inout ReplyReader) throws -> Answer
  ) {
    self.write = write
    self.descriptors = descriptors
    self.limitInSeconds = limitInSeconds
    elapsedLimitInSeconds = limitInSeconds * Worker.clockFactor + 1
    self.isBrief = isBrief
    self.expectedByteCount = expectedByteCount
    self.read = read
  }
}
