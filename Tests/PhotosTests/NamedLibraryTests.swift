import Foundation
import PhotosTesting
import Testing

@testable import Photos

/// Tests the library that `CALOTYPE_LIBRARY` names for `PHPhotoLibrary.shared()`.
@Suite struct NamedLibraryTests {
  @Test func aPathWithoutALibraryIsRefusedAndStaysAsItIs() throws {
    let temporary = try TemporaryLibrary()
    let missing = temporary.folder.appendingPathComponent("typo.calotype")
    let error = #expect(throws: PHPhotosError.self) { try SharedLibrary.open(named: missing) }
    #expect(error?.code == .libraryVolumeOffline)
    #expect(
      error?.localizedDescription.hasPrefix(
        "\(missing.path): there is no photo library here; CALOTYPE_LIBRARY names this path; check it") == true)
    #expect(!FileManager.default.fileExists(atPath: missing.path))
  }

  @Test func anExistingLibraryIsOpened() throws {
    let temporary = try TemporaryLibrary(photos: 1)
    #expect(try SharedLibrary.open(named: temporary.url).url.path == temporary.url.path)
  }
}
