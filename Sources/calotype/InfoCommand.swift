import ArgumentParser
import Foundation
import Photos
import PhotosJSON

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show everything that the library knows about assets.",
    discussion: """
      Prints the metadata and the camera, the sources of the date and its time zone, each file with its size \
      and SHA-256, and remarks of the import.

      EXAMPLE
        calotype info 0BD5B4E2-…/L0/001
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var named: AssetArguments
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    for asset in try named.assets(in: options.open()) {
      let description = try AssetDetailDescription(asset)
      if json { try JSONLines.print(description) } else { try Output.write(InfoText(description).lines) }
    }
  }
}
