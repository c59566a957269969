import Foundation
import Photos
import PhotosTesting
import TestSupport
import Testing

@testable import Importing

/// Tests which photo gets an edit back when a library has lost its database.
@Suite struct RepairedEditTests {
  let temporary: TemporaryLibrary
  private var url: URL { temporary.url }
  private static let edited = "FullSizeRender.jpg + Adjustments.plist"

  init() throws { temporary = try TemporaryLibrary() }

  /// Returns a picture; each `seed` has another one.
  private static func picture(_ seed: UInt64, day: Double?) throws -> Data {
    let date = day.map { Date(timeIntervalSince1970: 1_500_000_000 + $0 * 86_400) }
    return try SampleMedia.jpeg(
      size: PictureSize(width: 48, height: 32), seed: seed, metadata: SampleMetadata(captureDate: date, offset: 0))
  }

  /// Adds a photo for each day to the library, and edits one of them.
  private func fill(days: [Double?], editing index: Int) async throws {
    let assets = try temporary.add(
      days.enumerated().map { SampleFile("IMG_\($0).JPG", try Self.picture(UInt64($0), day: $1)) })
    let asset = assets[index]
    let output: PHContentEditingOutput? = try await answer("the input of an edit") { done in
      asset.requestContentEditingInput(with: nil) { input, _ in
        let output = input.map(PHContentEditingOutput.init(contentEditingInput:))
        done(output)
      }
    }
    let edit = try #require(output)
    edit.adjustmentData = PHAdjustmentData(formatIdentifier: "test", formatVersion: "1", data: Data([1]))
    try Self.picture(100, day: days[index]).write(to: edit.renderedContentURL)
    try await temporary.library.performChanges { PHAssetChangeRequest(for: asset).contentEditingOutput = edit }
  }

  /// Removes the database, makes another one, and returns the file names of each asset.
  private func repair() throws -> (report: RepairReport, assets: [String]) {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(at: url.appendingPathComponent("library.sqlite\(suffix)"))
    }
    let opened = try PHPhotoLibrary.openForRepair(url: url)
    let report = try FolderImporter(library: opened).repair()
    _ = try opened.finishRepair()
    let options = PHFetchOptions()
    options.photoLibrary = try PHPhotoLibrary(url: url, create: false)
    let assets = PHAsset.fetchAssets(with: options)
    return (
      report,
      (0..<assets.count).map { index in
        PHAssetResource.assetResources(for: assets[index]).map(\.originalFilename).joined(separator: " + ")
      }.sorted()
    )
  }

  private func files(named name: String) -> [URL] {
    (FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix("/\(name)") }.map(url.appendingPathComponent)
  }

  @Test func aPhotoWithoutADateGetsItsEditBack() async throws {
    try await fill(days: [nil, nil], editing: 1)
    let (report, assets) = try repair()
    #expect(assets == ["IMG_0.JPG", "IMG_1.JPG + \(Self.edited)"])
    #expect(report.edits == 1)
    #expect(report.lostEdits == [])
  }

  @Test func theEditedOneOfThreePhotosWithOneDateGetsItsEditBack() async throws {
    try await fill(days: [1, 1, 1], editing: 1)
    #expect(try repair().assets == ["IMG_0.JPG", "IMG_1.JPG + \(Self.edited)", "IMG_2.JPG"])
  }

  @Test func anEditOfAMissingPhotoIsNotGivenToAnotherOneOfTheSameDate() async throws {
    try await fill(days: [1, 1], editing: 1)
    try FileManager.default.removeItem(at: #require(files(named: "IMG_1.JPG").first))
    let (report, assets) = try repair()
    #expect(assets == ["IMG_0.JPG"])
    #expect(report.lostEdits.count == 1)
  }

  @Test func anEditThatNamesNoOriginalIsReturnedByItsDate() async throws {
    try await fill(days: [1, 2], editing: 1)
    let file = try #require(files(named: "Adjustments.plist").first)
    let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil) as? [String: Any]
    let older = try #require(list).filter { $0.key.hasPrefix("adjustment") }
    #expect(older.count == 4)
    try PropertyListSerialization.data(fromPropertyList: older, format: .xml, options: 0).write(to: file)
    #expect(try repair().assets == ["IMG_0.JPG", "IMG_1.JPG + \(Self.edited)"])
  }

  @Test func anEditIsReturnedThoughThereIsACopyOfItsPhoto() async throws {
    try await fill(days: [1, 2], editing: 1)
    let file = try #require(files(named: "IMG_1.JPG").first)
    let copy = file.deletingLastPathComponent().appendingPathComponent("copy.jpg")
    try FileManager.default.copyItem(at: file, to: copy)
    let (report, assets) = try repair()
    #expect(assets == ["IMG_0.JPG", "IMG_1.JPG + \(Self.edited)"])
    #expect(report.imported.copies == 1)
  }

  @Test func anEditThatNamesItsOriginalIsReadAsBefore() async throws {
    try await fill(days: [1], editing: 0)
    let file = try #require(files(named: "Adjustments.plist").first)
    let data = try #require(PHAdjustmentData(contentsOf: file))
    #expect(data.formatIdentifier == "test")
    #expect(data.formatVersion == "1")
    #expect(data.data == Data([1]))
    let original = try #require(files(named: "IMG_0.JPG").first)
    #expect(EditedOriginal(contentsOfAdjustments: file)?.sha256 == (try FileInspection.sha256(of: original)))
  }

  /// Plans assets of copies of one photo, some of them with a movie, and an edit of the photo.
  /// Returns the place of the asset that gets the edit.
  private func owner(amongCopiesWithMovies haveMovies: [Bool]) throws -> Int? {
    let folder = temporary.folder.appendingPathComponent("in")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for index in haveMovies.indices {
      try Self.picture(1, day: 1).write(to: folder.appendingPathComponent("\(index).jpg"))
    }
    try Self.picture(2, day: 1).write(to: folder.appendingPathComponent("other.jpg"))
    let photos = try FolderScan(paths: [SourcePath(folder.path)], isCancelled: { false }).files.map { file in
      InspectedFile(file: file, inspection: try #require(try FileInspection(url: file.path.url)))
    }
    var plan = ImportPlan([]) { _ in false }
    // No owner is found by the movie, so any other file will do.
    plan.assets = zip(photos, haveMovies).map { PlannedAsset(photo: $0, movie: $1 ? photos.last : nil) }
    let original = EditedOriginal(
      byteCount: photos[0].file.byteCount, sha256: try FileInspection.sha256(of: photos[0].file.path.url))
    let edit = PlannedEdit(render: photos[0], movie: nil, envelope: photos[0].file, original: original)
    var owners = EditOwners(of: plan)
    return owners.give(edit, &plan) ? plan.assets.firstIndex { $0.edit != nil } : nil
  }

  @Test func theLivePhotoAmongCopiesGetsTheEdit() throws {
    #expect(try owner(amongCopiesWithMovies: [false, true, false]) == 1)
  }

  @Test func anEditOfTwoLivePhotosWithOneStillIsGivenToNeither() throws {
    #expect(try owner(amongCopiesWithMovies: [true, true]) == nil)
  }

  /// Plans two assets of one date, and one of another date. Returns the indexes of the assets to
  /// which an edit of the first may belong: without and with a named original.
  private func candidates(date: String) throws -> (byDate: [Int], byOriginal: [Int]) {
    let folder = temporary.folder.appendingPathComponent("dates")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let others = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_000_000_000), offset: 0)
    for (seed, name) in ["0.jpg", "1.jpg", "2.jpg", "3.jpg"].enumerated() {
      var data = try SampleMedia.jpeg(
        size: PictureSize(width: 48, height: 32), seed: UInt64(seed), metadata: others)
      while name != "2.jpg", let found = data.firstRange(of: Data("2001:09:09 01:46:40".utf8)) {
        data.replaceSubrange(found, with: Data(date.utf8))
      }
      try data.write(to: folder.appendingPathComponent(name))
    }
    let photos = try FolderScan(paths: [SourcePath(folder.path)], isCancelled: { false }).files
      .sorted { $0.path < $1.path }
      .map { InspectedFile(file: $0, inspection: try #require(try FileInspection(url: $0.path.url))) }
    let render = try #require(photos.last)
    var plan = ImportPlan([]) { _ in false }
    plan.assets = photos.dropLast().map { PlannedAsset(photo: $0) }
    var owners = EditOwners(of: plan)
    let original = EditedOriginal(
      byteCount: photos[0].file.byteCount, sha256: try FileInspection.sha256(of: photos[0].file.path.url))
    return (
      owners.candidates(for: PlannedEdit(render: render, envelope: render.file)),
      owners.candidates(for: PlannedEdit(render: render, envelope: render.file, original: original))
    )
  }

  @Test(arguments: [
    ("1985:06:14 10:11:12", [0, 1]), ("1985:06:14   :  :  ", []), ("1985:06:00 00:00:00", []),
    ("1985:00:00 00:00:00", []),
  ])
  func `a partial date finds no photo of an edit, but the named original does`(date: String, byDate: [Int]) throws {
    let found = try candidates(date: date)
    #expect(found.byDate == byDate)
    #expect(found.byOriginal == [0])
  }
}
