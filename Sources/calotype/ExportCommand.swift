import ArgumentParser
import Foundation
import Photos

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Copy originals out of the library.",
    discussion: """
      Writes every file of the assets, byte for byte and under its own name; of a Live Photo, the still and the movie. Where a \
      name is taken by other bytes the new file gets “ (2)”; where it is taken by the same bytes nothing is written.

      EXAMPLE
        calotype export 0BD5B4E2-… --to ~/Desktop
      """)

  @OptionGroup var options: LibraryOptions
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
      for (resource, target) in try targets(of: asset) {
        try copy(resource, to: target.url, isThere: target.isThere)
      }
    }
  }

  private struct Target {
    var url: URL
    var isThere: Bool
  }

  /// Names for an asset's files: the same number behind each, so that a pair stays a pair.
  private func targets(of asset: PHAsset) throws -> [(PHAssetResource, Target)] {
    let resources = PHAssetResource.assetResources(for: asset)
    var number = 1
    while true {
      let targets = try resources.compactMap { resource in
        try target(for: resource, number: number).map { (resource, $0) }
      }
      if targets.count == resources.count { return targets }
      number += 1
    }
  }

  /// `nil` where other bytes have the name.
  private func target(for resource: PHAssetResource, number: Int) throws -> Target? {
    let name = resource.originalFilename as NSString
    let suffix = number == 1 ? "" : " (\(number))"
    let pathExtension = name.pathExtension.isEmpty ? "" : "." + name.pathExtension
    let safeStem =
      name.lastPathComponent.isEmpty ? "Untitled" : (name.lastPathComponent as NSString).deletingPathExtension
    let url = URL(fileURLWithPath: to).appendingPathComponent(safeStem + suffix + pathExtension)
    guard FileManager.default.fileExists(atPath: url.path) else { return Target(url: url, isThere: false) }
    return try resource.hasBytes(ofFileAt: url) ? Target(url: url, isThere: true) : nil
  }

  private func copy(_ resource: PHAssetResource, to url: URL, isThere: Bool) throws {
    if !isThere { try PHAssetResourceManager.default().writeDataAndWait(for: resource, toFile: url) }
    if json {
      try JSONLines.print(
        FileDescription(
          localIdentifier: resource.assetLocalIdentifier, path: url.path, bytes: resource.dataSize ?? 0))
    } else {
      try Output.write(url.path)
    }
  }
}
