import ArgumentParser
import Foundation
import Photos

struct FavoriteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favorite", abstract: "Make assets favorites, or remove them from the favorites.",
    discussion: """
      EXAMPLES
        calotype favorite 0BD5B4E2-…/L0/001
        calotype list --in Favorites --json | calotype favorite --off -
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var named: AssetArguments
  @Flag(help: "Remove them from the favorites.") var off = false
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let library = try options.open()
    let assets = try named.assets(in: library)
    try library.change(assets) { $0.isFavorite = !off }
    let text =
      off
      ? "\(assets.count.assets) \(assets.count == 1 ? "is" : "are") no longer \(assets.count == 1 ? "a favorite" : "favorites")"
      : "Made \(assets.count.assets) \(assets.count == 1 ? "a favorite" : "favorites")"
    try ChangeReport(text, off ? "unfavorite" : "favorite", of: assets).write(json: json)
  }
}

struct HideCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hide", abstract: "Hide assets in the library’s views, or show them again.",
    discussion: """
      Hidden assets are in the smart album Hidden. `calotype list` also lists them.

      EXAMPLES
        calotype hide 0BD5B4E2-…/L0/001
        calotype list --in Hidden --json | calotype hide --off -
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var named: AssetArguments
  @Flag(help: "Show them again.") var off = false
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let library = try options.open()
    let assets = try named.assets(in: library)
    try library.change(assets) { $0.isHidden = !off }
    try ChangeReport("\(off ? "Unhid" : "Hid") \(assets.count.assets)", off ? "unhide" : "hide", of: assets)
      .write(json: json)
  }
}

extension PHPhotoLibrary {
  /// Changes all assets in one transaction.
  fileprivate func change(_ assets: [PHAsset], _ change: @escaping (PHAssetChangeRequest) -> Void) throws {
    guard !assets.isEmpty else { return }
    try performChangesAndWait { for asset in assets { change(PHAssetChangeRequest(for: asset)) } }
  }
}
