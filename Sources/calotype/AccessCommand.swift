import ArgumentParser
import Essentials
import Photos

struct AccessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "access",
    abstract: "Decide which programs may use the library.",
    discussion: """
      A client is a program that uses PhotoKit, a web page, a program on another machine, or a script with \
      a key. A program is named by its bundle identifier, or by its path if it has none. A web page is named \
      by its origin, another machine's program by `remote:NAME`, and a script by `key:NAME`. A decision takes \
      effect immediately, for running programs too. You can decide on a program before it asks.

      EXAMPLES
        calotype access list
        calotype access grant com.example.Slideshow
        calotype access limit com.example.Slideshow 0BD5B4E2-…/L0/001
        calotype access revoke com.example.Slideshow
        calotype access token Backup --level readWrite
      """,
    subcommands: [
      AccessListCommand.self, AccessGrantCommand.self, AccessLimitCommand.self, AccessRevokeCommand.self,
      AccessTokenCommand.self,
    ], defaultSubcommand: AccessListCommand.self)
}

struct AccessListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the programs that asked for access, or that you have decided on.",
    discussion: """
      Prints the access, the identifier and the name of each client:

      `authorized`: sees and changes everything

      `limited to N`: sees N assets

      `add only`: adds photos and videos, and sees none

      `denied`, `restricted`: has no access

      `not determined`: waits for your decision
      """)

  @OptionGroup var options: LibraryOptions
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    for client in try options.open().clients() {
      if json {
        try JSONLines.print(ClientDescription(client))
      } else {
        try Output.write(client.line)
      }
    }
  }
}

struct AccessGrantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant",
    abstract: "Let a program see and change the whole library.",
    discussion: "You can allow a program before it asks for access.")

  @OptionGroup var options: LibraryOptions
  @OptionGroup var named: ClientArgument
  @Flag(help: "Let it add photos and videos, but see none.") var addOnly = false

  func run() throws {
    let library = try options.open()
    // Read access includes adding, so a client that may only add must lose its read access.
    let client = try named.client(in: library)
    try library.setAuthorization(addOnly ? .denied : .authorized, for: client, accessLevel: .readWrite)
    try library.setAuthorization(.authorized, for: client, accessLevel: .addOnly)
    try named.writeAuthorization(in: library)
  }
}

struct AccessLimitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limit",
    abstract: "Let a program see these assets and no others.",
    discussion: """
      The program sees these assets instead of those that it saw before, and also what it adds later. You \
      can limit a program before it asks.

      EXAMPLE
        calotype list --in Norway --json | calotype access limit com.example.Show -
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var named: ClientArgument
  @OptionGroup var selection: AssetArguments

  func run() throws {
    let library = try options.open()
    let assets = try selection.assets(in: library)
    // Standard input is empty if the first command of a pipe failed.
    guard !assets.isEmpty else { throw CommandError("no assets are named; `access revoke` removes all access") }
    try library.setAuthorization(limitedTo: assets, for: named.client(in: library))
    try named.writeAuthorization(in: library)
  }
}

struct AccessRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Remove a program's access.",
    discussion: """
      The program can't ask again, unless you also give --forget. You can deny access before a program asks.
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var named: ClientArgument
  @Flag(help: "Forget the program and the assets chosen for it, so that it can ask again.") var forget = false

  func run() throws {
    let library = try options.open()
    if forget {
      guard var known = try named.authorization(in: library) else {
        throw CommandError("\(named.client.identifier): there is no such client")
      }
      try library.forget(known.client)
      (known.readWrite, known.addOnly, known.selectedAssetCount) = (.notDetermined, .notDetermined, 0)
      try named.write(known)
    } else {
      let client = try named.client(in: library)
      try library.setAuthorization(.denied, for: client, accessLevel: .readWrite)
      try library.setAuthorization(.denied, for: client, accessLevel: .addOnly)
      try named.writeAuthorization(in: library)
    }
  }
}

/// The client to decide about, and the output of its access after the decision.
struct ClientArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The bundle identifier or path of a program, or the origin of a web page.", valueName: "client"))
  var identifier: String
  @Flag(help: "Print one JSON object.") var json = false

  func validate() throws {
    if identifier.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
      throw ValidationError("the client's identifier is empty")
    }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue, path.contains("/") {
      throw ValidationError("\(identifier) is a folder; give the path of the program's executable")
    }
    if identifier.contains("://"), origin == nil {
      throw ValidationError("\(identifier) is not the origin of a web page, such as https://example.com")
    }
  }

  /// A path of an existing file is a program's. `LibraryClient` finds out the program's identifier.
  var client: LibraryClient {
    path.contains("/") && FileManager.default.fileExists(atPath: path)
      ? LibraryClient(executable: URL(fileURLWithPath: path)) : LibraryClient(identifier: origin ?? identifier)
  }

  /// The origin as browsers send it: in small letters, without the slash at the end or the usual
  /// port.
  private var origin: String? {
    guard let page = URLComponents(string: identifier), let scheme = page.scheme?.lowercased(),
      let usualPort = ["https": 443, "http": 80][scheme], let host = page.encodedHost?.lowercased(), !host.isEmpty,
      ["", "/"].contains(page.path), page.user == nil, page.query == nil, page.fragment == nil
    else { return nil }
    let port = page.port == usualPort ? nil : page.port
    return "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "")
  }

  /// Returns the client of a decision. Says so if the library has not known it until now: its name
  /// may be mistyped.
  func client(in library: PHPhotoLibrary) throws -> LibraryClient {
    let client = client
    guard try authorization(in: library) == nil else { return client }
    guard !identifier.hasPrefix("key:") else {
      throw CommandError("\(identifier): there is no such key; `calotype access token` makes one")
    }
    Output.writeToStderr("\(client.identifier) has not asked for access yet; `calotype access list` shows who has\n")
    return client
  }

  private var path: String { AccountFolders.expandingHome(in: identifier) }

  func authorization(in library: PHPhotoLibrary) throws -> ClientAuthorization? {
    let identifier = client.identifier
    // The identifier may be a path, in which two Unicode forms of one letter are different files.
    return try library.clients().first { $0.client.identifier.utf8.elementsEqual(identifier.utf8) }
  }

  func writeAuthorization(in library: PHPhotoLibrary) throws { try authorization(in: library).map(write) }

  func write(_ authorization: ClientAuthorization) throws {
    if json { try JSONLines.print(ClientDescription(authorization)) } else { try Output.write(authorization.line) }
  }
}

extension ClientAuthorization {
  /// The client's access, identifier and name on one line.
  fileprivate var line: String {
    let name = client.name == client.identifier ? [] : [client.name]
    return ([access.padded(to: 14), client.identifier] + name).joined(separator: "  ")
  }

  private var access: String {
    switch (readWrite, addOnly) {
    case (.authorized, _): "authorized"
    case (.limited, _): "limited to \(selectedAssetCount)"
    case (_, .authorized): "add only"
    case (.restricted, _), (_, .restricted): "restricted"
    case (.denied, _): "denied"
    case (.notDetermined, _): "not determined"
    }
  }
}

private struct ClientDescription: Encodable {
  var client: String
  var name: String
  var readWrite: String
  var addOnly: String
  var selectedAssets: Int

  init(_ authorization: ClientAuthorization) {
    client = authorization.client.identifier
    name = authorization.client.name
    readWrite = "\(authorization.readWrite)"
    addOnly = "\(authorization.addOnly)"
    selectedAssets = authorization.selectedAssetCount
  }
}
