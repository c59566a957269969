import ArgumentParser
import Foundation
import Photos
import PhotosJSON

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List the latest changes, with their numbers for `undo`.",
    discussion: """
      Each line shows the number of the change, its date and time, its author, and the changed objects. The \
      history is kept for thirty days. `calotype changes` prints it for programs.

      EXAMPLES
        calotype history
        calotype history --limit 5 --before 42
        calotype history --json
      """)

  @OptionGroup var options: LibraryOptions
  @Option(help: ArgumentHelp("The largest number of changes to list.", valueName: "count")) var limit = 20
  @Option(help: ArgumentHelp("List the changes before this one.", valueName: "number")) var before: Int64?
  @Flag(help: "Print one JSON object per line.") var json = false

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 or a larger number, not \(limit)") }
  }

  func run() throws {
    let transactions = try options.open().transactions(limit: limit, before: before)
    if json {
      for transaction in transactions { try JSONLines.print(LibraryTransactionDescription(transaction)) }
      return
    }
    let lines = transactions.map { HistoryLine($0) }
    let width = lines.map(\.number.count).max() ?? 0
    let authorWidth = lines.map(\.author.count).max() ?? 0
    try Output.write(
      lines.map { line in
        let padding = String(repeating: " ", count: width - line.number.count)
        return "\(padding)\(line.number)  \(line.date)  \(line.author.padded(to: authorWidth))  \(line.summary)"
      })
  }
}

/// A transaction as a line of text.
struct HistoryLine {
  private let transaction: LibraryTransaction

  init(_ transaction: LibraryTransaction) { self.transaction = transaction }

  var number: String { "\(transaction.number)" }

  /// The date and the time on this machine.
  var date: String {
    let offset = TimeZone.current.secondsFromGMT(for: transaction.date)
    return String(ISODate.string(transaction.date, offset: offset).replacing("T", with: " ").prefix(16))
  }

  var author: String {
    switch transaction.author {
    case .owner: "owner"
    case .client(let client): client.name
    case .library: "library"
    }
  }

  /// The whole text, with whether the change can be undone.
  var summary: String {
    var summary = objects
    if let undone = transaction.undoes {
      summary = (transaction.isUndo ? "undo of \(undone): " : "redo (undo of \(undone)): ") + summary
    }
    if transaction.isUndone { return summary + "; undone" }
    return transaction.isUndoable ? summary : summary + "; can’t be undone"
  }

  /// The change in words, or else the numbers of objects, and some of their names.
  private var objects: String {
    let counts =
      Self.text(transaction.assets, "asset", "assets")
      + Self.text(transaction.collections, "album or folder", "albums and folders")
    let told = transaction.actions.isEmpty ? counts : transaction.actions.map(\.text)
    guard !told.isEmpty else { return "no details" }
    let said = Set(transaction.actions.flatMap { [$0.name, $0.former] })
    let names = transaction.names.filter { !said.contains($0) }
    return told.joined(separator: ", ") + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")
  }

  private static func text(_ counts: LibraryTransaction.Counts, _ one: String, _ many: String) -> [String] {
    [(counts.inserted, "added"), (counts.updated, "changed"), (counts.deleted, "deleted")].filter { $0.0 > 0 }
      .map { "\($0.0.counted(one, many)) \($0.1)" }
  }

  /// Writes the result of a command that made the transaction.
  func write(json: Bool) throws {
    if json { return try JSONLines.print(LibraryTransactionDescription(transaction)) }
    let undone = transaction.undoes.map { "\($0)" } ?? ""
    try Output.write("\(transaction.isUndo ? "Undid \(undone)" : "Redid what \(undone) undid"): \(objects)")
  }
}

extension LibraryTransaction.Action {
  fileprivate var text: String {
    let assets = count.counted("asset", "assets")
    return switch kind {
    case .imported, .deleted, .restored, .favorited, .unfavorited, .hidden, .unhidden, .edited, .reverted, .described,
      .changed:
      "\(assets) \(kind.rawValue)"
    case .dateChanged: "date of \(assets) changed"
    case .placeChanged: "place of \(assets) changed"
    case .albumMade: "\(albums) made"
    case .folderMade: "\(folders) made"
    case .albumRestored: "\(albums) restored"
    case .folderRestored: "\(folders) restored"
    case .albumDeleted: "\(albums) deleted"
    case .folderDeleted: "\(folders) deleted"
    case .renamed:
      if count == 1, let name, let former { "\(former) renamed to \(name)" } else { "\(collections) renamed" }
    case .moved: "\(collections) moved"
    case .reordered: "albums reordered"
    case .addedToAlbum: "\(assets) added to \(name ?? "albums")"
    case .removedFromAlbum: "\(assets) removed from \(name ?? "albums")"
    case .photosReordered: "\(name ?? albums) reordered"
    case .coverChanged: "cover of \(name ?? albums) changed"
    }
  }

  private var albums: String { name.map { "album \($0)" } ?? count.counted("album", "albums") }
  private var folders: String { name.map { "folder \($0)" } ?? count.counted("folder", "folders") }
  private var collections: String { name ?? count.counted("album or folder", "albums and folders") }
}
