import Foundation
import Synchronization

extension WorkerPool {
  /// The place for this task's files, if it is not the standard place; for tests.
  @TaskLocal package static var place: WorkerPlace?

  /// Returns the pool for this task; nil if its files are read in this process. Throws if they
  /// can't be read.
  package static func current(usesDecoder: Bool) throws(WorkersUnavailable) -> WorkerPool? {
    switch place ?? WorkerPlace.standard(usesDecoder: usesDecoder) {
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

/// The place where files are decoded, or where their headers are read: worker processes, if the
/// program `calotype-worker` is found.
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

  /// Returns the place for this process.
  package static func standard(usesDecoder: Bool) -> WorkerPlace {
    let found = usesDecoder ? decoding : reading
    guard case .unavailable(let reason) = found, !isRequired.withLock(\.self) else { return found }
    hasWarned.withLock { isDone in
      if !isDone { warn("\(reason): files are decoded in this process") }
      isDone = true
    }
    return .inProcess
  }

  /// The pools of this process, for tests.
  package static var pools: [WorkerPool] {
    [true, false].compactMap { if case .workers(let pool) = standard(usesDecoder: $0) { pool } else { nil } }
  }

  /// Lets this process read files in workers only, unless `CALOTYPE_WORKER=none` allows otherwise.
  package static func require() { isRequired.withLock { $0 = true } }

  /// Starts a metadata worker for each processor in the background, for a program that will read
  /// many files. If `loadingDecoders` is true, also starts a decoding worker for each. Without
  /// this, a worker starts when a file waits for one.
  package static func startAll(loadingDecoders: Bool) {
    startsAll.withLock { $0 = true }
    // Determining a place waits for its first worker.
    Thread.detachNewThread { _ = Self.reading }
    if loadingDecoders { Thread.detachNewThread { _ = Self.decoding } }
  }

  /// Waits for the first worker that reads metadata, and with `loadingDecoders` for the first one
  /// with decoders. Returns the reason if there can be none.
  package static func failure(loadingDecoders: Bool) -> String? {
    if case .unavailable(let reason) = reading { return reason }
    guard loadingDecoders, case .unavailable(let reason) = decoding else { return nil }
    return reason
  }

  private static let isRequired = Mutex(false)
  private static let startsAll = Mutex(false)
  private static let hasWarned = Mutex(false)

  // Each place is determined when it is first used.
  private static let decoding = determine(loadsDecoders: true)
  private static let reading = determine(loadsDecoders: false)

  private static func determine(loadsDecoders: Bool) -> WorkerPlace {
    switch find() {
    case .refused: return .inProcess
    case .missing: return .unavailable("calotype-worker was not found beside this program or in $PATH")
    case .found(let executable):
      let pool = WorkerPool(WorkerPool.Configuration(executable: executable, loadsDecoders: loadsDecoders))
      if startsAll.withLock(\.self) { pool.startAll() }
      // A temporary failure decides nothing: requests fail until workers start again.
      if let failure = pool.probe(), failure.isPermanent {
        pool.end()
        return .unavailable("\(executable): \(failure.reason)")
      }
      endAtExit.withLock { $0.append(pool) }
      // Workers end by themselves, but only a process that waits for its children is charged with
      // their processor time. Each place registers this handler, so a pool may be ended twice.
      atexit { for pool in WorkerPlace.endAtExit.withLock(\.self) { pool.end() } }
      return .workers(pool)
    }
  }

  private static let endAtExit = Mutex<[WorkerPool]>([])

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
    guard let pool = try WorkerPool.current(usesDecoder: false) else { return nil }
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

  /// Writes a line to standard error. A line that can't be written is lost.
  private static func warn(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("calotype: \(text)\n".utf8))
  }
}
