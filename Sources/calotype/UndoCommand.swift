import ArgumentParser
import Foundation
import Photos
import PhotosJSON

struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo a change; without a number, your latest one that can be undone.",
    discussion: """
      Reverses one change, and keeps all later ones. If a later change affected the same values, nothing is \
      undone, and the message names an item that was changed. Assets that the change created or imported are \
      moved to Recently Deleted.

      Changes can be undone for thirty days, except permanent deletions. `calotype history` lists their \
      numbers.

      EXAMPLES
        calotype undo
        calotype undo 42
        calotype redo
      """)

  @OptionGroup var options: LibraryOptions
  @Argument(help: ArgumentHelp("The number of the transaction.", valueName: "number")) var number: Int64?
  @Flag(help: "Print the new transaction as a JSON object.") var json = false

  func run() throws {
    let library = try options.open(isForChanges: true)
    let made = try AsyncWork.run { [number] in try await library.undo(number) }
    try HistoryLine(made).write(json: json)
  }
}

struct RedoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo a change; without a number, the one that you undid last.",
    discussion: """
      Without a number, this works only if you have changed nothing else since the undo.

      EXAMPLES
        calotype redo
        calotype redo 42
      """)

  @OptionGroup var options: LibraryOptions
  @Argument(help: ArgumentHelp("The number of the transaction, or of its undo.", valueName: "number"))
  var number: Int64?
  @Flag(help: "Print the new transaction as a JSON object.") var json = false

  func run() throws {
    let library = try options.open(isForChanges: true)
    let made = try AsyncWork.run { [number] in try await library.redo(number) }
    try HistoryLine(made).write(json: json)
  }
}
