import ArgumentParser
import Foundation
import Photos

struct RevertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "Remove the edits of assets, so that the originals are shown again.",
    discussion: """
      Deletes the files of the edit. The originals were never changed. If an edit was imported with its \
      photo, `import --again` imports it again.

      EXAMPLES
        calotype revert 0BD5B4E2-…/L0/001
        calotype list --where "hasAdjustments == YES" --json | calotype revert -
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var named: AssetArguments
  @Flag(help: "Print one JSON object per line for each asset that was edited.") var json = false

  func run() throws {
    let library = try options.open()
    let assets = try named.assets(in: library)
    let edited = assets.filter(\.hasAdjustments)
    if !edited.isEmpty {
      try library.performChangesAndWait {
        for asset in edited { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
      }
    }
    let others = assets.count - edited.count
    let rest = others == 0 ? "" : "; \(others.assets) \(others == 1 ? "was" : "were") not edited"
    try ChangeReport("Reverted \(edited.count.assets)\(rest)", "revert", of: edited).write(json: json)
  }
}
