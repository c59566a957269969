import Foundation
import Synchronization

extension WorkerPool {
  /// The place for this task's files, if it is not `WorkerPlace.standard`; for tests.
  @TaskLocal package static var place: WorkerPlace?

  /// Returns the pool for this task; nil if its files are read in this process. Throws if they
  /// can't be read.
  package static func current() throws(WorkersUnavailable) -> WorkerPool? {
    switch place ?? WorkerPlace.standard {
    case .inProcess: return nil
    case .workers(let pool): return pool
    case .unavailable(let reason): throw WorkersUnavailable(reason: reason)
    }
  }
}

/// The error of a program that requires workers if none can be started.
package struct WorkersUnavailable: Error {
  package let reason: String
}

/// The place where files are decoded: worker processes, if the program `calotype-worker` is found.
///
/// It is looked for at `$CALOTYPE_WORKER` (which may be `none`), beside the program that runs, in
/// `../libexec/calotype` and `../libexec` from there, and in `$PATH`. If it isn't found or can't be
/// sandboxed, a program that requires workers reads no file. Any other program decodes in its own
/// process, and standard error says so once.
package enum WorkerPlace: Sendable {
  case inProcess
  case workers(WorkerPool)
  /// No workers can be started; the value is the reason.
  case unavailable(String)

  /// The place for this process.
  package static var standard: WorkerPlace {
    guard case .unavailable(let reason) = found, !isRequired.withLock(\.self) else { return found }
    hasWarned.withLock { isDone in
      if !isDone { warn("\(reason): files are decoded in this process") }
      isDone = true
    }
    return .inProcess
  }

  /// The pool of this process, for tests.
  package static var pool: WorkerPool? { if case .workers(let pool) = standard { pool } else { nil } }

  /// Lets this process read files in workers only, unless `CALOTYPE_WORKER=none` allows otherwise.
  package static func require() { isRequired.withLock { $0 = true } }

  /// Waits for the first worker. Returns the reason if there can be none.
  package static func failure() -> String? { if case .unavailable(let reason) = found { reason } else { nil } }

  private static let isRequired = Mutex(false)
  private static let hasWarned = Mutex(false)

  /// Determined when the first file is read.
  private static let found: WorkerPlace = {
    switch find() {
    case .refused: return .inProcess
    case .missing: return .unavailable("calotype-worker was not found beside this program or in $PATH")
    case .found(let executable):
      let pool = WorkerPool(WorkerPool.Configuration(executable: executable))
      // A temporary failure decides nothing: requests fail until workers start again.
      if let failure = pool.probe(), failure.isPermanent {
        pool.end()
        return .unavailable("\(executable): \(failure.reason)")
      }
      endAtExit.withLock { $0 = pool }
      // Workers end by themselves, but only a process that waits for its children is charged with
      // their processor time.
      atexit { endAtExit.withLock { $0 }?.end() }
      return .workers(pool)
    }
  }()

  private static let endAtExit = Mutex<WorkerPool?>(nil)

  private enum Finding {
    case found(String)
    case missing
    /// `CALOTYPE_WORKER` is `none`.
    case refused
  }

  /// The path of `calotype-worker`, if it is found.
  package static let executable: String? = if case .found(let path) = find() { path } else { nil }

  /// Returns the program that starts others in a sandbox; nil if they are started directly.
  package static func launcher() throws(WorkersUnavailable) -> String? {
    guard let pool = try WorkerPool.current() else { return nil }
    guard Landlock.kernelVersion > 0 else { throw WorkersUnavailable(reason: Landlock.missingReason) }
    return pool.configuration.executable
  }

  private static func find() -> Finding {
    let variables = ProcessInfo.processInfo.environment
    if let configured = variables["CALOTYPE_WORKER"], !configured.isEmpty {
      return configured == "none" ? .refused : isProgram(configured) ? .found(configured) : .missing
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

  private static func warn(_ text: String) { FileHandle.standardError.write(Data("calotype: \(text)\n".utf8)) }
}
