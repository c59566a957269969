import ArgumentParser
import Photos

struct AccessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "access",
    abstract: "Decide which programs may use the library.",
    discussion: """
      A program that uses PhotoKit is a client of the library, named by its bundle identifier, or by its path if it has none. A web \
      page is a client, too, named by its origin. A decision takes effect immediately, also for running programs. A program can be \
      decided on before it asks.

      EXAMPLES
        calotype access list
        calotype access grant com.example.Slideshow
        calotype access limit com.example.Slideshow 0BD5B4E2-…/L0/001
        calotype access revoke com.example.Slideshow
      """,
    subcommands: [AccessListCommand.self, AccessGrantCommand.self, AccessLimitCommand.self, AccessRevokeCommand.self])
}

struct AccessListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the programs that have asked for access or have a decision.",
    discussion: """
      Prints the access, the identifier and the name of each. `authorized` sees and changes everything, `limited to N` sees N assets, \
      `add only` adds and sees nothing, `denied` and `restricted` do nothing, `not determined` waits for a decision.
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
    discussion: "A program can be allowed before it asks for access.")

  @OptionGroup var options: LibraryOptions
  @OptionGroup var named: ClientArgument
  @Flag(help: "Let it add photos and videos, but see none.") var addOnly = false

  func run() throws {
    let library = try options.open()
    // Read access includes adding, so a client that may only add must lose its read access.
    try library.setAuthorization(
      addOnly ? .denied : .authorized, for: named.client, accessLevel: .readWrite)
    try library.setAuthorization(.authorized, for: named.client, accessLevel: .addOnly)
    try named.writeAuthorization(in: library)
  }
}

struct AccessLimitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "limit",
    abstract: "Let a program see these assets and no others.",
    discussion: """
      The assets replace those that it saw before. It also sees what it adds later. A program can be limited before it asks.

      EXAMPLE
        calotype list --in Holiday --json | calotype access limit com.example.Slideshow -
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var named: ClientArgument
  @OptionGroup var selection: AssetArguments

  func run() throws {
    let library = try options.open()
    let assets = try selection.assets(in: library)
    // Standard input is empty if the first command of a pipe failed.
    guard !assets.isEmpty else { throw CommandError("no assets are named; `access revoke` takes all access away") }
    try library.setAuthorization(limitedTo: assets, for: named.client)
    try named.writeAuthorization(in: library)
  }
}

struct AccessRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke",
    abstract: "Take a program's access away.",
    discussion: """
      It may not ask again, unless it is forgotten. A program can be denied before it asks.
      """)

  @OptionGroup var options: LibraryOptions
  @OptionGroup var named: ClientArgument
  @Flag(help: "Forget the program and the assets chosen for it: it may ask again.") var forget = false

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
      try library.setAuthorization(.denied, for: named.client, accessLevel: .readWrite)
      try library.setAuthorization(.denied, for: named.client, accessLevel: .addOnly)
      try named.writeAuthorization(in: library)
    }
  }
}

/// The client to decide about, and the output of its access after the decision.
struct ClientArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The program's bundle identifier, or its path; a web page's origin.", valueName: "client"))
  var identifier: String
  @Flag(help: "Print one JSON object.") var json = false

  func validate() throws {
    if identifier.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
      throw ValidationError("the client's identifier is empty")
    }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue, path.contains("/") {
      throw ValidationError("\(identifier) is a folder; a client is named by its executable's path")
    }
  }

  /// A path of an existing file is a program's. `LibraryClient` finds out the program's identifier.
  var client: LibraryClient {
    path.contains("/") && FileManager.default.fileExists(atPath: path)
      ? LibraryClient(executable: URL(fileURLWithPath: path)) : LibraryClient(identifier: identifier)
  }

  private var path: String { (identifier as NSString).expandingTildeInPath }

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
