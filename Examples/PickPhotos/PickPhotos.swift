import PhotosUI
import UIKit

/// Shows how an app lets a person pick photos and videos. It needs no access to the library: it
/// sees what was picked, and nothing else.
@main
struct PickPhotos {
  @MainActor static func main() async {
    let viewer = PickedViewer()
    await viewer.pick("images", .images)
    // Items that were picked before are selected when the picker opens again.
    await viewer.pick("Live Photos and videos", .any(of: [.livePhotos, .videos]))
    await viewer.pick("anything", nil)
    print(
      "access: \(PHPhotoLibrary.authorizationStatus(for: .readWrite) == .notDetermined ? "never asked for" : "asked for")"
    )
  }
}

@MainActor final class PickedViewer: UIViewController, PHPickerViewControllerDelegate {
  /// The results by their identifiers. The first result of an item has its provider.
  private var results: [String: PHPickerResult] = [:]
  private var identifiers: [String] = []
  private var picking: CheckedContinuation<Void, Never>?

  /// Shows the picker, and then what was picked.
  func pick(_ title: String, _ filter: PHPickerFilter?) async {
    var configuration = PHPickerConfiguration(photoLibrary: .shared())
    configuration.filter = filter
    configuration.preferredAssetRepresentationMode = .current
    configuration.selection = .ordered
    configuration.selectionLimit = 0
    configuration.preselectedAssetIdentifiers = identifiers
    let picker = PHPickerViewController(configuration: configuration)
    picker.delegate = self
    present(picker, animated: true)
    await withCheckedContinuation { picking = $0 }

    print("\(title): \(identifiers.count) picked")
    for identifier in identifiers {
      guard let provider = results[identifier]?.itemProvider else { continue }
      let name = provider.suggestedName ?? "?"
      do { print("  \(name): \(try await show(provider))") } catch { print("  \(name): \(error.localizedDescription)") }
    }
  }

  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    dismiss(animated: true)
    let before = self.results
    self.results = [:]
    identifiers = results.compactMap(\.assetIdentifier)
    for (identifier, result) in zip(identifiers, results) { self.results[identifier] = before[identifier] ?? result }
    picking?.resume()
    picking = nil
  }

  /// Loads an item in the best form that it has, and describes it.
  private func show(_ provider: NSItemProvider) async throws -> String {
    if provider.canLoadObject(ofClass: PHLivePhoto.self) {
      guard let live = try await load(PHLivePhoto.self, from: provider) else { return "no Live Photo" }
      let files = PHAssetResource.assetResources(for: live).map(\.type)
      return "Live Photo, \(text(live.size)), has its movie: \(files.contains(.pairedVideo))"
    }
    if provider.canLoadObject(ofClass: UIImage.self) {
      guard let image = try await load(UIImage.self, from: provider) else { return "no image" }
      return "image, \(text(image.size)), taken \(try await captureDate(provider) ?? "at an unknown time")"
    }
    return try await movie(provider)
  }

  private func load<Object: NSItemProviderReading & Sendable>(
    _ type: Object.Type, from provider: NSItemProvider
  ) async throws -> Object? {
    let watched = WatchedProgress()
    let object = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Object?, any Error>) in
      watched.progress = provider.loadObject(ofClass: type) { object, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: object as? Object) }
      }
    }
    if watched.progress?.isFinished != true { print("  the progress did not end") }
    return object
  }

  /// Returns the date in the picked file itself. The bytes are those of the library's file.
  private func captureDate(_ provider: NSItemProvider) async throws -> String? {
    try await withCheckedThrowingContinuation { continuation in
      provider.loadDataRepresentation(forTypeIdentifier: UTType.image.identifier) { data, error in
        if let error { return continuation.resume(throwing: error) }
        let source = data.flatMap { CGImageSourceCreateWithData($0 as CFData, nil) }
        let properties = source.flatMap { CGImageSourceCopyPropertiesAtIndex($0, 0, nil) }
        let exif = properties?[kCGImagePropertyExifDictionary] as? [CFString: Any]
        continuation.resume(returning: exif?[kCGImagePropertyExifDateTimeOriginal] as? String)
      }
    }
  }

  private func movie(_ provider: NSItemProvider) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      provider.loadFileRepresentation(forTypeIdentifier: UTType.movie.identifier) { url, error in
        // The file is removed when this handler returns.
        if let error { return continuation.resume(throwing: error) }
        continuation.resume(returning: "video, \(url?.pathExtension ?? "?")")
      }
    }
  }

  private func text(_ size: CGSize) -> String { "\(Int(size.width)) × \(Int(size.height))" }
}

@MainActor private final class WatchedProgress { var progress: Progress? }
