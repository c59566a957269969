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
    case "decode": decode(memoryLimit: arguments.dropFirst(2).first.flatMap { Int($0) } ?? 0, arguments.dropFirst(3))
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

  private static func decode(memoryLimit: Int, _ options: some Sequence<String>) -> Never {
    // A parent that has ended already closes the socket, too.
    _ = calotype_end_with_parent()
    _ = calotype_close_from(UInt32(Worker.socketDescriptor + 1))
    let socket = WorkerSocket(descriptor: Worker.socketDescriptor)
    do {
      WarmUp.run()
      let summary = try Confinement.ofDecoder(memoryLimit: memoryLimit)
      try socket.send(summary)
      try serve(socket, isTesting: options.contains("--misbehave"))
    } catch let error as ConfinementError {
      fail(error.description, cannotConfine)
    } catch {
      // The parent has ended, or wants no answer any more.
      _exit(1)
    }
    _exit(0)
  }

  private static func serve(_ socket: WorkerSocket, isTesting: Bool) throws {
    while let (head, descriptor) = try socket.receiveJob() {
      let job = try WorkerSocket.decode(WorkerJob.self, from: head)
      if case .misbehavior = job.request, !isTesting { throw WorkerSocket.Failure.malformed("not a test") }
      let file = MediaFile(
        descriptor: descriptor, name: job.name, byteCount: job.byteCount, modificationDate: job.modificationDate)
      if isTesting, case .renditions = job.request, file.asksForACrash { _ = Misbehavior.crash.perform() }
      let result = Result { () throws(ImagingError) in try job.request.perform(on: file) }
      let answer = try? result.get()
      try socket.send(WorkerReply(result), payloadByteCount: answer?.payloadByteCount ?? 0)
      try answer?.withPayload(socket.send)
    }
  }
}

extension MediaFile {
  /// A test's file whose decoder is to crash ends in these letters.
  fileprivate var asksForACrash: Bool {
    let letters = Array("CRASH".utf8)
    return (try? read(letters.count, at: byteCount - letters.count)) == letters
  }
}
