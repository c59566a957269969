import Foundation
import Photos
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import Importing

@Suite struct FolderImporterTests {
  let temporary: TemporaryLibrary
  let folder: URL

  init() throws {
    temporary = try TemporaryLibrary()
    folder = temporary.folder.appendingPathComponent("in")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func write(_ data: Data, _ name: String) throws { try data.write(to: folder.appendingPathComponent(name)) }

  private func writePhotos(_ count: Int) throws {
    for index in 0..<count {
      let jpeg = try SampleMedia.jpeg(size: PictureSize(width: 32, height: 24), seed: UInt64(index))
      try write(jpeg, String(format: "IMG_%03d.JPG", index))
    }
  }

  private var assetCount: Int {
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    return PHAsset.fetchAssets(with: options).count
  }

  @Test func anInterruptedImportGoesOnWhenItIsRunAgain() throws {
    try writePhotos(60)
    let isInterrupted = Atomic<Bool>(false)
    let importer = FolderImporter(
      library: temporary.library, isCancelled: { isInterrupted.load(ordering: .relaxed) },
      progressHandler: { progress in
        if progress.phase == .importing, progress.files > 0 { isInterrupted.store(true, ordering: .relaxed) }
      })
    let report = try importer.importFiles(at: [folder.path])
    #expect(report.wasInterrupted)
    #expect((1..<60).contains(report.photos))
    #expect(assetCount == report.photos)

    let rest = try FolderImporter(library: temporary.library).importFiles(at: [folder.path])
    #expect(rest.photos == 60 - report.photos)
    #expect(rest.alreadyThere == report.photos)
    #expect(assetCount == 60)
  }

  @Test func `a locked library ends an import, which goes on when it is run again`() throws {
    try writePhotos(2)
    temporary.failNextChange(.relinquishingLibraryBundleToWriter)
    let importer = FolderImporter(library: temporary.library)
    let error = #expect(throws: PHPhotosError.self) { try importer.importFiles(at: [folder.path]) }
    #expect(error?.code == .relinquishingLibraryBundleToWriter)
    #expect(assetCount == 0)
    #expect(try importer.importFiles(at: [folder.path]).photos == 2)
  }

  @Test(arguments: [
    (0, 2, 1), (100, 2, 6), (100_000, 2, 32), (100_000, 8, 32), (100_000, 64, 4), (100_000, 512, 1),
  ])
  func `batches on all processors have few files open`(files: Int, processors: Int, batch: Int) {
    #expect(FolderImporter.filesOfBatch(of: files, processors: processors) == batch)
  }

  @Test func `an inspection of more files than a process may open has all results`() throws {
    try writePhotos(1)
    let photo = folder.appendingPathComponent("IMG_000.JPG")
    let missing = folder.appendingPathComponent("none.jpg")
    let urls = (0..<1500).map { $0 % 500 == 499 ? missing : photo }
    let results = FileInspection.inspect(urls)
    #expect(results.count == urls.count)
    #expect(results.indices.filter { (try? results[$0].get()) == nil } == [499, 999, 1499])
  }

  @Test func `a canceled inspection has results of the first files only`() throws {
    try writePhotos(1)
    let urls = Array(repeating: folder.appendingPathComponent("IMG_000.JPG"), count: 40)
    var calls = 0
    let results = FileInspection.inspect(
      urls,
      isCancelled: {
        calls += 1
        return calls == 3
      })
    #expect(results.count == 2)
    #expect(calls == 3)
  }

  @Test func aFileThatGoesAwayFailsAloneAndIsNamed() throws {
    try writePhotos(5)
    let lost = folder.appendingPathComponent("IMG_002.JPG")
    let importer = FolderImporter(
      library: temporary.library,
      progressHandler: { progress in
        if progress.phase == .importing { try? FileManager.default.removeItem(at: lost) }
      })
    let report = try importer.importFiles(at: [folder.path])
    #expect(report.photos == 4)
    #expect(report.failures.map(\.path) == [lost.path])
    #expect(report.failures.first?.reason.contains("No such file or directory") == true)
  }

  @Test(
    "A link that takes the place of a file, or of its folder, brings in nothing",
    arguments: ["year/IMG_002.JPG", "year"])
  func link(takesThePlaceOf name: String) throws {
    try writePhotos(2)
    let (year, outside) = (folder.appendingPathComponent("year"), temporary.folder.appendingPathComponent("outside"))
    for place in [year, outside] {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: folder.appendingPathComponent("IMG_001.JPG"), to: place.appendingPathComponent("IMG_002.JPG"))
    }
    try SampleMedia.jpeg(size: PictureSize(width: 32, height: 24), seed: 7)
      .write(to: outside.appendingPathComponent("IMG_002.JPG"))
    let isDone = Atomic<Bool>(false)
    let importer = FolderImporter(
      library: temporary.library,
      progressHandler: { [folder] progress in
        guard progress.phase == .importing, !isDone.exchange(true, ordering: .relaxed) else { return }
        let place = folder.appendingPathComponent(name)
        try? FileManager.default.removeItem(at: place)
        try? FileManager.default.createSymbolicLink(
          at: place, withDestinationURL: name == "year" ? outside : outside.appendingPathComponent("IMG_002.JPG"))
      })
    let report = try importer.importFiles(at: [folder.path])
    let wasDone = isDone.load(ordering: .relaxed)
    #expect(wasDone)
    #expect(report.photos == 2)
    #expect(report.failures.map(\.path) == [year.appendingPathComponent("IMG_002.JPG").path])
    #expect(report.failures.first?.reason.contains("a link or another file took its place") == true)
  }

  @Test func aFileThatGoesAwayDuringADryRunFailsAlone() throws {
    let jpeg = try SampleMedia.jpeg(size: PictureSize(width: 32, height: 24), seed: 1)
    let count = 200
    for index in 0..<count { try write(jpeg, String(format: "IMG_%03d.JPG", index)) }
    let lost = folder.appendingPathComponent("IMG_199.JPG")
    let told = Mutex<[ImportProgress.Phase: [Int]]>([:])
    let importer = FolderImporter(
      library: nil,
      progressHandler: { progress in
        if progress.phase == .comparing { try? FileManager.default.removeItem(at: lost) }
        told.withLock { $0[progress.phase, default: []].append(progress.files) }
      })
    let report = try importer.importFiles(at: [folder.path], isDryRun: true)
    #expect(report.photos == 1)
    #expect(report.copies == count - 2)
    #expect(report.failures.map(\.path) == [lost.path])
    let progress = told.withLock(\.self)
    #expect(progress[.comparing] == Array(1...count))
    #expect(progress[.lookingUp] == Array(1...count))
  }

  @Test func aDryRunForetellsThatADamagedCopyIsReplaced() throws {
    try writePhotos(1)
    _ = try FolderImporter(library: temporary.library).importFiles(at: [folder.path])
    let originals = temporary.library.url.appendingPathComponent("originals")
    let names = FileManager.default.enumerator(atPath: originals.path)?.compactMap { $0 as? String } ?? []
    let original = originals.appendingPathComponent(try #require(names.first { $0.hasSuffix("IMG_000.JPG") }))
    try Data("damaged".utf8).write(to: original)
    let dry = try FolderImporter(library: temporary.library).importFiles(at: [folder.path], isDryRun: true)
    #expect((dry.replaced, dry.alreadyThere) == (1, 0))
    #expect(try Data(contentsOf: original) == Data("damaged".utf8))
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder.path])
    #expect((report.replaced, report.alreadyThere) == (1, 0))
  }

  @Test(arguments: ["takeout-20190304T172011Z-001.zip", "Takeout-20190304T172011Z-3-001.tgz"])
  func anArchiveOfTakeoutIsLeftOutAsWhatMayBeMedia(_ name: String) throws {
    try write(Data("PK".utf8), name)
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder.path])
    #expect(report.leftAlone.map(\.reason) == [.takeoutArchive])
    #expect(report.leftOutMedia)
  }

  @Test func aLibraryOfApplePhotosIsLeftOutAndItsOriginalsCanBeImported() throws {
    let originals = folder.appendingPathComponent("Photos.photoslibrary/originals/0")
    try FileManager.default.createDirectory(at: originals, withIntermediateDirectories: true)
    try write(SampleMedia.jpeg(size: PictureSize(width: 32, height: 24)), "Photos.photoslibrary/originals/0/A.jpeg")
    let importer = FolderImporter(library: temporary.library)
    let report = try importer.importFiles(at: [folder.path])
    #expect(report.leftAlone.map(\.reason) == [.applePhotosLibrary])
    #expect(report.leftOutMedia)
    #expect(try importer.importFiles(at: ["\(folder.path)/Photos.photoslibrary/originals"]).photos == 1)
  }

  @Test func filesThatAreNoMediaAreLeftAloneWithTheirReason() throws {
    try writePhotos(1)
    try write(Data("{}".utf8), "IMG_000.JPG.json")
    try write(Data("text".utf8), "notes.jpg")
    try write(Data(count: 5000), "zeros.MTS")
    try write(Data("<svg/>".utf8), "drawing.svg")
    try write(Data("let x = 1".utf8), "program.ts")
    try write(Data("FLV".utf8) + [1, 4, 0, 0, 0, 9, 0, 0, 0, 0], "voice.flv")
    try write(Data(), "empty.mov")
    try write(Data("x".utf8), ".hidden")
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("link.jpg"), withDestinationURL: folder.appendingPathComponent("IMG_000.JPG"))
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder.path])
    let reasons = Dictionary(
      uniqueKeysWithValues: report.leftAlone.map { (URL(fileURLWithPath: $0.path).lastPathComponent, $0.reason) })
    #expect(
      reasons == [
        "IMG_000.JPG.json": .sidecar, "notes.jpg": .unrecognized, "zeros.MTS": .unrecognized,
        "drawing.svg": .unknownType, "program.ts": .unknownType, "voice.flv": .sound, "empty.mov": .emptyMedia,
        ".hidden": .hidden,
        "link.jpg": .link,
      ])
    #expect(report.photos == 1)
    #expect(report.leftOutMedia)
  }

  @Test func onlyADryRunCanBeWithoutALibrary() throws {
    try write(Data(), "IMG_1.JPG")
    let importer = FolderImporter(library: nil)
    #expect(throws: PHPhotosError.self) { try importer.importFiles(at: [folder.path]) }
    #expect(throws: PHPhotosError.self) { try importer.repair() }
    #expect(try importer.importFiles(at: [folder.path], isDryRun: true).isDryRun)
  }

  @Test(arguments: [
    ("IMG_1.JPG", true), ("MVI_1.MOV", true), ("notes.txt", false), ("program.ts", false), ("tv.wtv", true),
    ("raw.h264", true),
  ])
  func anEmptyFileIsMissedIfItIsNamedLikeMedia(_ name: String, _ isMissed: Bool) throws {
    try write(Data(), name)
    let report = try FolderImporter(library: nil).importFiles(at: [folder.path], isDryRun: true)
    #expect(report.leftAlone.map(\.reason) == [isMissed ? .emptyMedia : .empty])
    #expect(report.leftOutMedia == isMissed)
  }

  @Test func `an AVCHD card imports its videos`() throws {
    let card = folder.appendingPathComponent("PRIVATE/AVCHD/BDMV")
    for name in ["STREAM", "CLIPINF", "PLAYLIST"] {
      try FileManager.default.createDirectory(
        at: card.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    try write(SampleMedia.oldMovie(.avchd), "PRIVATE/AVCHD/BDMV/STREAM/00000.MTS")
    for name in ["CLIPINF/00000.CPI", "PLAYLIST/00000.MPL", "INDEX.BDM"] {
      try write(Data("HDMV0100".utf8), "PRIVATE/AVCHD/BDMV/\(name)")
    }
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder.path])
    #expect(report.videos == 1)
    #expect(report.leftAlone.map(\.reason) == [.sidecar, .sidecar, .sidecar])
    #expect(report.unreadable.isEmpty && !report.leftOutMedia)
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let film = try #require(PHAsset.fetchAssets(with: .video, options: options).firstObject)
    #expect(film.pixelWidth == 64 && film.pixelHeight == 48)
    #expect(abs(film.duration - 1) < 0.1)
  }

  @Test func `recordings of television, films of games and streams without a container are imported`() throws {
    let formats: [SampleMedia.OldMovieFormat] = [.wtv, .nut, .swf, .ivf, .roq, .h264, .hevc]
    for format in formats {
      try write(SampleMedia.oldMovie(format, duration: 0.2), "film.\(format.filenameExtension)")
    }
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder.path])
    #expect(report.videos == formats.count)
    #expect(report.unreadable.isEmpty && !report.leftOutMedia)
  }

  @Test(arguments: ["tv.wtv", "stream.nut", "raw.hevc", "game.roq", "old.ivf"])
  func aMovieThatCantBeReadYetIsNamedAsWhatMayBeMissed(_ name: String) throws {
    try write(Data("what no program knows".utf8), name)
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder.path])
    #expect(report.leftAlone.map(\.reason) == [.unrecognized])
    #expect(report.leftOutMedia)
  }

  @Test func theLibraryItselfIsNotImportedIntoItself() throws {
    try writePhotos(1)
    _ = try FolderImporter(library: temporary.library).importFiles(at: [folder.path])
    let report = try FolderImporter(library: temporary.library).importFiles(at: [temporary.folder.path])
    #expect(report.added == 0)
    #expect(report.leftAlone.map(\.reason) == [.library])
    #expect(!report.leftOutMedia)
  }

  @Test func aBrokenPhotoDoesNotHarmItsNeighbours() throws {
    try writePhotos(3)
    try write(Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xD9]), "IMG_001b.JPG")
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder.path])
    #expect(report.photos == 4)
    #expect(report.unreadable.map { URL(fileURLWithPath: $0.path).lastPathComponent } == ["IMG_001b.JPG"])
  }

  @Test func aLivePhotoCountsAsOne() throws {
    let pair = try SampleMedia.livePhoto(size: PictureSize(width: 64, height: 48), stillType: .jpeg)
    try write(pair.still, "a.jpg")
    try write(pair.video, "b.mov")
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder.path])
    #expect(report.livePhotos == 1 && report.photos == 0 && report.videos == 0)
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"] != nil,
      "CALOTYPE_CORPUS names no folder of real files: skipped"), .enabled(if: Soak.isOn, Soak.reason))
  func theCorpusComesInWhole() throws {
    let corpus = try #require(ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"])
    let report = try FolderImporter(library: temporary.library).importFiles(at: [corpus])
    #expect(report.failures.isEmpty)
    // Two photos and a Live Photo come with the edits made on the phone.
    #expect(report.photos == 107)
    #expect(report.videos == 9)
    #expect(report.livePhotos == 3)
    #expect(report.copies == 1)
    #expect(report.alreadyThere == 0)
    #expect(
      Set(report.unreadable.map { URL(fileURLWithPath: $0.path).lastPathComponent }) == [
        "NegativeArraySize.heif", "badimage.jpeg", "corrupt-header.jpg", "corrupted.hif", "crash-0c7e0e8e.tif",
        "crash-63b1dffe.tif", "decompression_bomb.gif", "poc_1793.heic", "zero_width.gif",
        "canon_eosr_truncated.cr3", "iphone12pro_proraw_pruned.dng",
      ])
    let findings = Mutex(0)
    try temporary.library.verify(findingHandler: { _ in findings.withLock { $0 += 1 } })
    #expect(findings.withLock { $0 } == 0)
    let again = try FolderImporter(library: temporary.library).importFiles(at: [corpus])
    #expect(again.added == 0 && again.completed == 0 && again.alreadyThere == 129)
  }
}
