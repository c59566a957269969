import Foundation

/// The reason why a worker's process ended during a request.
package struct WorkerEnd: Error, Sendable {
  package enum Cause: Sendable {
    case couldNotStart(Int32)
    /// It ended before its sandbox was in place, and it never received a file.
    case neverReady(status: Int32)
    case signal(Int32)
    case exit(Int32)
    /// It took more processor time than this, in seconds.
    case processorLimit(Double)
    /// It took more elapsed time than this, in seconds.
    case timeLimit(Double)
    /// It had more threads than this.
    case tooManyThreads(Int)
    /// Its result was no longer wanted.
    case noDemand
    /// It sent a reply that the request can't have led to.
    case malformedReply(String)

    /// `status` is that of `waitpid`.
    package init(status: Int32) {
      let signal = status & 0x7F
      self = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
    }
  }

  package var cause: Cause
  /// The path of the worker's program.
  package var executable = ""
  package var memoryLimit = 0
  /// The text that it wrote to standard error.
  package var standardError = ""
  /// Whether the system may have refused memory within its limit.
  package var isSystemOutOfMemory = false

  package init(_ cause: Cause, memoryLimit: Int = 0) {
    self.cause = cause
    self.memoryLimit = memoryLimit
  }

  /// Whether another process killed it: the system, for lack of memory or to shut down, or a
  /// person.
  package var wasKilledByAnotherProcess: Bool {
    if case .signal(let signal) = cause { [SIGKILL, SIGTERM, SIGHUP, SIGINT].contains(signal) } else { false }
  }

  /// Whether no worker of this executable can ever start on this machine.
  package var isPermanent: Bool {
    switch cause {
    case .couldNotStart(let code): [ENOENT, EACCES, ENOEXEC, ENOTDIR].contains(code)
    case .neverReady(let status):
      if case .exit(WorkerProcess.cannotConfine) = Cause(status: status) { true } else { false }
    default: false
    }
  }

  /// Whether the worker could not read the request, because it comes from another build.
  package var isOfOtherVersion: Bool { if case .exit(WorkerProcess.isOfOtherVersion) = cause { true } else { false } }

  /// Whether the request exceeded a limit. Another worker would exceed it, too.
  package var isOverLimit: Bool {
    switch cause {
    case .processorLimit, .timeLimit, .tooManyThreads, .noDemand: true
    default: false
    }
  }

  /// Whether the cause has nothing to do with the files of the request: requests about other files
  /// would have ended in the same way.
  package var isUnrelatedToFiles: Bool {
    switch cause {
    case .couldNotStart, .neverReady, .noDemand: true
    default: false
    }
  }

  package var ranOutOfMemory: Bool {
    guard case .signal = cause else { return false }
    return ["failed to allocate", "bad_alloc", "Could not allocate memory", "out of memory"]
      .contains { standardError.contains($0) }
  }

  /// The reason for a person.
  package var reason: String {
    switch cause {
    case .couldNotStart(let code): return "no decoder could be started: \(String(cString: strerror(code)))"
    case .neverReady: return "the decoder did not start\(detail)"
    case .signal where ranOutOfMemory && isSystemOutOfMemory: return "the system had no memory left for the decoder"
    case .signal where ranOutOfMemory: return "the decoder needed more memory than \(memoryLimit >> 20) MB"
    case .signal(let signal) where wasKilledByAnotherProcess: return "the decoder was killed (\(Self.name(of: signal)))"
    case .signal(let signal): return "the decoder crashed (\(Self.name(of: signal)))\(detail)"
    case .exit where isOfOtherVersion:
      return "the worker \(executable) is of another version than this program; install both together"
    case .exit(let status): return "the decoder exited with status \(status)\(detail)"
    case .processorLimit(let seconds): return "took more than \(Self.text(seconds)) s of processor time"
    case .timeLimit(let seconds): return "took more than \(Self.text(seconds)) s"
    case .tooManyThreads(let count): return "the decoder started more than \(count) threads"
    case .noDemand: return "its result was no longer wanted"
    case .malformedReply(let reason): return "the decoder sent a malformed reply: \(reason)"
    }
  }

  /// The line of standard error that contains the reason, after a colon; empty if there is none.
  private var detail: String {
    let lines = standardError.split(whereSeparator: \.isNewline)
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
