import ArgumentParser
import Foundation
import Photos
import PhotosServer

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List assets, newest first.",
    discussion: """
      Prints the date on the clock of the place, the kind, the size, the name and the identifier of each asset. What could not
      be read is marked, and `info` says why.

      EXAMPLES
        calotype list --limit 10
        calotype list --json | jq -r 'select(.isFavorite) | .originalFilename'
      """)

  @OptionGroup var options: LibraryOptions
  @Option(help: ArgumentHelp("The most assets to list; all of them if it is not said.", valueName: "number"))
  var limit: Int?
  @Flag(help: "Print one JSON object a line.") var json = false

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on, not \(limit)") }
  }

  func run() throws {
    let fetch = try options.open().everything()
    fetch.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    fetch.fetchLimit = limit ?? 0
    let result = PHAsset.fetchAssets(with: fetch)
    if let error = result.error { throw error }
    for start in stride(from: 0, to: result.count, by: Self.pageSize) {
      let assets = (start..<min(start + Self.pageSize, result.count)).map(result.object(at:))
      if let error = result.error { throw error }
      let resources = PHAssetResource.assetResources(for: assets)
      for asset in assets {
        let description = AssetDescription(asset, resources: resources[asset.localIdentifier] ?? [])
        if json { try JSONLines.print(description) } else { try Output.write(ListLine(asset, description).text) }
      }
    }
  }

  /// Assets whose resources are looked up at once.
  private static let pageSize = 256
}

/// One asset on one line.
struct ListLine {
  let text: String

  init(_ asset: PHAsset, _ description: AssetDescription) {
    let date = (description.creationDate ?? "").replacingOccurrences(of: "T", with: " ").prefix(19)
    let kind =
      if asset.isUnreadable {
        "unreadable"
      } else if asset.mediaSubtypes.contains(.photoLive) {
        "live"
      } else if asset.mediaType == .video {
        "video"
      } else {
        "photo"
      }
    let size = "\(asset.pixelWidth)×\(asset.pixelHeight)"
    text = [
      String(date), kind.padded(to: 10), size.padded(to: 11), asset.localIdentifier,
      (asset.isFavorite ? "♥ " : "") + (description.originalFilename ?? ""),
    ].joined(separator: "  ")
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
