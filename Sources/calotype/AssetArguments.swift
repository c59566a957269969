import ArgumentParser
import Foundation
import Photos

/// The assets that a command works on: identifiers, or `-` to read them from standard input.
struct AssetArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Identifiers of assets, as `list` prints them, or their first characters, at least 6. With -, they are read from standard input: one per line, or the output of `list --json`.",
      valueName: "identifier"))
  var identifiers: [String]

  /// Returns the assets in the given order, without duplicates.
  func assets(in library: PHPhotoLibrary) throws -> [PHAsset] {
    try library.assets(named: Self.read(identifiers)).uniqued()
  }

  /// Replaces each `-` with the identifiers from standard input.
  static func read(_ identifiers: [String]) throws -> [String] {
    try identifiers.flatMap { $0 == "-" ? try readStandardInput() : [$0] }
  }

  private struct ListedAsset: Decodable { var localIdentifier: String }

  private static func readStandardInput() throws -> [String] {
    var identifiers: [String] = []
    while let line = readLine() {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.hasPrefix("{") {
        guard let asset = try? JSONDecoder().decode(ListedAsset.self, from: Data(text.utf8)) else {
          throw CommandError("a line on standard input has no localIdentifier: \(text.prefix(100))")
        }
        identifiers.append(asset.localIdentifier)
      } else if !text.isEmpty {
        identifiers.append(text)
      }
    }
    return identifiers
  }
}

extension Array where Element: PHObject {
  func uniqued() -> [Element] {
    var seen: Set<String> = []
    return filter { seen.insert($0.localIdentifier).inserted }
  }
}
