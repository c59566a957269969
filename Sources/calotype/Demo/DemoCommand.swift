import ArgumentParser
import Foundation
import Importing
import Photos
import PhotosTesting

struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Fill a library with generated sample media.",
    discussion: """
      Makes about two hundred photos, Live Photos, videos and screenshots, a burst and a panorama, spread \
      over several years. Some are favorites. A library that already has assets is not changed.
      """)

  @OptionGroup var options: LibraryOptions
  @Flag(help: "Create the library if there is none. The default library is always created.") var create = false

  func run() throws {
    let library = try options.open(create: create || !options.isNamed)
    let assets = PHAsset.fetchAssets(with: library.allAssetsOptions())
    guard assets.count == 0 else {
      try Output.write("The library already has \(assets.count.assets).")
      return
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("calotype-demo-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let bar = ProgressLine()
    defer { bar.finish() }
    try DemoLibrary.write(to: folder) { share in
      bar.update(.init(verb: "Painting", files: Int(share * 100), totalFiles: 100, unit: "%"))
    }
    Interruption.watch()
    let report = try FolderImporter(
      library: library, isCancelled: { Interruption.isCancelled },
      progressHandler: { bar.update(ProgressLine.State($0)) }
    ).importFiles(at: [folder.path])
    try markFavorites(in: library)
    bar.finish()
    try Output.write(ImportSummary(report).lines)
  }

  /// Marks every seventeenth asset as a favorite, since a real library has some.
  private func markFavorites(in library: PHPhotoLibrary) throws {
    let assets = PHAsset.fetchAssets(with: library.allAssetsOptions())
    try library.performChangesAndWait {
      for index in stride(from: 3, to: assets.count, by: 17) {
        PHAssetChangeRequest(for: assets.object(at: index)).isFavorite = true
      }
    }
  }
}
