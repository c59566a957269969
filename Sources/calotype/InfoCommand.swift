import ArgumentParser
import Foundation
import Photos
import PhotosJSON

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show everything that the library knows about assets.",
    discussion: """
      Prints the title, caption and keywords, the albums with their folders, the metadata and the camera, the \
      sources of the date and its time zone, each file with its size and SHA-256, and remarks of the import. \
      Names files that are missing, that have another size, or that `calotype verify` found damaged.

      EXAMPLE
        calotype info 0BD5B4E2-…/L0/001
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var named: AssetArguments
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    for asset in try named.assets(in: options.open()) {
      let description = try InfoDescription(asset)
      if json { try JSONLines.print(description) } else { try Output.write(InfoText(description).lines) }
    }
  }
}

/// The JSON form of everything known about an asset: all keys of an `AssetDetailDescription`, and
/// the keys below.
struct InfoDescription: Encodable {
  struct Album: Encodable {
    var localIdentifier: String
    var title: String
    /// The titles from the top level to the album itself.
    var path: [String]
  }

  var detail: AssetDetailDescription
  /// The albums that contain the asset, without smart albums.
  var albums: [Album]
  /// The known faults of the asset's files, in the form of `calotype verify --json`.
  var faults: [FindingDescription]

  init(_ asset: PHAsset) throws {
    detail = try AssetDetailDescription(asset)
    faults = try asset.storedResources.compactMap { try $0.knownFault().map(FindingDescription.init) }
    let options = PHFetchOptions()
    options.photoLibrary = asset.photoLibrary
    albums = try PHAssetCollection.fetchAssetCollectionsContaining(asset, with: .album, options: options).all().map {
      Album(localIdentifier: $0.localIdentifier, title: $0.localizedTitle ?? "", path: try Self.path(of: $0, options))
    }
  }

  private static func path(of album: PHAssetCollection, _ options: PHFetchOptions) throws -> [String] {
    var path: [String] = []
    var next: PHCollection? = album
    while let collection = next {
      path.insert(collection.localizedTitle ?? "", at: 0)
      next = try PHCollectionList.fetchCollectionListsContaining(collection, options: options).all().first
    }
    return path
  }

  private enum CodingKeys: CodingKey { case albums, faults }

  func encode(to encoder: any Encoder) throws {
    try detail.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(albums, forKey: .albums)
    try container.encode(faults, forKey: .faults)
  }
}
