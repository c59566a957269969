import ArgumentParser
import Foundation
import Photos

struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Move assets to Recently Deleted.",
    discussion: """
      They can be restored for thirty days, and only then do their files go: `trash list` shows them, `trash restore` brings them \
      back into the library and their albums.

      EXAMPLES
        calotype delete 0BD5B4E2-…/L0/001
        calotype list --in Screenshots --json | calotype delete --yes -
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var confirmation: Confirmation
  @OptionGroup var named: AssetArguments
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let library = try options.open()
    let assets = try named.assets(in: library)
    if !assets.isEmpty {
      try confirmation.ask("Delete \(assets.count.assets)?")
      try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets(assets) }
    }
    let text = "Moved \(assets.count.assets) to Recently Deleted; restorable"
    try ChangeReport("\(text) for \(PHAsset.daysInTrash) days", "delete", assets).write(json: json)
  }
}
