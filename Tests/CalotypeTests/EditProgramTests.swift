import Foundation
import Photos
import PhotosTesting
import ProgramTesting
import TestSupport
import Testing

/// Tests how the program shows, reverts and exports edited assets.
@Suite struct EditProgramTests {
  let folder: TemporaryFolder
  let program: Program
  let identifier: String

  private static let tiny = PictureSize(width: 64, height: 48)

  init() throws {
    folder = try TemporaryFolder()
    program = Program(library: folder["Library.calotype"])
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_551_741_611), offset: -21_600)
    metadata.place = .init(latitude: 41.25, longitude: -96.5, altitude: 320)
    try folder.write(SampleMedia.jpeg(size: Self.tiny, metadata: metadata), "in/IMG_1.JPG")
    try folder.write(SampleMedia.heic(size: PictureSize(width: 48, height: 48), seed: 2), "in/IMG_E1.HEIC")
    try folder.write(
      PropertyListSerialization.data(
        fromPropertyList: [
          "adjustmentFormatIdentifier": "com.apple.photo", "adjustmentFormatVersion": "1.11",
          "adjustmentTimestamp": Date(timeIntervalSince1970: 1_600_000_000),
        ], format: .xml, options: 0), "in/IMG_1.AAE")
    try folder.write(SampleMedia.jpeg(size: Self.tiny, seed: 3), "in/IMG_2.JPG")
    #expect(try program.run("import", "--create", folder["in"]).output == "Imported 2 assets: 2 photos\n")
    let edited = try program.run("list", "--where", "hasAdjustments == YES", "--json").lines
    #expect(edited.count == 1)
    struct Listed: Decodable { var localIdentifier: String }
    identifier = try JSONDecoder().decode(Listed.self, from: Data(try #require(edited.first).utf8)).localIdentifier
  }

  @Test func infoShowsTheEdit() throws {
    let outcome = try program.run("info", identifier)
    #expect(outcome.output.contains("Size:           48 × 48 pixels\n"))
    #expect(outcome.output.contains("2020-09-13T"))
    #expect(outcome.output.contains(", by com.apple.photo\n"))
    #expect(outcome.output.contains("fullSizePhoto:  IMG_E1.HEIC (public.heic, "))
    #expect(outcome.output.contains("adjustmentData: IMG_1.AAE (com.apple.photos.apple-adjustment-envelope, "))
    #expect(try program.run("info", "--json", identifier).output.contains(#""formatIdentifier":"com.apple.photo""#))
  }

  @Test func aRevertShowsTheOriginalAgain() throws {
    #expect(try program.run("revert", identifier).output == "Reverted 1 asset\n")
    let info = try program.run("info", identifier).output
    #expect(info.contains("Size:           64 × 48 pixels\n"))
    #expect(!info.contains("Edited"))
    #expect(try program.run("revert", identifier).output == "Reverted 0 assets; 1 asset was not edited\n")
    #expect(try program.run("verify").status == 0)
  }

  @Test func aRevertInJSONNamesWhatItReverted() throws {
    #expect(
      try program.run("revert", "--json", identifier).output
        == "{\"change\":\"revert\",\"localIdentifier\":\"\(identifier)\"}\n")
  }

  @Test(
    "Each version is exported under the original's name",
    arguments: [
      ([String](), "IMG_1.JPG", "in/IMG_1.JPG"), (["--original"], "IMG_1.JPG", "in/IMG_1.JPG"),
      (["--unadjusted"], "IMG_1.JPG", "in/IMG_1.JPG"), (["--current"], "IMG_1.HEIC", "in/IMG_E1.HEIC"),
    ])
  func version(_ options: [String], _ name: String, _ source: String) throws {
    let outcome = try program.run(arguments: ["export"] + options + [identifier, "--to", folder["out"]])
    #expect(outcome.output == "\(folder["out/" + name])\n")
    #expect(FileManager.default.contentsEqual(atPath: folder["out/" + name], andPath: folder[source]))
  }

  @Test(
    "If a RAW file and a picture are of one shot, the picture is the unadjusted version",
    arguments: [
      ("--original", ["IMG_7.DNG", "IMG_7.JPG"]), ("--unadjusted", ["IMG_7.JPG"]), ("--current", ["IMG_7.DNG"]),
    ])
  func rawVersion(_ option: String, _ names: [String]) throws {
    let raw = try SampleMedia.dng(size: Self.tiny, seed: 7)
    let picture = try SampleMedia.jpeg(size: Self.tiny, seed: 7)
    try folder.write(raw, "raw/IMG_7.DNG")
    try folder.write(picture, "raw/IMG_7.JPG")
    let shot = try created([(.photo, "IMG_7.DNG", raw), (.alternatePhoto, "IMG_7.JPG", picture)])
    let outcome = try program.run("export", option, shot, "--to", folder["out"])
    #expect(outcome.output == names.map { folder["out/\($0)"] + "\n" }.joined())
    for name in names {
      #expect(FileManager.default.contentsEqual(atPath: folder["out/\(name)"], andPath: folder["raw/\(name)"]))
    }
  }

  /// Adds an asset of these files to the library, and returns its identifier.
  private func created(_ files: [(type: PHAssetResourceType, name: String, data: Data)]) throws -> String {
    let library = try PHPhotoLibrary(url: URL(fileURLWithPath: folder["Library.calotype"]))
    nonisolated(unsafe) var identifier: String?
    try library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      for file in files {
        let options = PHAssetResourceCreationOptions()
        options.originalFilename = file.name
        request.addResource(with: file.type, data: file.data, options: options)
      }
      identifier = request.placeholderForCreatedAsset?.localIdentifier
    }
    return try #require(identifier)
  }

  @Test func aSidecarLiesBesideTheFileAndIsWrittenOnce() throws {
    let arguments = ["export", "--xmp", identifier, "--to", folder["out"]]
    let outcome = try program.run(arguments: arguments)
    #expect(outcome.output == "\(folder["out/IMG_1.JPG"])\n\(folder["out/IMG_1.JPG.xmp"])\n")
    #expect(try program.run(arguments: arguments).output == outcome.output)
  }

  @Test func anotherProgramsSidecarOfAnotherPhotoTakesTheName() throws {
    try folder.write(Data("another program's".utf8), "out/IMG_1.JPG.xmp")
    let outcome = try program.run("export", "--xmp", identifier, "--to", folder["out"])
    #expect(outcome.output == "\(folder["out/IMG_1 (2).JPG"])\n\(folder["out/IMG_1 (2).JPG.xmp"])\n")
    #expect(outcome.errors.isEmpty)
  }

  /// Only the caption changed, so the photo is not written again.
  @Test func aSidecarOfOursIsWrittenAnew() throws {
    let arguments = ["export", "--xmp", identifier, "--to", folder["out"]]
    let paths = try program.run(arguments: arguments).output
    try setCaption("A fjord")
    #expect(try program.run(arguments: arguments).output == paths)
    #expect(try String(contentsOfFile: folder["out/IMG_1.JPG.xmp"], encoding: .utf8).contains(">A fjord<"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder["out"]).count == 2)
  }

  private func setCaption(_ caption: String) throws {
    let library = try PHPhotoLibrary(url: URL(fileURLWithPath: folder["Library.calotype"]))
    let options = PHFetchOptions()
    options.photoLibrary = library
    let asset = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: options).object(at: 0)
    try library.performChangesAndWait { PHAssetChangeRequest(for: asset).caption = caption }
  }

  @Test func aSidecarThatSomebodyChangedStays() throws {
    let arguments = ["export", "--xmp", identifier, "--to", folder["out"]]
    _ = try program.run(arguments: arguments)
    let before = try String(contentsOfFile: folder["out/IMG_1.JPG.xmp"], encoding: .utf8)
    let changed = before.replacingOccurrences(of: "41,15", with: "40,15")
    #expect(changed != before)
    try folder.write(Data(changed.utf8), "out/IMG_1.JPG.xmp")
    let outcome = try program.run(arguments: arguments)
    #expect(outcome.status == 0)
    // The photo is not written again.
    #expect(outcome.output == "\(folder["out/IMG_1.JPG"])\n")
    #expect(
      outcome.errors
        == "calotype: \(folder["out/IMG_1.JPG.xmp"]): this file was changed after its export; it was not replaced\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder["out"]).count == 2)
    #expect(try String(contentsOfFile: folder["out/IMG_1.JPG.xmp"], encoding: .utf8) == changed)
  }

  // MARK: Failures

  @Test func anAssetThatCannotBeExportedIsNamedAndTheOthersAreExported() throws {
    let all = try program.run("list", "--json").output
    let originals = try FileManager.default.subpathsOfDirectory(atPath: folder["Library.calotype/originals"])
    let damaged = try #require(originals.first { $0.hasSuffix("IMG_1.JPG") })
    try folder.write(Data("other bytes".utf8), "Library.calotype/originals/\(damaged)")
    let outcome = try program.run(arguments: ["export", "--to", folder["out"], "-"], input: all)
    #expect(outcome.status == 1)
    #expect(outcome.output == "\(folder["out/IMG_2.JPG"])\n")
    #expect(outcome.errors.contains("calotype: \(identifier): "))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder["out"]) == ["IMG_2.JPG"])
  }

  @Test func filesOfOneNameInOneAssetAreAllExported() throws {
    let pair = try SampleMedia.livePhoto(size: Self.tiny, stillType: .jpeg)
    let live = try created([(.photo, "memory", pair.still), (.pairedVideo, "memory", pair.video)])
    for _ in 0..<2 {
      let outcome = try program.run("export", live, "--to", folder["out"])
      #expect(outcome.output == "\(folder["out/memory"])\n\(folder["out/memory (2)"])\n")
    }
  }

  @Test func aNameThatIsTooLongForItsSidecarIsShortened() throws {
    // The photo's own name is barely short enough for the file system.
    try folder.write(SampleMedia.jpeg(size: Self.tiny, seed: 4), "long/\(String(repeating: "n", count: 249)).JPG")
    #expect(try program.run("import", "--create", folder["long"]).status == 0)
    let all = try program.run("list", "--json").output
    let outcome = try program.run(arguments: ["export", "--xmp", "--to", folder["out"], "-"], input: all)
    #expect(outcome.status == 0)
    let stems = ["IMG_1", "IMG_2", String(repeating: "n", count: 247)]
    for name in stems.flatMap({ ["\($0).JPG", "\($0).JPG.xmp"] }) {
      #expect(outcome.lines.contains { $0 == folder["out/" + name] })
    }
  }

  @Test func `a dangling link keeps its name, and the export adds a number`() throws {
    try FileManager.default.createDirectory(atPath: folder["out"], withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder["out/IMG_1.JPG"], withDestinationPath: "/gone")
    let outcome = try program.run("export", identifier, "--to", folder["out"])
    #expect(outcome.output == "\(folder["out/IMG_1 (2).JPG"])\n")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/exiftool"), "exiftool is not installed"))
  func exiftoolReadsASidecar() throws {
    _ = try program.run("export", "--xmp", identifier, "--to", folder["out"])
    let outcome = try Child.run(
      "/usr/bin/exiftool",
      [
        "-s3", "-n", "-validate", "-DateTimeOriginal", "-GPSLatitude", "-GPSLongitude", "-GPSAltitude",
        folder["out/IMG_1.JPG.xmp"],
      ])
    #expect(outcome.output == "0 0 0\n2019:03:04 17:20:11-06:00\n41.25\n-96.5\n320\n")
  }
}
