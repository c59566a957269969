import Foundation
import Synchronization

extension WorkerPool {
  /// Where this task's files are decoded, if that is not up to `WorkerPlace.standard`: for tests.
  @TaskLocal static var place: WorkerPlace?

  /// The pool that decodes; `nil` where that happens in this process.
  static var current: WorkerPool? {
    switch place ?? WorkerPlace.standard {
    case .here: nil
    case .workers(let pool): pool
    }
  }

  /// The same for what is decoded by code in this process: a movie's picture comes from `ffmpeg`.
  static func current(for metadata: MediaMetadata) -> WorkerPool? { metadata.type.kind == .image ? current : nil }
}

/// Where files are decoded: in worker processes where the program `calotype-worker` is found, else in this process.
///
/// It is looked for at `$CALOTYPE_WORKER` (which may be `none`), beside the program that runs, in `../libexec/calotype` and
/// `../libexec` from there, and in `$PATH`. Where it isn't found, or can't give up what it must give up, that is said once on standard error.
enum WorkerPlace: Sendable {
  case here
  case workers(WorkerPool)

  /// This process's, decided when the first file is read.
  static let standard: WorkerPlace = {
    switch find() {
    case .refused: return .here
    case .missing:
      say("calotype-worker was not found beside this program or in $PATH: files are decoded in this process")
      return .here
    case .found(let executable):
      let pool = WorkerPool(WorkerPool.Configuration(executable: executable))
      // What may pass decides nothing: requests fail until workers start again, rather than that this process decodes for good.
      if let failure = pool.probe(), failure.isFinal {
        say("\(failure.error(named: executable)): files are decoded in this process")
        pool.end()
        return .here
      }
      endAtExit.withLock { $0 = pool }
      // They would end by themselves; what they have taken of the processor is this process's only if it waits for them.
      atexit { endAtExit.withLock { $0 }?.end() }
      return .workers(pool)
    }
  }()

  private static let endAtExit = Mutex<WorkerPool?>(nil)

  private enum Finding {
    case found(String)
    case missing
    /// By `CALOTYPE_WORKER=none`.
    case refused
  }

  /// The executable, if there is one.
  static let executable: String? = if case .found(let path) = find() { path } else { nil }

  /// What starts `ffmpeg` with little that it may do; `nil` where it is started as it is.
  static var launcher: String? {
    switch WorkerPool.place ?? standard {
    case .here: nil
    case .workers(let pool): pool.configuration.executable
    }
  }

  private static func find() -> Finding {
    let variables = ProcessInfo.processInfo.environment
    if let told = variables["CALOTYPE_WORKER"], !told.isEmpty {
      return told == "none" ? .refused : isProgram(told) ? .found(told) : .missing
    }
    let name = "calotype-worker"
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    let path = (variables["PATH"] ?? "").split(separator: ":").map(String.init)
    let folders = [own, "\(own)/../libexec/calotype", "\(own)/../libexec"] + path
    let candidates = folders.map { "\($0)/\(name)" }
    return candidates.first(where: isProgram).map(Finding.found) ?? .missing
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return path.hasPrefix("/") && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }

  private static func say(_ text: String) { FileHandle.standardError.write(Data("calotype: \(text)\n".utf8)) }
}
