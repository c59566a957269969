import Foundation
import Photos

/// Shows how the movie of a Live Photo is written to a file, piece by piece.
@main
struct LivePhotoVideo {
  static func main() async throws {
    switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
    case .authorized: break
    case .limited: print("only chosen photos are visible")
    case .denied, .restricted, .notDetermined: return print("no access to the photos")
    }
    let options = PHFetchOptions()
    options.predicate = NSPredicate(format: "(mediaSubtypes & %d) != 0", PHAssetMediaSubtype.photoLive.rawValue)
    guard let asset = PHAsset.fetchAssets(with: options).firstObject else { return print("no Live Photo") }
    let resources = PHAssetResource.assetResources(for: asset)
    print("resources: \(resources.map { "\($0.type)" }.sorted().joined(separator: " "))")
    guard let movie = resources.first(where: { $0.type == .pairedVideo }) else { return print("no movie") }

    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mov")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    let requestOptions = PHAssetResourceRequestOptions()
    requestOptions.isNetworkAccessAllowed = true
    let error = await withCheckedContinuation { (continuation: CheckedContinuation<(any Error)?, Never>) in
      PHAssetResourceManager.default().requestData(
        for: movie, options: requestOptions, dataReceivedHandler: { try? handle.write(contentsOf: $0) },
        completionHandler: { continuation.resume(returning: $0) })
    }
    try handle.close()
    if let error { throw error }
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    print("written: \(size == movie.dataSize)")
  }
}
