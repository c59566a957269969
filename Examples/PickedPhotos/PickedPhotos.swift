import Foundation
import Photos

/// Shows how an app uses the identifiers from a picker: it fetches their assets as one result, and
/// finds out which ones were deleted.
@main
struct PickedPhotos {
  static func main() async {
    switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
    case .authorized: break
    case .limited: print("only chosen photos are visible")
    case .denied, .restricted, .notDetermined: return print("no access to the photos")
    }
    let identifiers = picked()

    let newestFirst = PHFetchOptions()
    newestFirst.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    let result = PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: newestFirst)
    print("search result: \(result.count) of \(identifiers.count)")
    var assets: [String: PHAsset] = [:]
    result.enumerateObjects { asset, _, _ in
      assets[asset.localIdentifier] = asset
      print(name(asset))
    }

    // A result has its own order. For the order of picking, go through the identifiers.
    print("as picked: \(identifiers.map { assets[$0].map(name) ?? "gone" }.joined(separator: " "))")
  }

  /// Stands in for a picker. Returns the identifiers in the arguments, else the two oldest assets
  /// and one that was deleted since.
  private static func picked() -> [String] {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.isEmpty else { return Array(arguments) }
    let oldest = PHFetchOptions()
    oldest.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
    oldest.fetchLimit = 2
    let assets = PHAsset.fetchAssets(with: oldest)
    let deleted = "\(UUID().uuidString)/L0/001"
    return assets.objects(at: IndexSet(0..<assets.count)).map(\.localIdentifier) + [deleted]
  }

  private static func name(_ asset: PHAsset) -> String {
    PHAssetResource.assetResources(for: asset).first?.originalFilename ?? "?"
  }
}
