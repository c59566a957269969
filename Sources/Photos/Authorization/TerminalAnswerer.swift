import Foundation
import Synchronization

/// Asks the person at the terminal, one question after the other.
struct TerminalAnswerer {
  /// Writes to standard error, since standard output belongs to the program.
  var write: @Sendable (String) -> Void
  /// Returns the next typed line; `nil` at the end of the input.
  var readLine: @Sendable () -> String?
  /// Waits a short time for a typed line. Returns true if there is a line or the input has ended.
  var hasLine: @Sendable () -> Bool = { true }
  /// Drops a line that has been begun, so that it does not answer the next question.
  var discardInput: @Sendable () -> Void = {}

  /// This process's terminal; `nil` if a person can't see the question or type the answer.
  static let current: TerminalAnswerer? = {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
    return TerminalAnswerer(
      write: { StandardError.write($0) },
      readLine: {
        let line = Swift.readLine()
        if line == nil { hasEnded.withLock { $0 = true } }
        return line
      },
      hasLine: { hasEnded.withLock(\.self) || hasLine(within: 200) },
      discardInput: { tcflush(STDIN_FILENO, TCIFLUSH) })
  }()

  /// Whether standard input has ended. Then a terminal still waits, but no line can be read.
  private static let hasEnded = Mutex(false)

  private static let queue = DispatchQueue(label: "TerminalAnswerer")

  /// Waits up to some milliseconds. Returns whether standard input has a line or has ended.
  private static func hasLine(within milliseconds: Int32) -> Bool {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, milliseconds) > 0
  }

  /// Asks as soon as no other question is open. Calls the handler with the answer, or with `nil` if
  /// the request is decided elsewhere first.
  func answer(
    _ request: AuthorizationRequest, isDecided: @escaping @Sendable () -> Bool,
    completionHandler: @escaping @Sendable (AuthorizationAnswer?) -> Void
  ) { Self.queue.async { completionHandler(ask(request, isDecided: isDecided)) } }

  /// Asks again until an answer is understood, or the request is decided elsewhere.
  func ask(_ request: AuthorizationRequest, isDecided: () -> Bool) -> AuthorizationAnswer? {
    // Another question may have been open meanwhile.
    guard !isDecided() else { return nil }
    write(Self.question(request))
    while true {
      while !hasLine() {
        guard !isDecided() else {
          discardInput()
          write("\nThe owner has decided elsewhere.\n")
          return nil
        }
      }
      guard let line = readLine() else {
        write("\n")
        return .unanswered(reason: "standard input ended")
      }
      if let answer = Self.answer(line, to: request.question) { return answer }
      write(Self.choices(request.question))
    }
  }

  static func question(_ request: AuthorizationRequest) -> String {
    var text = printable(request.text) + "\n"
    if case .access(_, let description?) = request.question { text += "  “\(printable(description))”\n" }
    return text + choices(request.question)
  }

  private static func choices(_ question: AuthorizationRequest.Question) -> String {
    switch question {
    case .access(.readWrite, _):
      "Allow it? (yes: all photos, limited: only those that `calotype access limit` names, no) "
    case .access(.addOnly, _): "Allow it? (yes, no) "
    case .deletion: "Delete? (yes, no) "
    }
  }

  /// Returns the answer that a typed line means: a word or its first letters; `nil` if it is none.
  static func answer(_ line: String, to question: AuthorizationRequest.Question) -> AuthorizationAnswer? {
    let typed = line.trimmingCharacters(in: .whitespaces).lowercased()
    func means(_ word: String) -> Bool { !typed.isEmpty && word.hasPrefix(typed) }
    switch question {
    case .access(.readWrite, _) where means("limited"): return .limited()
    case .access where means("yes"): return .authorized
    case .access where means("no"): return .denied
    case .deletion where means("yes"): return .confirmed
    case .deletion where means("no"): return .refused
    default: return nil
    }
  }

  /// Replaces characters that could move a terminal's cursor by question marks, since names and
  /// usage descriptions come from the client.
  static func printable(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let moves = [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
      scalars.append(moves ? "?" : scalar)
    }
    return String(scalars)
  }
}
