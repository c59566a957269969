import ArgumentParser
import Foundation
import Photos
import PhotosJSON

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List assets, newest first.",
    discussion: """
      Prints the local date, the kind, the size, the identifier and the name of each asset. Assets that \
      can't be read are marked; `info` shows the reason. The assets of an album are listed in the album's \
      order.

      --where takes a predicate, and --sort a key, with :asc or :desc for the direction \
      (docs/PREDICATES.md). If --where is repeated, all predicates must hold. If --sort is repeated, later \
      keys order the assets that are equal by the earlier ones. --search finds words by their beginnings in \
      names, captions, keywords, cameras, places and titles of albums.

      EXAMPLES
        calotype list --limit 10
        calotype list --in Travels/Norway --sort creationDate
        calotype list --search "fjord norway"
        calotype list --where "mediaType == 2" --sort addedDate:desc
        calotype list --where "creationDate BETWEEN {'2026-04-01', '2026-05-01'}"
        calotype list --json | jq -r 'select(.isFavorite) | .originalFilename'
      """)

  @OptionGroup var options: LibraryOptions
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("List only assets that match this PhotoKit predicate. Can be repeated.", valueName: "predicate"))
  var conditions: [String] = []
  @Option(
    help: ArgumentHelp("The key to sort by, ascending without :desc. Can be repeated.", valueName: "key[:asc|desc]"))
  var sort: [SortKey] = []
  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("List only an album or a smart album, by its identifier, title or path.", valueName: "album"))
  var album: String?
  @Option(help: ArgumentHelp("List only assets with these words.", valueName: "text")) var search: String?
  @Option(help: ArgumentHelp("The largest number of assets to list; without it, all.", valueName: "number"))
  var limit: Int?
  @Flag(help: "Print one JSON object per line.") var json = false
  @Flag(help: "Print the SQL of the query and SQLite’s plan for it instead of the assets.") var explain = false

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit takes 1 or a larger number, not \(limit)") }
    if let search, !search.contains(where: { $0.isLetter || $0.isNumber }) {
      throw ValidationError("--search takes at least one word, and “\(search)” has none")
    }
    if json, explain { throw ValidationError("--explain and --json can’t be combined") }
  }

  func run() throws {
    let library = try options.open()
    let fetch = library.allAssetsOptions()
    fetch.fetchLimit = limit ?? 0
    fetch.searchText = search
    fetch.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: conditions.map { NSPredicate(format: $0) })
    fetch.sortDescriptors = sort.map(\.descriptor)
    let entry = try album.map { try CollectionTree(library).collection(named: $0, .album, .smartAlbum) }
    if sort.isEmpty, entry?.kind != .album { fetch.sortDescriptors = [SortKey.newestFirst.descriptor] }
    try fetch.validate(for: PHAsset.self)
    let result =
      (entry?.collection as? PHAssetCollection).map { PHAsset.fetchAssets(in: $0, options: fetch) }
      ?? PHAsset.fetchAssets(with: fetch)
    if explain { return try Output.write(result.explanation().components(separatedBy: "\n")) }
    try result.forEachDescription { asset, description in
      if json { try JSONLines.print(description) } else { try Output.write(ListLine(asset, description).text) }
    }
  }

}

/// A sort key with its direction: `creationDate`, `addedDate:desc`.
struct SortKey: ExpressibleByArgument {
  private var key: String
  private var isAscending: Bool

  static let newestFirst = SortKey(key: "creationDate", isAscending: false)

  private init(key: String, isAscending: Bool) {
    self.key = key
    self.isAscending = isAscending
  }

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 2, !parts[0].isEmpty, ["asc", "desc"].contains(parts.last) || parts.count == 1 else {
      return nil
    }
    self.init(key: String(parts[0]), isAscending: parts.count == 1 || parts[1] == "asc")
  }

  var descriptor: NSSortDescriptor { NSSortDescriptor(key: key, ascending: isAscending) }
}

extension PHFetchResult<PHAsset> {
  /// Calls the body for each asset in order. Looks up the resources of 256 assets at a time.
  func forEachDescription(_ body: (PHAsset, AssetDescription) throws -> Void) throws {
    if let error { throw error }
    let pageSize = 256
    for start in stride(from: 0, to: count, by: pageSize) {
      let assets = (start..<Swift.min(start + pageSize, count)).map(object(at:))
      if let error { throw error }
      let resources = try PHAssetResource.assetResources(for: assets)
      for asset in assets {
        try body(asset, AssetDescription(asset, resources: resources[asset.localIdentifier] ?? []))
      }
    }
  }
}

/// The line of an asset in a list.
struct ListLine {
  let text: String

  init(_ asset: PHAsset, _ description: AssetDescription) {
    let date =
      description.partialDate
      ?? String((description.creationDate ?? "").replacingOccurrences(of: "T", with: " ").prefix(19))
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
      date.padded(to: 19), kind.padded(to: 10), size.padded(to: 11), asset.localIdentifier,
      (asset.isFavorite ? "♥ " : "") + (description.originalFilename ?? ""),
    ].joined(separator: "  ")
  }
}

extension AssetDescription {
  /// The creation date up to its last known part: `1985-06`; nil if its time is known.
  var partialDate: String? {
    let count = ["year": 4, "month": 7, "day": 10][datePrecision]
    return count.flatMap { count in creationDate.map { String($0.prefix(count)) } }
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
