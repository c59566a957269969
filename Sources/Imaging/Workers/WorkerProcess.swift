import CProcess
import Foundation

/// The program `calotype-worker`: what runs in a worker process.
///
///     WorkerProcess.run(CommandLine.arguments)
///
/// `decode BYTES` decodes for the program that started it, over descriptor 3, in so many bytes of memory; `exec …` starts
/// `ffmpeg` with what it may use (`Launcher`). Nobody types either.
public enum WorkerProcess {
  public static func run(_ arguments: [String]) -> Never {
    switch arguments.dropFirst().first {
    case "decode":
      let memoryLimit = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 0
      do { try decode(memoryLimit: memoryLimit, isTesting: arguments.contains("--misbehave")) } catch {
        // Its parent has ended, or wants no answer any more, unless it could not be confined.
        guard let error = error as? ConfinementError else { _exit(1) }
        fail(error.description, cannotConfine)
      }
      _exit(0)
    case "exec": Launcher.run(Array(arguments.dropFirst(2)))
    default: fail("this program is started by programs that read photos; there is nothing here for a person", usage)
    }
  }

  private static let usage: Int32 = 2
  static let cannotConfine: Int32 = 70

  static func fail(_ reason: String, _ status: Int32) -> Never {
    FileHandle.standardError.write(Data("calotype-worker: \(reason)\n".utf8))
    exit(status)
  }

  // MARK: Decoding

  private static func decode(memoryLimit: Int, isTesting: Bool) throws {
    // A parent that has ended already closes the socket, too.
    _ = calotype_end_with_parent()
    _ = calotype_close_from(UInt32(Worker.socketDescriptor + 1))
    let socket = WorkerSocket(descriptor: Worker.socketDescriptor)
    WarmUp.run()
    try socket.send(Confinement.ofDecoder(memoryLimit: memoryLimit))
    while let next = try socket.receiveJob() {
      try serve(WorkerSocket.decode(WorkerJob.self, from: next.head), next.descriptor, socket, isTesting: isTesting)
    }
  }

  private static func serve(_ job: WorkerJob, _ descriptor: Int32, _ socket: WorkerSocket, isTesting: Bool) throws {
    if case .misbehavior = job.request, !isTesting { throw WorkerSocket.Failure.malformed("not a test") }
    let file = MediaFile(
      descriptor: descriptor, name: job.name, byteCount: job.byteCount, modificationDate: job.modificationDate)
    if isTesting, job.request.isToCrash(on: file) { _ = Misbehavior.crash.perform(on: file) }
    let result = Result { () throws(ImagingError) in try job.request.perform(on: file) }
    let answer = try? result.get()
    if case .picture(let pixels) = answer { return try hand(over: ColoredPicture(pixels: pixels), to: socket) }
    if case .coloredPicture(let picture) = answer { return try hand(over: picture, to: socket) }
    try socket.send(WorkerReply(result), payloadByteCount: answer?.payloadByteCount ?? 0)
    try answer?.withPayload(socket.send)
  }
}

extension WorkerProcess {
  /// Pixels are many: the parent copies them out of this process, if the kernel lets it, and this process waits meanwhile.
  private static func hand(over picture: ColoredPicture, to socket: WorkerSocket) throws {
    let pixels = picture.pixels
    try pixels.bytes.withUnsafeBytes { bytes in
      let address = UInt64(UInt(bitPattern: bytes.baseAddress))
      try socket.send(
        WorkerReply.picture(
          width: pixels.width, height: pixels.height, channels: pixels.channels, address: address,
          profile: picture.profile))
      var answer: UInt8 = 0
      try withUnsafeMutableBytes(of: &answer) { try socket.receive(into: $0, wait: {}) }
      if PixelDelivery(rawValue: answer) == .wanted { try socket.send(bytes) }
    }
  }
}

extension WorkerRequest {
  /// A test's file whose decoder is to crash ends in these letters; in others where its headers' reader is to crash as well.
  fileprivate func isToCrash(on file: MediaFile) -> Bool {
    let ending = (try? file.read(5, at: file.byteCount - 5)).map { String(decoding: $0, as: UTF8.self) }
    switch self {
    case .renditions: return ending == "CRASH" || ending == "SMASH"
    case .metadata: return ending == "SMASH"
    default: return false
    }
  }
}
