import Foundation
import PhotosUI
import UniformTypeIdentifiers

/// Reads files that may lie outside of the program's own folders.
struct ScopedFileReader {
  func contents(of url: URL) throws -> Data {
    let isScoped = url.startAccessingSecurityScopedResource()
    defer { if isScoped { url.stopAccessingSecurityScopedResource() } }
    return try Data(contentsOf: url, options: .mappedIfSafe)
  }

  func copies(of urls: [URL], in folder: URL) -> [URL] {
    urls.compactMap { url in
      url.startAccessingSecurityScopedResource()
      defer { url.stopAccessingSecurityScopedResource() }
      let copy = folder.appendingPathComponent("copy-" + url.lastPathComponent)
      return (try? FileManager.default.copyItem(at: url, to: copy)) == nil ? nil : copy
    }
  }

  func loadInPlace(_ provider: NSItemProvider, completion: @escaping (Data?, Bool) -> Void) {
    _ = provider.loadInPlaceFileRepresentation(forTypeIdentifier: UTType.item.identifier) { url, isInPlace, _ in
      guard let url = url else { return completion(nil, isInPlace) }
      completion(try? contents(of: url), isInPlace)
    }
  }
}
