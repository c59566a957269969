import Foundation
import ServiceLifecycle

/// Ends a minute after the last picker, and with it a server that was started for pickers alone.
struct PickerWatch: Service {
  let pickers: PickerService

  static let idleTimeout: TimeInterval = 60

  func run() async throws {
    while pickers.idleTime < Self.idleTimeout {
      guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
    }
  }
}
