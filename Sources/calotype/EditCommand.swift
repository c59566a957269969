import ArgumentParser
import Foundation
import Photos

struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edit photos, videos and Live Photos: filter, crop, turn, and adjust light and color.",
    discussion: """
      The original is kept, and `revert` restores it. All options of one command make one edit.

      A later command changes only the steps that it names. --rotate and --flip apply to the picture as it \
      is shown. --crop is measured in the whole picture after its turns. The result is always made from the \
      original, so nothing is lost from edit to edit. If another program made the present edit, its result \
      is used in place of the original.

      A JPEG that is only turned keeps its quality. Other results are written with quality 92, and with the \
      date, place and camera of the original. Pictures with transparent parts become PNGs, and HDR movies \
      become SDR. A RAW file is developed unless its preview has the full size.

      You can stop the command with Control-C. Each asset is then edited completely or not at all.

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
    let assets = try named.assets(in: options.open())
    Interruption.watch()
    let bar = ProgressLine()
    var unchanged = 0
    let loop = try AssetLoop(assets, bar: bar) { asset, index in
      // An asset without an edit of Calotype's is left alone if the steps change nothing.
      let hadNoEdit = try asset.photoEdit == nil
      let edit = try apply(to: asset) { fraction in
        bar.update(
          .init(
            verb: "Editing", files: index, totalFiles: assets.count, unit: "assets", started: fraction))
      }
      bar.finish()
      if edit.isIdentity, hadNoEdit { unchanged += 1 } else { try write(edit, of: asset) }
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
    return try AsyncWork.run { try await asset.edit(progressHandler: progress) { steps.apply(to: &$0) } }
  }

  private func write(_ edit: PhotoEdit, of asset: PHAsset) throws {
    if json {
      var line = ChangeDescription(change: "edit", localIdentifier: asset.localIdentifier)
      line.edit = edit
      try JSONLines.print(line)
    } else {
      try Output.write("\(asset.localIdentifier)  \(edit)")
    }
  }
}
