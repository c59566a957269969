import Foundation
import Photos
import PhotosTesting
import TestSupport
import Testing

@Suite struct AccessTests {
  let temporary: TemporaryLibrary
  let program: Program
  let photos: [String]

  init() throws {
    temporary = try TemporaryLibrary()
    program = Program(library: temporary.url.path)
    photos = try temporary.add(
      (0..<2).map {
        SampleFile("IMG_\($0).JPG", try SampleMedia.jpeg(size: PictureSize(width: 16, height: 16), seed: $0))
      }
    ).map(\.localIdentifier)
  }

  /// Returns the number of assets that a client of the library finds.
  private func seen(by client: String) -> Int {
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library.photoLibrary(for: LibraryClient(identifier: client))
    return PHAsset.fetchAssets(with: options).count
  }

  @Test func aLibraryThatNobodyUsesHasNoClients() throws {
    let outcome = try program.run("access", "list")
    #expect(outcome.status == 0)
    #expect(outcome.output == "")
  }

  @Test func aProgramIsAllowedBeforeItAsks() throws {
    #expect(
      try program.run("access", "grant", "com.example.Slideshow").output == "authorized      com.example.Slideshow\n")
    #expect(seen(by: "com.example.Slideshow") == 2)
  }

  @Test func `a client that may only add finds no assets`() throws {
    let outcome = try program.run("access", "grant", "--add-only", "com.example.Collage")
    #expect(outcome.output == "add only        com.example.Collage\n")
    #expect(seen(by: "com.example.Collage") == 0)
  }

  @Test func aLimitedProgramSeesWhatIsNamed() throws {
    let outcome = try program.run("access", "limit", "com.example.Slideshow", photos[0])
    #expect(outcome.output == "limited to 1    com.example.Slideshow\n")
    #expect(seen(by: "com.example.Slideshow") == 1)
  }

  @Test(arguments: [
    ("https://frame.example/", "https://frame.example"), ("HTTPS://Frame.Example", "https://frame.example"),
    ("https://frame.example:443", "https://frame.example"), ("http://[::1]:8080/", "http://[::1]:8080"),
  ])
  func `a web page is named by its origin, however it is written`(written: String, origin: String) throws {
    _ = try program.run("access", "grant", origin)
    let outcome = try program.run("access", "revoke", written)
    #expect(outcome.output == "denied          \(origin)\n")
    #expect(outcome.errors == "")
    #expect(seen(by: origin) == 0)
  }

  @Test(arguments: ["https://frame.example/path", "https://", "ftp://frame.example", "https://frame.example?a"])
  func `an address that is no origin gets no access`(address: String) throws {
    let outcome = try program.run("access", "grant", address)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("\(address) is not the origin of a web page, such as https://example.com"))
    #expect(try program.run("access", "list").output == "")
  }

  @Test func `a decision about an unknown client says that it is unknown`() throws {
    _ = try program.run("access", "grant", "com.example.Slideshow")
    let outcome = try program.run("access", "revoke", "com.example.slideshow")
    #expect(outcome.status == 0)
    #expect(
      outcome.errors == "com.example.slideshow has not asked for access yet; `calotype access list` shows who has\n")
  }

  @Test(arguments: ["grant", "revoke"])
  func `a key that does not exist is an error`(command: String) throws {
    let outcome = try program.run("access", command, "key:Frame")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "calotype: key:Frame: there is no such key; `calotype access token` makes one\n")
    #expect(try program.run("access", "list").output == "")
  }

  @Test func aRevokedClientIsDenied() throws {
    _ = try program.run("access", "grant", "com.example.Slideshow")
    #expect(
      try program.run("access", "revoke", "com.example.Slideshow").output == "denied          com.example.Slideshow\n")
    #expect(seen(by: "com.example.Slideshow") == 0)
  }

  @Test func `a forgotten client is not listed`() throws {
    _ = try program.run("access", "limit", "com.example.Slideshow", photos[0])
    #expect(
      try program.run("access", "revoke", "--forget", "com.example.Slideshow").output
        == "not determined  com.example.Slideshow\n")
    #expect(try program.run("access", "list").output == "")
  }

  /// Gives one client each state of access.
  private func makeClients() throws {
    let library = temporary.library
    _ = try program.run("access", "grant", "com.example.A")
    _ = try program.run("access", "limit", "com.example.B", photos[0], photos[1])
    _ = try program.run("access", "grant", "--add-only", "https://example.com")
    try library.setAuthorization(
      .restricted, for: LibraryClient(identifier: "/opt/show", name: "show"), accessLevel: .readWrite)
    try library.setAuthorization(
      .notDetermined, for: LibraryClient(identifier: "com.example.C", name: "Slide\u{1B}show"), accessLevel: .readWrite)
  }

  @Test func theListSaysWhoMayDoWhat() throws {
    try makeClients()
    #expect(
      try program.run("access", "list").output == """
        restricted      /opt/show  show
        authorized      com.example.A
        limited to 2    com.example.B
        not determined  com.example.C  Slide?show
        add only        https://example.com

        """)
  }

  @Test func `access without a subcommand lists the clients`() throws {
    try makeClients()
    #expect(try program.run("access").output == program.run("access", "list").output)
  }

  @Test func `access token prints a key once, and lists the script`() throws {
    let outcome = try program.run("access", "token", "Frame", "--level", "readWrite", "--select", photos[0])
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("cal_"))
    #expect(outcome.output.count == 54)
    #expect(try program.run("access", "list").output == "limited to 1    key:Frame  Frame\n")
    #expect(seen(by: "key:Frame") == 1)
  }

  @Test func `access token for adding selects nothing`() throws {
    let outcome = try program.run("access", "token", "Frame", "--level", "addOnly", "--select", photos[0])
    #expect(outcome.status == 2)
    _ = try program.run("access", "token", "Scanner", "--level", "addOnly")
    #expect(try program.run("access", "list").output == "add only        key:Scanner  Scanner\n")
  }

  @Test func theListIsToldAsJSON() throws {
    try makeClients()
    #expect(
      try program.run("access", "list", "--json").output == """
        {"addOnly":"notDetermined","client":"/opt/show","name":"show","readWrite":"restricted","selectedAssets":0}
        {"addOnly":"authorized","client":"com.example.A","name":"com.example.A","readWrite":"authorized","selectedAssets":0}
        {"addOnly":"authorized","client":"com.example.B","name":"com.example.B","readWrite":"limited","selectedAssets":2}
        {"addOnly":"notDetermined","client":"com.example.C","name":"Slide\\u001bshow","readWrite":"notDetermined","selectedAssets":0}
        {"addOnly":"authorized","client":"https://example.com","name":"https://example.com","readWrite":"denied","selectedAssets":0}

        """)
  }

  @Test func aProgramIsDeniedBeforeItAsks() throws {
    #expect(try program.run("access", "revoke", "com.example.Nobody").output == "denied          com.example.Nobody\n")
  }

  @Test func aProgramIsLimitedToWhatStandardInputNames() throws {
    let outcome = try program.run(
      arguments: ["access", "limit", "com.example.Slideshow", "-"], input: photos.joined(separator: "\n"))
    #expect(outcome.output == "limited to 2    com.example.Slideshow\n")
  }

  @Test func `access limit fails if standard input names no assets`() throws {
    let outcome = try program.run(arguments: ["access", "limit", "com.example.Slideshow", "-"])
    #expect(outcome.status == 1)
    #expect(outcome.errors == "calotype: no assets are named; `access revoke` removes all access\n")
  }

  @Test func `access grant refuses the path of a folder`() throws {
    let outcome = try program.run("access", "grant", temporary.folder.path)
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("Error: \(temporary.folder.path) is a folder; give the path"))
  }

  @Test func aDecisionIsPrintedAsJSON() throws {
    #expect(
      try program.run("access", "grant", "--json", "com.example.A").output == """
        {"addOnly":"authorized","client":"com.example.A","name":"com.example.A","readWrite":"authorized","selectedAssets":0}

        """)
  }

  @Test func aProgramIsKnownByItsPathWithoutLinks() throws {
    let folder = temporary.folder.appendingPathComponent("bin")
    let file = folder.appendingPathComponent("slideshow-1")
    let link = folder.appendingPathComponent("slideshow")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("#!/bin/sh\n".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    _ = try program.run("access", "grant", link.path)
    let clients = try temporary.library.clients().map(\.client.identifier)
    #expect(clients == [file.resolvingSymlinksInPath().path])
  }

  @Test func aClientWithoutANameIsRefused() throws {
    let outcome = try program.run("access", "grant", " ")
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("Error: the client's identifier is empty\n"))
  }

  @Test func aClientThatNobodyKnowsIsNotForgotten() throws {
    let outcome = try program.run("access", "revoke", "--forget", "com.example.Nobody")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "calotype: com.example.Nobody: there is no such client\n")
  }

  @Test func anUnknownAssetLimitsNobody() throws {
    let outcome = try program.run("access", "limit", "com.example.Slideshow", "nothing")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "calotype: nothing: there is no such asset\n")
    #expect(try program.run("access", "list").output == "")
  }

  @Test(
    "A wrong usage has exit status 2",
    arguments: [["grant"], ["limit", "com.example.A"], ["revoke"], ["allow", "com.example.A"]])
  func usage(arguments: [String]) throws {
    #expect(try program.run(arguments: ["access"] + arguments).status == 2)
  }
}
