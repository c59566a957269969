import Foundation
import Photos
import PhotosTesting
import TestSupport
import Testing

/// A library of three photos, of which `IMG_1.JPG` is the oldest, and the program that works on it.
struct OrganizedLibrary {
  let temporary: TemporaryLibrary
  let program: Program
  /// The identifiers, oldest photo first.
  let identifiers: [String]

  init() throws {
    temporary = try TemporaryLibrary()
    program = Program(library: temporary.url.path)
    identifiers = try temporary.add(
      (1...3).map { number in
        let date = Date(timeIntervalSince1970: 1_600_000_000 + Double(number) * 86_400)
        return SampleFile(
          "IMG_\(number).JPG",
          try SampleMedia.jpeg(
            size: PictureSize(width: 64, height: 48), seed: UInt64(number),
            metadata: SampleMetadata(captureDate: date, offset: 0)))
      }
    ).map(\.localIdentifier)
  }

  /// Returns the file names in the output of `list` with these arguments.
  func names(_ arguments: String...) throws -> [String] {
    let outcome = try program.run(arguments: ["list"] + arguments)
    #expect(outcome.errors == "")
    return outcome.lines.map { line in String(line.split(separator: " ").last ?? "") }
  }

  func objects(_ arguments: String...) throws -> [[String: Any]] {
    try program.run(arguments: arguments).lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }
}

@Suite struct AlbumProgramTests {
  let organized: OrganizedLibrary
  var program: Program { organized.program }
  var identifiers: [String] { organized.identifiers }

  init() throws { organized = try OrganizedLibrary() }

  private func makeTree() throws {
    for arguments in [
      ["folder", "create", "Travels"], ["album", "create", "Norway", "--in", "Travels"], ["album", "create", "Home"],
    ] { #expect(try program.run(arguments: arguments).status == 0) }
  }

  /// Returns the titles with their indentation.
  private func tree(_ arguments: String...) throws -> [String] {
    try program.run(arguments: arguments).output.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0.drop { $0 == " " }.drop { $0 != " " }.dropFirst(2).dropFirst(45)) }.dropLast()
  }

  @Test func albumsShowsTheTreeAndThenTheSmartAlbums() throws {
    try makeTree()
    #expect(try tree("albums") == ["Travels/", "  Norway", "Home", "", "Recents", "Recently Added"])
    #expect(try tree("folder", "list") == ["Travels/", "  Norway", "Home"])
    #expect(try tree("folder", "list", "Travels") == ["Norway"])
  }

  @Test func albumsAsJSON() throws {
    try makeTree()
    let norway = try #require(try organized.objects("albums", "--json").dropFirst().first)
    #expect(norway.keys.sorted() == ["count", "kind", "localIdentifier", "path", "title"])
    #expect(norway["path"] as? [String] == ["Travels", "Norway"])
    #expect(norway["kind"] as? String == "album")
    let all = try organized.objects("albums", "--all", "--json").compactMap { $0["title"] as? String }
    #expect(all.contains("Favorites"))
  }

  @Test func creatingSaysTheIdentifier() throws {
    let outcome = try program.run("album", "create", "Norway")
    #expect(outcome.output.hasPrefix("Created the album Norway: "))
    #expect(outcome.output.hasSuffix("/L0/040\n"))
    let object = try #require(try organized.objects("folder", "create", "Travels", "--json").first)
    #expect(object["change"] as? String == "create")
    #expect(object["title"] as? String == "Travels")
  }

  @Test func aRenamedAlbumHasItsNewTitle() throws {
    try makeTree()
    #expect(try program.run("album", "rename", "Home", "House").output == "Renamed the album Home to House\n")
    #expect(try program.run("folder", "rename", "Travels", "Trips").output == "Renamed the folder Travels to Trips\n")
    #expect(try tree("folder", "list") == ["Trips/", "  Norway", "House"])
  }

  @Test func anAlbumTakesAssetsAndKeepsTheirOrder() throws {
    try makeTree()
    #expect(
      try program.run("album", "add", "Norway", identifiers[1], identifiers[0]).output
        == "Added 2 assets to Travels/Norway\n")
    #expect(
      try program.run("album", "add", "Norway", identifiers[2], identifiers[0]).output
        == "Added 1 asset to Travels/Norway; 1 was in it already\n")
    #expect(try organized.names("--in", "Travels/Norway") == ["IMG_2.JPG", "IMG_1.JPG", "IMG_3.JPG"])
    #expect(try organized.names("--in", "Norway", "--sort", "creationDate") == ["IMG_1.JPG", "IMG_2.JPG", "IMG_3.JPG"])
  }

  @Test func identifiersComeFromStandardInputToo() throws {
    try makeTree()
    let text = "\(identifiers[0])\n{\"localIdentifier\":\"\(identifiers[2])\"}\n\n"
    let outcome = try program.run(arguments: ["album", "add", "Home", "-"], input: text)
    #expect(outcome.output == "Added 2 assets to Home\n")
    let wrong = try program.run(arguments: ["album", "add", "Home", "-"], input: "{\"id\":1}\n")
    #expect(wrong.errors == "calotype: a line on standard input has no localIdentifier: {\"id\":1}\n")
  }

  @Test(
    "An asset moves within its album",
    arguments: [
      (["--to", "0"], ["IMG_3.JPG", "IMG_1.JPG", "IMG_2.JPG"]),
      (["--after", "0"], ["IMG_1.JPG", "IMG_3.JPG", "IMG_2.JPG"]),
      (["--before", "1"], ["IMG_1.JPG", "IMG_3.JPG", "IMG_2.JPG"]),
    ])
  func move(where place: [String], order: [String]) throws {
    try makeTree()
    #expect(try program.run(arguments: ["album", "add", "Home"] + identifiers).status == 0)
    let target = place[0] == "--to" ? place[1] : identifiers[Int(place[1]) ?? 0]
    let outcome = try program.run("album", "move", "Home", identifiers[2], place[0], target)
    #expect(outcome.output == "Moved 1 asset in Home\n")
    #expect(try organized.names("--in", "Home") == order)
  }

  @Test func aWrongPlaceIsNamed() throws {
    try makeTree()
    #expect(try program.run(arguments: ["album", "add", "Home"] + identifiers).status == 0)
    #expect(
      try program.run("album", "move", "Home", identifiers[0], "--to", "3").errors
        == "calotype: --to 3: the last place in Home is 2\n")
    #expect(
      try program.run("album", "remove", "Norway", identifiers[0]).errors
        == "calotype: \(identifiers[0]): it is not in Travels/Norway\n")
  }

  @Test func removingAnAssetLeavesItInTheLibrary() throws {
    try makeTree()
    #expect(try program.run(arguments: ["album", "add", "Home"] + identifiers).status == 0)
    #expect(try program.run("album", "remove", "Home", identifiers[1]).output == "Removed 1 asset from Home\n")
    #expect(try organized.names("--in", "Home") == ["IMG_1.JPG", "IMG_3.JPG"])
    #expect(try organized.names().count == 3)
  }

  @Test func anAlbumIsDeletedOnlyAfterAYes() throws {
    try makeTree()
    let refused = try program.run("album", "delete", "Home")
    #expect(refused.status == 1)
    #expect(
      refused.errors
        == "calotype: Delete the album Home? The assets stay in the library. Nothing was changed; confirm with --yes\n")
    #expect(try program.run("album", "delete", "Home", "--yes").output == "Deleted the album Home\n")
    #expect(try tree("folder", "list") == ["Travels/", "  Norway"])
  }

  @Test func aDeletedFolderSaysWhatGoesWithIt() throws {
    try makeTree()
    #expect(
      try program.run("folder", "delete", "Travels", "--yes").output == "Deleted the folder Travels with 1 album\n")
    #expect(try tree("folder", "list") == ["Home"])
  }

  @Test func collectionsMoveBetweenFolders() throws {
    try makeTree()
    #expect(
      try program.run("folder", "move", "Home", "--into", "Travels", "--to", "0").output
        == "Moved Home to place 0 of Travels\n")
    #expect(try tree("folder", "list") == ["Travels/", "  Home", "  Norway"])
    #expect(
      try program.run("folder", "move", "Home", "--to", "1").output == "Moved Travels/Home to place 1 of Travels\n")
    #expect(
      try program.run("folder", "move", "Norway", "--to-top").output
        == "Moved Travels/Norway to place 1 of the top level\n")
    #expect(try tree("folder", "list") == ["Travels/", "  Home", "Norway"])
    #expect(
      try program.run("folder", "move", "Travels", "--into", "Travels").errors
        == "calotype: Travels: a folder can't be moved into itself or into one of its subfolders\n")
  }

  @Test func anUnknownAlbumIsNamedWithTheNearest() throws {
    try makeTree()
    let outcome = try program.run("album", "delete", "Norwya", "--yes")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "calotype: Norwya: there is no such album; did you mean “Travels/Norway”?\n")
    #expect(
      try program.run("album", "delete", "Favorites", "--yes").errors
        == "calotype: Favorites: this is a smart album, but the command needs an album\n")
    #expect(try program.run("list", "--in", "Zebra").errors == "calotype: Zebra: there is no such album\n")
  }

  @Test func `info shows the texts and the albums with their folders`() throws {
    try makeTree()
    let library = organized.temporary.library
    let options = PHFetchOptions()
    options.photoLibrary = library
    let asset = try #require(
      PHAsset.fetchAssets(withLocalIdentifiers: [identifiers[0]], options: options).firstObject)
    try library.performChangesAndWait {
      let request = PHAssetChangeRequest(for: asset)
      request.title = "Fjord"
      request.caption = "In the morning,\nbefore the rain"
      request.keywords = ["water", "north"]
    }
    for album in ["Home", "Norway"] { #expect(try program.run("album", "add", album, identifiers[0]).status == 0) }

    let text = try program.run("info", identifiers[0]).output
    #expect(text.contains("\nTitle:          Fjord\nCaption:        In the morning, before the rain\n"), "\(text)")
    #expect(text.contains("\nAlbum:          Home\n") && text.contains("\nAlbum:          Travels/Norway\n"), "\(text)")
    let keywords = try #require(text.split(separator: "\n").first { $0.hasPrefix("Keywords:       ") })
    #expect(Set(keywords.dropFirst(16).split(separator: ", ")) == ["water", "north"])

    let object = try #require(organized.objects("info", "--json", identifiers[0]).first)
    #expect(object["title"] as? String == "Fjord")
    #expect(object["caption"] as? String == "In the morning,\nbefore the rain")
    #expect(Set(try #require(object["keywords"] as? [String])) == ["water", "north"])
    let albums = try #require(object["albums"] as? [[String: Any]])
    #expect(albums.allSatisfy { $0.keys.sorted() == ["localIdentifier", "path", "title"] })
    #expect(Set(albums.compactMap { $0["path"] as? [String] }) == [["Home"], ["Travels", "Norway"]])
  }

  @Test func `info of a photo without texts and albums names none`() throws {
    let text = try program.run("info", identifiers[0]).output
    for name in ["Title:", "Caption:", "Keywords:", "Album:"] { #expect(!text.contains(name), "\(text)") }
    let object = try #require(organized.objects("info", "--json", identifiers[0]).first)
    #expect(object["title"] is NSNull && object["caption"] is NSNull)
    #expect((object["keywords"] as? [Any])?.isEmpty == true && (object["albums"] as? [Any])?.isEmpty == true)
  }

  @Test func anAmbiguousTitleListsWhatItCouldMean() throws {
    try makeTree()
    #expect(try program.run("album", "create", "Norway").status == 0)
    let outcome = try program.run("album", "add", "Norway", identifiers[0])
    #expect(outcome.status == 1)
    let lines = outcome.errors.split(separator: "\n")
    #expect(
      lines.first
        == "calotype: Norway: 2 collections have this name; use the identifier or a longer path:")
    #expect(lines.dropFirst().map { $0.split(separator: " ").last } == ["/Travels/Norway", "/Norway"])
    #expect(try program.run("album", "add", "/Norway", identifiers[0]).output == "Added 1 asset to Norway\n")
  }

  @Test(
    "A wrong usage has exit status 2",
    arguments: [
      ["album", "create", " "], ["album", "add", "A"], ["album", "move", "A", "B"],
      ["album", "move", "A", "B", "--to", "1", "--before", "C"], ["folder", "move", "A"],
      ["folder", "move", "A", "--to-top", "--into", "B"], ["favorite"], ["trash", "restore"],
      ["list", "--sort", "creationDate:up"],
    ])
  func usage(arguments: [String]) throws { #expect(try program.run(arguments: arguments).status == 2) }
}
