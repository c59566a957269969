import ArgumentParser
import Photos
import PhotosServer

struct AccessTokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Make a key that lets a script use the library over HTTP.",
    discussion: """
      Prints the key. It can't be shown again. A script sends it to the server of `calotype serve`, in the \
      header `Authorization: Bearer KEY`. The key expires after a year, but \
      each use in its last 90 days renews it.

      `access list` shows the script as `key:NAME`. `access revoke key:NAME` removes its access, and with \
      --forget its keys too.

      EXAMPLES
        calotype access token Backup --level readWrite
        calotype access token Frame --level readWrite --select 0BD5B4E2-…/L0/001
      """)

  @OptionGroup var options: LibraryOptions
  @Argument(help: "The name of the script.") var name: String
  @Option(help: "readWrite (sees and changes photos) or addOnly (only adds photos).") var level: Level
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "The assets that the script sees, else all; with -, identifiers are read from standard input.",
      valueName: "identifier"))
  var select: [String] = []

  enum Level: String, ExpressibleByArgument, CaseIterable {
    case readWrite, addOnly

    var accessLevel: PHAccessLevel { self == .readWrite ? .readWrite : .addOnly }
  }

  func validate() throws {
    if level == .addOnly, !select.isEmpty {
      throw ValidationError("--select needs the level readWrite: a script that only adds sees no photos")
    }
  }

  func run() throws {
    let library = try options.open()
    let assets = select.isEmpty ? nil : try library.assets(named: AssetArguments.read(select)).uniqued()
    // Standard input is empty if the first command of a pipe failed.
    if let assets, assets.isEmpty { throw CommandError("no assets are named") }
    try Output.write(
      PhotosServer.makeToken(named: name, accessLevel: level.accessLevel, limitedTo: assets, in: library))
  }
}
