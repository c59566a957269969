import ArgumentParser
import Foundation
import Photos

@main
struct Calotype: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calotype",
    abstract: "Import, organize, edit and show photos and videos in a library.",
    discussion: """
      A library is one folder. It contains the originals as plain files, which are never changed.

      EXAMPLES
        calotype import ~/Pictures       import a folder of photos and videos
        calotype list --limit 10         the ten latest
        calotype albums                  the tree of albums and folders
        calotype edit 7A3C…/L0/001 --rotate 90
                                         turn it; `revert` undoes it
        calotype serve                   browse it in a web browser
        calotype verify                  check every original against its SHA-256

      --library names the library. Without it, $CALOTYPE_LIBRARY does, else it is “Photos Library.calotype” in your pictures folder.
      """,
    version: "calotype \(version)",
    subcommands: [
      ImportCommand.self, ListCommand.self, InfoCommand.self, ExportCommand.self, RenderCommand.self, EditCommand.self,
      RevertCommand.self,
      AlbumsCommand.self, AlbumCommand.self, FolderCommand.self, FavoriteCommand.self, HideCommand.self,
      DeleteCommand.self, TrashCommand.self, UndoCommand.self, RedoCommand.self, HistoryCommand.self,
      ChangesCommand.self, VerifyCommand.self, RepairCommand.self,
      AccessCommand.self,
      ServeCommand.self, OpenCommand.self, PasswordCommand.self, DemoCommand.self,
    ])

  static let version = "0.1"

  @OptionGroup var library: LibraryOptions

  /// Runs the program. Errors go to standard error. The exit status is 2 for wrong usage and 1 for
  /// all other errors.
  static func main() {
    signal(SIGPIPE, SIG_DFL)
    PHPhotoLibrary.requireWorkers()
    do {
      try checkHelp(of: Array(CommandLine.arguments.dropFirst()))
      var command = try parseAsRoot()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      let message = code == .validationFailure || code.isSuccess ? fullMessage(for: error) : describe(error)
      if code.isSuccess {
        print(message)
      } else if !message.isEmpty {
        Output.writeToStderr(message + "\n")
      }
      Foundation.exit(code == .validationFailure ? 2 : code.rawValue)
    }
  }

  /// Throws if the arguments ask for the help of a command that doesn't exist. ArgumentParser alone
  /// would show the program's help instead.
  private static func checkHelp(of arguments: [String]) throws {
    var arguments = arguments[...]
    while let option = arguments.first, option.hasPrefix("--library") {
      arguments = arguments.dropFirst(option == "--library" ? 2 : 1)
    }
    guard arguments.popFirst() == "help" else { return }
    var command: any ParsableCommand.Type = Self.self
    for name in arguments.prefix(while: { !$0.hasPrefix("-") }) {
      guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == name }) else {
        if command == Self.self, name == "help" { return }
        throw ValidationError("Unexpected argument '\(name)'")
      }
      command = next
    }
  }

  private static func describe(_ error: any Error) -> String {
    error is ExitCode ? "" : "calotype: " + error.localizedDescription
  }
}
