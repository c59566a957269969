import ArgumentParser
import Foundation
import Photos

struct FolderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "folder",
    abstract: "Make, change and delete folders of albums.",
    discussion: """
      Folders contain albums and other folders. Name a folder like an album, by its identifier, its title or \
      its path.

      EXAMPLES
        calotype folder create Travels
        calotype folder move Norway --into Travels
        calotype folder list Travels
      """,
    subcommands: [
      FolderListCommand.self, FolderCreateCommand.self, FolderRenameCommand.self, FolderDeleteCommand.self,
      FolderMoveCommand.self,
    ])
}

struct FolderListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the tree of albums and folders, or of one folder.")

  @OptionGroup var options: LibraryOptions
  @Argument(help: ArgumentHelp("The folder; without it, everything.", valueName: "folder")) var folder: String?
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let library = try options.open()
    let tree = try CollectionTree(library)
    guard let folder else { return try tree.entries.write(json: json) }
    let entry = try tree.collection(named: folder, .folder)
    try CollectionTree(below: entry, of: library).entries.write(json: json, level: entry.path.count)
  }
}

struct FolderCreateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "create", abstract: "Make an empty folder.")

  @OptionGroup var options: LibraryOptions
  @OptionGroup var place: NewCollection

  func run() throws {
    let library = try options.open()
    try place.create(.folder, in: library) {
      PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: place.title)
        .placeholderForCreatedCollectionList
    }
  }
}

struct FolderRenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a folder another title.")

  @OptionGroup var options: LibraryOptions
  @Argument(help: ArgumentHelp("The folder’s identifier, title or path.", valueName: "folder")) var folder: String
  @OptionGroup var renaming: Renaming

  func run() throws {
    let library = try options.open()
    let (entry, folder) = try library.folder(named: folder)
    try renaming.rename(entry, of: library) { PHCollectionListChangeRequest(for: folder)?.title = $0 }
  }
}

struct FolderDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a folder with its albums and folders. The assets stay.",
    discussion: """
      EXAMPLE
        calotype folder delete Travels --yes
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var confirmation: Confirmation
  @Argument(help: ArgumentHelp("The folder’s identifier, title or path.", valueName: "folder")) var folder: String
  @Flag(help: "Print one JSON object per line, for the folder and for each album and folder in it.") var json = false

  func run() throws {
    let library = try options.open()
    let (entry, folder) = try library.folder(named: folder)
    let inside = try CollectionTree(below: entry, of: library).entries
    let what = "the folder \(entry.pathText)" + Self.contents(inside)
    try confirmation.ask("Delete \(what)? The assets stay in the library.")
    try library.performChangesAndWait { PHCollectionListChangeRequest.deleteCollectionLists([folder]) }
    try ChangeReport("Deleted \(what)", "delete", of: [folder] + inside.map(\.collection)).write(json: json)
  }

  /// Returns the contents as text: ` with 2 albums and 1 folder`.
  private static func contents(_ entries: [CollectionTree.Entry]) -> String {
    let folders = entries.count { $0.kind == .folder }
    let albums = entries.count - folders
    let parts = [
      albums > 0 ? albums.counted("album", "albums") : nil, folders > 0 ? folders.counted("folder", "folders") : nil,
    ]
    let text = parts.compactMap(\.self).joined(separator: " and ")
    return text.isEmpty ? "" : " with " + text
  }
}

struct FolderMoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move an album or a folder into a folder, or within its folder.",
    discussion: """
      Places begin at 0, and do not count the moved collection. Without --to, it becomes the last one. \
      Without a folder, it stays in its own folder.

      EXAMPLES
        calotype folder move Norway --into Travels
        calotype folder move Travels/Norway --to-top --to 0
      """)

  @OptionGroup var options: LibraryOptions
  @Argument(help: ArgumentHelp("The album or the folder.", valueName: "collection")) var name: String
  @Option(help: ArgumentHelp("The folder to move it into.", valueName: "folder")) var into: String?
  @Flag(help: "Move it out of all folders.") var toTop = false
  @Option(help: ArgumentHelp("The place to move it to.", valueName: "index")) var to: Int?
  @Flag(help: "Print one JSON object.") var json = false

  func validate() throws {
    if into != nil, toTop { throw ValidationError("--into and --to-top can't be combined") }
    if into == nil, !toTop, to == nil {
      throw ValidationError("a destination is missing: give --into, --to-top or --to")
    }
    if let to, to < 0 { throw ValidationError("--to takes 0 or a larger number, not \(to)") }
  }

  func run() throws {
    let library = try options.open()
    let tree = try CollectionTree(library)
    let entry = try tree.collection(named: name, .album, .folder)
    let collection = entry.collection
    let fetch = PHFetchOptions()
    fetch.photoLibrary = library
    let target: PHCollectionList? =
      if let into {
        try tree.collection(named: into, .folder).collection as? PHCollectionList
      } else if toTop {
        nil
      } else {
        try PHCollectionList.fetchCollectionListsContaining(collection, options: fetch).first()
      }
    let siblings =
      target.map { PHCollection.fetchCollections(in: $0, options: fetch) }
      ?? PHCollection.fetchTopLevelUserCollections(with: fetch)
    if let error = siblings.error { throw error }
    let present = siblings.index(of: collection)
    let last = siblings.count - (present == NSNotFound ? 0 : 1)
    let place = to ?? last
    let parent = target.map { $0.localizedTitle ?? "" } ?? "the top level"
    guard place <= last else { throw CommandError("--to \(place): the last place in \(parent) is \(last)") }
    try library.performChangesAndWait {
      let request =
        target.map { PHCollectionListChangeRequest(for: $0, childCollections: siblings) }
        ?? PHCollectionListChangeRequest(forTopLevelCollectionListUserCollections: siblings)
      if present == NSNotFound {
        request?.insertChildCollections([collection], at: [place])
      } else {
        request?.moveChildCollections(at: [present], to: place)
      }
    }
    try ChangeReport("Moved \(entry.pathText) to place \(place) of \(parent)", "move", of: [collection], in: target)
      .write(json: json)
  }
}
