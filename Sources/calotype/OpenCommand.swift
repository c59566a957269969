import ArgumentParser
import Foundation
import PhotosServer

struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Print a link that signs a browser in to the running server.",
    discussion: """
      The link comes from the `calotype serve` that runs for this library on this machine. It is given only \
      to the user who started the server. The link signs one browser in as the owner, once, within 15 \
      minutes. Until then, do not show it to anyone.
      """)

  @OptionGroup var options: LibraryOptions

  func run() throws {
    try Output.write(PhotosServer.ownerLink(ofLibraryAt: options.url).absoluteString)
  }
}
