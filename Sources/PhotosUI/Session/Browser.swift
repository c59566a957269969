/// The person's browser.
package enum Browser {
  /// The environment variable with the browser's command. The address is added to it.
  static let variable = "CALOTYPE_BROWSER"

  /// Returns the command that shows an address: that of `CALOTYPE_BROWSER`, else `xdg-open` if
  /// there is a screen. Returns `nil` if there is neither.
  static func command(
    for address: String, environment: [String: String], isExecutable: (String) -> Bool
  ) -> [String]? {
    let words = (environment[variable] ?? "").split(separator: " ").map(String.init)
    if !words.isEmpty { return words + [address] }
    let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    guard hasScreen, folders.contains(where: { isExecutable("\($0)/xdg-open") }) else { return nil }
    return ["xdg-open", address]
  }

  /// Shows a picker. Without a browser, prints its address on standard error.
  static func openPicker(at address: String) {
    open(address) { StandardError.write("Pick photos in a browser at \(address)\n") }
  }

  /// Shows an address. Calls `fail` if there is no browser, or if the browser reports a failure.
  ///
  /// The address must contain no secret: other users can read the arguments of the browser.
  package static func open(_ address: String, orElse fail: @escaping @Sendable () -> Void) {
    let command = command(
      for: address, environment: ProcessInfo.processInfo.environment,
      isExecutable: { FileManager.default.isExecutableFile(atPath: $0) })
    guard let command else { return fail() }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.terminationHandler = { if $0.terminationStatus != 0 { fail() } }
    do { try process.run() } catch { fail() }
  }
}
