import AVFoundation
import PhotosUI
import UniformTypeIdentifiers

/// Copies a picked movie to a folder of the program, before the provider removes its file.
class MovieCopier {
  let folder: URL
  /// The progress of all copies, which a bar shows.
  let overall = Progress(totalUnitCount: 100)
  private var current: Progress?

  init(folder: URL) { self.folder = folder }

  func copyMovie(from provider: NSItemProvider, completion: @escaping (Result<URL, Error>) -> Void) {
    guard provider.hasItemConformingToTypeIdentifier(UTType.movie.identifier) else {
      completion(.failure(CocoaError(.fileReadUnsupportedScheme)))
      return
    }
    let folder = self.folder
    let loading = provider.loadFileRepresentation(forTypeIdentifier: UTType.movie.identifier) { url, error in
      guard let url = url, error == nil else {
        DispatchQueue.main.async { completion(.failure(error ?? CocoaError(.fileNoSuchFile))) }
        return
      }
      let copy = folder.appendingPathComponent(UUID().uuidString).appendingPathExtension(url.pathExtension)
      do {
        try? FileManager.default.removeItem(at: copy)
        try FileManager.default.copyItem(at: url, to: copy)
        DispatchQueue.main.async { completion(.success(copy)) }
      } catch {
        DispatchQueue.main.async { completion(.failure(error)) }
      }
    }
    overall.addChild(loading, withPendingUnitCount: 100)
    current = loading
  }

  func cancel() {
    current?.cancel()
  }

  static func duration(of url: URL) async throws -> Double {
    let asset = AVURLAsset(url: url)
    return CMTimeGetSeconds(try await asset.load(.duration))
  }
}
