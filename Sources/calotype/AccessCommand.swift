import ArgumentParser
import Foundation
import Photos

struct AccessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "access",
    abstract: "Say which programs may see or change the library.",
    discussion: """
      A client is a program or a web origin, by the identifier that it asks with. What it is allowed is kept in the library; it can be given before
      the client asks for it.

      EXAMPLES
        calotype access list
        calotype access grant com.example.Slideshow
        calotype access limit com.example.Slideshow 0BD5B4E2-…/L0/001
      """,
    subcommands: [List.self, Grant.self, Limit.self, Revoke.self])
}

extension AccessCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the clients and what each may do.")

    @OptionGroup var options: LibraryOptions
    @Flag(help: "Print one JSON object a line.") var json = false

    private struct ClientDescription: Encodable {
      var identifier: String
      var name: String
      var readWrite: String
      var addOnly: String
      var selectedAssets: Int
    }

    func run() throws {
      for grant in try options.open().clients() {
        if json {
          try JSONLines.print(
            ClientDescription(
              identifier: grant.client.identifier, name: grant.client.name, readWrite: "\(grant.readWrite)",
              addOnly: "\(grant.addOnly)", selectedAssets: grant.selectedAssetCount))
        } else {
          try Output.write("\(Self.words(grant).padded(to: 24))  \(grant.client.identifier)")
        }
      }
    }

    private static func words(_ grant: PHClientGrant) -> String {
      switch (grant.readWrite, grant.addOnly) {
      case (.authorized, _): "sees everything"
      case (.limited, _): "sees \(grant.selectedAssetCount) asset\(grant.selectedAssetCount == 1 ? "" : "s")"
      case (_, .authorized): "adds only"
      case (.notDetermined, .notDetermined): "has not been answered"
      default: "sees nothing"
      }
    }
  }

  struct Grant: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Let a client see and change everything.")

    @OptionGroup var options: LibraryOptions
    @Flag(help: "Let it add assets, and see none.") var addOnly = false
    @Argument(help: "The client’s identifier.") var client: String

    func run() throws {
      let library = try options.open()
      let level = addOnly ? PHAccessLevel.addOnly : .readWrite
      try library.setAuthorizationStatus(.authorized, for: PHClient(identifier: client), accessLevel: level)
      try Output.write("\(client) \(addOnly ? "may add assets" : "sees everything")")
    }
  }

  struct Limit: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Let a client see these assets alone, and what it adds itself.")

    @OptionGroup var options: LibraryOptions
    @Argument(help: "The client’s identifier.") var client: String
    @Argument(help: ArgumentHelp("Identifiers of assets, as `list` prints them.", valueName: "identifier"))
    var identifiers: [String] = []

    func run() throws {
      let library = try options.open()
      let client = PHClient(identifier: client)
      // Known first, so that nothing is half done.
      let assets = try library.assets(named: identifiers)
      try library.setAuthorizationStatus(.limited, for: client, accessLevel: .readWrite)
      try library.deselectAll(for: client)
      try library.select(assets.map(\.localIdentifier), for: client)
      try Output.write("\(client.identifier) sees \(assets.count) asset\(assets.count == 1 ? "" : "s")")
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Take all access back from a client.")

    @OptionGroup var options: LibraryOptions
    @Argument(help: "The client’s identifier.") var client: String

    func run() throws {
      let library = try options.open()
      guard try library.clients().contains(where: { $0.client.identifier == client }) else {
        throw CommandError("\(client): the library knows no such client")
      }
      for level in [PHAccessLevel.readWrite, .addOnly] {
        try library.setAuthorizationStatus(.denied, for: PHClient(identifier: client), accessLevel: level)
      }
      try Output.write("\(client) sees nothing")
    }
  }
}
