import ArgumentParser
import Foundation
import Photos

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Copy files of assets out of the library.",
    discussion: """
      Writes the originals under their own names, byte for byte: of a Live Photo, both the still and the \
      movie. With --current, it writes edited assets as they are shown, under the original’s name with the \
      extension of the new type.

      Existing files are not overwritten. If another file has the name, “ (2)” is added to it. If that file \
      has the same bytes, nothing is written.

      With --xmp, each asset gets an XMP sidecar beside its first file, such as IMG_0001.HEIC.xmp, with its \
      title, caption, keywords, rating, date and place. Sidecars of an earlier export are replaced. Sidecars \
      that another program wrote, or that were changed since, are kept, with a warning.

      You can stop the command with Control-C and run it again. Files get their names only when they are \
      complete.

      EXAMPLES
        calotype export 0BD5B4E2-… --to ~/Desktop
        calotype list --in Norway --json | calotype export --xmp --to ~/Norway -
      """)

  @OptionGroup var options: LibraryOptions
  @Flag var version = AssetVersion.original
  @Flag(help: "Write an XMP sidecar for each asset.") var xmp = false
  @Flag(help: "Print one JSON object per line for each file.") var json = false
  @Option(
    help: ArgumentHelp("The folder to write to. It is created if it is missing.", valueName: "folder"),
    transform: { try GivenArguments.path($0) })
  var to: String
  @OptionGroup var named: AssetArguments

  func run() throws {
    let library = try options.open()
    let assets = try named.assets(in: library)
    Interruption.watch()
    try library.checkIsElsewhere(to)
    let folder = try ExportFolder(path: to)
    let loop = try AssetLoop(assets) { asset, _ in
      let files = try ExportedFile.files(of: asset, version.imageVersion, withSidecar: xmp)
      for place in try folder.add(files) { try write(place, of: asset) }
    }
    try loop.finish("exported")
  }

  private func write(_ place: ExportFolder.Destination, of asset: PHAsset) throws {
    if json {
      try JSONLines.print(
        ExportedFileDescription(
          localIdentifier: asset.localIdentifier, path: place.url.path, bytes: place.file.byteCount))
    } else {
      try Output.write(place.url.path)
    }
  }
}
