import Foundation

/// The default answerer: uses the environment, else asks a person at the terminal, else leaves
/// requests unanswered.
struct StandardAnswerer: AuthorizationAnswerer {
  /// The environment variable with the answer to every request: see `EnvironmentAnswer`.
  static let variable = "CALOTYPE_AUTHORIZATION"

  /// The variable's value; `nil` if it is not set.
  var environment: String?
  /// The terminal; `nil` if there is none.
  var terminal: TerminalAnswerer?
  /// Writes a line about an unanswered request.
  var log: @Sendable (String) -> Void
  /// Returns whether the owner has decided about the request elsewhere, so that the question at the
  /// terminal ends.
  var isDecided: @Sendable () -> Bool = { false }

  /// This process's environment and terminal.
  static let current: StandardAnswerer = {
    let value = ProcessInfo.processInfo.environment[variable] ?? ""
    return StandardAnswerer(
      environment: value.isEmpty ? nil : value, terminal: TerminalAnswerer.current,
      log: { StandardError.write($0 + "\n") })
  }()

  var asksPerson: Bool { environment == nil && terminal != nil }

  func answer(
    _ request: AuthorizationRequest, completionHandler: @escaping @Sendable (AuthorizationAnswer) -> Void
  ) {
    if let environment {
      finish(request, with: EnvironmentAnswer.answer(request.question, environment), completionHandler)
    } else if let terminal {
      terminal.answer(request, isDecided: isDecided) { answer in
        guard let answer else { return completionHandler(.unanswered(reason: "the owner has decided elsewhere")) }
        finish(request, with: answer, completionHandler)
      }
    } else {
      finish(request, with: .unanswered(reason: "there is no terminal to ask at"), completionHandler)
    }
  }

  /// Passes an answer on. Adds advice to an unanswered request, and writes it as a line.
  private func finish(
    _ request: AuthorizationRequest, with answer: AuthorizationAnswer,
    _ completionHandler: (AuthorizationAnswer) -> Void
  ) {
    guard case .unanswered(let reason) = answer else { return completionHandler(answer) }
    let advice =
      switch request.question {
      case .access(let level, let description):
        "the library's owner can allow it "
          + (description == nil ? "" : "in the web app or ")
          + "by `\(request.grantCommand(level))`, or \(Self.variable)=\(EnvironmentAnswer.values) answers"
          + (description == nil ? "; a person is only asked if \(level.usageDescriptionKey) says why" : "")
      case .deletion: "\(Self.variable)=authorized confirms deletions"
      }
    let problem = TerminalAnswerer.printable("\(request.text) There is no answer: \(reason); \(advice)")
    log(problem)
    completionHandler(.unanswered(reason: problem))
  }
}

extension AuthorizationRequest {
  /// Returns the command by which the library's owner grants the request.
  func grantCommand(_ level: PHAccessLevel) -> String {
    let addOnly = level == .addOnly ? " --add-only" : ""
    return "calotype --library \(Self.quoted(libraryURL.path)) access grant\(addOnly) \(Self.quoted(client.identifier))"
  }

  private static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789./:_-@%+".unicodeScalars.contains($0))
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}

/// The answers that `CALOTYPE_AUTHORIZATION` can give, to every client.
///
/// `limited:IDENTIFIER,IDENTIFIER` chooses assets. `addOnly` allows adding and denies the rest. A
/// job has no person to confirm a deletion, so it is confirmed if the answer lets clients change
/// the library, and else refused.
enum EnvironmentAnswer: String, CaseIterable {
  case authorized, limited, denied, restricted, addOnly

  static let values = allCases.map(\.rawValue).joined(separator: "|")

  static func answer(_ question: AuthorizationRequest.Question, _ value: String) -> AuthorizationAnswer {
    let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
    guard let answer = EnvironmentAnswer(rawValue: parts.first ?? ""), answer == .limited || parts.count == 1 else {
      return .unanswered(reason: "\(StandardAnswerer.variable) is “\(value)”, and has to be one of \(values)")
    }
    switch (question, answer) {
    case (.deletion, .authorized), (.deletion, .limited): return .confirmed
    case (.deletion, _): return .refused
    case (.access, .authorized), (.access(.addOnly, _), .addOnly): return .authorized
    case (.access, .limited):
      return .limited(localIdentifiers: parts.dropFirst().flatMap { $0.split(separator: ",").map(String.init) })
    case (.access, .restricted): return .restricted
    case (.access, .denied), (.access, .addOnly): return .denied
    }
  }
}
