import Foundation
import ServiceLifecycle

/// Removes uploads that nobody imports any more: when the server starts, each hour, and when a
/// client's access has changed.
struct UploadCleaner: Service {
  let uploads: Uploads
  let access: AccessEvents

  private static let interval = Duration.seconds(3600)

  func run() async throws {
    await cancelWhenGracefulShutdown {
      let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      await withTaskGroup { group in
        group.addTask {
          while !Task.isCancelled {
            signal.yield()
            try? await Task.sleep(for: Self.interval)
          }
        }
        group.addTask {
          for await event in access.stream() {
            if case .client = event { signal.yield() }
          }
        }
        for await _ in signals {
          // A read-only library has no uploads.
          try? await uploads.blocking { try uploads.removeUseless() }
        }
      }
    }
  }
}
