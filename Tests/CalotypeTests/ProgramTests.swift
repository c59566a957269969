import Foundation
import PhotosTesting
import ProgramTesting
import TestSupport
import Testing

@Suite struct ProgramTests {
  let folder: TemporaryFolder
  let program: Program

  init() throws {
    folder = try TemporaryFolder()
    program = Program(library: folder["Library.calotype"])
  }

  private static let tiny = PictureSize(width: 64, height: 48)

  private func writeSources() throws {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_551_741_611), offset: -21_600)
    metadata.place = .init(latitude: 41.25, longitude: -96)
    metadata.camera = .init(make: "Apple", model: "iPhone 7", exposureTime: 1.0 / 120, fNumber: 1.8, iso: 25)
    try folder.write(SampleMedia.jpeg(size: Self.tiny, metadata: metadata), "in/IMG_1.JPG")
    try folder.write(SampleMedia.jpeg(size: Self.tiny, metadata: metadata), "in/copy/IMG_1 copy.JPG")
    try folder.write(Data("<plist/>".utf8), "in/IMG_1.AAE")
    try folder.write(Data("letter".utf8), "in/letter.txt")
    try folder.write(Data(), "in/empty.dat")
    let pair = try SampleMedia.livePhoto(
      size: Self.tiny, metadata: SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_600_000_000), offset: 7200),
      stillType: .jpeg)
    try folder.write(pair.still, "in/IMG_2.JPG")
    try folder.write(pair.video, "in/elsewhere/clip.MOV")
  }

  private func importSources() throws {
    try writeSources()
    #expect(try program.run("import", "--create", folder["in"]).status == 0)
  }

  @Test func anImportEndsWithWhatItDid() throws {
    try writeSources()
    let outcome = try program.run("import", "--create", folder["in"])
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        Imported 2 assets: 1 photo, 1 Live Photo
        Copies of other files of this import: 1 file
        Left alone: 3 files
          1 sidecar of a photo, whose date and caption are not read yet (AAE, XMP, JSON…)
          1 file of a type that is no photo or video
            \(folder["in/letter.txt"])
          1 empty file
            \(folder["in/empty.dat"])

        """)
  }

  /// The second program exits with the status of a worker that the kernel can't sandbox.
  @Test(arguments: [
    ("/no/such/worker", "calotype-worker was not found beside this program or in $PATH"), ("exit 70", "did not start"),
  ])
  func `without workers that can be confined nothing is imported or served`(worker: String, reason: String) throws {
    try writeSources()
    var path = worker
    if worker.hasPrefix("exit") {
      try folder.write(Data("#!/bin/sh\n\(worker)\n".utf8), "worker")
      path = folder["worker"]
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    for command in [["import", folder["in"]], ["serve", "--create", "--port", "0"]] {
      let refused = try program.run(arguments: command, environment: ["CALOTYPE_WORKER": path])
      #expect(refused.status == 1 && refused.output.isEmpty)
      #expect(refused.errors.contains(reason) && refused.errors.contains("CALOTYPE_WORKER=none"), "\(refused.errors)")
    }
    let chosen = try program.run(
      arguments: ["import", "--create", folder["in"]], environment: ["CALOTYPE_WORKER": "none"])
    #expect(chosen.status == 0 && chosen.output.hasPrefix("Imported 2 assets"))
  }

  @Test func `the program runs without libvips, and names it when a picture needs it`() throws {
    try folder.write(SampleMedia.png(size: Self.tiny), "in/IMG_1.PNG")
    // The loader finds these files before the real libvips, whatever its version is.
    for version in 40..<60 { try folder.write(Data("no library".utf8), "lib/libvips.so.\(version)") }
    let environment = ["LD_LIBRARY_PATH": folder["lib"]]
    #expect(try program.run(arguments: ["--help"], environment: environment).status == 0)
    let imported = try program.run(arguments: ["import", "--create", folder["in"]], environment: environment)
    #expect(imported.status == 1)
    #expect((imported.output + imported.errors).contains("libvips.so."), "\(imported.output)\(imported.errors)")
    #expect(try program.run("import", folder["in"]).status == 0)
  }

  @Test func `a movie whose decoder is missing is imported and named`() throws {
    try folder.write(SampleMedia.movie(duration: 0.2, size: Self.tiny), "in/IMG_1.MOV")
    let imported = try program.run(
      arguments: ["import", "--create", folder["in"]], environment: ["PATH": folder["none"]])
    #expect(imported.status == 0)
    #expect(
      imported.output == """
        Imported 1 asset: 1 video
        Imported, but not shown yet: 1 file
          \(folder["in/IMG_1.MOV"]): ffmpeg is not installed

        """)
  }

  @Test func aPossiblePhotoThatWasLeftOutIsNamedFirst() throws {
    try folder.write(SampleMedia.jpeg(size: Self.tiny), "in/IMG_1.JPG")
    try folder.write(Data(count: 5000), "in/IMG_2.JPG")
    for arguments in [["import", "--dry-run", folder["in"]], ["import", "--create", folder["in"]]] {
      let outcome = try program.run(arguments: arguments)
      #expect(outcome.status == 1)
      #expect(
        outcome.output.hasPrefix(
          "Left out: 1 file named like a photo or a video, with content that is neither\n  \(folder["in/IMG_2.JPG"])\n")
      )
      #expect(!outcome.output.contains("Left alone"))
    }
  }

  @Test func aDamagedPhotoIsNamedWithItsWholeCopy() throws {
    let metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_551_741_611), offset: 0)
    let whole = try SampleMedia.jpeg(size: PictureSize(width: 160, height: 120), metadata: metadata)
    try folder.write(whole.prefix(whole.count * 6 / 10), "in/a/IMG_1.JPG")
    try folder.write(whole, "in/b/IMG_1 copy.JPG")
    let outcome = try program.run("import", "--create", folder["in"])
    #expect(outcome.status == 0)
    let named = "\(folder["in/a/IMG_1.JPG"]): Premature end of JPEG file; IMG_1 copy.JPG in the library is undamaged: "
    #expect(outcome.output.hasPrefix("Imported 2 assets: 2 photos\nImported, but damaged: 1 file\n  \(named)"))
    #expect(try program.run("albums").lines.contains { $0.hasSuffix("  Damaged") })
  }

  @Test func importingAgainAddsNothing() throws {
    try importSources()
    let outcome = try program.run("import", "--create", folder["in"])
    #expect(outcome.output.hasPrefix("Imported 0 assets\nAlready in the library: 4 files\n"))
  }

  @Test("An import leaves out what was deleted, and says so", arguments: [false, true])
  func deleted(isForGood: Bool) throws {
    try importSources()
    let identifiers = try objects().compactMap { $0["localIdentifier"] as? String }
    #expect(try program.run(arguments: ["delete", "--yes"] + identifiers).status == 0)
    if isForGood { #expect(try program.run("trash", "empty", "--yes").status == 0) }
    for arguments in [["--dry-run"], []] {
      let outcome = try program.run(arguments: ["import", folder["in"]] + arguments)
      #expect(outcome.status == 0)
      #expect(
        outcome.lines.prefix(3) == [
          arguments.isEmpty ? "Imported 0 assets" : "Would import 0 assets",
          "Left out: 4 files of photos that you deleted (--again brings them back)", "Left alone: 3 files",
        ])
    }
    let json = try program.run("import", "--json", folder["in"]).lines
    #expect(json.last?.contains(#""leftOut":4"#) == true)
    #expect(json.filter { $0.contains(#""outcome":"leftOut""#) }.count == 4)
    #expect(try program.run("import", "--again", folder["in"]).status == 0)
    #expect(try objects().count == 2)
  }

  @Test func aDryRunChangesNothing() throws {
    try writeSources()
    let outcome = try program.run("import", "--dry-run", folder["in"])
    #expect(
      outcome.output.hasPrefix(
        "Would import 2 assets: 1 photo, 1 Live Photo\nCopies of other files of this import: 1 file\n"))
    #expect(
      outcome.errors
        == "\(program.library): there is no photo library here yet; this is what a new one would import\n")
    #expect(!FileManager.default.fileExists(atPath: program.library))
  }

  @Test func aDryRunReportsACompletion() throws {
    try writeSources()
    #expect(try program.run("import", "--create", folder["in/elsewhere/clip.MOV"]).status == 0)
    let still = folder["in/IMG_2.JPG"]
    #expect(
      try program.run("import", "--dry-run", still).output
        == "Would import 0 assets\nWould complete: 1 asset with files that belong to them\n")
    #expect(
      try program.run("import", "--create", still).output
        == "Imported 0 assets\nCompleted: 1 asset with files that belong to them\n")
  }

  @Test func anOutputThatCannotBeWrittenIsAnError() throws {
    try importSources()
    let process = try program.start(["list"], output: FileHandle(forWritingAtPath: "/dev/full"))
    #expect(try process.finish().status == 1)
  }

  @Test func anImportNamesAMissingPath() throws {
    let outcome = try program.run("import", "--create", folder["nowhere"])
    #expect(outcome.status == 1)
    #expect(outcome.errors == "calotype: \(folder["nowhere"]): No such file or directory\n")
  }

  @Test func listIsNewestFirst() throws {
    try importSources()
    let lines = try program.run("list").lines
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("2020-09-13 14:26:40  live        64×48        "))
    #expect(lines[1].hasPrefix("2019-03-04 17:20:11  photo       64×48        "))
    #expect(lines[1].hasSuffix("/L0/001  IMG_1.JPG"))
    #expect(try program.run("list", "--limit", "1").lines.count == 1)
  }

  private func objects() throws -> [[String: Any]] {
    try program.run("list", "--json").lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test func aJSONObjectHasExactlyTheseKeys() throws {
    try importSources()
    let object = try #require(objects().last)
    #expect(
      object.keys.sorted() == [
        "addedDate", "altitude", "burstIdentifier", "creationDate", "datePrecision", "duration", "isFavorite",
        "isHidden", "latitude", "localIdentifier", "longitude", "mediaSubtypes", "mediaType", "modificationDate",
        "originalFilename", "pixelHeight", "pixelWidth", "resources",
      ])
    #expect(object["creationDate"] as? String == "2019-03-04T17:20:11.000-06:00")
    #expect(object["mediaType"] as? String == "image")
    #expect(object["latitude"] as? Double == 41.25)
    #expect(object["altitude"] is NSNull)
    let resource = try #require((object["resources"] as? [[String: Any]])?.first)
    #expect(resource.keys.sorted() == ["bytes", "originalFilename", "sha256", "type", "uniformTypeIdentifier"])
    #expect(resource["uniformTypeIdentifier"] as? String == "public.jpeg")
  }

  @Test func aLivePhotoExportsAsItsPairByteForByte() throws {
    try importSources()
    let live = try #require(objects().first?["localIdentifier"] as? String)
    let outcome = try program.run("export", live, "--to", folder["out"])
    #expect(outcome.output == "\(folder["out/IMG_2.JPG"])\n\(folder["out/clip.MOV"])\n")
    for (exported, source) in [("out/IMG_2.JPG", "in/IMG_2.JPG"), ("out/clip.MOV", "in/elsewhere/clip.MOV")] {
      #expect(FileManager.default.contentsEqual(atPath: folder[exported], andPath: folder[source]))
    }
    // A second export finds the same bytes and writes nothing.
    #expect(try program.run("export", live, "--to", folder["out"]).output == outcome.output)
    try folder.write(Data("other".utf8), "out/IMG_2.JPG")
    #expect(
      try program.run("export", live, "--to", folder["out"]).output
        == "\(folder["out/IMG_2 (2).JPG"])\n\(folder["out/clip (2).MOV"])\n")
  }

  @Test func infoShowsTheCameraAndTheHash() throws {
    try importSources()
    let photo = try #require(objects().last?["localIdentifier"] as? String)
    let text = try program.run("info", photo).output
    #expect(text.contains("Taken:          2019-03-04T17:20:11.000-06:00 (date: original, zone: file)\n"))
    #expect(text.contains("Camera:         Apple · iPhone 7\n"))
    #expect(text.contains("Exposure:       1/120 s · f/1.8 · ISO 25\n"))
    #expect(text.contains("SHA-256 "))
  }

  @Test func `info shows the parts of a date that are known`() throws {
    let date = SampleMetadata(captureDate: Date(timeIntervalSince1970: 486_432_000))
    var scan = try SampleMedia.jpeg(size: Self.tiny, metadata: date)
    while let day = scan.range(of: Data("1985:06:01".utf8)) { scan.replaceSubrange(day, with: Data("1985:06:00".utf8)) }
    try folder.write(scan, "in/scan.jpg")
    try folder.write(SampleMedia.jpeg(size: Self.tiny, metadata: SampleMetadata()), "in/IMG-20161224-WA0014.jpg")
    #expect(try program.run("import", "--create", folder["in"]).status == 0)
    let texts = try objects().compactMap { $0["localIdentifier"] as? String }.map { try program.run("info", $0).output }
    for taken in ["1985-06 (date: original)", "2016-12-24 (date: from the file’s name)"] {
      #expect(texts.contains { $0.contains("Taken:          \(taken)\n") }, "\(taken)")
    }
  }

  private enum Fault: CaseIterable { case missing, cut, changed }

  @Test(arguments: Fault.allCases)
  private func `info names a damaged original`(fault: Fault) throws {
    try importSources()
    let photo = try #require(objects().last?["localIdentifier"] as? String)
    #expect(try !program.run("info", photo).output.contains("Problem:"))
    let path = "originals/2019/03/IMG_1.JPG"
    let original = folder["Library.calotype/\(path)"]
    switch fault {
    case .missing: try FileManager.default.removeItem(atPath: original)
    case .cut: #expect(truncate(original, 100) == 0)
    case .changed:
      let handle = try #require(FileHandle(forWritingAtPath: original))
      try handle.seek(toOffset: 100)
      try handle.write(contentsOf: Data([0x42, 0x43, 0x44, 0x45]))
      #expect(try program.run("verify").status == 1)
    }
    let reason = fault == .missing ? "it is missing" : "its bytes are not the ones that were imported"
    let sentence = "\(path): \(reason); if you have the same file elsewhere, importing it puts it back"
    #expect(try program.run("info", photo).output.contains("\nProblem:        \(sentence)\n"))
    let described = try program.run("info", "--json", photo).output
    let object = try #require(try JSONSerialization.jsonObject(with: Data(described.utf8)) as? [String: Any])
    let faults = try #require(object["faults"] as? [[String: String]])
    #expect(
      faults == [["kind": fault == .missing ? "missing" : "changed", "path": path, "description": sentence]])
  }

  @Test func anUnknownIdentifierIsNamed() throws {
    try importSources()
    let outcome = try program.run("info", "nothing")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "calotype: nothing: there is no such asset\n")
  }

  @Test func anAssetInRecentlyDeletedIsSaidToBeThere() throws {
    try importSources()
    let photo = try #require(objects().last?["localIdentifier"] as? String)
    #expect(try program.run("delete", "--yes", photo).status == 0)
    let outcome = try program.run("info", photo)
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "calotype: \(photo): it is in Recently Deleted; `calotype trash restore` brings it back\n")
  }

  @Test(arguments: [["export"], ["render"]], ["", "/originals", "/new/folder"])
  func nothingIsWrittenIntoTheLibraryItself(_ command: [String], _ folderName: String) throws {
    try importSources()
    let photo = try #require(objects().last?["localIdentifier"] as? String)
    let place = program.library + folderName
    let outcome = try program.run(arguments: command + [photo, "--to", place])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "calotype: \(place): this is inside the library; choose a folder elsewhere\n")
    #expect(try program.run("verify").output == "3 files checked: no problems\n")
  }

  @Test(arguments: [["export", "--to", "out"], ["render", "--to", "out"], ["edit", "--rotate", "90"]])
  func aMissingOriginalIsNamedWithWhatHeals(_ command: [String]) throws {
    try importSources()
    let photo = try #require(objects().last?["localIdentifier"] as? String)
    let original = folder["Library.calotype/originals/2019/03/IMG_1.JPG"]
    try FileManager.default.removeItem(atPath: original)
    let arguments = command.map { $0 == "out" ? folder["out"] : $0 }
    let outcome = try program.run(arguments: arguments + [photo])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains("it is missing; if you have the same file elsewhere, importing it puts it back"),
      "\(outcome.errors)")
    #expect(try program.run("import", folder["in/IMG_1.JPG"]).status == 0)
    #expect(try program.run(arguments: arguments + [photo]).status == 0)
  }

  @Test func verifyFindsAChangedByte() throws {
    try importSources()
    #expect(try program.run("verify").output == "3 files checked: no problems\n")
    let original = folder["Library.calotype/originals/2019/03/IMG_1.JPG"]
    let handle = try #require(FileHandle(forWritingAtPath: original))
    try handle.seek(toOffset: 100)
    try handle.write(contentsOf: Data([0x42, 0x43, 0x44, 0x45]))
    let outcome = try program.run("verify")
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        originals/2019/03/IMG_1.JPG: its bytes are not the ones that were imported; if you have the same file \
        elsewhere, importing it puts it back
        3 files checked: 1 problem

        """)
  }

  @Test func importingAFileAgainReplacesTheCopyThatVerifyFoundDamaged() throws {
    try importSources()
    let original = folder["Library.calotype/originals/2019/03/IMG_1.JPG"]
    let date = try FileManager.default.attributesOfItem(atPath: original)[.modificationDate]
    let handle = try #require(FileHandle(forWritingAtPath: original))
    try handle.seek(toOffset: 100)
    try handle.write(contentsOf: Data([0x42, 0x43, 0x44, 0x45]))
    try handle.close()
    try FileManager.default.setAttributes([.modificationDate: date as Any], ofItemAtPath: original)
    #expect(try program.run("verify").status == 1)
    let source = folder["in/IMG_1.JPG"]
    #expect(
      try program.run("import", source).output == "Imported 0 assets\nReplaced damaged or missing originals: 1 file\n")
    #expect(FileManager.default.contentsEqual(atPath: original, andPath: source))
    #expect(try program.run("verify").output == "3 files checked: no problems\n")
    #expect(
      try program.run("import", source).output == "Imported 0 assets\nAlready in the library: 1 file\n")
  }

  @Test func thereIsNoLibraryToList() throws {
    let outcome = try program.run("list")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "calotype: \(program.library): there is no photo library here; check the path, and that its disk is mounted; "
        + "`calotype import --create` makes a new library\n")
  }

  @Test(
    "A wrong usage has exit status 2",
    arguments: [
      ["list", "--limit", "0"], ["list", "--limit", "x"], ["import"], ["export", "A"], ["serve", "--port", "-1"],
      ["nonsense"], ["list", "--library", ""],
    ])
  func usage(arguments: [String]) throws {
    #expect(try program.run(arguments: arguments).status == 2)
  }

  @Test func theSourceIsNotTouched() throws {
    try writeSources()
    let before = try state(of: folder["in"])
    #expect(try program.run("import", "--create", folder["in"]).status == 0)
    #expect(try state(of: folder["in"]) == before)
  }

  private func state(of folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().map { name in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      return "\(name) \(attributes[.size] ?? "") \(attributes[.modificationDate] ?? "")"
    }
  }
}
