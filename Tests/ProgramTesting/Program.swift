import Foundation

/// Runs the program under test as a person does.
public struct Program {
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

  public struct Outcome {
    public var status: Int32
    public var output: String
    public var errors: String
    public var lines: [Substring] { output.split(separator: "\n") }
  }

  /// The path of `calotype` beside this test's executable, or `CALOTYPE_BIN`.
  public static let path: String = {
    if let path = ProcessInfo.processInfo.environment["CALOTYPE_BIN"] {
      return URL(fileURLWithPath: path).standardizedFileURL.path
    }
    return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("calotype").path
  }()

  public func start(_ arguments: [String], output: Any? = FileHandle.nullDevice) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.path)
    process.arguments = libraryArguments + arguments
    process.standardOutput = output
    process.standardError = FileHandle.standardError
    try process.run()
    return process
  }

  public func run(_ arguments: String...) throws -> Outcome { try run(arguments: arguments) }

  /// Runs the program. `input` is the content of standard input: a few lines, which fit in the
  /// pipe. `environment` contains variables in addition to those of this process.
  public func run(arguments: [String], input: String = "", environment: [String: String] = [:]) throws -> Outcome {
    let process = Process()
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (output, errors, given) = (Pipe(), Pipe(), Pipe())
    try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try given.fileHandleForWriting.close()
    process.standardInput = given
    process.executableURL = URL(fileURLWithPath: Self.path)
    process.arguments = libraryArguments + arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Standard error is read second. Its few lines fit in the pipe meanwhile.
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: complaints, as: UTF8.self))
  }
}

/// A folder for one test, removed with the last reference.
public final class TemporaryFolder: Sendable {
  public let url = FileManager.default.temporaryDirectory.appendingPathComponent("calotype-\(UUID().uuidString)")

  public init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: url) }

  public func write(_ data: Data, _ name: String) throws {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  public subscript(_ name: String) -> String { url.appendingPathComponent(name).path }
}
