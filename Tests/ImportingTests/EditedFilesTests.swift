import Foundation
import Photos
import PhotosTesting
import Testing

@testable import Importing

@Suite struct EditedFilesTests {
  let temporary: TemporaryLibrary
  let folder: URL

  init() throws {
    temporary = try TemporaryLibrary()
    folder = temporary.folder.appendingPathComponent("in")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private static let small = PictureSize(width: 48, height: 32)

  /// Writes files with these names. The extension decides the format, and no two files have the
  /// same content.
  private func write(_ names: [String]) throws {
    for (index, name) in names.enumerated() {
      let data: Data =
        switch (name as NSString).pathExtension.lowercased() {
        case "aae": try Self.envelope()
        case "mov": try SampleMedia.movie(duration: 0.5, size: Self.small, seed: UInt64(index))
        default: try SampleMedia.jpeg(size: Self.small, seed: UInt64(index))
        }
      try data.write(to: folder.appendingPathComponent(name))
    }
  }

  private static func envelope() throws -> Data {
    try PropertyListSerialization.data(
      fromPropertyList: [
        "adjustmentFormatIdentifier": "com.apple.photo", "adjustmentFormatVersion": "1.11",
        "adjustmentData": Data([1]),
      ], format: .xml, options: 0)
  }

  private func importFolder() throws -> ImportReport {
    try FolderImporter(library: temporary.library).importFiles(at: [folder.path])
  }

  private var assets: [PHAsset] {
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let result = PHAsset.fetchAssets(with: options)
    return result.objects(at: IndexSet(0..<result.count))
  }

  /// One line for each asset, with the names of its files.
  private var summary: [String] {
    assets.map { asset in
      PHAssetResource.assetResources(for: asset).map { "\($0.type) \($0.originalFilename)" }.joined(separator: " + ")
    }.sorted()
  }

  @Test func anotherEditOfWhatIsThereIsLeftAloneAndNamed() throws {
    try write(["IMG_0001.JPG", "IMG_E0001.JPG", "IMG_0001.AAE"])
    #expect(try importFolder().added == 1)
    let dry = try FolderImporter(library: temporary.library).importFiles(at: [folder.path], isDryRun: true)
    #expect(dry.alreadyThere == 3 && dry.leftAlone.isEmpty)
    let same = try importFolder()
    #expect(same.alreadyThere == 3)
    #expect(same.leftAlone.isEmpty)
    try SampleMedia.jpeg(size: Self.small, seed: 99).write(to: folder.appendingPathComponent("IMG_E0001.JPG"))
    // A dry run reports the same.
    for isDryRun in [true, false] {
      let report = try FolderImporter(library: temporary.library).importFiles(at: [folder.path], isDryRun: isDryRun)
      #expect(report.alreadyThere == 1)
      #expect(
        report.leftAlone.map { "\($0.reason) \(($0.path as NSString).lastPathComponent)" }.sorted() == [
          "otherEdit IMG_0001.AAE", "otherEdit IMG_E0001.JPG",
        ])
    }
  }

  @Test(
    "Files beside each other make these assets",
    arguments: [
      (
        ["IMG_1.JPG", "IMG_E1.JPG", "IMG_1.AAE"],
        ["photo IMG_1.JPG + fullSizePhoto IMG_E1.JPG + adjustmentData IMG_1.AAE"]
      ),
      (
        ["wedding.jpg", "wedding_edited.jpg", "wedding.AAE"],
        ["photo wedding.jpg + fullSizePhoto wedding_edited.jpg + adjustmentData wedding.AAE"]
      ),
      (
        ["IMG_2.MOV", "IMG_E2.MOV", "IMG_2.AAE"],
        ["video IMG_2.MOV + fullSizeVideo IMG_E2.MOV + adjustmentData IMG_2.AAE"]
      ),
      (["IMG_1.JPG", "IMG_E1.JPG"], ["photo IMG_1.JPG", "photo IMG_E1.JPG"]),
      (["IMG_E1.JPG", "IMG_1.AAE"], ["photo IMG_E1.JPG"]),
      (["IMG_1.JPG", "IMG_1.AAE", "IMG_O1.AAE"], ["photo IMG_1.JPG"]),
      (["IMG_1.JPG", "IMG_E1.MOV", "IMG_1.AAE"], ["photo IMG_1.JPG", "video IMG_E1.MOV"]),
      (["IMG_1.JPG", "IMG_East.JPG", "IMG_1.AAE"], ["photo IMG_1.JPG", "photo IMG_East.JPG"]),
    ])
  func assets(_ names: [String], _ expected: [String]) throws {
    try write(names)
    let report = try importFolder()
    #expect(report.failures.isEmpty)
    #expect(summary == expected)
    #expect(
      report.leftAlone.count == names.filter { $0.hasSuffix("AAE") }.count - assets.filter(\.hasAdjustments).count)
  }

  @Test func anEditedLivePhotoIsOneAssetThatIsLiveAndCanBeReverted() throws {
    let original = try SampleMedia.livePhoto(size: Self.small, seed: 1, stillType: .jpeg)
    let edit = try SampleMedia.livePhoto(size: Self.small, seed: 2, stillType: .jpeg)
    for (name, data) in [
      ("IMG_3.JPG", original.still), ("IMG_3.MOV", original.video), ("IMG_E3.JPG", edit.still),
      ("IMG_E3.MOV", edit.video), ("IMG_3.AAE", try Self.envelope()),
    ] { try data.write(to: folder.appendingPathComponent(name)) }
    let report = try importFolder()
    #expect(report.livePhotos == 1)
    #expect(
      summary == [
        "photo IMG_3.JPG + pairedVideo IMG_3.MOV + fullSizePhoto IMG_E3.JPG + fullSizePairedVideo IMG_E3.MOV + "
          + "adjustmentData IMG_3.AAE"
      ])
    #expect(assets[0].playbackStyle == .livePhoto)
    #expect(assets[0].adjustmentFormatIdentifier == "com.apple.photo")
    let asset = assets[0]
    try temporary.library.performChangesAndWait { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
    #expect(summary == ["photo IMG_3.JPG + pairedVideo IMG_3.MOV"])
  }

  @Test func runningItAgainAddsNothing() throws {
    try write(["IMG_1.JPG", "IMG_E1.JPG", "IMG_1.AAE"])
    _ = try importFolder()
    let report = try importFolder()
    #expect(report.added == 0)
    #expect(report.completed == 0)
    #expect(report.alreadyThere == 3)
  }

  @Test func anEditThatComesLaterCompletesItsOriginal() throws {
    try write(["IMG_1.JPG"])
    _ = try importFolder()
    try write(["IMG_1.JPG", "IMG_E1.JPG", "IMG_1.AAE"])
    let dry = try FolderImporter(library: temporary.library).importFiles(at: [folder.path], isDryRun: true)
    #expect(dry.completed == 1)
    #expect(try importFolder().completed == 1)
    #expect(summary == ["photo IMG_1.JPG + fullSizePhoto IMG_E1.JPG + adjustmentData IMG_1.AAE"])
  }

  @Test func `a deleted frame that comes back with an edit represents its burst`() throws {
    for (index, frame) in try SampleMedia.burst(count: 2, size: Self.small).enumerated() {
      try frame.write(to: folder.appendingPathComponent("IMG_\(index + 1).JPG"))
    }
    #expect(try importFolder().photos == 2)
    // After the deletion of the first frame, the second one represents the burst.
    for name in ["IMG_1.JPG", "IMG_2.JPG"] {
      #expect(summary == ["photo \(name)"])
      let shown = assets[0]
      try temporary.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([shown] as NSArray) }
    }
    try FileManager.default.removeItem(at: folder.appendingPathComponent("IMG_2.JPG"))
    try SampleMedia.jpeg(size: Self.small, seed: 9).write(to: folder.appendingPathComponent("IMG_E1.JPG"))
    try Self.envelope().write(to: folder.appendingPathComponent("IMG_1.AAE"))
    _ = try FolderImporter(library: temporary.library, bringsBackDeleted: true).importFiles(at: [folder.path])
    #expect(summary == ["photo IMG_1.JPG + fullSizePhoto IMG_E1.JPG + adjustmentData IMG_1.AAE"])
  }

  @Test func anEditThatWasMadeHereIsNotReplacedByAnImport() throws {
    try write(["IMG_1.JPG", "IMG_E1.JPG", "IMG_1.AAE"])
    _ = try importFolder()
    try write(["IMG_1.JPG", "x.JPG", "IMG_E1.JPG", "IMG_1.AAE"])
    try FileManager.default.removeItem(at: folder.appendingPathComponent("x.JPG"))
    let version = assets[0].renditionVersion
    _ = try importFolder()
    #expect(assets[0].renditionVersion == version)
  }

  private func revert(_ asset: PHAsset) throws {
    try temporary.library.performChangesAndWait { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
  }

  @Test func anEditThatWasRevertedStaysSoUntilItIsAskedFor() throws {
    try write(["IMG_1.JPG", "IMG_E1.JPG", "IMG_1.AAE"])
    _ = try importFolder()
    try revert(assets[0])
    for isDryRun in [true, false] {
      let report = try FolderImporter(library: temporary.library).importFiles(at: [folder.path], isDryRun: isDryRun)
      #expect(report.alreadyThere == 1 && report.completed == 0)
      #expect(report.leftAlone.map(\.reason) == [.revertedEdit, .revertedEdit])
    }
    #expect(summary == ["photo IMG_1.JPG"])
    for isDryRun in [true, false] {
      let report = try FolderImporter(library: temporary.library, bringsBackDeleted: true)
        .importFiles(at: [folder.path], isDryRun: isDryRun)
      #expect(report.completed == 1 && report.leftAlone.isEmpty)
    }
    #expect(summary == ["photo IMG_1.JPG + fullSizePhoto IMG_E1.JPG + adjustmentData IMG_1.AAE"])
    #expect(try importFolder().alreadyThere == 3)
  }

  @Test func anEditThatWasReplacedHereDoesNotReturnWithTheRevert() async throws {
    try write(["IMG_1.JPG", "IMG_E1.JPG", "IMG_1.AAE"])
    _ = try importFolder()
    try await assets[0].edit { $0.filter = .sepia }
    try revert(assets[0])
    #expect(try importFolder().leftAlone.map(\.reason) == [.revertedEdit, .revertedEdit])
    #expect(summary == ["photo IMG_1.JPG"])
  }

  /// Phones write the same bytes for the same edit of different photos.
  @Test func theRevertOfOnePhotoKeepsOutNoEditOfAnother() throws {
    try write(["IMG_1.JPG", "IMG_E1.JPG", "IMG_1.AAE"])
    _ = try importFolder()
    try revert(assets[0])
    try write(["IMG_1.JPG", "IMG_E1.JPG", "IMG_1.AAE", "IMG_2.JPG"])
    _ = try importFolder()
    try write(["IMG_1.JPG", "IMG_E1.JPG", "IMG_1.AAE", "IMG_2.JPG", "IMG_E2.JPG", "IMG_2.AAE"])
    #expect(try importFolder().completed == 1)
    #expect(
      summary == ["photo IMG_1.JPG", "photo IMG_2.JPG + fullSizePhoto IMG_E2.JPG + adjustmentData IMG_2.AAE"])
  }

  @Test func anotherEditOfAPhotoThatWasRevertedComesIn() throws {
    try write(["IMG_1.JPG", "IMG_E1.JPG", "IMG_1.AAE"])
    _ = try importFolder()
    try revert(assets[0])
    try PropertyListSerialization.data(
      fromPropertyList: [
        "adjustmentFormatIdentifier": "com.apple.photo", "adjustmentFormatVersion": "1.11",
        "adjustmentData": Data([2]),
      ], format: .xml, options: 0
    ).write(to: folder.appendingPathComponent("IMG_1.AAE"))
    #expect(try importFolder().completed == 1)
  }

  @Test func aBrokenEditDoesNotKeepOutItsOriginal() throws {
    try write(["IMG_1.JPG", "IMG_E1.JPG", "IMG_1.AAE"])
    try Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xD9]).write(to: folder.appendingPathComponent("IMG_E1.JPG"))
    let report = try importFolder()
    #expect(report.photos == 1)
    #expect(report.failures.map { ($0.path as NSString).lastPathComponent } == ["IMG_E1.JPG", "IMG_1.AAE"])
    #expect(summary == ["photo IMG_1.JPG"])
  }
}

private let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

/// Tests edits that iPhones wrote. Skipped unless `CALOTYPE_CORPUS` is the path of a folder with
/// such files.
@Suite(.enabled(if: corpus != nil)) struct CorpusEditsTests {
  @Test(
    "The edits of a real folder belong to their originals",
    arguments: [
      (
        "apple-edited",
        [
          "photo IMG_4120.JPG + fullSizePhoto IMG_E4120.JPG + adjustmentData IMG_4120.AAE",
          "photo wedding.jpg + fullSizePhoto wedding_edited.jpg + adjustmentData wedding.AAE",
        ]
      ),
      (
        "apple-live-edited",
        [
          "photo IMG_3582.HEIC + pairedVideo IMG_3582.mov + fullSizePhoto IMG_3582_edited.heic + "
            + "fullSizePairedVideo IMG_3582_edited.mov + adjustmentData IMG_3582.AAE"
        ]
      ),
    ])
  func folder(_ name: String, _ expected: [String]) throws {
    let temporary = try TemporaryLibrary()
    let report = try FolderImporter(library: temporary.library).importFiles(at: ["\(try #require(corpus))/\(name)"])
    #expect(report.failures.isEmpty)
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let result = PHAsset.fetchAssets(with: options)
    let found = result.objects(at: IndexSet(0..<result.count))
    #expect(
      found.map { asset in
        PHAssetResource.assetResources(for: asset).map { "\($0.type) \($0.originalFilename)" }.joined(separator: " + ")
      }.sorted() == expected)
    #expect(found.allSatisfy { $0.adjustmentFormatIdentifier == "com.apple.photo" })
  }
}
