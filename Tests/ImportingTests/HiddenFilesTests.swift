import Foundation
import Photos
import PhotosTesting
import Synchronization
import Testing

@testable import Importing

@Suite struct HiddenFilesTests {
  let temporary: TemporaryLibrary
  let folder: URL

  init() throws {
    temporary = try TemporaryLibrary()
    folder = temporary.folder.appendingPathComponent("in")
    for (index, name) in [".stash/a.jpg", ".stash/below/b.jpg", ".c.jpg", "d.jpg"].enumerated() {
      try write(name, seed: UInt64(index))
    }
  }

  private func write(_ name: String, seed: UInt64) throws {
    let file = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try SampleMedia.jpeg(size: PictureSize(width: 64, height: 48), seed: seed).write(to: file)
  }

  private func importFolder(includesHidden: Bool = false, isDryRun: Bool = false) throws -> ImportReport {
    try FolderImporter(library: temporary.library, includesHidden: includesHidden)
      .importFiles(at: [folder.path], isDryRun: isDryRun)
  }

  @Test(arguments: [false, true])
  func `hidden photos of the library are already there`(isDryRun: Bool) throws {
    #expect(try importFolder().leftOutMedia)
    #expect(try importFolder(includesHidden: true).photos == 3)
    let report = try importFolder(isDryRun: isDryRun)
    #expect(report.alreadyThere == 4 && report.leftAlone.isEmpty && report.failures.isEmpty)
    #expect(!report.leftOutMedia)
  }

  @Test func `a hidden photo that the library does not have is still left out`() throws {
    _ = try importFolder(includesHidden: true)
    try write(".stash/new.jpg", seed: 10)
    let report = try importFolder()
    #expect(report.alreadyThere == 4)
    #expect(
      report.leftAlone == [.init(path: "\(folder.path)/.stash", reason: .hiddenMedia, fileCount: 1)])
    #expect(report.leftOutMedia)
  }

  @Test func `a deleted hidden photo is left out`() throws {
    _ = try importFolder(includesHidden: true)
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let assets = PHAsset.fetchAssets(with: options)
    try temporary.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets(assets) }
    let report = try importFolder()
    #expect(report.alreadyThere == 0)
    #expect(report.leftAlone.reduce(0) { $0 + ($1.reason == .hiddenMedia ? $1.fileCount : 0) } == 3)
  }

  /// The render is removed with the edit, and only the hidden file is left then.
  @Test func `a hidden copy of an edit's render is left out`() throws {
    try write("IMG_0001.JPG", seed: 20)
    for name in ["IMG_E0001.JPG", ".render.jpg"] { try write(name, seed: 21) }
    let adjustments: [String: Any] = [
      "adjustmentFormatIdentifier": "com.apple.photo", "adjustmentFormatVersion": "1.11", "adjustmentData": Data([1]),
    ]
    try PropertyListSerialization.data(fromPropertyList: adjustments, format: .xml, options: 0)
      .write(to: folder.appendingPathComponent("IMG_0001.AAE"))
    #expect(try importFolder().edits == 1)
    let left = try importFolder().leftAlone.filter { $0.reason == .hiddenMedia }.map(\.path)
    #expect(left.contains("\(folder.path)/.render.jpg"))
  }

  @Test func `the events name the assets of hidden photos`() throws {
    let named = Mutex<[Bool: [String: String?]]>([:])
    for includesHidden in [true, false] {
      let importer = FolderImporter(
        library: temporary.library, includesHidden: includesHidden,
        eventHandler: { event in
          named.withLock { $0[includesHidden, default: [:]][event.path] = event.localIdentifier }
        })
      _ = try importer.importFiles(at: [folder.path])
    }
    let found = named.withLock(\.self)
    #expect(found[false]?.count == 4 && found[false] == found[true])
  }
}
