import Foundation
import Photos

/// Shows fetches of assets: the latest photos, the latest screenshots, panoramas and slow motion.
@main
struct LatestPhotos {
  static func main() async {
    switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
    case .authorized: break
    case .limited: print("only chosen photos are visible")
    case .denied, .restricted, .notDetermined: return print("no access to the photos")
    }
    show("latest", PHAsset.fetchAssets(with: .image, options: newestFirst(limit: 3)))

    let screenshots = newestFirst(limit: 50)
    screenshots.predicate = NSPredicate(
      format: "(mediaSubtype & %d) != 0", PHAssetMediaSubtype.photoScreenshot.rawValue)
    show("screenshots", PHAsset.fetchAssets(with: .image, options: screenshots))

    let special = newestFirst()
    special.predicate = NSPredicate(
      format: "(mediaSubtypes & %d) != 0 || (mediaSubtypes & %d) != 0",
      argumentArray: [PHAssetMediaSubtype.photoPanorama, PHAssetMediaSubtype.videoHighFrameRate])
    show("panoramas and slow motion", PHAsset.fetchAssets(with: special))

    let firstDays = newestFirst()
    let span: [Date] = [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 2.5 * 86_400)]
    firstDays.predicate = NSPredicate(format: "creationDate BETWEEN %@", span as NSArray)
    show("the first three days of 1970", PHAsset.fetchAssets(with: firstDays))
  }

  private static func newestFirst(limit: Int = 0) -> PHFetchOptions {
    let options = PHFetchOptions()
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    options.fetchLimit = limit
    options.wantsIncrementalChangeDetails = false
    return options
  }

  private static func show(_ title: String, _ result: PHFetchResult<PHAsset>) {
    var names: [String] = []
    result.enumerateObjects(options: []) { asset, _, _ in
      names.append(PHAssetResource.assetResources(for: asset).first?.originalFilename ?? "?")
    }
    print("\(title): \(names.isEmpty ? "none" : names.joined(separator: " "))")
  }
}
