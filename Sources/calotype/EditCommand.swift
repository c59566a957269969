import ArgumentParser
import Foundation
import Photos

struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edit photos, videos and Live Photos: filters, crops, turns, light.",
    discussion: """
      The original stays as it is, and `revert` brings it back. Several options are one edit. Editing again goes on from there: what an \
      option names is set anew, --rotate and --flip turn what is seen, --crop counts from the whole \
      picture as it is turned by then, and everything is made from the original once more, so that \
      nothing is lost from edit to edit. An edit that another program made is what the new one starts from.

      A turn alone of a JPEG loses nothing. Every other picture is written at quality 92, with its date, place and camera; one with \
      transparent parts becomes a PNG. A RAW file is developed, and an HDR movie becomes an SDR one.

      Stop it at any time (Control-C): each asset is edited as a whole, or not at all.

      EXAMPLES
        calotype edit 0BD5B4E2-…/L0/001 --filter sepia
        calotype edit 0BD5B4E2-…/L0/001 --crop 0,0.1,1,0.8 --rotate 90
        calotype edit 0BD5B4E2-…/L0/001 --filter none --exposure 0.5
        calotype list --in Norway --json | calotype edit --warmth 0.3 -
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var steps: EditSteps
  @OptionGroup var named: AssetArguments
  @Flag(help: "Print one JSON object per line for each asset that was edited.") var json = false

  func run() throws {
    Interruption.watch()
    let assets = try named.assets(in: options.open())
    let bar = ProgressLine()
    var unchanged = 0
    let loop = try AssetLoop(assets, bar) { asset, index in
      // An asset without an edit of Calotype's is left alone if the steps change nothing.
      let hadNoEdit = asset.photoEdit == nil
      let edit = try apply(to: asset) { fraction in
        bar.update(
          .init(
            verb: "Editing", files: index, totalFiles: assets.count, unit: "assets", started: fraction))
      }
      bar.finish()
      if edit.isIdentity, hadNoEdit { unchanged += 1 } else { try show(edit, of: asset) }
    }
    if !json {
      let rest =
        unchanged == 0
        ? "" : "; \(unchanged.assets) \(unchanged == 1 ? "stays" : "stay") as \(unchanged == 1 ? "it is" : "they are")"
      try Output.write("Edited \((loop.done - unchanged).assets)\(rest)")
    }
    try loop.finish("edited")
  }

  private func apply(to asset: PHAsset, _ progress: @escaping @Sendable (Double) -> Void) throws -> PhotoEdit {
    let steps = steps.steps
    return try Blocking.run { try await asset.edit(progressHandler: progress) { steps.apply(to: &$0) } }
  }

  private func show(_ edit: PhotoEdit, of asset: PHAsset) throws {
    if json {
      var line = ChangeDescription(change: "edit", localIdentifier: asset.localIdentifier)
      line.edit = edit
      try JSONLines.print(line)
    } else {
      try Output.write("\(asset.localIdentifier)  \(edit)")
    }
  }
}
