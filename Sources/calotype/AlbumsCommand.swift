import ArgumentParser
import Foundation
import Photos

struct AlbumsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "albums",
    abstract: "Show the albums and folders as a tree, and the smart albums.",
    discussion: """
      Each line has a number, an identifier and a title. The number of an album is that of its assets, \
      without hidden ones. A folder's title ends with a slash, and its number is that of the albums and \
      folders in it. Smart albums without assets are shown only with --all.

      EXAMPLES
        calotype albums
        calotype albums --json | jq -r 'select(.count == 0) | .localIdentifier'
      """)

  @OptionGroup var options: LibraryOptions
  @Flag(help: "Also show smart albums without assets.") var all = false
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let tree = try CollectionTree(options.open())
    let smart = tree.smartAlbums.filter { all || $0.count > 0 }
    try tree.entries.write(json: json)
    if !json, !tree.entries.isEmpty, !smart.isEmpty { try Output.write("") }
    try smart.write(json: json)
  }
}

extension [CollectionTree.Entry] {
  /// Writes a line for each entry. Entries that are `level` folders deep are not indented, deeper
  /// ones are.
  func write(json: Bool, level: Int = 0) throws {
    let width = map { String($0.count).count }.max() ?? 0
    for entry in self {
      if json {
        try JSONLines.print(CollectionDescription(entry))
      } else {
        let count = String(entry.count)
        let indentation = String(repeating: "  ", count: entry.path.count - 1 - level)
        try Output.write(
          String(repeating: " ", count: Swift.max(0, width - count.count)) + count + "  "
            + entry.collection.localIdentifier + "  " + indentation + entry.path[entry.path.count - 1]
            + (entry.kind == .folder ? "/" : ""))
      }
    }
  }
}

/// The JSON form of an album, a smart album or a folder.
struct CollectionDescription: Encodable {
  var localIdentifier: String
  var title: String
  var kind: CollectionTree.Kind
  var count: Int
  /// The titles from the top level to the collection itself.
  var path: [String]

  init(_ entry: CollectionTree.Entry) {
    localIdentifier = entry.collection.localIdentifier
    title = entry.collection.localizedTitle ?? ""
    kind = entry.kind
    count = entry.count
    path = entry.path
  }
}
