import ArgumentParser
import Foundation
import PhotosServer

struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Print a link that signs a browser in to the running server.",
    discussion: """
      Asks the `calotype serve` that serves the library on this machine. Only the user who runs it may ask. The link signs one \
      browser in as the library's owner: once, within 15 minutes. Keep it from others until it is used.
      """)

  @OptionGroup var options: LibraryOptions

  func run() throws {
    try Output.write(PhotosServer.ownerLink(ofLibraryAt: options.url).absoluteString)
  }
}
