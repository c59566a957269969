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

  @Test(arguments: [
    (nil, "Pictures"), ("XDG_PICTURES_DIR=\"$HOME/Bilder\"\n", "Bilder"),
    ("# none\nXDG_MUSIC_DIR=\"$HOME/Music\"\n", "Pictures"), ("XDG_PICTURES_DIR=\"nonsense\"\n", "Pictures"),
  ])
  func `the default library is in the pictures folder of $HOME`(settings: String?, folder: String) async throws {
    await #expect(processExitsWith: .success) { [settings, folder] in
      unsetenv("CALOTYPE_LIBRARY")
      unsetenv("XDG_CONFIG_HOME")
      let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: home) }
      try FileManager.default.createDirectory(
        at: home.appendingPathComponent(".config"), withIntermediateDirectories: true)
      if let settings { try Data(settings.utf8).write(to: home.appendingPathComponent(".config/user-dirs.dirs")) }
      setenv("HOME", home.path, 1)
      #expect(PHPhotoLibrary.defaultURL.path == "\(home.path)/\(folder)/Photos Library.calotype")
      #expect(SharedLibrary.isToBeMade)
      _ = try PHPhotoLibrary(url: PHPhotoLibrary.defaultURL)
      #expect(!SharedLibrary.isToBeMade)
    }
  }

  @Test func `another folder for the pictures is taken as it is named`() async {
    await #expect(processExitsWith: .success) {
      unsetenv("CALOTYPE_LIBRARY")
      let settings = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: settings) }
      try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
      try Data("XDG_PICTURES_DIR=\"/media/disk/Photos\"\n".utf8).write(
        to: settings.appendingPathComponent("user-dirs.dirs"))
      setenv("XDG_CONFIG_HOME", settings.path, 1)
      #expect(PHPhotoLibrary.defaultURL.path == "/media/disk/Photos/Photos Library.calotype")
    }
  }
}
