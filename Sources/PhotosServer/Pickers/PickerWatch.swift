import Foundation
import ServiceLifecycle

/// Ends a minute after the last picker, and with it a server that was started for pickers alone.
///
/// Picked items can be loaded for an hour. Those of the program that has started the server are
/// removed once it exits.
struct PickerWatch: Service {
  let pickers: PickerService
  /// The process that has started the server; `nil` if it is unknown.
  let starter: Int?
  /// Returns whether a process runs.
  var isRunning: @Sendable (Int) -> Bool = { kill(pid_t(clamping: $0), 0) == 0 || errno == EPERM }
  /// Waits between two looks. Throws if the server ends.
  var pause: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(1)) }

  static let idleTimeout: TimeInterval = 60

  func run() async throws {
    var watched = starter
    while pickers.idleTime < Self.idleTimeout {
      guard (try? await pause()) != nil else { return }
      guard let process = watched, !isRunning(process) else { continue }
      pickers.removeAll(ofProcess: process)
      // Another program may get the number.
      watched = nil
    }
  }
}
