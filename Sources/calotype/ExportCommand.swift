import ArgumentParser
import Foundation
import Photos

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Copy files of assets out of the library.",
    discussion: """
      Writes the originals unless another version is named, byte for byte and under their own names; of a Live Photo, the still \
      and the movie. Of an edited asset, --current writes what is shown, under the original’s name with the ending of its type. \
      Where a name is taken by other bytes the new file gets “ (2)”; where it is taken by the same bytes nothing is written.

      With --xmp each asset’s title, caption, keywords, rating, date and place are written beside its first file: IMG_0001.HEIC.xmp. \
      A sidecar that an earlier export wrote is written anew; another program’s stays, and one that somebody has changed since, which \
      is said on standard error.

      Stop it at any time (Control-C) and run it again: a file gets its name when it is whole.

      EXAMPLES
        calotype export 0BD5B4E2-… --to ~/Desktop
        calotype list --in Norway --json | calotype export --current --xmp --to ~/Desktop/Norway -
      """)

  @OptionGroup var options: LibraryOptions
  @Flag var version = AssetVersion.original
  @Flag(help: "Write an XMP sidecar for each asset.") var xmp = false
  @Flag(help: "Print one JSON object per line for each file.") var json = false
  @Option(help: ArgumentHelp("The folder to write to; made if it is not there.", valueName: "folder")) var to: String
  @OptionGroup var named: AssetArguments

  func run() throws {
    Interruption.watch()
    let library = try options.open()
    let assets = try named.assets(in: library)
    try library.checkIsElsewhere(to)
    let folder = try ExportFolder(path: to)
    let loop = try AssetLoop(assets) { asset, _ in
      let files = try ExportedFile.files(of: asset, version.imageVersion, withSidecar: xmp)
      for place in try folder.add(files) { try show(place, of: asset) }
    }
    try loop.finish("exported")
  }

  private func show(_ place: ExportFolder.Destination, of asset: PHAsset) throws {
    if json {
      try JSONLines.print(
        ExportedFileDescription(
          localIdentifier: asset.localIdentifier, path: place.url.path, bytes: place.file.byteCount))
    } else {
      try Output.write(place.url.path)
    }
  }
}
