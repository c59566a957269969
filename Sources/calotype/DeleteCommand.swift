import ArgumentParser
import Foundation
import Photos

struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Move assets to Recently Deleted.",
    discussion: """
      Deleted assets and their files are kept for thirty days. `trash list` lists them, and `trash restore` \
      returns them to the library and to their albums.

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
    let text = "Moved \(assets.count.assets) to Recently Deleted; \(assets.count == 1 ? "it" : "they") can be restored"
    try ChangeReport("\(text) for \(PHAsset.daysInTrash) days", "delete", of: assets).write(json: json)
  }
}
