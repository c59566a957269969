import Foundation
import Photos

/// Scrolls a grid of all photos to its end. Images around the screen are prepared in advance.
@main
struct ScrollGrid {
  static func main() async {
    switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
    case .authorized: break
    case .limited: print("only chosen photos are visible")
    case .denied, .restricted, .notDetermined: return print("no access to the photos")
    }
    let oldestFirst = PHFetchOptions()
    oldestFirst.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
    let grid = Grid(PHAsset.fetchAssets(with: .image, options: oldestFirst))
    for _ in 0..<6 {
      await grid.show()
      grid.scroll(by: 50)
    }
    grid.leave()
  }
}

/// The model of a view controller. It knows the layout, requests the images on the screen, and
/// keeps a window of prepared images around it.
@MainActor final class Grid {
  private let photos: PHFetchResult<PHAsset>
  private let manager = PHCachingImageManager()
  private let options = PHImageRequestOptions()
  private let cell = CGSize(width: 100, height: 100)
  private let columns = 1
  private var screen = CGRect(x: 0, y: 0, width: 100, height: 100)
  private var window = PreheatWindow()

  init(_ photos: PHFetchResult<PHAsset>) {
    self.photos = photos
    // Exact sizes. The options must equal those of the request.
    options.resizeMode = .exact
  }

  func scroll(by distance: CGFloat) { screen.origin.y += distance }

  /// Requests the images on the screen, and prepares those around it.
  func show() async {
    if let (added, removed) = window.move(to: screen, indexes: indexes) {
      let (coming, going) = (photos.objects(at: added), photos.objects(at: removed))
      manager.startCachingImages(for: coming, targetSize: cell, contentMode: .aspectFill, options: options)
      manager.stopCachingImages(for: going, targetSize: cell, contentMode: .aspectFill, options: options)
      print("at \(Int(screen.minY)): prepare \(names(coming)), forget \(names(going))")
    } else {
      print("at \(Int(screen.minY)): nothing to prepare")
    }
    for asset in photos.objects(at: indexes(in: screen)) {
      if await image(of: asset) == nil { print("\(names([asset])) has no image") }
    }
  }

  func leave() { manager.stopCachingImagesForAllAssets() }

  private func image(of asset: PHAsset) async -> CGSize? {
    await withCheckedContinuation { continuation in
      manager.requestImage(for: asset, targetSize: cell, contentMode: .aspectFill, options: options) { image, info in
        // A preview may come first. A cell would show it.
        if info?[PHImageResultIsDegradedKey] as? Bool == true { return }
        continuation.resume(returning: image?.size)
      }
    }
  }

  /// Returns the indexes of the photos whose cells a rectangle touches.
  private func indexes(in rectangle: CGRect) -> IndexSet {
    let first = max(0, Int((rectangle.minY / cell.height).rounded(.down)) * columns)
    let end = min(photos.count, Int((rectangle.maxY / cell.height).rounded(.up)) * columns)
    return first < end ? IndexSet(integersIn: first..<end) : []
  }

  private func names(_ assets: [PHAsset]) -> String {
    let names = assets.compactMap { PHAssetResource.assetResources(for: $0).first?.originalFilename }
    return names.isEmpty ? "nothing" : names.joined(separator: " ")
  }
}

/// The area of prepared images: the screen, and half a screen above and below it.
struct PreheatWindow {
  private var rectangle = CGRect.null
  private var prepared = IndexSet()

  /// Returns the indexes that entered and left the area. Returns `nil` until the screen has moved
  /// by a third of its height.
  mutating func move(to screen: CGRect, indexes: (CGRect) -> IndexSet) -> (added: IndexSet, removed: IndexSet)? {
    let wanted = screen.insetBy(dx: 0, dy: -screen.height / 2)
    guard rectangle.isNull || abs(wanted.midY - rectangle.midY) > screen.height / 3 else { return nil }
    let before = prepared
    (rectangle, prepared) = (wanted, indexes(wanted))
    return (prepared.subtracting(before), before.subtracting(prepared))
  }
}
