import ArgumentParser
import Foundation
import Photos
import PhotosJSON

struct TrashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trash",
    abstract: "Show, restore and empty Recently Deleted.",
    discussion: """
      Deleted assets are kept for thirty days. Until then they can be restored, to their albums too. \
      Afterward they are deleted for good, with their files.

      EXAMPLES
        calotype trash list
        calotype trash restore 0BD5B4E2-…/L0/001
        calotype trash empty --yes
      """,
    subcommands: [TrashListCommand.self, TrashRestoreCommand.self, TrashEmptyCommand.self])
}

struct TrashListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List deleted assets, latest first, with the days until they are deleted for good.")

  @OptionGroup var options: LibraryOptions
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let library = try options.open()
    let now = Date()
    try PHAsset.fetchRecentlyDeletedAssets(with: library.allAssetsOptions()).forEachDescription { asset, description in
      let deleted = DeletedAssetDescription(asset, description, now: now)
      if json { return try JSONLines.print(deleted) }
      let left = deleted.daysLeft.counted("day", "days") + " left"
      try Output.write(left.padded(to: 14) + ListLine(asset, description).text)
    }
  }
}

/// The JSON form of an asset in Recently Deleted: the keys of an `AssetDescription` and those
/// below.
struct DeletedAssetDescription: Encodable {
  private var asset: AssetDescription
  private(set) var trashedDate: String
  private(set) var daysLeft: Int

  init(_ asset: PHAsset, _ description: AssetDescription, now: Date) {
    let trashed = asset.trashedDate ?? now
    let seconds = trashed.timeIntervalSince(now) + Double(PHAsset.daysInTrash) * 86_400
    self.asset = description
    trashedDate = ISODate.string(trashed, offset: TimeZone.current.secondsFromGMT(for: trashed))
    daysLeft = max(0, Int((seconds / 86_400).rounded(.up)))
  }

  private enum CodingKeys: CodingKey { case trashedDate, daysLeft }

  func encode(to encoder: any Encoder) throws {
    try asset.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(trashedDate, forKey: .trashedDate)
    try container.encode(daysLeft, forKey: .daysLeft)
  }
}

struct TrashRestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore deleted assets, to their albums too.")

  @OptionGroup var options: LibraryOptions
  @Argument(
    help: ArgumentHelp(
      "Identifiers, as `trash list` prints them. With -, they are read from standard input.", valueName: "identifier"))
  var identifiers: [String] = []
  @Flag(help: "Restore everything.") var all = false
  @Flag(help: "Print one JSON object per line.") var json = false

  func validate() throws {
    if identifiers.isEmpty != all { throw ValidationError("give either identifiers or --all") }
  }

  func run() throws {
    let library = try options.open()
    let assets = try library.deletedAssets(named: all ? nil : identifiers)
    if !assets.isEmpty { try library.performChangesAndWait { PHAssetChangeRequest.restoreAssets(assets) } }
    try ChangeReport("Restored \(assets.count.assets)", "restore", of: assets).write(json: json)
  }
}

struct TrashEmptyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "empty", abstract: "Delete assets in Recently Deleted for good, with their files.",
    discussion: """
      Deletes all assets in Recently Deleted, or only the named ones. Later imports leave out the same \
      files, unless `calotype import --again` is used.

      EXAMPLES
        calotype trash empty
        calotype trash empty 0BD5B4E2-…/L0/001 --yes
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var confirmation: Confirmation
  @Argument(
    help: ArgumentHelp(
      "Identifiers, as `trash list` prints them. With -, they are read from standard input.", valueName: "identifier"))
  var identifiers: [String] = []
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let library = try options.open()
    let assets = try library.deletedAssets(named: identifiers.isEmpty ? nil : identifiers)
    if !assets.isEmpty {
      try confirmation.ask("Delete \(assets.count.assets) for good, with \(assets.count == 1 ? "its" : "their") files?")
      try library.performChangesAndWait { PHAssetChangeRequest.expungeAssets(assets) }
    }
    try ChangeReport("Deleted \(assets.count.assets) for good", "expunge", of: assets).write(json: json)
  }
}

extension PHPhotoLibrary {
  /// Returns the assets in Recently Deleted with these whole identifiers; `nil` returns all.
  fileprivate func deletedAssets(named identifiers: [String]?) throws -> [PHAsset] {
    let deleted = try PHAsset.fetchRecentlyDeletedAssets(with: allAssetsOptions()).all()
    guard let identifiers else { return deleted }
    let byUUID = Dictionary(deleted.map { ($0.uuid, $0) }, uniquingKeysWith: { first, _ in first })
    return try AssetArguments.read(identifiers).map { identifier in
      guard let asset = byUUID[String(identifier.prefix { $0 != "/" }).uppercased()] else {
        throw CommandError("\(identifier): it is not in Recently Deleted")
      }
      return asset
    }.uniqued()
  }
}
