import ArgumentParser
import Foundation
import Photos

struct AlbumAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Put assets at the end of an album.",
    discussion: """
      Assets that are in the album already keep their places.

      EXAMPLES
        calotype album add Norway 0BD5B4E2-…/L0/001 7A3C90F1-…/L0/001
        calotype list --search fjord --json | calotype album add Norway -
      """)

  @OptionGroup var options: LibraryOptions
  @Argument(help: ArgumentHelp("The album’s identifier, title or path.", valueName: "album")) var album: String
  @OptionGroup var named: AssetArguments
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let library = try options.open()
    let (entry, album) = try library.album(named: album)
    let assets = try named.assets(in: library)
    let present = try library.contents(of: album)
    let new = assets.filter { !present.contains($0) }
    if !new.isEmpty {
      try library.performChangesAndWait { PHAssetCollectionChangeRequest(for: album)?.addAssets(new) }
    }
    let rest = assets.count - new.count
    let already = rest == 0 ? "" : "; \(rest) \(rest == 1 ? "was" : "were") in it already"
    try ChangeReport("Added \(new.count.assets) to \(entry.pathText)\(already)", "add", of: new, in: album)
      .write(json: json)
  }
}

struct AlbumRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove assets from an album. They stay in the library.")

  @OptionGroup var options: LibraryOptions
  @Argument(help: ArgumentHelp("The album’s identifier, title or path.", valueName: "album")) var album: String
  @OptionGroup var named: AssetArguments
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let library = try options.open()
    let (entry, album) = try library.album(named: album)
    let assets = try named.assets(in: library)
    let present = try library.contents(of: album)
    for asset in assets { _ = try present.place(of: asset, in: entry) }
    if !assets.isEmpty {
      try library.performChangesAndWait { PHAssetCollectionChangeRequest(for: album)?.removeAssets(assets) }
    }
    try ChangeReport("Removed \(assets.count.assets) from \(entry.pathText)", "remove", of: assets, in: album)
      .write(json: json)
  }
}

struct AlbumMoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move assets within an album.",
    discussion: """
      The moved assets keep their order. Places begin at 0, and count only the assets that are not moved.

      EXAMPLES
        calotype album move Norway 0BD5B4E2-…/L0/001 --to 0
        calotype album move Norway 0BD5B4E2-…/L0/001 --after 7A3C90F1-…/L0/001
      """)

  @OptionGroup var options: LibraryOptions
  @Argument(help: ArgumentHelp("The album’s identifier, title or path.", valueName: "album")) var album: String
  @OptionGroup var named: AssetArguments
  @Option(help: ArgumentHelp("The place to move them to.", valueName: "index")) var to: Int?
  @Option(help: ArgumentHelp("The asset to move them before.", valueName: "identifier")) var before: String?
  @Option(help: ArgumentHelp("The asset to move them after.", valueName: "identifier")) var after: String?
  @Flag(help: "Print one JSON object per line.") var json = false

  func validate() throws {
    guard [to != nil, before != nil, after != nil].count(where: \.self) == 1 else {
      throw ValidationError("a destination is missing: give one of --to, --before and --after")
    }
    if let to, to < 0 { throw ValidationError("--to takes 0 or a larger number, not \(to)") }
  }

  func run() throws {
    let library = try options.open()
    let (entry, album) = try library.album(named: album)
    let assets = try named.assets(in: library)
    let present = try library.contents(of: album)
    let places = IndexSet(try assets.map { try present.place(of: $0, in: entry) })
    let target = try target(in: present, without: places, entry, library)
    if !assets.isEmpty {
      try library.performChangesAndWait {
        PHAssetCollectionChangeRequest(for: album, assets: present)?.moveAssets(at: places, to: target)
      }
    }
    try ChangeReport("Moved \(assets.count.assets) in \(entry.pathText)", "move", of: assets, in: album).write(
      json: json)
  }

  /// Returns the place to move to, counted among the assets that are not moved.
  private func target(
    in present: PHFetchResult<PHAsset>, without places: IndexSet, _ entry: CollectionTree.Entry,
    _ library: PHPhotoLibrary
  ) throws -> Int {
    if let to {
      let last = present.count - places.count
      guard to <= last else { throw CommandError("--to \(to): the last place in \(entry.pathText) is \(last)") }
      return to
    }
    let name = before ?? after ?? ""
    let place = try present.place(of: try library.assets(named: [name])[0], in: entry)
    guard !places.contains(place) else { throw CommandError("\(name): an asset can't be moved next to itself") }
    let rest = place - places.count(in: 0..<place)
    return before == nil ? rest + 1 : rest
  }
}

extension PHPhotoLibrary {
  /// Returns the assets of an album in its own order, including hidden ones.
  func contents(of album: PHAssetCollection) throws -> PHFetchResult<PHAsset> {
    let result = PHAsset.fetchAssets(in: album, options: allAssetsOptions())
    if let error = result.error { throw error }
    return result
  }
}

extension PHFetchResult<PHAsset> {
  fileprivate func place(of asset: PHAsset, in entry: CollectionTree.Entry) throws -> Int {
    let index = index(of: asset)
    guard index != NSNotFound else { throw CommandError("\(asset.localIdentifier): it is not in \(entry.pathText)") }
    return index
  }
}
