import Photos
import ServiceLifecycle

/// Fails when another library is in the place of the served one. Every request would fail from then
/// on.
struct LibraryWatch: Service {
  let library: PHPhotoLibrary

  func run() async throws {
    try await cancelWhenGracefulShutdown {
      while (try? await Task.sleep(for: .seconds(1))) != nil {
        // A server that stops cancels the question.
        let isReplaced = try? await Blocking.run { [library] in library.isReplaced }
        guard isReplaced == true else { continue }
        throw PhotosServerError(.libraryReplaced, "\(library.url.path): another library is at this path now")
      }
    }
  }
}
