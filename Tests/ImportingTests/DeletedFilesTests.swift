import Foundation
import Importing
import Photos
import PhotosTesting
import Testing

@Suite struct DeletedFilesTests {
  let temporary: TemporaryLibrary
  let folder: URL
  private static let small = PictureSize(width: 48, height: 32)

  init() throws {
    temporary = try TemporaryLibrary()
    folder = temporary.folder.appendingPathComponent("in")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func write(_ data: Data, _ name: String) throws { try data.write(to: folder.appendingPathComponent(name)) }

  private func writePhotos(_ names: String...) throws {
    for (index, name) in names.enumerated() {
      try write(try SampleMedia.jpeg(size: Self.small, seed: UInt64(index)), name)
    }
  }

  private func importFolder(isDryRun: Bool = false, bringsBackDeleted: Bool = false) throws -> ImportReport {
    try FolderImporter(library: temporary.library, bringsBackDeleted: bringsBackDeleted)
      .importFiles(at: [folder.path], isDryRun: isDryRun)
  }

  /// Returns the names of the files that an import left out because their assets were deleted.
  private func leftOut(_ report: ImportReport) -> [String] {
    report.leftAlone.filter { $0.reason == .deleted }.map { ($0.path as NSString).lastPathComponent }.sorted()
  }

  private var options: PHFetchOptions {
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    return options
  }

  /// The file names of each asset that is not deleted.
  private var visible: [String] {
    let assets = PHAsset.fetchAssets(with: options)
    return assets.objects(at: IndexSet(0..<assets.count)).map { asset in
      PHAssetResource.assetResources(for: asset).map(\.originalFilename).joined(separator: " + ")
    }.sorted()
  }

  private var deleted: PHFetchResult<PHAsset> { PHAsset.fetchRecentlyDeletedAssets(with: options) }

  enum Deletion: CaseIterable { case inTheTrash, forGood }

  private func deleteEverything(_ deletion: Deletion) throws {
    try temporary.library.performChangesAndWait {
      PHAssetChangeRequest.deleteAssets(PHAsset.fetchAssets(with: self.options))
    }
    guard deletion == .forGood else { return }
    try temporary.library.performChangesAndWait { PHAssetChangeRequest.expungeAssets(self.deleted) }
  }

  @Test("A deleted photo stays deleted when its folder is imported again", arguments: Deletion.allCases)
  func stays(_ deletion: Deletion) throws {
    try writePhotos("A.jpg", "B.jpg")
    _ = try importFolder()
    try deleteEverything(deletion)
    try writePhotos("A.jpg", "B.jpg", "C.jpg")
    for isDryRun in [true, false] {
      let report = try importFolder(isDryRun: isDryRun)
      #expect(leftOut(report) == ["A.jpg", "B.jpg"])
      #expect(report.added == 1)
      #expect(report.alreadyThere == 0)
    }
    #expect(visible == ["C.jpg"])
    #expect(deleted.count == (deletion == .inTheTrash ? 2 : 0))
  }

  @Test("A deleted photo comes back on request, and then stays", arguments: Deletion.allCases)
  func comesBack(_ deletion: Deletion) throws {
    try writePhotos("A.jpg", "B.jpg")
    _ = try importFolder()
    try deleteEverything(deletion)
    for isDryRun in [true, false] {
      let report = try importFolder(isDryRun: isDryRun, bringsBackDeleted: true)
      #expect(leftOut(report) == [])
      #expect(report.added == (deletion == .forGood ? 2 : 0))
      #expect(report.alreadyThere == (deletion == .forGood ? 0 : 2))
    }
    #expect(visible == ["A.jpg", "B.jpg"])
    #expect(deleted.count == 0)
    let again = try importFolder()
    #expect(leftOut(again) == [])
    #expect(again.alreadyThere == 2)
  }

  @Test func aPhotoRestoredFromTheTrashIsAlreadyThere() throws {
    try writePhotos("A.jpg")
    _ = try importFolder()
    try deleteEverything(.inTheTrash)
    try temporary.library.performChangesAndWait { PHAssetChangeRequest.restoreAssets(self.deleted) }
    let report = try importFolder()
    #expect(leftOut(report) == [])
    #expect(report.alreadyThere == 1)
  }

  @Test("A program that adds a deleted photo gets an asset, and imports know it again", arguments: Deletion.allCases)
  func program(_ deletion: Deletion) throws {
    try writePhotos("A.jpg")
    _ = try importFolder()
    try deleteEverything(deletion)
    let file = folder.appendingPathComponent("A.jpg")
    try temporary.library.performChangesAndWait {
      _ = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: file)
    }
    #expect(visible == ["A.jpg"])
    let report = try importFolder()
    #expect(leftOut(report) == [])
    #expect(report.alreadyThere == 1)
  }

  @Test func aPhotoThatAnotherAssetHasTooIsThereThoughOneWasDeleted() throws {
    try writePhotos("A.jpg")
    _ = try importFolder()
    let file = folder.appendingPathComponent("A.jpg")
    try temporary.library.performChangesAndWait {
      _ = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: file)
    }
    try temporary.library.performChangesAndWait {
      PHAssetChangeRequest.deleteAssets([PHAsset.fetchAssets(with: self.options).object(at: 0)])
    }
    try temporary.library.performChangesAndWait { PHAssetChangeRequest.expungeAssets(self.deleted) }
    #expect(try importFolder().alreadyThere == 1)
    try deleteEverything(.forGood)
    #expect(leftOut(try importFolder()) == ["A.jpg"])
  }

  @Test("Both halves of a deleted Live Photo are left out", arguments: Deletion.allCases)
  func livePhoto(_ deletion: Deletion) throws {
    let pair = try SampleMedia.livePhoto(size: PictureSize(width: 64, height: 48), stillType: .jpeg)
    try write(pair.still, "a.jpg")
    try write(pair.video, "b.mov")
    _ = try importFolder()
    try deleteEverything(deletion)
    #expect(leftOut(try importFolder()) == ["a.jpg", "b.mov"])
    try FileManager.default.removeItem(at: folder.appendingPathComponent("a.jpg"))
    #expect(leftOut(try importFolder()) == ["b.mov"])
    #expect(visible == [])
  }

  @Test("The half of a deleted photo that was never there comes in by itself", arguments: Deletion.allCases)
  func otherHalf(_ deletion: Deletion) throws {
    let pair = try SampleMedia.livePhoto(size: PictureSize(width: 64, height: 48), stillType: .jpeg)
    try write(pair.still, "a.jpg")
    _ = try importFolder()
    try deleteEverything(deletion)
    try write(pair.video, "b.mov")
    for isDryRun in [true, false] {
      let report = try importFolder(isDryRun: isDryRun)
      #expect(leftOut(report) == ["a.jpg"])
      #expect(report.added == 1)
      #expect(report.completed == 0)
    }
    #expect(visible == ["b.mov"])
  }

  @Test("Both files of a deleted RAW pair are left out, and a new one comes in", arguments: Deletion.allCases)
  func rawPair(_ deletion: Deletion) throws {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_500_000_000), offset: 0)
    metadata.camera = .iPhone
    try write(try SampleMedia.dng(size: Self.small, seed: 1, metadata: metadata), "IMG_1.DNG")
    try write(try SampleMedia.jpeg(size: Self.small, seed: 1, metadata: metadata), "IMG_1.JPG")
    #expect(try importFolder().added == 1)
    try deleteEverything(deletion)
    #expect(leftOut(try importFolder()) == ["IMG_1.DNG", "IMG_1.JPG"])
    try write(try SampleMedia.jpeg(size: Self.small, seed: 2, metadata: metadata), "IMG_1.JPG")
    #expect(leftOut(try importFolder()) == ["IMG_1.DNG"])
    #expect(visible == ["IMG_1.JPG"])
  }

  @Test("The edit of a deleted photo is left out with it", arguments: Deletion.allCases)
  func edit(_ deletion: Deletion) throws {
    try writePhotos("IMG_0001.JPG", "IMG_E0001.JPG")
    try write(
      try PropertyListSerialization.data(
        fromPropertyList: [
          "adjustmentFormatIdentifier": "com.apple.photo", "adjustmentFormatVersion": "1.11",
          "adjustmentData": Data([1]),
        ], format: .xml, options: 0), "IMG_0001.AAE")
    #expect(try importFolder().added == 1)
    try deleteEverything(deletion)
    for isDryRun in [true, false] {
      #expect(leftOut(try importFolder(isDryRun: isDryRun)) == ["IMG_0001.AAE", "IMG_0001.JPG", "IMG_E0001.JPG"])
    }
    #expect(visible == [])
  }
}
