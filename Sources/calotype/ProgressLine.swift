import Foundation
import Synchronization

/// A progress display on standard error: a bar that redraws itself on a terminal, else a line every
/// few seconds.
final class ProgressLine: Sendable {
  /// The counts at one moment.
  struct State {
    var verb: String
    var files = 0
    var totalFiles = 0
    var bytes = 0
    var totalBytes = 0
    var unit = "files"
    /// The finished share of the current item, from 0 to 1.
    var started = 0.0
  }

  private struct Memory {
    var verb = ""
    var start = ContinuousClock.now
    var lastDrawn: ContinuousClock.Instant?
    var isOpen = false
  }

  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let memory = Mutex(Memory())

  func update(_ state: State) {
    memory.withLock { memory in
      let now = ContinuousClock.now
      if memory.verb != state.verb { memory = Memory(verb: state.verb, start: now, isOpen: memory.isOpen) }
      let interval: Duration = isTerminal ? .milliseconds(100) : .seconds(5)
      let isLast = state.totalFiles > 0 && state.files == state.totalFiles
      guard isLast && isTerminal || memory.lastDrawn.map({ now - $0 >= interval }) ?? isTerminal else {
        memory.lastDrawn = memory.lastDrawn ?? now
        return
      }
      memory.lastDrawn = now
      let text = Output.printable(Self.text(state, elapsed: now - memory.start)).replacing("\n", with: "?")
      Output.writeRawToStderr(isTerminal ? "\r\u{1B}[K" + text : text + "\n")
      memory.isOpen = isTerminal
    }
  }

  /// Clears the bar, so that the next output starts on a line of its own.
  func finish() {
    memory.withLock { memory in
      if memory.isOpen { Output.writeRawToStderr("\r\u{1B}[K") }
      memory.isOpen = false
    }
  }

  /// Returns the text of the bar.
  ///
  ///     Importing  [#####-----]  120/240 files  1.2/2.4 GB  38 MB/s  0:31 left
  static func text(_ state: State, elapsed: Duration) -> String {
    guard state.totalFiles > 0 else { return state.verb + "…" }
    let part =
      state.totalBytes > 0 && state.bytes > 0
      ? Double(state.bytes) / Double(state.totalBytes)
      : (Double(state.files) + state.started) / Double(state.totalFiles)
    // A library may grow while it is checked, which gives a share above 1.
    let share = min(1, part)
    let width = 24
    let filled = Int(share * Double(width))
    var text =
      "\(state.verb)  [\(String(repeating: "#", count: filled))\(String(repeating: "-", count: width - filled))]"
    text += "  \(state.files)/\(state.totalFiles) \(state.unit)"
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    if state.bytes > 0, seconds > 0 {
      text += "  \(state.bytes.inBytes)/\(state.totalBytes.inBytes)  \(whole(Double(state.bytes) / seconds).inBytes)/s"
    }
    if share > 0, share < 1, seconds > 1 { text += "  \(Self.clock(seconds * (1 - share) / share)) left" }
    return text
  }

  /// Converts a rate or a time to an `Int`, limited so that it can't overflow. A file system may
  /// report that a file has 8 EB.
  private static func whole(_ number: Double) -> Int { Int(min(number, 1e15)) }

  private static func clock(_ seconds: Double) -> String {
    let total = whole(seconds.rounded(.up))
    let (hours, minutes, rest) = (total / 3600, total / 60 % 60, total % 60)
    return hours > 0
      ? "\(hours):" + String(format: "%02d:%02d", minutes, rest) : "\(minutes):" + String(format: "%02d", rest)
  }
}

extension Int {
  /// A size such as `3.4 MB`, in powers of ten as in file managers.
  var inBytes: String {
    guard self >= 1000 else { return "\(self) bytes" }
    var value = Double(self)
    var unit = ""
    for next in ["kB", "MB", "GB", "TB"] where value >= 999.5 { (value, unit) = (value / 1000, next) }
    return (value < 9.95 ? String(format: "%.1f", value) : String(format: "%.0f", value)) + " " + unit
  }
}
