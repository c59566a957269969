import Photos
import ServiceLifecycle

/// Ends when another library is in the place of the served one. Every request would fail from then
/// on.
struct LibraryWatch: Service {
  let library: PHPhotoLibrary

  func run() async throws {
    while try await !Blocking.run({ [library] in library.isReplaced }) {
      guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
    }
  }
}
