import ArgumentParser
import Foundation
import Photos

struct AlbumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "album",
    abstract: "Make, change and delete albums.",
    discussion: """
      Name an album by its identifier, its title or its path. “Travels/Norway” is the album Norway in the \
      folder Travels, and “/Norway” is the one at the top level. `calotype list --in` lists the assets of an \
      album.

      EXAMPLES
        calotype album create Norway --in Travels
        calotype list --search fjord --json | calotype album add Norway -
        calotype album move Norway 0BD5B4E2-…/L0/001 --to 0
      """,
    subcommands: [
      AlbumCreateCommand.self, AlbumRenameCommand.self, AlbumDeleteCommand.self, AlbumAddCommand.self,
      AlbumRemoveCommand.self, AlbumMoveCommand.self,
    ])
}

struct AlbumCreateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Make an empty album.",
    discussion: """
      EXAMPLE
        calotype album create Norway --in Travels
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var place: NewCollection

  func run() throws {
    let library = try options.open()
    try place.create(.album, in: library) {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: place.title)
        .placeholderForCreatedAssetCollection
    }
  }
}

/// The title of a new album or folder, and the folder to create it in.
struct NewCollection: ParsableArguments {
  @Argument(help: ArgumentHelp("The title.", valueName: "title")) var title: String
  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("The folder to create it in; without it, the top level.", valueName: "folder"))
  var folder: String?
  @Flag(help: "Print one JSON object.") var json = false

  func validate() throws { try CollectionTitle.validate(title) }

  /// Creates the collection. Calls `request` inside a change block.
  func create(
    _ kind: CollectionTree.Kind, in library: PHPhotoLibrary, request: @escaping () -> PHObjectPlaceholder
  ) throws {
    let parent = try folder.map { try CollectionTree(library).collection(named: $0, .folder) }
    var created: PHObjectPlaceholder?
    try library.performChangesAndWait {
      let placeholder = request()
      created = placeholder
      if let list = parent?.collection as? PHCollectionList {
        PHCollectionListChangeRequest(for: list)?.addChildCollections([placeholder])
      }
    }
    guard let created else { return }
    let place = parent.map { " in \($0.pathText)" } ?? ""
    var report = ChangeReport(
      "Created the \(kind.rawValue) \(title)\(place): \(created.localIdentifier)", "create", of: [created],
      in: parent?.collection)
    report.lines[0].title = title
    try report.write(json: json)
  }
}

enum CollectionTitle {
  static func validate(_ title: String) throws {
    if title.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
      throw ValidationError("the title is empty")
    }
  }
}

struct AlbumRenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give an album another title.")

  @OptionGroup var options: LibraryOptions
  @Argument(help: ArgumentHelp("The album’s identifier, title or path.", valueName: "album")) var album: String
  @OptionGroup var renaming: Renaming

  func run() throws {
    let library = try options.open()
    let (entry, album) = try library.album(named: album)
    try renaming.rename(entry, of: library) { PHAssetCollectionChangeRequest(for: album)?.title = $0 }
  }
}

/// The new title of an album or a folder.
struct Renaming: ParsableArguments {
  @Argument(help: ArgumentHelp("The new title.", valueName: "title")) var title: String
  @Flag(help: "Print one JSON object.") var json = false

  func validate() throws { try CollectionTitle.validate(title) }

  /// Renames the collection. Calls `request` inside a change block.
  func rename(
    _ entry: CollectionTree.Entry, of library: PHPhotoLibrary, request: @escaping (String) -> Void
  ) throws {
    try library.performChangesAndWait { request(title) }
    var report = ChangeReport(
      "Renamed the \(entry.kind.rawValue) \(entry.pathText) to \(title)", "rename", of: [entry.collection])
    report.lines[0].title = title
    try report.write(json: json)
  }
}

struct AlbumDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete albums. Their assets stay in the library.",
    discussion: """
      EXAMPLE
        calotype album delete Norway Travels/Sweden --yes
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var confirmation: Confirmation
  @Argument(help: ArgumentHelp("The albums.", valueName: "album")) var albums: [String]
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let library = try options.open()
    let tree = try CollectionTree(library)
    let found = try albums.map { try tree.collection(named: $0, .album).collection }.uniqued()
    let what =
      found.count == 1 ? "the album \(found[0].localizedTitle ?? "")" : found.count.counted("album", "albums")
    try confirmation.ask("Delete \(what)? The assets stay in the library.")
    try library.performChangesAndWait { PHAssetCollectionChangeRequest.deleteAssetCollections(found) }
    try ChangeReport("Deleted \(what)", "delete", of: found).write(json: json)
  }
}

extension PHPhotoLibrary {
  /// Finds an album that can be changed, by its identifier, title or path.
  func album(named name: String) throws -> (CollectionTree.Entry, PHAssetCollection) {
    let entry = try CollectionTree(self).collection(named: name, .album)
    guard let album = entry.collection as? PHAssetCollection else {
      throw CommandError("\(name): it is not an album")
    }
    return (entry, album)
  }

  /// Finds a folder by its identifier, title or path.
  func folder(named name: String) throws -> (CollectionTree.Entry, PHCollectionList) {
    let entry = try CollectionTree(self).collection(named: name, .folder)
    guard let folder = entry.collection as? PHCollectionList else {
      throw CommandError("\(name): it is not a folder")
    }
    return (entry, folder)
  }
}
