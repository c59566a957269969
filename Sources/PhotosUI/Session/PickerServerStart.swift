/// Starts a server of the library for pickers, if none runs. It exits a minute after the last
/// picker. Picked items of this program do not keep it once the program has exited.
enum PickerServerStart {
  static let program = "calotype"
  /// The environment variable with the path of the program, if it is not in `PATH`.
  static let variable = "CALOTYPE_PROGRAM"
  /// The time in which a server has to listen.
  private static let startTimeout: TimeInterval = 30

  /// Returns the path of the program. Throws if there is none, and says where it was looked for.
  static func path(
    environment: [String: String], ofLibraryAt url: URL, isExecutable: (String) -> Bool
  ) throws(PHPhotosError) -> String {
    let start = "\(url.path): no server of this library shows pickers here"
    let end = "\(EnvironmentPickers.variable)=newest:1 picks without a person"
    if let path = environment[variable], !path.isEmpty {
      guard !isExecutable(path) else { return path }
      throw PHPhotosError(
        .operationInterrupted, picking: "\(start), and \(variable) names no program that can be run: \(path); \(end)")
    }
    let paths = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
    if let path = paths.first(where: isExecutable) { return path }
    throw PHPhotosError(
      .operationInterrupted, picking: "\(start), and there is no program \(program) in PATH that could; \(end)")
  }

  /// Starts a server and waits until it listens. Throws if it can't.
  static func startUnlessServed(_ socket: PickerSocket) throws {
    guard !socket.isServed else { return }
    let path = try path(
      environment: ProcessInfo.processInfo.environment, ofLibraryAt: socket.libraryURL,
      isExecutable: { FileManager.default.isExecutableFile(atPath: $0) })
    let server = Process()
    server.executableURL = URL(fileURLWithPath: path)
    server.arguments = [
      "--library", socket.libraryURL.path, "serve", "--while-picking", "--picking-process",
      "\(ProcessInfo.processInfo.processIdentifier)",
    ]
    server.standardInput = FileHandle.nullDevice
    server.standardOutput = FileHandle.nullDevice
    // The server outlives the program. So it keeps no stream of it open, which others may read to
    // its end. Its errors are told until it listens.
    let errors = try unnamedFile()
    server.standardError = errors
    try server.run()
    let end = Date(timeIntervalSinceNow: startTimeout)
    while !socket.isServed {
      guard server.isRunning, Date() < end else {
        try errors.seek(toOffset: 0)
        let reason = String(decoding: try errors.readToEnd() ?? Data(), as: UTF8.self)
          .trimmingCharacters(in: .whitespacesAndNewlines)
        throw PHPhotosError(
          .operationInterrupted,
          picking:
            "\(path) serve could not show pickers of \(socket.libraryURL.path)\(reason.isEmpty ? "" : ": \(reason)")")
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  /// Returns a file that is gone when nobody has it open any more.
  private static func unnamedFile() throws -> FileHandle {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("picker-server-\(UUID().uuidString)")
    try Data().write(to: url, options: .withoutOverwriting)
    defer { try? FileManager.default.removeItem(at: url) }
    return try FileHandle(forUpdating: url)
  }
}
