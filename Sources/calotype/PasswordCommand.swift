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
    abstract: "Remove a forgotten password, and sign out all browsers.",
    discussion: """
      Links that `calotype open` printed, and addresses that pages of other origins got for copies, end too. \
      To set a new password, sign in with the link that `calotype open` prints. A server for other machines \
      also prints a set-up code at its next start.

      If the file with the passwords is damaged, the command renames it and makes a new one. Browsers must \
      then sign in again, and scripts and other programs need new keys.

      Each account that serves the library has a password of its own. Run this as the account that serves it.
      """)

  @OptionGroup var options: LibraryOptions

  func run() throws {
    let library = try options.open()
    if let damaged = try PhotosServer.replaceDamagedSignIns(of: library) {
      try Output.write([
        "The file about signing in was damaged. It is now \(damaged.path), and there is a new one.",
        "The password, sessions, links, codes and keys that this account had for the library are gone. "
          + "Sign in with the link that `calotype open` prints, and make new keys for programs.",
      ])
      return
    }
    let hadPassword = try PhotosServer.hasPassword(library)
    try PhotosServer.resetPassword(of: library)
    try Output.write(
      hadPassword
        ? "The password was removed, and all browsers were signed out."
        : "There was no password. All browsers were signed out.")
  }
}
