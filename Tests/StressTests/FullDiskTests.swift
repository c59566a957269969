import Foundation
import Photos
import PhotosTesting
import ProgramTesting
import TestSupport
import Testing

/// Tests that a full disk stops an import with a clear error and leaves the library intact.
@Suite struct FullDiskTests {
  @Test(.enabled(if: SmallDisk.canBeMade, "a small file system can't be mounted here"))
  func aFullDiskStopsTheImportAndTheLibraryStaysWhole() throws {
    let folder = try TemporaryFolder()
    for index in 0..<40 {
      // Small pictures in large files: drawing large ones would take seconds.
      let jpeg = try SampleMedia.jpeg(size: .small, seed: UInt64(index)) + Data(count: 150_000)
      try folder.write(jpeg, "photos/IMG_\(index).JPG")
    }
    let disk = try SmallDisk(at: folder["disk"], megabytes: 4)
    let program = Program(library: folder["disk"] + "/Library.calotype")

    let outcome = try program.run("import", "--create", folder["photos"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("no space is left on its disk"))
    let verified = try program.run("verify")
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")

    try disk.grow(toMegabytes: 200)
    #expect(try program.run("import", "--create", folder["photos"]).status == 0)
    #expect(try program.run("verify").status == 0)
    #expect(try program.run("list").lines.count == 40)
  }

  @Test(
    .enabled(if: SmallDisk.canBeMade, "a small file system can't be mounted here"),
    arguments: ["IMG_1.JPG", "IMG_1.MOV"])
  func aFullDiskStopsAnEditAndTheAssetStaysAsItWas(_ name: String) throws {
    let folder = try TemporaryFolder()
    let data =
      try name.hasSuffix("JPG")
      ? SampleMedia.jpeg(size: PictureSize(width: 2048, height: 1536))
      : SampleMedia.movie(size: PictureSize(width: 960, height: 720))
    try folder.write(data, "photos/\(name)")
    let disk = try SmallDisk(at: folder["disk"], megabytes: 16)
    let program = Program(library: folder["disk"] + "/Library.calotype")
    #expect(try program.run("import", "--create", folder["photos"]).status == 0)
    let identifier = try #require(
      try program.run("list").lines.first?.split(separator: " ").first { $0.contains("/L0/") }
    ).description
    #expect(try program.run("edit", identifier, "--filter", "sepia").status == 0)
    let before = try program.run("info", identifier).output

    // The space is enough to open the database, but not for the render.
    try disk.fill(leaving: 200_000)
    let outcome = try program.run("edit", identifier, "--filter", "noir")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("no space is left on its disk"), "\(outcome.errors)")
    #expect(outcome.output == "Edited 0 assets\n")
    #expect(try program.run("info", identifier).output == before)
    #expect(try program.run("verify").status == 0)

    try disk.grow(toMegabytes: 64)
    #expect(try program.run("edit", identifier, "--filter", "noir").status == 0)
    #expect(try program.run("verify").status == 0)
  }

  /// Makes a library of three photos and one more in the trash, and fills its disk.
  private func fullDisk(in folder: TemporaryFolder, megabytes: Int) throws -> (SmallDisk, Program) {
    for index in 0..<4 {
      let jpeg = try SampleMedia.jpeg(size: .small, seed: UInt64(index))
      try folder.write(jpeg, "photos/IMG_\(index).JPG")
    }
    let disk = try SmallDisk(at: folder["disk"], megabytes: megabytes)
    let program = Program(library: folder["disk"] + "/Library.calotype")
    #expect(try program.run("import", "--create", folder["photos"]).status == 0)
    let identifier = try #require(
      try program.run("list").lines.first?.split(separator: " ").first { $0.contains("/L0/") }
    ).description
    #expect(try program.run("delete", identifier, "--yes").status == 0)
    try disk.fill(leaving: 0)
    return (disk, program)
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "a small file system can't be mounted here"))
  func onAFullDiskTheLibraryIsReadAndTheTrashEmptied() throws {
    let folder = try TemporaryFolder()
    let (disk, program) = try fullDisk(in: folder, megabytes: 80)
    for _ in 0..<3 {
      let listed = try program.run("list")
      #expect(listed.lines.count == 3)
      #expect(listed.status == 0 && listed.errors == "", "\(listed.errors)")
    }
    let emptied = try program.run("trash", "empty", "--yes")
    #expect(emptied.status == 0, "\(emptied.errors)")
    #expect(emptied.output == "Deleted 1 asset for good\n")
    #expect(try program.run("verify").status == 0)
    withExtendedLifetime(disk) {}
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "a small file system can't be mounted here"))
  func onAFullDiskOtherChangesLeaveTheReserveToDeletions() throws {
    let folder = try TemporaryFolder()
    let (disk, _) = try fullDisk(in: folder, megabytes: 80)
    let library = try PHPhotoLibrary(url: URL(fileURLWithPath: folder["disk"] + "/Library.calotype"))
    let reserve = folder["disk"] + "/Library.calotype/incoming/reserve"
    func reserved() throws -> Int { try FileManager.default.attributesOfItem(atPath: reserve)[.size] as? Int ?? 0 }
    let before = try reserved()
    #expect(before > 4 << 20)
    let options = PHFetchOptions()
    options.photoLibrary = library
    let asset = try #require(PHAsset.fetchAssets(with: options).firstObject)
    let error = #expect(throws: PHPhotosError.self) {
      for index in 0..<200 {
        try library.performChangesAndWait {
          PHAssetChangeRequest(for: asset).caption = String(repeating: "\(index) ", count: 20_000)
        }
      }
    }
    #expect(error?.code == .notEnoughSpace)
    #expect(try reserved() == before)
    try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset] as NSArray) }
    withExtendedLifetime(disk) {}
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "a small file system can't be mounted here"))
  func onAFullDiskWithoutAReserveTheLibraryIsReadOnly() throws {
    let folder = try TemporaryFolder()
    // The disk is too small for a reserve.
    let (disk, program) = try fullDisk(in: folder, megabytes: 24)
    let listed = try program.run("list")
    #expect(listed.status == 0 && listed.lines.count == 3)
    #expect(listed.errors.contains("is open read-only: no space is left on its disk."), "\(listed.errors)")
    let emptied = try program.run("trash", "empty", "--yes")
    #expect(emptied.status == 1 && emptied.errors.contains("no space is left on its disk"), "\(emptied.errors)")
    #expect(try program.run("verify").status == 0)
    withExtendedLifetime(disk) {}
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "a small file system can't be mounted here"))
  func aReadOnlyDiskIsListedExportedAndVerified() throws {
    let folder = try TemporaryFolder()
    try folder.write(try SampleMedia.jpeg(size: PictureSize(width: 64, height: 48)), "photos/IMG_1.JPG")
    let disk = try SmallDisk(at: folder["disk"], megabytes: 24)
    let program = Program(library: folder["disk"] + "/Library.calotype")
    #expect(try program.run("import", "--create", folder["photos"]).status == 0)
    let identifier = try #require(
      try program.run("list").lines.first?.split(separator: " ").first { $0.contains("/L0/") }
    ).description
    try disk.makeReadOnly()
    for arguments in [["list"], ["verify"], ["export", "--to", folder["out"], identifier]] {
      let outcome = try program.run(arguments: arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains("is open read-only: its disk is read-only."), "\(outcome.errors)")
    }
    let refused = try program.run("favorite", identifier)
    #expect(refused.status == 1 && refused.errors.contains("its disk is read-only"), "\(refused.errors)")
  }

  /// A file system in memory, unmounted with the last reference.
  private final class SmallDisk {
    private let path: String

    init(at path: String, megabytes: Int) throws {
      self.path = path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Child.check("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path)
    }

    deinit { _ = try? Child.check("umount", "--lazy", path) }

    /// Whether this process can mount, which requires root and is forbidden in some containers.
    static var canBeMade: Bool {
      guard let folder = try? TemporaryFolder() else { return false }
      return (try? SmallDisk(at: folder["trial"], megabytes: 1)) != nil
    }

    /// Fills all space but some bytes with another file.
    func fill(leaving bytes: Int) throws {
      let free = try FileManager.default.attributesOfFileSystem(forPath: path)[.systemFreeSize] as? Int ?? 0
      try Data(count: max(0, free - bytes)).write(to: URL(fileURLWithPath: path).appendingPathComponent("filler"))
    }

    func makeReadOnly() throws {
      // The last program may still close its files.
      try eventually("a read-only disk") { try Child.run("mount", ["-o", "remount,ro", path]).status == 0 }
    }

    func grow(toMegabytes megabytes: Int) throws { try Child.check("mount", "-o", "remount,size=\(megabytes)m", path) }
  }
}
