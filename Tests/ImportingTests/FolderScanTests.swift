import Foundation
import Photos
import PhotosTesting
import Testing

@testable import Importing

@Suite struct FolderScanTests {
  let temporary: TemporaryLibrary
  let folder: SourcePath

  init() throws {
    temporary = try TemporaryLibrary()
    let url = temporary.folder.appendingPathComponent("in")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    folder = SourcePath(url.path).resolvingLinks()
  }

  private static let composed = Array("caf\u{E9}.jpg".utf8)
  private static let decomposed = Array("cafe\u{301}.jpg".utf8)
  private static let latin1 = Array("caf".utf8) + [0xE9] + Array(".jpg".utf8)

  /// Writes a photo that no other file has.
  private func writePhoto(_ name: [UInt8], seed: UInt64) throws {
    let jpeg = try SampleMedia.jpeg(size: PictureSize(width: 32, height: 24), seed: seed)
    let descriptor = open(folder.appending(name).cString, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: jpeg)
  }

  private var filenames: [String] {
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let assets = PHAsset.fetchAssets(with: options)
    return (0..<assets.count).flatMap { PHAssetResource.assetResources(for: assets.object(at: $0)) }
      .map(\.originalFilename)
  }

  @Test func twoSpellingsOfOneNameAreTwoFiles() throws {
    try writePhoto(Self.composed, seed: 1)
    try writePhoto(Self.decomposed, seed: 2)
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder])
    #expect(report.photos == 2)
    #expect(Set(filenames.map { Array($0.utf8) }) == [Self.composed, Self.decomposed])
  }

  @Test func aFileWhoseNameIsNotUTF8IsImported() throws {
    try writePhoto(Self.latin1, seed: 1)
    try writePhoto(Array("caf".utf8) + [0xE8] + Array(".jpg".utf8), seed: 2)
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder])
    #expect(report.photos == 2)
    #expect(report.failures == [])
    #expect(filenames == ["caf\u{FFFD}.jpg", "caf\u{FFFD}.jpg"])
  }

  @Test func aFileInAFolderWhoseNameIsNotUTF8IsImported() throws {
    let folderName = Array("caf".utf8) + [0xE9]
    mkdir(folder.appending(folderName).cString, 0o700)
    try writePhoto(folderName + Array("/a.jpg".utf8), seed: 1)
    try writePhoto(folderName + Array("/b.jpg".utf8), seed: 2)
    try writePhoto(folderName + Array("/copy of b.jpg".utf8), seed: 2)
    let dry = try FolderImporter(library: temporary.library).importFiles(at: [folder], isDryRun: true)
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder])
    #expect(dry.photos == 2 && report.photos == 2)
    #expect(filenames.sorted() == ["a.jpg", "b.jpg"])
  }

  @Test func aScanFindsEveryEntryButFolders() throws {
    mkdir(folder.appending(Array("below".utf8)).cString, 0o700)
    let names = [Self.composed, Self.decomposed, Self.latin1, Array(".hidden".utf8), Array("below/a.jpg".utf8)]
    for (index, name) in names.enumerated() { try writePhoto(name, seed: UInt64(index)) }
    symlink("nowhere", folder.appending(Array("link".utf8)).cString)
    let scan = FolderScan(paths: [folder, folder.appending(Self.composed)], isCancelled: { false })
    #expect(Set(scan.found) == Set((names + [Array("link".utf8)]).map(folder.appending)))
    #expect(Set(scan.files.map(\.path) + scan.leftAlone.map(\.path)) == Set(scan.found))
    #expect(scan.files.count == 4)
  }

  @Test func aReportKnowsWhichFilesItSaysNothingOf() {
    let paths = [Self.composed, Self.decomposed, Self.latin1].map { folder.appending($0) }
    var report = ImportReport(isDryRun: false)
    #expect(report.unaccounted(of: paths) == paths)
    report.account(for: paths[0])
    report.account(for: paths[2])
    #expect(report.unaccounted(of: paths) == [paths[1]])
  }

  @Test(arguments: [composed, decomposed, latin1, Array("a b#?%41;.jpg".utf8)])
  func aURLCarriesThePathsBytes(_ name: [UInt8]) throws {
    try writePhoto(name, seed: 1)
    #expect(try PHFileInspection(url: folder.appending(name).url)?.uniformTypeIdentifier == "public.jpeg")
  }
}
