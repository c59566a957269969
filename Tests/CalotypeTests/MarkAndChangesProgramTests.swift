import Foundation
import Photos
import PhotosTesting
import TestSupport
import Testing

@Suite struct MarkProgramTests {
  let organized: OrganizedLibrary
  var program: Program { organized.program }
  var identifiers: [String] { organized.identifiers }

  init() throws { organized = try OrganizedLibrary() }

  @Test func favoritesComeAndGo() throws {
    #expect(try program.run("favorite", identifiers[0], identifiers[1]).output == "Made 2 assets favorites\n")
    #expect(try organized.names("--in", "favorites") == ["IMG_2.JPG", "IMG_1.JPG"])
    #expect(
      try program.run("favorite", "--off", identifiers[0], "--json").output
        == #"{"change":"unfavorite","localIdentifier":"\#(identifiers[0])"}"# + "\n")
    #expect(try organized.names("--in", "Favorites") == ["IMG_2.JPG"])
  }

  @Test func hiddenAssetsAreInTheirSmartAlbum() throws {
    #expect(try program.run("hide", identifiers[0]).output == "Hid 1 asset\n")
    #expect(try organized.names("--in", "Hidden") == ["IMG_1.JPG"])
    #expect(try program.run("hide", "--off", identifiers[0]).output == "Unhid 1 asset\n")
    #expect(try organized.names("--in", "Hidden") == [])
  }

  @Test func oneUnknownAssetStopsAll() throws {
    let outcome = try program.run("favorite", identifiers[0], "nothing")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "calotype: nothing: there is no such asset\n")
    #expect(try organized.names("--in", "Favorites") == [])
  }

  @Test func deletedAssetsAreRestored() throws {
    let refused = try program.run("delete", identifiers[0], identifiers[1])
    #expect(refused.status == 1)
    #expect(refused.errors == "calotype: Delete 2 assets? Nothing was changed; confirm with --yes\n")
    #expect(
      try program.run("delete", "--yes", identifiers[0], identifiers[1]).output
        == "Moved 2 assets to Recently Deleted; they can be restored for 30 days\n")
    #expect(try organized.names() == ["IMG_3.JPG"])
    let lines = try program.run("trash", "list").lines
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix("30 days left  20") })
    let object = try #require(try organized.objects("trash", "list", "--json").first)
    #expect(object["daysLeft"] as? Int == 30)
    #expect(object["trashedDate"] is String)
    #expect(object["originalFilename"] is String)
    #expect(try program.run("trash", "restore", identifiers[0]).output == "Restored 1 asset\n")
    #expect(
      try program.run("trash", "restore", identifiers[0]).errors
        == "calotype: \(identifiers[0]): it is not in Recently Deleted\n")
    #expect(try program.run("trash", "restore", "--all").output == "Restored 1 asset\n")
    #expect(try organized.names().count == 3)
  }

  @Test func emptyingTheTrashRemovesTheFiles() throws {
    #expect(try program.run("delete", "--yes", identifiers[0], identifiers[1]).status == 0)
    #expect(
      try program.run("trash", "empty").errors
        == "calotype: Delete 2 assets for good, with their files? Nothing was changed; confirm with --yes\n")
    #expect(try program.run("trash", "empty", identifiers[0], "--yes").output == "Deleted 1 asset for good\n")
    #expect(try program.run("trash", "list").lines.count == 1)
    #expect(try program.run("trash", "empty", "--yes").output == "Deleted 1 asset for good\n")
    #expect(try program.run("verify").output == "1 file checked: no problems\n")
  }

  @Test func listFindsAndSorts() throws {
    #expect(try organized.names("--sort", "creationDate", "--limit", "2") == ["IMG_1.JPG", "IMG_2.JPG"])
    #expect(try organized.names("--search", "img_2") == ["IMG_2.JPG"])
    let outcome = try program.run("list", "--sort", "size")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.hasPrefix(
        "calotype: Unsupported sort descriptor in fetch options: assets have no key “size”; the keys are"))
  }

  @Test func listFindsByAPredicateAndExplainsIt() throws {
    #expect(try organized.names("--where", "originalFilename ENDSWITH '2.JPG'") == ["IMG_2.JPG"])
    #expect(try organized.names("--where", "favorite == YES").isEmpty)
    let explained = try program.run("list", "--where", "favorite == YES", "--explain").lines
    #expect(
      explained.first
        == "SELECT id FROM asset WHERE visibility <= 3 AND is_favorite = 1 ORDER BY creation_date DESC, id DESC")
    let refused = try program.run("list", "--where", "size > 5")
    #expect(refused.status == 1)
    #expect(refused.errors.hasPrefix("calotype: Unsupported predicate in fetch options: assets have no key “size”"))
  }
}

@Suite struct ChangesProgramTests {
  let organized: OrganizedLibrary
  var program: Program { organized.program }

  init() throws { organized = try OrganizedLibrary() }

  private func token() throws -> String { String(try #require(try program.run("changes").lines.first)) }

  @Test func changesTellsWhatHappenedSinceAToken() throws {
    let before = try token()
    #expect(try program.run("changes", "--since", before).output == before + "\n")
    #expect(try program.run("favorite", organized.identifiers[0]).status == 0)
    let lines = try program.run("changes", "--since", before).lines
    let after = try token()
    #expect(lines.count == 3)
    #expect(lines[0].hasSuffix("  " + after))
    #expect(lines[1] == "  updated  asset   \(organized.identifiers[0])")
    #expect(lines[2] == after)
  }

  @Test func changesAsJSON() throws {
    let before = try token()
    #expect(try program.run("album", "create", "Norway").status == 0)
    let objects = try organized.objects("changes", "--since", before, "--json")
    #expect(objects.count == 2)
    #expect(objects[0].keys.sorted() == ["albums", "assets", "date", "folders", "token"])
    let albums = try #require(objects[0]["albums"] as? [String: [String]])
    #expect(albums["inserted"]?.count == 1)
    #expect(objects[1].keys.sorted() == ["token"])
    #expect(objects[1]["token"] as? String == objects[0]["token"] as? String)
  }

  @Test func aTokenThatCannotBeUsedIsNamed() throws {
    #expect(
      try program.run("changes", "--since", "x").errors
        == "calotype: “x” is not a change token; `calotype changes` prints one\n")
    let other = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F-1"
    #expect(
      try program.run("changes", "--since", other).errors
        == "calotype: \(other): this token is of another library; `calotype changes` prints one of \(program.library)\n"
    )
  }

  @Test func `changes refuses a token from the future and names it`() throws {
    let future = try token().split(separator: "-").dropLast().joined(separator: "-") + "-99999"
    let outcome = try program.run("changes", "--since", future)
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("calotype: \(future): the library’s history no longer contains this position;"))
  }

  @Test func anExpiredTokenSaysHowToGoOn() throws {
    let old = try token().split(separator: "-").dropLast().joined(separator: "-") + "-0"
    // Another program opens the library forty days later. Its commit drops the history that is
    // older than thirty days.
    let later = try PHPhotoLibrary(
      url: organized.temporary.url, create: false, clock: { Date(timeIntervalSinceNow: 40 * 86_400) })
    try later.performChangesAndWait {
      _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Norway")
    }
    let outcome = try program.run("changes", "--since", old)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "calotype: \(old): the library’s history no longer contains this position; read everything again with `calotype list`, and continue from \(try token())\n"
    )
  }

  @Test func followSeesAnotherProcess() throws {
    let follower = try program.start(["changes", "--follow", "--since", try token()])
    #expect(try program.run("favorite", organized.identifiers[1]).status == 0)
    try follower.output("change") { $0.contains(organized.identifiers[1]) }
    follower.send(SIGINT)
    let outcome = try follower.finish()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.lines
    #expect(lines.dropFirst().first == "  updated  asset   \(organized.identifiers[1])")
    #expect(lines.last.map(String.init) == (try token()))
  }
}
