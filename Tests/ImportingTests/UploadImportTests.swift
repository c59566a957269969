import Foundation
import Importing
import Photos
import PhotosTesting
import Testing

@Suite struct UploadImportTests {
  private let temporary: TemporaryLibrary
  private let paths: [String]

  init() throws {
    temporary = try TemporaryLibrary()
    let folder = temporary.folder.appendingPathComponent("in")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    paths = try (0..<2).map { index in
      let file = folder.appendingPathComponent("IMG_\(index).JPG")
      try SampleMedia.jpeg(size: PictureSize(width: 48, height: 32), seed: UInt64(index)).write(to: file)
      return file.path
    }
  }

  @Test func `an import of uploads knows its own last transaction, whatever others commit`() throws {
    let outcomes = FolderImporter.importFiles(at: paths, to: temporary.library)
    let own = temporary.library.currentChangeToken
    try temporary.addAlbum("Norway", of: [])
    let transaction = try #require(outcomes.transaction)
    #expect(try temporary.library.changeToken(after: transaction) == own)
    #expect(temporary.library.currentChangeToken != own)
  }

  @Test func `an import that changes nothing has no transaction`() throws {
    _ = FolderImporter.importFiles(at: paths, to: temporary.library)
    let again = FolderImporter.importFiles(at: paths, to: temporary.library)
    #expect(again.events.map(\.?.outcome) == [.alreadyThere, .alreadyThere])
    #expect(again.transaction == nil)
  }
}
