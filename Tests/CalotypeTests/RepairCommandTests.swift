import Foundation
import ProgramTesting
import TestSupport
import Testing

@testable import calotype

/// Runs the program on a library of three photos whose database is lost or damaged.
@Suite struct RepairCommandTests {
  let organized: OrganizedLibrary
  var program: Program { organized.program }

  init() throws { organized = try OrganizedLibrary() }

  private func path(_ name: String) -> String { "\(program.library)/\(name)" }

  private func loseDatabase(leaving bytes: Data?) throws {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path("library.sqlite\(suffix)")) }
    try bytes?.write(to: URL(fileURLWithPath: path("library.sqlite")))
  }

  private func formerDatabases() throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: program.library)
    return names.filter { $0.hasPrefix("library-before-repair-") }
  }

  @Test func aDamagedDatabaseIsReplacedAndKept() throws {
    let damaged = Data(repeating: 0x5A, count: 65_536)
    try loseDatabase(leaving: damaged)
    #expect(try program.run("list").errors.contains("let `calotype repair` make the library anew"))
    let outcome = try program.run("repair", "--yes")
    #expect(outcome.status == 0)
    let former = try #require(try formerDatabases().first)
    #expect(
      outcome.output == """
        Imported 3 assets: 3 photos
        Lost: albums, favorites, captions, access, and everything else that only the database contained
        Another import brings back what was deleted for good
        The old database is kept: \(path(former))

        """)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path(former))) == damaged)
    #expect(try organized.names() == ["IMG_3.JPG", "IMG_2.JPG", "IMG_1.JPG"])
    #expect(try program.run("verify").output == "3 files checked: no problems\n")
  }

  @Test func aMissingDatabaseIsMadeAnew() throws {
    try loseDatabase(leaving: nil)
    #expect(
      try program.run("repair", "--yes").output == """
        Imported 3 assets: 3 photos
        Lost: albums, favorites, captions, access, and everything else that only the database contained
        Another import brings back what was deleted for good

        """)
    #expect(try formerDatabases() == [])
    #expect(try organized.names().count == 3)
  }

  @Test func nothingIsReplacedWithoutConsent() throws {
    try loseDatabase(leaving: Data(repeating: 0x5A, count: 65_536))
    let outcome = try program.run(arguments: ["repair"], input: "n\n")
    #expect(outcome.status != 0)
    #expect(try formerDatabases() == [])
    #expect(!FileManager.default.fileExists(atPath: path("repair")))
  }

  @Test func `repair of an intact library imports stray files`() throws {
    #expect(try program.run("repair").output == "Imported 0 assets\n")
    #expect(try program.run("album", "create", "Home").status == 0)
    let original = try #require(
      FileManager.default.enumerator(atPath: path("originals"))?.compactMap { $0 as? String }
        .first { $0.hasSuffix("IMG_1.JPG") })
    let stray = URL(fileURLWithPath: path("originals/\(original.dropLast(9))IMG_9.JPG"))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path("originals/\(original)")))
    bytes.append(0)
    try bytes.write(to: stray)
    #expect(try program.run("repair").output == "Imported 1 asset: 1 photo\n")
    #expect(try organized.names().count == 4)
    #expect(try program.run("albums").output.contains("Home"))
  }

  @Test func `verify says that a copy of a photo may be deleted`() throws {
    let originals = FileManager.default.enumerator(atPath: path("originals"))?.compactMap { $0 as? String } ?? []
    let original = try #require(originals.first { $0.hasSuffix("IMG_1.JPG") })
    let copy = "\(original.dropLast(9))IMG_9.JPG"
    try FileManager.default.copyItem(atPath: path("originals/\(original)"), toPath: path("originals/\(copy)"))
    #expect(try program.run("repair").output == "Imported 0 assets\nAlready in the library: 1 file\n")
    #expect(
      try program.run("verify").output == """
        originals/\(copy): belongs to no asset; it is a copy of originals/\(original), a file of the asset \
        \(organized.identifiers[0]), so you may delete it
        3 files checked: 1 problem

        """)
  }

  @Test(
    .enabled(if: Server.canBeReadOnly, "a read-only mount can't be made here"), arguments: [nil, Data([0x5A])])
  func aReadOnlyLibraryIsRefusedInOneLine(_ database: Data?) throws {
    if let database { try loseDatabase(leaving: database) }
    let outcome = try Child.run(
      "unshare",
      [
        "--mount", "sh", "-c", #"mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@""#,
        program.library, Program.path, "--library", program.library, "repair", "--yes",
      ])
    #expect(outcome.status == 1)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("calotype: \(program.library): "))
    #expect(outcome.errors.hasSuffix("its disk is read-only\n"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func aLeftoverFileOfAnEmptiedLibraryIsNamedWithWhatToDo() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder["in"], withIntermediateDirectories: true)
    let program = Program(library: folder["Library.calotype"])
    #expect(try program.run("import", "--create", folder["in"]).status == 0)
    try folder.write(Data([1, 2, 3]), "Library.calotype/originals/2019/03/left.jpg")
    let refused = try program.run("list")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("originals/2019/03/left.jpg"))
    #expect(refused.errors.contains("move it out of the library's folder"))
    let repair = try program.run("repair", "--yes")
    #expect(repair.status == 1)
    #expect(repair.errors.contains("originals/2019/03/left.jpg: no asset could be made"))
    let names = try FileManager.default.contentsOfDirectory(atPath: program.library)
    #expect(!names.contains { $0.hasPrefix("library-before-repair-") })
    try FileManager.default.removeItem(atPath: folder["Library.calotype/originals/2019/03/left.jpg"])
    #expect(try program.run("list").status == 0)
  }
}
