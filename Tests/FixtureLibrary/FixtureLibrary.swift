import Foundation
import Importing
import Photos
import PhotosTesting

/// Makes the library of the browser tests: `fixture-library LIBRARY`.
///
/// 49 assets can be seen: 37 images and 12 videos. There are 6 favorites, 2 hidden assets, 3 in
/// Recently Deleted, and a tree of albums and folders. Assets are named by their files: `P01.JPG`.
@main
struct FixtureLibrary: Sendable {
  let library: PHPhotoLibrary

  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fixture-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try writeFiles(to: folder)

    // The import is weeks ago, so that assets can have been deleted since. They are still "recently
    // added".
    let clock = TestClock(daysAgo(29.5))
    let library = try PHPhotoLibrary(url: URL(fileURLWithPath: CommandLine.arguments[1]), clock: { clock.now })
    _ = try FolderImporter(library: library).importFiles(at: [folder.path])
    let fixture = FixtureLibrary(library: library)
    try fixture.arrange()
    func delete(_ name: String, daysAgo days: Double) throws -> PHAsset {
      clock.advance(by: daysAgo(days).timeIntervalSince(clock.now))
      let asset = fixture.asset(name)
      try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset]) }
      return asset
    }
    _ = try delete("D03", daysAgo: 29)
    // The library counts at most ten days between two readings of its clock, and reads a clock anew
    // that was wrong.
    let asset = try delete("D02", daysAgo: 500)
    try library.performChangesAndWait { PHAssetChangeRequest.restoreAssets([asset]) }
    _ = try delete("D02", daysAgo: 10)
    _ = try delete("D01", daysAgo: 2)
  }

  private static func daysAgo(_ days: Double) -> Date { Date().addingTimeInterval(-days * 86_400) }

  /// Returns the asset whose file has a name.
  private func asset(_ name: String) -> PHAsset {
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.includeHiddenAssets = true
    options.predicate = NSPredicate(format: "originalFilename BEGINSWITH %@", "\(name).")
    guard let asset = PHAsset.fetchAssets(with: options).firstObject else { fatalError("\(name) was not imported") }
    return asset
  }

  /// Marks and hides assets, and arranges them in albums and folders.
  private func arrange() throws {
    try library.performChangesAndWait {
      for name in ["P02", "P05", "P09", "L01", "S01", "V01"] {
        PHAssetChangeRequest(for: asset(name)).isFavorite = true
      }
      for name in ["X01", "X02"] { PHAssetChangeRequest(for: asset(name)).isHidden = true }
      let japan = album("Japan", ["P06", "P07", "P08"])
      let norway = album("Norway", ["P03", "P01", "P02", "P04", "P05", "L01", "V01", "D01"])
      let europe = folder("Europe", [album("Rome", ["P09"])])
      _ = album("Receipts", ["S01", "S02", "S03"])
      _ = album("Empty", [])
      _ = folder("Travels", [japan, norway, europe])
    }
  }

  private func album(_ title: String, _ names: [String]) -> PHObjectPlaceholder {
    let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
    request.addAssets(names.map(asset))
    return request.placeholderForCreatedAssetCollection
  }

  private func folder(_ title: String, _ children: [PHObjectPlaceholder]) -> PHObjectPlaceholder {
    let request = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: title)
    request.addChildCollections(children)
    return request.placeholderForCreatedCollectionList
  }
}
