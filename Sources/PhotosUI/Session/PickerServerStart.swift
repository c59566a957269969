/// Starts a server of the library for pickers, if none runs. It ends a minute after the last one.
enum PickerServerStart {
  static let program = "calotype"
  /// The environment variable with the path of the program, if it is not in `PATH`.
  static let variable = "CALOTYPE_PROGRAM"
  /// The time in which a server has to listen.
  private static let startTimeout: TimeInterval = 30

  /// Returns the path of the program; `nil` if there is none.
  static func path(environment: [String: String], isExecutable: (String) -> Bool) -> String? {
    if let path = environment[variable], !path.isEmpty { return isExecutable(path) ? path : nil }
    return (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }.first(where: isExecutable)
  }

  /// Starts a server and waits until it listens. Without the program, does nothing. Throws if the
  /// server ends.
  static func startUnlessServed(_ socket: PickerSocket) throws {
    guard !socket.isServed else { return }
    let path = path(
      environment: ProcessInfo.processInfo.environment,
      isExecutable: { FileManager.default.isExecutableFile(atPath: $0) })
    guard let path else { return }
    let server = Process()
    server.executableURL = URL(fileURLWithPath: path)
    server.arguments = ["--library", socket.libraryURL.path, "serve", "--while-picking"]
    server.standardInput = FileHandle.nullDevice
    server.standardOutput = FileHandle.nullDevice
    try server.run()
    let end = Date(timeIntervalSinceNow: startTimeout)
    while !socket.isServed {
      guard server.isRunning, Date() < end else {
        throw PHPhotosError(
          .operationInterrupted, picking: "\(path) serve could not show pickers of \(socket.libraryURL.path)")
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }
}
