import PhotosUI
import UIKit
import UniformTypeIdentifiers

/// Prepares picked items for an upload: Live Photos as movies, pictures as JPEG, the rest as files.
final class UploadQueue {
  enum Problem: LocalizedError {
    case unsupported
    var errorDescription: String? { "This item can't be uploaded." }
  }

  struct Upload {
    let name: String
    let mimeType: String
    let data: Data
  }

  private let maximumBytes: Int

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  func prepare(_ provider: NSItemProvider, completion: @escaping (Result<Upload, Error>) -> Void) {
    let name = provider.suggestedName ?? "upload"
    if provider.hasRepresentationConforming(toTypeIdentifier: UTType.movie.identifier, fileOptions: []) {
      provider.loadFileRepresentation(forTypeIdentifier: UTType.movie.identifier) { url, error in
        completion(
          Result {
            guard let url = url else { throw error ?? Problem.unsupported }
            let type = UTType(filenameExtension: url.pathExtension)
            return Upload(
              name: name, mimeType: type?.preferredMIMEType ?? "video/mp4", data: try Data(contentsOf: url))
          })
      }
    } else if provider.canLoadObject(ofClass: UIImage.self) {
      provider.loadObject(ofClass: UIImage.self) { [maximumBytes] reading, error in
        guard let image = reading as? UIImage, let data = Self.jpeg(image, below: maximumBytes) else {
          return completion(.failure(error ?? Problem.unsupported))
        }
        completion(.success(Upload(name: name, mimeType: "image/jpeg", data: data)))
      }
    } else if provider.canLoadObject(ofClass: URL.self) {
      _ = provider.loadObject(ofClass: URL.self) { url, error in
        completion(
          Result {
            guard let url = url else { throw error ?? Problem.unsupported }
            return Upload(
              name: url.lastPathComponent, mimeType: "text/uri-list", data: Data(url.absoluteString.utf8))
          })
      }
    } else {
      completion(.failure(Problem.unsupported))
    }
  }

  private static func jpeg(_ image: UIImage, below maximumBytes: Int) -> Data? {
    var quality: CGFloat = 0.9
    while quality > 0 {
      guard let data = image.jpegData(compressionQuality: quality) else { return nil }
      if data.count <= maximumBytes { return data }
      quality -= 0.3
    }
    return image.jpegData(compressionQuality: 0)
  }
}
