import Foundation
import ImageCoding
import MediaMetadata
import Sandbox

/// A kind of request about a file: its parameters, the work, the message of the reply, and the
/// checks of a reply.
///
///     let metadata = try ReadMetadata(machineTimeZone: .current).answer(on: file)
///
/// A new endpoint is a type in a file of its own, and an entry in `endpoints`.
protocol Endpoint: MessagePart, Sendable {
  associatedtype Answer: Sendable
  /// The start of a reply with an answer. Bytes may follow it.
  associatedtype Message: MessagePart

  /// The worker's limits.
  var limits: DecodingLimits { get }
  /// Whether the request takes a few milliseconds at most.
  var isBrief: Bool { get }
  /// Whether decoders in C read the files. Readers in Swift may crash, but a file can't compromise
  /// them.
  var usesDecoder: Bool { get }
  /// Whether a worker does the work; false for a movie's pictures, since `ffmpeg` is a process of
  /// its own.
  var usesWorker: Bool { get }
  /// The size of the pixels in the answer, if the request and the file's headers determine it.
  var expectedSize: PixelSize? { get }

  /// Does the work: in a worker, or in this process if workers are turned off.
  func perform(on file: MediaFile) throws(ImagingError) -> Answer
  /// Sends the answer, from within the worker.
  func send(_ answer: Answer, with reply: ReplyWriter) throws
  /// Checks a reply. Throws `MalformedReply` if the work can't have led to it.
  func read(_ message: Message, _ reply: inout ReplyReader, on file: MediaFile) throws -> Answer
}

extension Endpoint {
  var limits: DecodingLimits { .standard }
  var isBrief: Bool { false }
  var usesDecoder: Bool { true }
  var usesWorker: Bool { true }
  var expectedSize: PixelSize? { nil }

  /// Asks a worker, or does the work in this process if workers are turned off.
  func answer(on file: MediaFile) throws(ImagingError) -> Answer {
    guard usesWorker, let pool = try Workers.pool(reading: file, usesDecoder: usesDecoder) else {
      return try perform(on: file)
    }
    return try answer(on: file, in: pool)
  }

  func answer(on file: MediaFile, in pool: WorkerPool) throws(ImagingError) -> Answer {
    let answer: Result<Answer, ImagingError>
    do { answer = try pool.answer(to: call(on: file)) } catch { throw ImagingError(error, file.name) }
    return try answer.get()
  }

  func call(on file: MediaFile) -> WorkerCall<Result<Answer, ImagingError>> {
    WorkerCall(
      descriptors: [file.descriptor], limitInSeconds: limits.seconds, isBrief: isBrief,
      expectedByteCount: expectedByteCount(on: file),
      write: { coder in
        coder.put(RequestHead(Self.self, [file]))
        coder.put(self)
      },
      read: { try read(&$0, on: file) })
  }

  /// Checks a reply, which may be the failure that the decoder reports.
  func read(_ reply: inout ReplyReader, on file: MediaFile) throws -> Result<Answer, ImagingError> {
    switch try reply.message(Reply<Message>.self) {
    case .answer(let message): return .success(try read(message, &reply, on: file))
    case .failure(let code, let reason): return .failure(try failure(code, reason: reason, reply, on: file))
    }
  }

  /// Checks a failure that the decoder reports.
  func failure(
    _ code: ImagingError.Code, reason: String, _ reply: ReplyReader, on file: MediaFile
  ) throws -> ImagingError {
    try check(reply.payloadByteCount == 0, "a failure with bytes")
    try check(ImagingError.Code.ofDecoders.contains(code), "a failure that is not the file's")
    return ImagingError(code, file.name, reason: reason)
  }

  /// Returns the expected number of bytes; 0 if the file can hardly contain as many pixels as its
  /// headers declare.
  func expectedByteCount(on file: MediaFile) -> Int {
    guard let size = expectedSize else { return 0 }
    let (pixels, isTooLarge) = size.width.multipliedReportingOverflow(by: size.height)
    // One byte of a photo contains four to ten pixels. The limit leaves a margin.
    guard !isTooLarge, pixels > 0, pixels <= min(limits.pixels, file.byteCount * 50) else { return 0 }
    return pixels * 3
  }
}

/// The start of each request: the layout of messages, the endpoint's number, and the properties of
/// the files that the worker can't look up.
struct RequestHead {
  /// The sender's `messageLayout`. It comes first, so that a worker of any version can read it.
  var layout: UInt64
  var endpoint: UInt8
  var files: [File]

  struct File {
    /// The file's name, which can be evidence of its content: "Screenshot".
    var name: String
    var byteCount: Int
    var modificationDate: Date
  }
}

extension RequestHead {
  init(_ endpoint: any Endpoint.Type, _ files: [MediaFile]) {
    self.init(
      layout: messageLayout,
      // The worker refuses the number of an endpoint that is not in the list.
      endpoint: endpoints.firstIndex { $0 == endpoint }.map(UInt8.init) ?? .max,
      files: files.map { File(name: $0.name, byteCount: $0.byteCount, modificationDate: $0.modificationDate) })
  }
}

extension RequestHead: MessagePart {
  static var blank: Self { Self(layout: 0, endpoint: 0, files: []) }

  mutating func code(with coder: inout MessageCoder) {
    coder.part(&layout)
    coder.part(&endpoint)
    coder.part(&files)
  }
}

extension RequestHead.File: MessagePart {
  static var blank: Self { Self(name: "", byteCount: 0, modificationDate: .blank) }

  mutating func code(with coder: inout MessageCoder) {
    coder.part(&name)
    coder.part(&byteCount)
    coder.part(&modificationDate)
  }
}

/// The message of a reply: an endpoint's own, or the failure that the decoder reports.
enum Reply<Message: MessagePart>: MessagePart {
  case answer(Message)
  case failure(ImagingError.Code, reason: String)

  static var blank: Self { .answer(.blank) }

  mutating func code(with coder: inout MessageCoder) {
    guard coder.isReading else {
      switch self {
      case .answer(let message): coder.put(0 as UInt8, message)
      case .failure(let code, let reason): coder.put(1 as UInt8, code.rawValue, reason)
      }
      return
    }
    switch coder.get() as UInt8 {
    case 0: self = .answer(coder.get())
    case 1:
      var code = ImagingError.Code.damaged
      code.codeRawValue(with: &coder)
      self = .failure(code, reason: coder.get())
    default: coder.fail()
    }
  }
}

extension ReplyReader {
  /// Throws unless the reply has no bytes after its message.
  func checkNoPayload() throws(MalformedReply) {
    try check(payloadByteCount == 0, "bytes behind a message that has none")
  }

  func payload(byteCount: Int) throws -> Data {
    var data = Data(count: byteCount)
    try data.withUnsafeMutableBytes(receivePayload)
    return data
  }
}

extension ImagingError.Code {
  /// The failures that decoders report. Only the parent reports the others.
  fileprivate static let ofDecoders: Set<Self> = [
    .cannotRead, .unknownType, .damaged, .tooLarge, .tookTooLong, .unsupported, .cannotEncode,
  ]
}

extension ImagingError {
  /// Creates the error for a file during whose request the worker ended.
  init(_ end: WorkerEnd, _ file: String) {
    let code: Code =
      switch end.cause {
      case .couldNotStart, .neverReady: .cannotRead
      // A worker of another version reads no file at all.
      case .exit where end.isOfOtherVersion: .missingProgram
      case .signal where end.ranOutOfMemory: end.isSystemOutOfMemory ? .tookTooLong : .tooLarge
      // The cause is unrelated to the file.
      case .signal where end.wasKilledByAnotherProcess: .tookTooLong
      case .signal, .exit, .malformedReply: .crashed
      case .processorLimit, .tooManyThreads: .tooLarge
      case .timeLimit, .noDemand: .tookTooLong
      }
    self.init(code, file, reason: end.reason)
  }
}
