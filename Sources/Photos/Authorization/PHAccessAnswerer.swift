import Foundation

/// Extension: answers what clients of a library ask its owner: for access, and whether things are to be deleted.
///
///     library.accessAnswerer = PHScriptedAnswerer { request in .limited([first.localIdentifier]) }
///
/// Called on a background queue, one request of a library at a time; it may take as long as a person takes.
public protocol PHAccessAnswerer: Sendable {
  func answer(_ request: PHAccessRequest) -> PHAccessAnswer
}

/// Extension: what a client asks.
public struct PHAccessRequest: Hashable, Sendable {
  public enum Purpose: Hashable, Sendable {
    case access(PHAccessLevel)
    /// `isForGood`: from Recently Deleted, with the files.
    case deletion(assets: Int, collections: Int, isForGood: Bool)
  }

  public var client: PHClient
  public var purpose: Purpose

  /// Why the client wants it, in its own words; deletions have none.
  public var usageDescription: String? {
    switch purpose {
    case .access(.readWrite): client.usageDescription
    case .access(.addOnly): client.addUsageDescription ?? client.usageDescription
    case .deletion: nil
    }
  }

  /// The question as a person reads it.
  public var question: String {
    switch purpose {
    case .access(.readWrite): return "“\(client.name)” would like to see your photos"
    case .access(.addOnly): return "“\(client.name)” would like to add to your photos"
    case .deletion(let assets, let collections, let isForGood):
      let parts = [(assets, "asset"), (collections, "album or folder")].filter { $0.0 > 0 }
        .map { $0.0 == 1 ? "one \($0.1)" : "\($0.0) \($0.1 == "asset" ? "assets" : "albums or folders")" }
      return "“\(client.name)” would like to delete \(parts.joined(separator: " and "))\(isForGood ? " for good" : "")"
    }
  }
}

/// Extension: what a client is answered.
public enum PHAccessAnswer: Hashable, Sendable {
  /// The access that was asked for; or that the deletion may be done.
  case authorized
  /// The client is to see these assets, by identifiers; of a request to add it is as good as `authorized`.
  case limited([String])
  /// No; a deletion fails with `userCancelled`.
  case denied
  case restricted
  /// Nobody could be asked, and why. The status stays not determined.
  case nobody(String)
}

/// Extension: answers by a function; for tests and scripts.
public struct PHScriptedAnswerer: PHAccessAnswerer {
  private let script: @Sendable (PHAccessRequest) -> PHAccessAnswer

  public init(_ script: @escaping @Sendable (PHAccessRequest) -> PHAccessAnswer) { self.script = script }

  public func answer(_ request: PHAccessRequest) -> PHAccessAnswer { script(request) }
}

/// Extension: asks the environment, else a person at the terminal.
///
/// `CALOTYPE_AUTHORIZATION` is `authorized`, `limited` (nothing but what the client adds; `limited:IDENTIFIER,IDENTIFIER` chooses assets), `denied`,
/// `restricted` or `addOnly`; deletions are then confirmed to clients that see the library. Without it a person is asked if there is a terminal, and for
/// that the client must say what it wants the access for: a client without a usage description traps, as PhotoKit ends an app.
public struct PHStandardAnswerer: PHAccessAnswerer {
  static let variable = "CALOTYPE_AUTHORIZATION"
  private let environment: String?
  private let terminal: Terminal?

  public init() {
    environment = ProcessInfo.processInfo.environment[Self.variable]
    terminal = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 ? Terminal() : nil
  }

  init(environment: String?) {
    self.environment = environment
    terminal = nil
  }

  public func answer(_ request: PHAccessRequest) -> PHAccessAnswer {
    if let environment { return Self.answer(environment, to: request) }
    if let problem = Self.missingDescription(request) { fatalError(problem) }
    guard let terminal else {
      return .nobody(
        """
        \(request.question), and nobody is there to answer: there is no terminal. The owner can allow it by \
        `calotype access grant \(request.client.identifier)`, and a script by \(Self.variable)=authorized
        """)
    }
    return terminal.ask(request)
  }

  /// What is wrong with a client that asks a person without saying why.
  static func missingDescription(_ request: PHAccessRequest) -> String? {
    guard case .access(let level) = request.purpose, request.usageDescription == nil else { return nil }
    let key = level == .readWrite ? "NSPhotoLibraryUsageDescription" : "NSPhotoLibraryAddUsageDescription"
    return """
      \(request.client.name) asks for access to the photo library without a usage description. Say it by \(key) in the \
      Info.plist beside the executable, or in PHClient.current
      """
  }

  private static func answer(_ environment: String, to request: PHAccessRequest) -> PHAccessAnswer {
    let parts = environment.split(separator: ":", maxSplits: 1).map(String.init)
    let mayAdd: Bool
    if case .access(.addOnly) = request.purpose { mayAdd = true } else { mayAdd = false }
    switch parts.first {
    case "authorized": return .authorized
    case "limited":
      if case .deletion = request.purpose { return .authorized }
      return .limited(parts.count == 2 ? parts[1].split(separator: ",").map(String.init) : [])
    case "denied": return .denied
    case "restricted": return .restricted
    case "addOnly": return mayAdd ? .authorized : .denied
    default:
      return .nobody("\(variable) is “\(environment)”; it can be authorized, limited, denied, restricted or addOnly")
    }
  }

  /// Asks a person.
  private struct Terminal {
    func ask(_ request: PHAccessRequest) -> PHAccessAnswer {
      let reason = request.usageDescription.map { ":\n  \($0)\n" } ?? ". "
      let text = "\(request.question)\(reason)Allow it? [y/N] "
      try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
      let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
      return answer == "y" || answer == "yes" ? .authorized : .denied
    }
  }
}
