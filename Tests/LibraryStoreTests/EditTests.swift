import Foundation
import GRDB
import Synchronization
import Testing

@testable import LibraryStore

@Suite struct EditTests {
  let folder: TemporaryFolder
  let store: LibraryStore
  let asset: AssetRecord

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
    asset = try store.add("original", as: "A.jpg")
  }

  /// Commits an edit of these files, each given by its type, name and bytes.
  private func edit(_ files: [(type: ResourceType, name: String, bytes: String)]) throws {
    let staged = try files.map { try store.stage(.data(Data($0.bytes.utf8))) }
    let placements = zip(staged, files).map {
      Placement(staged: $0, adjustmentFilename: $1.name, assetUUID: asset.uuid)
    }
    try store.commit(placing: placements) { transaction in
      var edited = try #require(try transaction.asset(uuid: asset.uuid))
      try transaction.edit(
        &edited,
        resources: zip(staged, files).map { staged, file in
          (
            ResourceRecord(
              type: file.type.rawValue, originalFilename: file.name, uniformTypeIdentifier: "public.jpeg",
              pixelWidth: 2, pixelHeight: 1), staged.sha256
          )
        })
      try transaction.update(edited)
    }
  }

  private func render(_ bytes: String, data: String = "data") throws {
    try edit([(.fullSizePhoto, "FullSizeRender.jpg", bytes), (.adjustmentData, "Adjustments.plist", data)])
  }

  /// The render is removed with the edit, and only the copy is left then.
  @Test func `a copy of an edit's render is no copy that may go`() throws {
    try render("edited")
    let copy = "originals/1970/01/Edited.jpg"
    try Data("edited".utf8).write(to: URL(fileURLWithPath: "\(folder.library)/\(copy)"))
    let found = Mutex<[VerificationFinding]>([])
    try store.verify(
      isCancelled: { false }, progress: { _ in }, found: { finding in found.withLock { $0.append(finding) } })
    #expect(found.withLock(\.self) == [.stray(path: copy)])
  }

  private func revert() throws {
    try store.commit { transaction in
      var reverted = try #require(try transaction.asset(uuid: asset.uuid))
      try transaction.revert(&reverted)
      try transaction.update(reverted)
    }
  }

  private func current() throws -> AssetRecord { try #require(try store.inspect { try $0.asset(uuid: asset.uuid) }) }

  private func files() throws -> [String] {
    AssetFiles(try store.resources(assetIDs: [asset.id])[asset.id] ?? []).resources.map(\.path)
  }

  private var adjustments: [String] { folder.files(in: "adjustments").map { String($0.dropFirst(37)) } }

  private func findings() throws -> [VerificationFinding] {
    let found = Mutex<[VerificationFinding]>([])
    try store.verify(
      isCancelled: { false }, progress: { _ in }, found: { finding in found.withLock { $0.append(finding) } })
    return found.withLock { $0 }
  }

  @Test func anEditLiesBesideTheOriginalsAndLeavesThemAsTheyAre() throws {
    try render("render")
    #expect(
      try files() == [
        "originals/1970/01/A.jpg", "adjustments/\(asset.uuid)/FullSizeRender.jpg",
        "adjustments/\(asset.uuid)/Adjustments.plist",
      ])
    #expect(try String(contentsOfFile: "\(folder.library)/originals/1970/01/A.jpg", encoding: .utf8) == "original")
    #expect(try findings() == [])
  }

  @Test func anEditedAssetHasTheSizeAndTheVersionOfItsRender() throws {
    let before = try current()
    try render("render")
    let edited = try current()
    #expect(edited.hasAdjustments)
    #expect(edited.size == "2 × 1")
    #expect(edited.renditionVersion != before.renditionVersion)
    #expect(edited.creationDate == before.creationDate)
  }

  @Test func anotherEditReplacesTheOneBefore() throws {
    try render("one")
    let first = try current().renditionVersion
    try render("two", data: "other data")
    #expect(try files().count == 3)
    #expect(adjustments == ["Adjustments (2).plist", "FullSizeRender (2).jpg"])
    #expect(try current().renditionVersion != first)
    #expect(try findings() == [])
  }

  @Test func anotherEditMayHaveTheSameRender() throws {
    try render("same")
    try render("same", data: "other data")
    #expect(adjustments == ["Adjustments (2).plist", "FullSizeRender.jpg"])
    #expect(try findings() == [])
  }

  @Test func aRevertedAssetIsWhatItWas() throws {
    try render("one")
    try revert()
    let reverted = try current()
    #expect(!reverted.hasAdjustments)
    #expect(reverted.size == "4 × 3")
    #expect(try files() == ["originals/1970/01/A.jpg"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.library)/adjustments") == [])
    let sha256 = try store.inspect { try $0.resources(of: asset)[0].sha256 }
    #expect(reverted.renditionVersion == AssetRecord.renditionVersion(of: [sha256]))
  }

  @Test func anOlderRecordShowsWhatIsThereNow() throws {
    let older = try current()
    try render("render")
    let edited = try current()
    let files = AssetFiles(try store.resources(assetIDs: [asset.id])[asset.id] ?? [])
    #expect(older.showing(files).renditionVersion == edited.renditionVersion)
    var otherWay = edited
    otherWay.renditionVersion = edited.renditionVersion.prefix { $0 != "-" } + "-9"
    #expect(otherWay.showing(files).renditionVersion.hasSuffix("-9"))
  }

  @Test func anUneditedAssetIsNotReverted() throws {
    let before = try store.latestTransaction()
    try revert()
    #expect(try store.latestTransaction() == before)
  }

  @Test func anEditAndItsRevertAreChangesOfContent() throws {
    func contents() throws -> [Bool] {
      try store.database.pool.read {
        try Bool.fetchAll($0, sql: "SELECT is_content FROM history_change ORDER BY transaction_id")
      }
    }
    try render("render")
    try revert()
    #expect(try contents() == [true, true, true])
  }

  @Test func anEditForgetsTheRenditions() throws {
    let version = asset.renditionVersion
    let picture = RenditionStore.Picture(
      kind: "grid", pixelWidth: 1, pixelHeight: 1, uniformTypeIdentifier: "public.jpeg", data: Data([1]))
    try store.renditions.store([.init(uuid: asset.uuid, version: version, pictures: [picture], placeholder: nil)])
    let movie = try store.renditions.file(uuid: asset.uuid, version: version, name: "movie.mp4")
    try "movie".write(toFile: movie, atomically: false, encoding: .utf8)
    try render("render")
    #expect(try store.renditions.picture(uuid: asset.uuid, kind: "grid", version: version) == nil)
    #expect(!FileManager.default.fileExists(atPath: movie))
  }

  @Test func anExpungedAssetTakesItsEditAlong() throws {
    try render("render")
    try store.commit { try $0.trash(try #require(try $0.asset(uuid: asset.uuid))) }
    try store.commit { try $0.expunge(try #require(try $0.asset(uuid: asset.uuid))) }
    #expect(folder.files(in: "originals").isEmpty)
    #expect(folder.files(in: "adjustments").isEmpty)
  }

  @Test func anEditThatFailsLeavesNoFile() throws {
    struct Refusal: Error {}
    let staged = try store.stage(.data(Data("render".utf8)))
    let placement = Placement(staged: staged, adjustmentFilename: "FullSizeRender.jpg", assetUUID: asset.uuid)
    #expect(throws: Refusal.self) { try store.commit(placing: [placement]) { _ in throw Refusal() } }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.library)/adjustments") == [])
  }

  @Test func filesOfAnInterruptedEditAreRemovedAtTheNextOpening() throws {
    let lost = "adjustments/\(asset.uuid)/FullSizeRender.jpg"
    try FileManager.default.createDirectory(
      atPath: "\(folder.library)/adjustments/\(asset.uuid)", withIntermediateDirectories: true)
    try "render".write(toFile: "\(folder.library)/\(lost)", atomically: false, encoding: .utf8)
    let hash = try ByteSource.data(Data("render".utf8)).sha256().map { String(format: "%02x", $0) }.joined()
    try folder.leaveSession(journal: "\(store.uuid) \(try store.latestTransaction()) \(hash) \(lost)\n")

    _ = try folder.open()

    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.library)/adjustments") == [])
  }

  @Test func verificationFindsWhatIsWrongWithEdits() throws {
    try render("render")
    let path = "adjustments/\(asset.uuid)"
    try "renter".write(
      toFile: "\(folder.library)/\(path)/FullSizeRender.jpg", atomically: false, encoding: .utf8)
    try FileManager.default.removeItem(atPath: "\(folder.library)/\(path)/Adjustments.plist")
    try "stray".write(toFile: "\(folder.library)/\(path)/Stray.jpg", atomically: false, encoding: .utf8)
    #expect(
      Set(try findings()) == [
        .changed(path: "\(path)/FullSizeRender.jpg"), .missing(path: "\(path)/Adjustments.plist"),
        .stray(path: "\(path)/Stray.jpg"),
      ])
  }

  @Test func aLibraryWithoutTheFolderOfEditsGetsOne() throws {
    try FileManager.default.removeItem(atPath: "\(folder.library)/adjustments")
    try render("render")
    #expect(adjustments == ["Adjustments.plist", "FullSizeRender.jpg"])
  }
}

extension AssetRecord {
  fileprivate var size: String { "\(pixelWidth) × \(pixelHeight)" }
}

@Suite struct AssetFilesTests {
  private func files(_ types: [ResourceType], raw: Set<ResourceType> = []) -> AssetFiles {
    AssetFiles(
      types.map {
        ResourceRecord(
          type: $0.rawValue, originalFilename: "\($0)",
          uniformTypeIdentifier: raw.contains($0) ? "com.adobe.raw-image" : "public.jpeg", pixelWidth: 0, pixelHeight: 0
        )
      })
  }

  @Test func originalsComeFirstThenRendersBasesAndData() {
    let all: [ResourceType] = [
      .adjustmentData, .adjustmentBasePhoto, .fullSizePairedVideo, .pairedVideo, .fullSizePhoto, .photo,
    ]
    #expect(
      files(all).resources.map(\.originalFilename) == [
        "photo", "pairedVideo", "fullSizePhoto", "fullSizePairedVideo", "adjustmentBasePhoto", "adjustmentData",
      ])
  }

  @Test(
    "The current, original and unadjusted picture are these files",
    arguments: [
      ([ResourceType.photo], [ResourceType](), "photo photo photo"),
      ([.photo, .fullSizePhoto, .adjustmentData], [], "fullSizePhoto photo photo"),
      ([.video, .fullSizeVideo, .adjustmentData], [], "fullSizeVideo video video"),
      ([.photo, .alternatePhoto], [.alternatePhoto], "photo photo photo"),
      ([.photo, .alternatePhoto], [.photo], "photo photo alternatePhoto"),
      ([.photo, .alternatePhoto, .fullSizePhoto, .adjustmentData], [.photo], "fullSizePhoto photo alternatePhoto"),
      ([.photoProxy], [], "photoProxy photoProxy photoProxy"),
    ])
  func versions(_ types: [ResourceType], _ raw: [ResourceType], _ expected: String) {
    let files = files(types, raw: Set(raw))
    let found = [files.current, files.original, files.unadjusted].compactMap { $0?.originalFilename }
    #expect(found == expected.components(separatedBy: " "))
  }

  @Test(
    "The current and original movie are these files",
    arguments: [
      ([ResourceType.video], "video video"),
      ([.video, .fullSizeVideo, .adjustmentData], "fullSizeVideo video"),
      ([.photo, .pairedVideo], "pairedVideo pairedVideo"),
      (
        [.photo, .pairedVideo, .fullSizePhoto, .fullSizePairedVideo, .adjustmentData],
        "fullSizePairedVideo pairedVideo"
      ),
      ([.photo, .pairedVideo, .fullSizePhoto, .adjustmentData], "pairedVideo pairedVideo"),
    ])
  func movies(_ types: [ResourceType], _ expected: String) {
    let files = files(types)
    let found = [files.currentMovie, files.originalMovie].compactMap { $0?.originalFilename }
    #expect(found == expected.components(separatedBy: " "))
  }
}
