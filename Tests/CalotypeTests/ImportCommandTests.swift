import Foundation
import Photos
import PhotosTesting
import ProgramTesting
import TestSupport
import Testing

@testable import calotype

@Suite struct ImportCommandTests {
  let folder: TemporaryFolder
  let program: Program

  init() throws {
    folder = try TemporaryFolder()
    program = Program(library: folder["Library.calotype"])
  }

  private func writePhoto(_ name: String, seed: UInt64 = 1) throws {
    try folder.write(SampleMedia.jpeg(size: PictureSize(width: 64, height: 48), seed: seed), name)
  }

  // MARK: The library

  @Test(
    arguments: [
      (
        PHPhotosError.Code.notEnoughSpace,
        "/photos: why; the import so far (24 files) is safe; make space and import again"
      ),
      (.libraryVolumeOffline, "/photos: why; the import so far (24 files) is safe; connect the disk and import again"),
      (.relinquishingLibraryBundleToWriter, "the import so far (24 files) is safe; import again later: /photos: why"),
      (.internalError, nil),
    ] as [(PHPhotosError.Code, String?)])
  func anImportThatEndsEarlySaysWhatIsSafeAndWhatToDo(_ code: PHPhotosError.Code, _ message: String?) {
    let cause = [NSLocalizedDescriptionKey: "/photos: why"]
    let error = PHPhotosError(_nsError: NSError(domain: PHPhotosErrorDomain, code: code.rawValue, userInfo: cause))
    #expect(ImportCommand.explanation(of: error, files: 24)?.errorDescription == message)
  }

  @Test func `import does not create a named library without --create`() throws {
    try writePhoto("in/a.jpg")
    let outcome = try program.run("import", folder["in"])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "calotype: \(program.library): there is no photo library here; check the path, and that its disk is mounted; "
        + "`calotype import --create` makes a new library\n")
    #expect(!FileManager.default.fileExists(atPath: program.library))
  }

  @Test func `demo does not create a named library without --create`() throws {
    let outcome = try program.run("demo")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("calotype: \(program.library): there is no photo library here"))
    #expect(!FileManager.default.fileExists(atPath: program.library))
  }

  @Test func `one file of a deleted photo is one`() throws {
    try writePhoto("in/a.jpg")
    #expect(try program.run("import", "--create", folder["in"]).status == 0)
    let photo = try #require(try program.run("list").lines.first?.split(separator: " ").first { $0.contains("/L0/") })
    #expect(try program.run("delete", "--yes", "\(photo)").status == 0)
    #expect(
      try program.run("import", folder["in"]).lines == [
        "Imported 0 assets", "Left out: 1 file of a photo that you deleted (--again brings it back)",
      ])
  }

  @Test func aSourceThatIsNoFileIsNamed() throws {
    try #require(mkfifo(folder["pipe"], 0o600) == 0)
    let outcome = try program.run("import", "--create", folder["pipe"])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "calotype: \(folder["pipe"]): this is neither a file nor a folder\n")
  }

  @Test func sourcesThatCannotBeReadYetAreNamedWithARemedy() throws {
    try folder.write(Data("PK".utf8), "in/takeout-20190304T172011Z-001.zip")
    try folder.write(Data(), "in/Photos.photoslibrary/database/Photos.sqlite")
    let outcome = try program.run("import", "--create", folder["in"])
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        Left out: 1 Apple Photos library, which can't be imported as a whole yet; import its folder “originals”
          \(folder["in/Photos.photoslibrary"])
        Left out: 1 archive of Google Takeout, which can't be read yet; unpack it, and import the folder that it makes
          \(folder["in/takeout-20190304T172011Z-001.zip"])
        Imported 0 assets

        """)
  }

  @Test func aRepairOfALibraryWithoutItsDatabaseNamesWhatIsLost() throws {
    try writePhoto("in/a.jpg")
    #expect(try program.run("import", "--create", folder["in"]).status == 0)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: "\(program.library)/library.sqlite\(suffix)")
    }
    #expect(
      try program.run("repair", "--yes").output == """
        Imported 1 asset: 1 photo
        Lost: albums, favorites, captions, access, and everything else that only the database contained
        Another import brings back what was deleted for good

        """)
  }

  @Test func aNewLibraryIsReported() throws {
    try writePhoto("in/a.jpg")
    #expect(try program.run("import", "--create", folder["in"]).errors == "Made a new library at \(program.library)\n")
    #expect(try program.run("import", "--create", folder["in"]).errors == "")
  }

  @Test(arguments: [
    (nil, [:], false), (nil, ["CALOTYPE_LIBRARY": ""], false), (nil, ["CALOTYPE_LIBRARY": "/photos"], true),
    ("/photos", [:], true),
  ])
  func `a library counts as named unless it is the default`(
    _ library: String?, _ environment: [String: String], _ isNamed: Bool
  ) {
    #expect(LibraryOptions.isNamed(library, environment: environment) == isNamed)
  }

  @Test func `import does not create the environment's library without --create`() throws {
    try writePhoto("in/a.jpg")
    let outcome = try Program().run(
      arguments: ["import", folder["in"]], environment: ["CALOTYPE_LIBRARY": folder["typo"]])
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("calotype: \(folder["typo"]): there is no photo library here; check the path"))
  }

  @Test(arguments: [["list"], ["import", "--create", "."], ["import", "--dry-run", "."]])
  func `a lost database is reported with the folder that is safe`(_ arguments: [String]) throws {
    try writePhoto("Library.calotype/originals/2019/03/a.jpg")
    let outcome = try program.run(arguments: arguments)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "calotype: \(program.library): this library has lost its database, library.sqlite; the photos are safe in its "
        + "folder originals; put library.sqlite back from a backup, or let `calotype repair` make it anew\n")
  }

  /// Runs a command in a mount namespace in which the library's folder is read-only.
  private func runWithReadOnlyLibrary(_ command: [String]) throws -> Child.Outcome {
    try Child.run(
      "unshare",
      [
        "--mount", "sh", "-c",
        #"mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@" 2>&1"#, program.library,
      ] + command)
  }

  @Test func anImportIntoAReadOnlyLibraryFailsOnceBeforeItSearches() throws {
    try writePhoto("first/a.jpg")
    for name in ["b", "c", "d"] { try writePhoto("in/\(name).jpg") }
    #expect(try program.run("import", "--create", folder["first"]).status == 0)
    // A container may forbid mounting.
    guard try runWithReadOnlyLibrary(["true"]).status == 0 else { return }
    let outcome = try runWithReadOnlyLibrary(
      [Program.path, "--library", program.library, "import", "--json", folder["in"]])
    #expect(outcome.status == 1)
    #expect(
      outcome.output
        == "calotype: \(program.library): the library is open read-only, and nothing was changed: its disk is read-only\n"
    )
  }

  // MARK: Sources

  @Test func anArgumentThatIsNotUTF8IsImported() throws {
    try writePhoto("in/a.jpg")
    let outcome = try Child.run(
      "/bin/sh",
      [
        "-c", #"name=$(printf 'caf\351.jpg') && mv a.jpg "$name" && exec "$0" --library "$1" import --create "$name""#,
        Program.path, program.library,
      ], folder: folder["in"])
    #expect(outcome.output == "Imported 1 asset: 1 photo\n")
    #expect(try program.run("list").output.hasSuffix("  caf\u{FFFD}.jpg\n"))
  }

  @Test func anEmptyFolderIsNamed() throws {
    try FileManager.default.createDirectory(atPath: folder["in"], withIntermediateDirectories: true)
    #expect(
      try program.run("import", "--create", folder["in"]).output
        == """
        Imported 0 assets
        Nothing found in \(folder["in"]): the folder is empty; if a disk belongs there, mount it and import again

        """)
  }

  @Test func anEmptyPhotoIsNamedFirstAndIsAFailure() throws {
    try writePhoto("in/a.jpg")
    try folder.write(Data(), "in/IMG_1.JPG")
    let outcome = try program.run("import", "--create", folder["in"])
    #expect(outcome.status == 1)
    #expect(
      outcome.output
        == """
        Left out: 1 empty file named like a photo or a video
          \(folder["in/IMG_1.JPG"])
        Imported 1 asset: 1 photo

        """)
  }

  @Test func foldersOfOtherProgramsAreNamedOnceWithTheirCount() throws {
    try writePhoto("in/a.jpg")
    for name in ["@eaDir/a.jpg/SYNOPHOTO_THUMB_XL.jpg", "@eaDir/a.jpg/b.jpg", "2004/@eaDir/b.jpg", "#recycle/c.jpg"] {
      try writePhoto("in/\(name)")
    }
    #expect(
      try program.run("import", "--create", folder["in"]).output
        == """
        Imported 1 asset: 1 photo
        Left alone: 4 files
          4 files of other programs: thumbnails, previews, trash
            \(folder["in/#recycle"]): 1 file
            @eaDir: 3 files in 2 folders

        """)
  }
}
