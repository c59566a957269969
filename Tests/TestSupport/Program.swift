import Foundation

/// Runs the program under test as a person does.
public struct Program: Sendable {
  public let library: String
  private let libraryArguments: [String]

  public init(library: String) {
    self.library = library
    libraryArguments = ["--library", library]
  }

  /// Creates the program without `--library`.
  public init() {
    library = ""
    libraryArguments = []
  }

  /// The path of `calotype` beside this test's executable, or `CALOTYPE_BIN`.
  public static let path: String = {
    if let path = ProcessInfo.processInfo.environment["CALOTYPE_BIN"] {
      return URL(fileURLWithPath: path).standardizedFileURL.path
    }
    return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("calotype").path
  }()

  /// Returns the path of another program beside `calotype`.
  public static func path(of name: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// Starts the program. `output` is a file in place of the pipe that is read.
  public func start(
    _ arguments: [String], environment: [String: String] = [:], output: FileHandle? = nil
  ) throws -> Child {
    try Child(Self.path, libraryArguments + arguments, environment: environment, output: output)
  }

  public func run(_ arguments: String...) throws -> Child.Outcome { try run(arguments: arguments) }

  /// Runs the program. `input` is the content of standard input: a few lines, which fit in the
  /// pipe. `environment` contains variables in addition to those of this process.
  public func run(
    arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Child.Outcome {
    try Child.run(Self.path, libraryArguments + arguments, environment: environment, input: input)
  }
}
