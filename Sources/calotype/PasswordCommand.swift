import ArgumentParser
import Foundation
import PhotosServer

struct PasswordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "password",
    abstract: "Manage the password of the library's server.",
    subcommands: [PasswordResetCommand.self])
}

struct PasswordResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Remove a forgotten password, and sign all browsers out.",
    discussion: """
      Afterward, `calotype open` prints a link that signs a browser in, where a new password can be set. A server that other \
      machines reach also prints a set-up code when it starts the next time.
      """)

  @OptionGroup var options: LibraryOptions

  func run() throws {
    try PhotosServer.resetPassword(of: options.open(isForChanges: true))
    try Output.write("The password is removed, and all browsers are signed out.")
  }
}
