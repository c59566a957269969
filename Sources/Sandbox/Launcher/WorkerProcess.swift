import CProcess
import Foundation

/// The main function of `calotype-worker`.
///
///     WorkerProcess.run(CommandLine.arguments, preparing: WarmUp.run, serving: endpoints)
///
/// `decode BYTES` serves the requests of its parent over descriptor 3, within this many bytes of
/// memory. With `--headers`, it loads no decoders, and receives only requests for metadata.
/// `exec …` starts `ffmpeg` in a sandbox (`Launcher`). Programs use both; people use neither.
package enum WorkerProcess {
  /// A request, as it is received.
  package struct Request {
    package var message: [UInt8]
    /// The handler owns the descriptors.
    package var descriptors: [Int32]
    /// Whether a test started the worker.
    package var isTesting: Bool
  }

  /// `prepare` opens the files that later requests need. It runs before the sandbox is in place.
  package static func run(
    _ arguments: [String], preparing prepare: (_ loadsDecoders: Bool) -> Void,
    serving serve: (Request, ReplyWriter) throws -> Void
  ) -> Never {
    switch arguments.dropFirst().first {
    case "decode":
      let memoryLimit = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 0
      do {
        // If the parent has ended already, the socket is closed, too.
        _ = calotype_end_with_parent()
        _ = calotype_close_from(UInt32(socketDescriptor + 1))
        prepare(!arguments.contains(headersOnly))
        try loop(memoryLimit: memoryLimit, isTesting: arguments.contains("--misbehave"), serve)
      } catch {
        // Any other error means that the parent has ended, or no longer wants an answer.
        switch error {
        case let error as ConfinementError: fail(error.description, cannotConfine)
        case is MalformedReply: _exit(isOfOtherVersion)
        default: _exit(1)
        }
      }
      _exit(0)
    case "exec": Launcher.run(Array(arguments.dropFirst(2)))
    default: fail("programs that read photos start this program; it has no use by itself", usage)
    }
  }

  /// The argument for a worker that loads no decoders.
  static let headersOnly = "--headers"

  /// The worker's descriptor of the socket to its parent.
  static let socketDescriptor: Int32 = 3

  private static let usage: Int32 = 2
  package static let cannotConfine: Int32 = 70
  /// The status of a worker that can't read its parent's requests.
  package static let isOfOtherVersion: Int32 = 71

  static func fail(_ reason: String, _ status: Int32) -> Never {
    try? FileHandle.standardError.write(contentsOf: Data("calotype-worker: \(reason)\n".utf8))
    exit(status)
  }

  private static func loop(
    memoryLimit: Int, isTesting: Bool, _ serve: (Request, ReplyWriter) throws -> Void
  ) throws {
    let socket = WorkerSocket(descriptor: socketDescriptor)
    try socket.send(Confinement.ofDecoder(memoryLimit: memoryLimit))
    while let next = try socket.receiveJob() {
      let request = Request(message: next.head.coded, descriptors: next.descriptors, isTesting: isTesting)
      try serve(request, ReplyWriter(socket: socket))
    }
  }
}
