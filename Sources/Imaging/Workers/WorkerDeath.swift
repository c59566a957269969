import Foundation

/// Why a worker ended while it was asked for something.
struct WorkerDeath: Error, Sendable {
  enum Cause: Sendable {
    case couldNotStart(Int32)
    /// It ended before it had given up what it must give up; it never saw a file.
    case neverReady(status: Int32)
    case signal(Int32)
    case exit(Int32)
    /// More processor time than the request may take, in seconds.
    case usedUp(Double)
    /// More time.
    case late(Double)
    /// The worker had more threads than this.
    case crowded(Int)
    /// Nobody waited for its answer any more.
    case unwanted
    /// It answered what can't be true.
    case lied(String)

    /// From what `waitpid` tells.
    init(status: Int32) {
      let signal = status & 0x7F
      self = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
    }
  }

  var cause: Cause
  var memoryLimit = 0
  /// What it wrote to standard error.
  var complaint = ""
  /// Whether memory that it was allowed may have been refused to it: looked at when what it had was free again.
  var isSystemShort = false

  init(_ cause: Cause, memoryLimit: Int = 0) {
    self.cause = cause
    self.memoryLimit = memoryLimit
  }

  /// Whether somebody else ended it: decoders don't kill themselves, but a system does that has no memory or shuts down, and a person can.
  var isByAnotherHand: Bool {
    if case .signal(let signal) = cause { [SIGKILL, SIGTERM, SIGHUP, SIGINT].contains(signal) } else { false }
  }

  /// Whether no worker of this program will ever start here; anything else may be otherwise in a minute.
  var isFinal: Bool {
    switch cause {
    case .couldNotStart(let code): [ENOENT, EACCES, ENOEXEC, ENOTDIR].contains(code)
    case .neverReady(let status):
      if case .exit(WorkerProcess.cannotConfine) = Cause(status: status) { true } else { false }
    default: false
    }
  }

  /// Whether the request was ended for its time: another worker would take as long.
  var isOverLimit: Bool {
    switch cause {
    case .usedUp, .late, .crowded, .unwanted: true
    default: false
    }
  }

  var hasLackedMemory: Bool {
    guard case .signal = cause else { return false }
    return ["failed to allocate", "bad_alloc", "Could not allocate memory", "out of memory"]
      .contains { complaint.contains($0) }
  }

  /// What the file's owner is told.
  func error(named file: String) -> ImagingError {
    switch cause {
    case .couldNotStart(let code):
      return ImagingError(.cannotRead, file, reason: "no decoder could be started: \(String(cString: strerror(code)))")
    case .neverReady: return ImagingError(.cannotRead, file, reason: "the decoder did not start\(detail)")
    case .signal where hasLackedMemory && isSystemShort:
      return ImagingError(.tookTooLong, file, reason: "the system had no memory left for the decoder")
    case .signal where hasLackedMemory:
      return ImagingError(.tooLarge, file, reason: "the decoder needed more memory than \(memoryLimit >> 20) MB")
    // Nothing is known of the file.
    case .signal(let signal) where isByAnotherHand:
      return ImagingError(.tookTooLong, file, reason: "the decoder was ended (\(Self.name(of: signal)))")
    case .signal(let signal):
      return ImagingError(.crashed, file, reason: "the decoder crashed (\(Self.name(of: signal)))\(detail)")
    case .exit(let status): return ImagingError(.crashed, file, reason: "the decoder ended with \(status)\(detail)")
    case .usedUp(let seconds):
      return ImagingError(.tooLarge, file, reason: "took more than \(Self.text(seconds)) s of processor time")
    case .late(let seconds): return ImagingError(.tookTooLong, file, reason: "took more than \(Self.text(seconds)) s")
    case .crowded(let count):
      return ImagingError(.tooLarge, file, reason: "the decoder started more than \(count) threads")
    case .unwanted: return ImagingError(.tookTooLong, file, reason: "nobody waited for it any more")
    case .lied(let what): return ImagingError(.crashed, file, reason: "the decoder gave \(what)")
    }
  }

  /// The line that says what went wrong, if there is one.
  private var detail: String {
    let lines = complaint.split(whereSeparator: \.isNewline)
    let line = lines.last { $0.contains("Fatal error") || $0.contains("rror:") } ?? lines.last
    return line.map { ": \($0)" } ?? ""
  }

  private static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() && abs(seconds) < 1e9 ? "\(Int(seconds))" : "\(seconds)"
  }

  private static func name(of signal: Int32) -> String {
    switch signal {
    case SIGSEGV: "SIGSEGV"
    case SIGBUS: "SIGBUS"
    case SIGILL: "SIGILL"
    case SIGABRT: "SIGABRT"
    case SIGFPE: "SIGFPE"
    case SIGTRAP: "SIGTRAP"
    case SIGKILL: "SIGKILL"
    case SIGSYS: "SIGSYS"
    case SIGXCPU: "SIGXCPU"
    case SIGXFSZ: "SIGXFSZ"
    case SIGTERM: "SIGTERM"
    case SIGHUP: "SIGHUP"
    case SIGINT: "SIGINT"
    default: "signal \(signal)"
    }
  }
}
