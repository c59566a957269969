import ArgumentParser
import Foundation
import Photos

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Copy files of assets out of the library.",
    discussion: """
      Writes the originals unless another version is named, byte for byte and under their own names; of a Live Photo, the still \
      and the movie. Of an edited asset --current writes what is shown, under the original’s name with the ending of its type. \
      Where a name is taken by other bytes the new file gets “ (2)”; where it is taken by the same bytes nothing is written.

      With --xmp each asset’s title, caption, keywords, rating, date and place are written beside its first file: IMG_0001.HEIC.xmp.

      EXAMPLES
        calotype export 0BD5B4E2-… --to ~/Desktop
        calotype list --in Norway --json | calotype export --current --xmp --to ~/Desktop/Norway -
      """)

  enum Version: String, EnumerableFlag {
    case original, unadjusted, current

    static func help(for value: Version) -> ArgumentHelp? {
      switch value {
      case .original: "Every file that the asset came with."
      case .unadjusted: "As --original, without the RAW file where there is a picture of the same shot."
      case .current: "What is shown: with the asset’s edit."
      }
    }

    var imageVersion: PHImageRequestOptionsVersion {
      switch self {
      case .original: .original
      case .unadjusted: .unadjusted
      case .current: .current
      }
    }
  }

  @OptionGroup var options: LibraryOptions
  @Flag var version = Version.original
  @Flag(help: "Write an XMP sidecar for each asset.") var xmp = false
  @Flag(help: "Print one JSON object a line for each file.") var json = false
  @Option(help: ArgumentHelp("The folder to write to; made if it is not there.", valueName: "folder")) var to: String
  @OptionGroup var named: AssetArguments

  private struct FileDescription: Encodable {
    var localIdentifier: String
    var path: String
    var bytes: Int
  }

  func run() throws {
    let assets = try named.assets(in: options.open())
    try FileManager.default.createDirectory(atPath: to, withIntermediateDirectories: true)
    for asset in assets {
      let files = try ExportedFile.files(of: asset, version.imageVersion, withSidecar: xmp)
      for (file, target) in targets(of: files) { try write(file, of: asset, to: target) }
    }
  }

  private struct Target {
    var url: URL
    var isThere: Bool
  }

  /// Names for an asset's files: the same number behind each, so that a pair stays a pair.
  private func targets(of files: [ExportedFile]) -> [(ExportedFile, Target)] {
    var number = 1
    while true {
      let targets = files.compactMap { file in target(for: file, number: number).map { (file, $0) } }
      if targets.count == files.count { return targets }
      number += 1
    }
  }

  /// `nil` where other bytes have the name.
  private func target(for file: ExportedFile, number: Int) -> Target? {
    let suffix = number == 1 ? "" : " (\(number))"
    let url = URL(fileURLWithPath: to).appendingPathComponent(file.stem + suffix + file.ending)
    guard FileManager.default.fileExists(atPath: url.path) else { return Target(url: url, isThere: false) }
    return file.hasBytes(ofFileAt: url) ? Target(url: url, isThere: true) : nil
  }

  private func write(_ file: ExportedFile, of asset: PHAsset, to target: Target) throws {
    if !target.isThere { try file.write(to: target.url) }
    if json {
      try JSONLines.print(
        FileDescription(localIdentifier: asset.localIdentifier, path: target.url.path, bytes: file.byteCount))
    } else {
      try Output.write(target.url.path)
    }
  }
}
