import Foundation
import Photos
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import Importing

/// Tests a library of a Live Photo, a RAW pair, a video and an edited photo, whose database is
/// lost.
@Suite struct RepairTests {
  let folder: URL
  var url: URL { folder.appendingPathComponent("Library.calotype") }
  private var database: URL { url.appendingPathComponent("library.sqlite") }
  private static func taken(_ day: Double) -> SampleMetadata {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_500_000_000 + day * 86_400), offset: 0)
    metadata.camera = .iPhone
    return metadata
  }
  private static let small = PictureSize(width: 48, height: 32)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("repair-\(UUID().uuidString)")
    let source = folder.appendingPathComponent("in")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    func write(_ data: Data, _ name: String) throws { try data.write(to: source.appendingPathComponent(name)) }
    let pair = try SampleMedia.livePhoto(size: PictureSize(width: 64, height: 48), stillType: .jpeg)
    try write(pair.still, "IMG_1.JPG")
    try write(pair.video, "IMG_1.MOV")
    try write(try SampleMedia.dng(size: Self.small, seed: 1, metadata: Self.taken(1)), "IMG_2.DNG")
    try write(try SampleMedia.jpeg(size: Self.small, seed: 1, metadata: Self.taken(1)), "IMG_2.JPG")
    try write(try SampleMedia.jpeg(size: Self.small, seed: 2, metadata: Self.taken(2)), "IMG_0003.JPG")
    try write(try SampleMedia.jpeg(size: Self.small, seed: 3, metadata: Self.taken(2)), "IMG_E0003.JPG")
    try write(
      try PropertyListSerialization.data(
        fromPropertyList: [
          "adjustmentFormatIdentifier": "com.apple.photo", "adjustmentFormatVersion": "1.11",
          "adjustmentData": Data([1]),
        ], format: .xml, options: 0), "IMG_0003.AAE")
    let library = try PHPhotoLibrary(url: url)
    #expect(try FolderImporter(library: library).importFiles(at: [source.path]).added == 3)
  }

  @Test func filesOfOtherSystemsDoNotKeepALibraryFromOpening() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let new = folder.appendingPathComponent("New.calotype")
    _ = try PHPhotoLibrary(url: new)
    let left = new.appendingPathComponent("originals/@eaDir")
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
    for file in [left.appendingPathComponent("IMG_1.JPG"), new.appendingPathComponent("originals/.DS_Store")] {
      try Data([1]).write(to: file)
    }
    #expect(throws: Never.self) { try PHPhotoLibrary(url: new, create: false) }
  }

  @Test func theFilesOfAForeignFolderAreCounted() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let left = url.appendingPathComponent("originals/@eaDir")
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
    for name in ["a.jpg", "b.jpg"] { try Data([1]).write(to: left.appendingPathComponent(name)) }
    let report = try FolderImporter(library: PHPhotoLibrary(url: url, create: false)).repair()
    #expect(report.imported.leftAlone.map(\.fileCount) == [2])
  }

  @Test func aLinkInTheLibraryIsNoReasonToGiveUpTheDatabase() throws {
    let signal = url.appendingPathComponent("incoming/commits")
    defer { try? FileManager.default.removeItem(at: folder) }
    try? FileManager.default.removeItem(at: signal)
    let target = folder.appendingPathComponent("in/IMG_1.JPG")
    try FileManager.default.createSymbolicLink(at: signal, withDestinationURL: target)
    #expect(throws: PHPhotosError.self) { try PHPhotoLibrary.damage(ofLibraryAt: url) }
    try FileManager.default.removeItem(at: signal)
    #expect(try PHPhotoLibrary.damage(ofLibraryAt: url) == nil)
  }

  enum Loss: CaseIterable { case missing, empty, garbage, withoutTables }

  private func lose(_ loss: Loss) throws {
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database.path + suffix) }
    switch loss {
    case .missing: try FileManager.default.removeItem(at: database)
    case .empty: try Data().write(to: database)
    case .garbage: try Data(repeating: 0x5A, count: 65_536).write(to: database)
    case .withoutTables:
      // The database of another, empty library has these bytes.
      let other = folder.appendingPathComponent("Other.calotype")
      _ = try PHPhotoLibrary(url: other)
      let bytes = try Data(contentsOf: other.appendingPathComponent("library.sqlite"))
      try bytes.write(to: database)
    }
  }

  /// The file names of each asset.
  private func assets(of library: PHPhotoLibrary) -> [String] {
    let options = PHFetchOptions()
    options.photoLibrary = library
    let assets = PHAsset.fetchAssets(with: options)
    return assets.objects(at: IndexSet(0..<assets.count)).map { asset in
      PHAssetResource.assetResources(for: asset).map(\.originalFilename).joined(separator: " + ")
    }.sorted()
  }

  private var files: [String] {
    (FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? [])
      .filter { ($0.hasPrefix("originals/") || $0.hasPrefix("adjustments/")) && $0.contains(".") }.sorted()
  }

  @Test("A library without its database is refused, and nothing is changed", arguments: Loss.allCases)
  func isRefused(_ loss: Loss) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try lose(loss)
    let before = files
    for create in [true, false] {
      let error = #expect(throws: PHPhotosError.self) { try PHPhotoLibrary(url: url, create: create) }
      #expect(error?.localizedDescription.contains("library.sqlite") == true)
    }
    #expect(files == before)
  }

  @Test func aRepairNeedsNoFolderOfRenditions() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try lose(.missing)
    try FileManager.default.removeItem(at: url.appendingPathComponent("renditions"))
    let library = try PHPhotoLibrary.openForRepair(url: url)
    #expect(try FolderImporter(library: library).repair().imported.added == 3)
  }

  @Test("A repair makes the assets anew of the files where they are", arguments: Loss.allCases)
  func repair(_ loss: Loss) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let before = files
    try lose(loss)
    #expect(try PHPhotoLibrary.damage(ofLibraryAt: url) != nil)
    let opened = try PHPhotoLibrary.openForRepair(url: url)
    let report = try FolderImporter(library: opened).repair()
    let former = try opened.finishRepair()
    #expect(former.map { FileManager.default.fileExists(atPath: $0.path) } == (loss == .missing ? nil : true))
    #expect(!FileManager.default.fileExists(atPath: url.appendingPathComponent("repair").path))
    let library = try PHPhotoLibrary(url: url, create: false)
    #expect(report.imported.added == 3)
    #expect(report.imported.livePhotos == 1)
    #expect(report.imported.failures.isEmpty)
    #expect(report.edits == 1)
    #expect(report.lostEdits == [])
    #expect(
      assets(of: library) == [
        "IMG_0003.JPG + IMG_E0003.JPG + IMG_0003.AAE", "IMG_1.JPG + IMG_1.MOV", "IMG_2.JPG + IMG_2.DNG",
      ])
    #expect(files == before)
    #expect(try findings(in: library) == [])
    #expect(try PHPhotoLibrary.damage(ofLibraryAt: url) == nil)
  }

  @Test func aRepairThatIsRunAgainGoesOn() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try lose(.missing)
    let isStopped = Atomic<Bool>(false)
    let stopped = try FolderImporter(
      library: PHPhotoLibrary.openForRepair(url: url), isCancelled: { isStopped.load(ordering: .relaxed) },
      progressHandler: { if $0.phase == .importing { isStopped.store(true, ordering: .relaxed) } }
    ).repair()
    #expect(stopped.imported.wasInterrupted)
    let library = try PHPhotoLibrary.openForRepair(url: url)
    #expect(try FolderImporter(library: library).repair().imported.added + stopped.imported.added == 3)
    #expect(try FolderImporter(library: library).repair().imported.added == 0)
  }

  @Test func aDamagedDatabaseStaysInItsPlaceUntilTheNewOneIsComplete() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try lose(.garbage)
    let damaged = try Data(contentsOf: database)
    #expect(try FolderImporter(library: PHPhotoLibrary.openForRepair(url: url)).repair().imported.added == 3)
    #expect(try Data(contentsOf: database) == damaged)
    // After a kill, another process continues the repair in this way.
    let again = try PHPhotoLibrary.openForRepair(url: url)
    #expect(try FolderImporter(library: again).repair().imported.added == 0)
    #expect(try again.finishRepair() != nil)
    #expect(assets(of: try PHPhotoLibrary(url: url, create: false)).count == 3)
  }

  @Test func aRepairThatEndedBetweenTheTwoDatabasesIsFinishedByAnother() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try lose(.garbage)
    try Data([1]).write(to: URL(fileURLWithPath: database.path + "-wal"))
    let killed = try PHPhotoLibrary.openForRepair(url: url)
    #expect(try FolderImporter(library: killed).repair().imported.added == 3)
    try FileManager.default.removeItem(at: database)
    #expect(throws: PHPhotosError.self) { try PHPhotoLibrary(url: url) }
    #expect(try PHPhotoLibrary.damage(ofLibraryAt: url) != nil)
    let again = try PHPhotoLibrary.openForRepair(url: url)
    #expect(try FolderImporter(library: again).repair().imported.added == 0)
    _ = try again.finishRepair()
    #expect(!FileManager.default.fileExists(atPath: database.path + "-wal"))
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    #expect(names.contains { $0.hasPrefix("library-before-repair-") && $0.hasSuffix(".sqlite-wal") })
    #expect(assets(of: try PHPhotoLibrary(url: url, create: false)).count == 3)
  }

  @Test func aFileThatWasRemovedAfterAnInterruptionIsNotInTheRepairedLibrary() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try lose(.missing)
    #expect(try FolderImporter(library: PHPhotoLibrary.openForRepair(url: url)).repair().imported.added == 3)
    let gone = try #require(files.first { $0.hasSuffix("IMG_2.DNG") })
    try FileManager.default.removeItem(at: url.appendingPathComponent(gone))
    let again = try PHPhotoLibrary.openForRepair(url: url)
    #expect(try FolderImporter(library: again).repair().imported.added == 1)
    _ = try again.finishRepair()
    #expect(
      assets(of: try PHPhotoLibrary(url: url, create: false)) == [
        "IMG_0003.JPG + IMG_E0003.JPG + IMG_0003.AAE", "IMG_1.JPG + IMG_1.MOV", "IMG_2.JPG",
      ])
  }

  @Test func aFileThatWasRenamedIsMovedBackToItsAsset() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let before = files
    let original = url.appendingPathComponent(try #require(before.first { $0.hasSuffix("IMG_1.JPG") }))
    let renamed = original.deletingLastPathComponent().appendingPathComponent("renamed.jpg")
    try FileManager.default.moveItem(at: original, to: renamed)
    let library = try PHPhotoLibrary(url: url, create: false)
    let report = try FolderImporter(library: library).repair()
    #expect(report.imported.failures.isEmpty)
    #expect(report.imported.replaced == 1)
    #expect(files == before)
    #expect(assets(of: library).count == 3)
  }

  @Test func aLinkInThePlaceOfAnEditIsNotFollowed() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try lose(.missing)
    let edit = try #require(files.first { $0.hasPrefix("adjustments/") })
    let place = url.appendingPathComponent(edit).deletingLastPathComponent()
    let outside = folder.appendingPathComponent("outside")
    try FileManager.default.moveItem(at: place, to: outside)
    try FileManager.default.createSymbolicLink(at: place, withDestinationURL: outside)
    let report = try FolderImporter(library: PHPhotoLibrary.openForRepair(url: url)).repair()
    #expect(report.imported.leftAlone.contains { $0.path == place.path && $0.reason == .link })
    #expect(report.edits == 0)
    #expect(report.lostEdits == [])
    #expect(report.imported.failures.isEmpty)
  }

  @Test func aDamagedRepairBeginsAnew() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try lose(.missing)
    let repair = url.appendingPathComponent("repair")
    try FileManager.default.createDirectory(at: repair, withIntermediateDirectories: true)
    try Data(repeating: 0x5A, count: 65_536).write(to: repair.appendingPathComponent("library.sqlite"))
    #expect(try FolderImporter(library: PHPhotoLibrary.openForRepair(url: url)).repair().imported.added == 3)
  }

  @Test func anUnfinishedRepairOfALibraryThatWasHandedOverIsNotContinued() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try lose(.missing)
    #expect(try FolderImporter(library: PHPhotoLibrary.openForRepair(url: url)).repair().imported.added == 3)
    let received = folder.appendingPathComponent("Received.calotype")
    try FileManager.default.copyItem(at: url, to: received)
    let before = files
    let library = try PHPhotoLibrary.openForRepair(url: received)
    #expect(try FolderImporter(library: library).repair().imported.added == 3)
    _ = try library.finishRepair()
    #expect(assets(of: try PHPhotoLibrary(url: received, create: false)).count == 3)
    #expect(files == before)
  }

  @Test func anotherDatabaseInThePlaceOfTheRepairIsNotTakenOver() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try lose(.missing)
    let other = folder.appendingPathComponent("Other.calotype")
    try FileManager.default.copyItem(at: url, to: other)
    for url in [url, other] {
      #expect(try FolderImporter(library: PHPhotoLibrary.openForRepair(url: url)).repair().imported.added == 3)
    }
    let repair = url.appendingPathComponent("repair")
    try FileManager.default.removeItem(at: repair)
    try FileManager.default.copyItem(at: other.appendingPathComponent("repair"), to: repair)
    let library = try PHPhotoLibrary.openForRepair(url: url)
    #expect(try FolderImporter(library: library).repair().imported.added == 3)
  }

  @Test func aRepairWhoseDatabaseWasReplacedDoesNotEnd() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try lose(.missing)
    let library = try PHPhotoLibrary.openForRepair(url: url)
    #expect(try FolderImporter(library: library).repair().imported.added == 3)
    let database = url.appendingPathComponent("repair/library.sqlite")
    try FileManager.default.moveItem(at: database, to: folder.appendingPathComponent("first.sqlite"))
    try Data().write(to: database)
    #expect(throws: PHPhotosError.self) { try library.finishRepair() }
    #expect(!FileManager.default.fileExists(atPath: url.appendingPathComponent("library.sqlite").path))
  }

  @Test func aLinkInThePlaceOfTheRepairIsRefused() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try lose(.missing)
    try FileManager.default.createSymbolicLink(
      at: url.appendingPathComponent("repair"), withDestinationURL: folder.appendingPathComponent("in"))
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("in").path)
    #expect(throws: PHPhotosError.self) { try PHPhotoLibrary.openForRepair(url: url) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("in").path) == before)
  }

  @Test func manyEditsAreGivenBackInOnePass() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let scan = FolderScan(paths: [SourcePath(folder.appendingPathComponent("in").path)], isCancelled: { false })
    let file = try #require(scan.files.first)
    let inspection = try #require(try FileInspection(url: folder.appendingPathComponent("in/IMG_0003.JPG")))
    func media(_ second: Int) -> InspectedFile {
      var inspection = inspection
      inspection.creationDate = Date(timeIntervalSince1970: Double(second))
      return InspectedFile(file: file, inspection: inspection)
    }
    var plan = ImportPlan([]) { _ in false }
    plan.assets = (0..<20_000).map { second in
      var asset = PlannedAsset()
      asset.photo = media(second)
      return asset
    }
    var owners = EditOwners(of: plan)
    for second in 0..<20_000 {
      let edit = PlannedEdit(render: media(second), movie: nil, envelope: file)
      // No edit is compared with each asset.
      #expect(owners.candidates(for: edit) == [second])
      #expect(owners.give(edit, &plan))
    }
    #expect(!owners.give(PlannedEdit(render: media(1), movie: nil, envelope: file), &plan))
  }

  @Test func anEditWhosePhotoIsNotCertainIsLostAndNamed() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try lose(.missing)
    let original = try #require(files.first { $0.hasSuffix("IMG_0003.JPG") })
    try FileManager.default.removeItem(at: url.appendingPathComponent(original))
    let report = try FolderImporter(library: PHPhotoLibrary.openForRepair(url: url)).repair()
    #expect(report.edits == 0)
    #expect(report.lostEdits.count == 1)
    #expect(report.lostEdits.first?.hasPrefix("adjustments/") == true)
  }

  enum Former: CaseIterable { case reverted, replaced, revertedAndUndone }

  @Test("A repair takes the edit that the photo has, and none that was reverted", arguments: Former.allCases)
  func formerEdits(_ former: Former) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      let library = try PHPhotoLibrary(url: url, create: false)
      let options = PHFetchOptions()
      options.photoLibrary = library
      options.predicate = NSPredicate(format: "hasAdjustments == 1")
      let asset = try #require(PHAsset.fetchAssets(with: options).firstObject)
      switch former {
      case .reverted, .revertedAndUndone:
        try library.performChangesAndWait { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
        if former == .revertedAndUndone { #expect(try await library.undo().actions.map(\.kind) == [.edited]) }
      case .replaced: try await edit(asset, in: library)
      }
      #expect(try findings(in: library) == [])
    }
    try lose(.missing)
    let opened = try PHPhotoLibrary.openForRepair(url: url)
    let report = try FolderImporter(library: opened).repair()
    _ = try opened.finishRepair()
    #expect(report.lostEdits == [])
    #expect(report.imported.leftAlone.isEmpty)
    let repaired = try PHPhotoLibrary(url: url, create: false)
    #expect(try findings(in: repaired) == [])
    let found = assets(of: repaired)
    let expected =
      switch former {
      case .reverted: "IMG_0003.JPG"
      case .replaced: "IMG_0003.JPG + FullSizeRender.jpg + Adjustments.plist"
      case .revertedAndUndone: "IMG_0003.JPG + IMG_E0003.JPG + IMG_0003.AAE"
      }
    #expect(found.first == expected)
  }

  private func findings(in library: PHPhotoLibrary) throws -> [String] {
    let findings = Mutex<[String]>([])
    try library.verify { finding in findings.withLock { $0.append(finding.description) } }
    return findings.withLock(\.self)
  }

  private func edit(_ asset: PHAsset, in library: PHPhotoLibrary) async throws {
    let options = PHContentEditingInputRequestOptions()
    // Otherwise the former render would stay as the new edit's input.
    options.canHandleAdjustmentData = { _ in true }
    let output: PHContentEditingOutput? = try await answer("the input of an edit") { done in
      asset.requestContentEditingInput(with: options) { input, _ in
        let output = input.map(PHContentEditingOutput.init(contentEditingInput:))
        done(output)
      }
    }
    let edit = try #require(output)
    edit.adjustmentData = PHAdjustmentData(formatIdentifier: "test", formatVersion: "1", data: Data([1]))
    try SampleMedia.jpeg(size: Self.small, seed: 4, metadata: Self.taken(2)).write(to: edit.renderedContentURL)
    try await library.performChanges { PHAssetChangeRequest(for: asset).contentEditingOutput = edit }
  }
}
