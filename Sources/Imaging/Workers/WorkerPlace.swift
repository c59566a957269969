import Foundation
import Synchronization

extension WorkerPool {
  /// Where this task's files are decoded, if that is not up to `WorkerPlace.standard`: for tests.
  @TaskLocal static var place: WorkerPlace?

  /// Returns the pool that reads a file; `nil` if this process reads it. Throws if this process
  /// must not.
  static func current(reading file: MediaFile) throws(ImagingError) -> WorkerPool? {
    switch place ?? WorkerPlace.standard {
    case .here: return nil
    case .workers(let pool): return pool
    case .nowhere(let reason): throw ImagingError(.missingProgram, file.name, reason: reason)
    }
  }

  /// The same for what is decoded by code in this process: a movie's picture comes from `ffmpeg`.
  static func current(reading file: MediaFile, _ metadata: MediaMetadata) throws(ImagingError) -> WorkerPool? {
    metadata.type.kind == .image ? try current(reading: file) : nil
  }
}

/// The place where files are decoded: in worker processes if the program `calotype-worker` is
/// found.
///
/// It is looked for at `$CALOTYPE_WORKER` (which may be `none`), beside the program that runs, in
/// `../libexec/calotype` and `../libexec` from there, and in `$PATH`. If it isn't found or can't be
/// sandboxed, a program that requires workers reads no file. Any other program decodes in its own
/// process, and standard error says so once.
enum WorkerPlace: Sendable {
  case here
  case workers(WorkerPool)
  /// No workers can be started; the value is the reason.
  case nowhere(String)

  /// The place for this process.
  static var standard: WorkerPlace {
    guard case .nowhere(let reason) = found, !isRequired.withLock(\.self) else { return found }
    saidOnce.withLock { isSaid in
      if !isSaid { say("\(reason): files are decoded in this process") }
      isSaid = true
    }
    return .here
  }

  /// The pool of this process, for tests.
  static var pool: WorkerPool? { if case .workers(let pool) = standard { pool } else { nil } }

  /// Lets this process read files in workers only, unless `CALOTYPE_WORKER=none` allows otherwise.
  static func require() { isRequired.withLock { $0 = true } }

  /// Waits for the first worker. Returns the reason if there can be none.
  static func failure() -> String? { if case .nowhere(let reason) = found { reason } else { nil } }

  private static let isRequired = Mutex(false)
  private static let saidOnce = Mutex(false)

  /// Determined when the first file is read.
  private static let found: WorkerPlace = {
    switch find() {
    case .refused: return .here
    case .missing: return .nowhere("calotype-worker was not found beside this program or in $PATH")
    case .found(let executable):
      let pool = WorkerPool(WorkerPool.Configuration(executable: executable))
      // What may pass decides nothing: requests fail until workers start again, rather than that this process decodes for good.
      if let failure = pool.probe(), failure.isFinal {
        pool.end()
        return .nowhere("\(failure.error(named: executable))")
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
  static func launcher(reading file: MediaFile) throws(ImagingError) -> String? {
    guard let pool = try WorkerPool.current(reading: file) else { return nil }
    guard Landlock.kernelVersion > 0 else { throw ImagingError(.missingProgram, file.name, reason: Landlock.isMissing) }
    return pool.configuration.executable
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

/// Lets this process read files in workers only, unless `CALOTYPE_WORKER=none` allows otherwise.
package func requireWorkers() { WorkerPlace.require() }

/// Waits for the first worker. Returns the reason if there can be none.
package func failureOfWorkers() -> String? { WorkerPlace.failure() }
