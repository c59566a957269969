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

  /// Writes a photo that is not a copy of any other file.
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

  @Test func aFoundFileThatTheImportLosesSightOfIsAFailure() throws {
    try writePhoto(Self.composed, seed: 1)
    var scan = FolderScan(paths: [folder], isCancelled: { false })
    let lost = folder.appending(Self.latin1)
    scan.found.append(lost)
    let report = try FolderImporter(library: temporary.library).importFiles(in: scan, isDryRun: false)
    #expect(report.photos == 1)
    #expect(report.failures.map(\.source) == [lost])
  }

  @Test func `files that are larger together than a number can hold are inspected`() {
    let files = ["a.jpg", "b.jpg"].map { name in
      FoundFile(path: folder.appending(Array(name.utf8)), byteCount: .max, identity: .init(device: 1, number: 1))
    }
    var report = ImportReport(isDryRun: true)
    _ = FolderImporter(library: nil).inspect(files, &report)
    #expect(report.failures.map(\.source) == files.map(\.path))
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
    #expect(try FileInspection(url: folder.appending(name).url)?.uniformTypeIdentifier == "public.jpeg")
  }

  // MARK: Folders of other programs

  @Test(
    "A folder of another program is left alone and counted",
    arguments: [
      "@eaDir", "#recycle", "$RECYCLE.BIN", "$Recycle.Bin", ".Trash-1000", ".Trashes", ".thumbnails", "Thumbs",
      "Lightroom Catalog Previews.lrdata", "iPhoto Library/Data", "Old.photolibrary/Thumbnails", "A.aplibrary/Previews",
    ])
  func foreignFolders(_ name: String) throws {
    let photos = ["a.jpg", "below/b.jpg"].map { folder.appending(Array("\(name)/\($0)".utf8)) }
    try FileManager.default.createDirectory(
      atPath: "\(folder)/\(name)/below", withIntermediateDirectories: true)
    for photo in photos { try Data([1]).write(to: URL(fileURLWithPath: photo.description)) }
    let scan = FolderScan(paths: [folder], isCancelled: { false })
    #expect(scan.files.isEmpty)
    #expect(scan.leftAlone.map(\.reason) == [.foreign])
    #expect(scan.leftAlone.map(\.path) == [folder.appending(Array(name.utf8))])
    #expect(scan.leftAlone.map(\.fileCount) == [2])
    // If the user names the folder itself, it is imported.
    let named = FolderScan(paths: [folder.appending(Array(name.utf8))], isCancelled: { false })
    #expect(Set(named.files.map(\.path)) == Set(photos))
  }

  @Test func theOriginalsOfPicasaAreNamedWithTheirNumber() throws {
    mkdir(folder.appending(Array(".picasaoriginals".utf8)).cString, 0o700)
    for name in ["a.jpg", "b.JPG", ".picasa.ini"] {
      try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/.picasaoriginals/\(name)"))
    }
    let report = try FolderImporter(library: nil).importFiles(at: [folder], isDryRun: true)
    #expect(report.leftAlone == [.init(path: "\(folder)/.picasaoriginals", reason: .keptOriginal, fileCount: 2)])
  }

  /// In a process without root's permissions.
  @Test func aFolderOfAnotherProgramThatCantBeReadIsNamed() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      for name in ["@eaDir/below", "#recycle"] {
        try FileManager.default.createDirectory(
          at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
      }
      try Data([1]).write(to: folder.appendingPathComponent("@eaDir/a.jpg"))
      let closed = ["@eaDir/below", "#recycle"].map { folder.appendingPathComponent($0).path }
      for path in closed { chmod(path, 0) }
      for path in [folder.path, "\(folder.path)/@eaDir"] { chmod(path, 0o755) }
      if geteuid() == 0 { seteuid(65_534) }
      let scan = FolderScan(paths: [SourcePath(folder.path)], isCancelled: { false })
      if getuid() == 0 { seteuid(0) }
      for path in closed { chmod(path, 0o700) }
      try FileManager.default.removeItem(at: folder)
      #expect(scan.leftAlone.map(\.reason) == [.foreign, .foreign])
      #expect(scan.leftAlone.map(\.fileCount) == [0, 1])
      #expect(scan.leftAlone.map(\.isPartlyUnread) == [true, true])
    }
  }

  // MARK: Libraries

  private func makeFolder(_ name: String, with files: [String: Data]) throws {
    for (file, content) in files {
      let url = URL(fileURLWithPath: "\(folder)/\(name)/\(file)")
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try content.write(to: url)
    }
  }

  private static let database = Data("SQLite format 3\0 and pages".utf8)

  @Test(
    "Photos beside another program's library.sqlite are imported",
    arguments: [
      ["library.sqlite": Data()], ["library.sqlite": database], ["library.sqlite": Data("text".utf8)],
      ["library.sqlite": Data("text".utf8), "originals/b.txt": Data("b".utf8)],
      ["library.sqlite/c.txt": Data("c".utf8), "originals/b.txt": Data("b".utf8)],
      ["library.sqlite": database, "originals/b.txt": Data("b".utf8)],
      ["library.sqlite": database, "originals/b.txt": Data("b".utf8), "incoming/c.txt": Data("c".utf8)],
    ] as [[String: Data]])
  func anotherProgramsDatabase(_ files: [String: Data]) throws {
    try makeFolder("p", with: files)
    try writePhoto(Array("p/a.jpg".utf8), seed: 1)
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder])
    #expect(report.photos == 1)
    #expect(!report.leftAlone.contains { [.library, .otherLibrary].contains($0.reason) })
  }

  @Test(arguments: [true, false])
  func anotherLibraryIsNamedAsWhatMayBeMissed(_ isTheSource: Bool) throws {
    let other = try PHPhotoLibrary(url: URL(fileURLWithPath: "\(folder)/Other.calotype"))
    let source = isTheSource ? SourcePath(other.url.path) : folder
    let report = try FolderImporter(library: temporary.library).importFiles(at: [source])
    #expect(report.leftAlone == [.init(path: "\(folder)/Other.calotype", reason: .otherLibrary)])
    #expect(report.leftOutMedia)
  }

  @Test func photosBesideAnotherLibrarysOwnFilesAreImported() throws {
    _ = try PHPhotoLibrary(url: URL(fileURLWithPath: "\(folder)/Other.calotype"))
    let names = ["beside.jpg", "originals/own.jpg", "adjustments/own.jpg", "renditions/own.jpg", "incoming/own.jpg"]
    for (index, name) in names.enumerated() {
      try writePhoto(Array("Other.calotype/\(name)".utf8), seed: UInt64(index))
    }
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder])
    #expect(filenames == ["beside.jpg"])
    #expect(report.leftAlone == [.init(path: "\(folder)/Other.calotype", reason: .otherLibrary)])
  }

  @Test("A library whose database is damaged is still one", arguments: [Data(), Data(repeating: 0x5A, count: 65_536)])
  func damagedLibrary(_ database: Data) throws {
    let url = URL(fileURLWithPath: "\(folder)/Other.calotype")
    _ = try PHPhotoLibrary(url: url)
    let file = url.appendingPathComponent("library.sqlite")
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
    try database.write(to: file)
    try writePhoto(Array("Other.calotype/renditions/own.jpg".utf8), seed: 1)
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder])
    #expect(report.leftAlone == [.init(path: url.path, reason: .otherLibrary)])
    #expect(report.added == 0)
  }

  @Test(arguments: [true, false])
  func aLibraryIsKnownByItsDatabaseAlone(_ isOpen: Bool) throws {
    let url = URL(fileURLWithPath: "\(folder)/Other.calotype")
    var library: PHPhotoLibrary? = try PHPhotoLibrary(url: url)
    for name in ["adjustments", "renditions"] {
      try FileManager.default.removeItem(at: url.appendingPathComponent(name))
    }
    // As long as it is open, its log may have everything.
    if !isOpen { library = nil }
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder])
    #expect(report.leftAlone == [.init(path: url.path, reason: .otherLibrary)])
    withExtendedLifetime(library) {}
  }

  // MARK: Hidden files

  private func writeHidden() throws {
    mkdir(folder.appending(Array(".stash".utf8)).cString, 0o700)
    mkdir(folder.appending(Array(".stash/.deep".utf8)).cString, 0o700)
    let photos = [
      ".a.jpg", ".stash/b.jpg", ".stash/.deep/c.jpg", "._d.jpg", ".trashed-1700000000-e.jpg", ".stash/._b.jpg",
    ]
    for (index, name) in photos.enumerated() { try writePhoto(Array(name.utf8), seed: UInt64(index)) }
    try makeFolder(".settings", with: ["notes.txt": Data("x".utf8)])
    try makeFolder(".Trash-1000", with: ["f.jpg": Data("x".utf8)])
  }

  @Test func hiddenPhotosAreCountedByWhatTheyAreAndNamed() throws {
    try writeHidden()
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder])
    #expect(report.added == 0)
    #expect(
      report.leftAlone == [
        .init(path: "\(folder)/.Trash-1000", reason: .foreign),
        .init(path: "\(folder)/._d.jpg", reason: .hidden),
        .init(path: "\(folder)/.a.jpg", reason: .hiddenMedia),
        .init(path: "\(folder)/.settings", reason: .hidden),
        .init(path: "\(folder)/.stash", reason: .hiddenMedia, fileCount: 2),
        .init(path: "\(folder)/.trashed-1700000000-e.jpg", reason: .hidden),
      ])
    #expect(report.leftOutMedia)
  }

  @Test func `hidden photos without extensions are named, other files are not`() throws {
    mkdir(folder.appending(Array(".private".utf8)).cString, 0o700)
    try writePhoto(Array(".private/IMG_0001".utf8), seed: 1)
    try writePhoto(Array(".picture".utf8), seed: 2)
    try makeFolder(".git", with: ["HEAD": Data("ref: refs/heads/main".utf8), "config": Data()])
    let report = try FolderImporter(library: temporary.library).importFiles(at: [folder])
    #expect(
      report.leftAlone == [
        .init(path: "\(folder)/.git", reason: .hidden), .init(path: "\(folder)/.picture", reason: .hiddenMedia),
        .init(path: "\(folder)/.private", reason: .hiddenMedia),
      ])
  }

  @Test func `a folder is no file of macOS, however it is named`() throws {
    mkdir(folder.appending(Array("._stuff".utf8)).cString, 0o700)
    try writePhoto(Array("._stuff/a.jpg".utf8), seed: 1)
    let importer = FolderImporter(library: temporary.library, includesHidden: true)
    #expect(try importer.importFiles(at: [folder]).photos == 1)
  }

  /// In a process without root's permissions. Nothing is known of a folder with the mode 0711, and
  /// only names of one with 0744.
  @Test func `a hidden folder that can't be read is a failure`() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      let modes: [String: mode_t] = [".a": 0o000, ".b": 0o711, ".c": 0o744]
      for (name, mode) in modes {
        let path = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        try Data([1]).write(to: path.appendingPathComponent("a.jpg"))
        chmod(path.path, mode)
      }
      chmod(folder.path, 0o755)
      if geteuid() == 0 { seteuid(65_534) }
      let scan = FolderScan(paths: [SourcePath(folder.path)], isCancelled: { false })
      if getuid() == 0 { seteuid(0) }
      for name in modes.keys { chmod(folder.appendingPathComponent(name).path, 0o700) }
      try FileManager.default.removeItem(at: folder)
      #expect(scan.failures.map(\.path.description) == modes.keys.sorted().map { "\(folder.path)/\($0)" })
      #expect(scan.leftAlone.map(\.reason) == [.hidden, .hidden, .hidden])
    }
  }

  @Test func hiddenPhotosAreImportedIfThatIsAskedFor() throws {
    try writeHidden()
    let importer = FolderImporter(library: temporary.library, includesHidden: true)
    let report = try importer.importFiles(at: [folder])
    #expect(report.photos == 3)
    #expect(filenames.sorted() == [".a.jpg", "b.jpg", "c.jpg"])
    #expect(report.leftAlone.map(\.reason) == [.foreign, .hidden, .hidden, .hidden, .unknownType])
    #expect(!report.leftOutMedia)
  }

  @Test(
    "A folder of photos is searched",
    arguments: [
      "Data", "Previews", "My Thumbs up", "Old.photolibrary/Masters", "iPhoto Library/Originals", "recycling",
    ])
  func foldersOfPhotos(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/\(name)/a.jpg"))
    let scan = FolderScan(paths: [folder], isCancelled: { false })
    #expect(scan.files.map(\.path) == [folder.appending(Array("\(name)/a.jpg".utf8))])
  }

  @Test func aCamerasThumbnailIsASidecarOfItsMovieAndElseAPhoto() throws {
    let movie = folder.appending(Array("MVI_1.MOV".utf8)).description
    try SampleMedia.movie(duration: 0.2, size: PictureSize(width: 64, height: 48)).write(
      to: URL(fileURLWithPath: movie))
    try writePhoto(Array("MVI_1.THM".utf8), seed: 1)
    try writePhoto(Array("MVI_2.THM".utf8), seed: 2)
    let report = try FolderImporter(library: nil).importFiles(at: [folder], isDryRun: true)
    #expect(report.videos == 1)
    #expect(report.photos == 1)
    #expect(report.leftAlone == [.init(path: "\(folder)/MVI_1.THM", reason: .sidecar)])
  }

  @Test(
    "A small copy of a movie is left out beside the movie, and else a video",
    arguments: [
      (["GX010123.MP4", "GL010123.LRV", "GX010123.THM"], ["GL010123.LRV proxy", "GX010123.THM sidecar"]),
      (["GH010123.MP4", "GL010123.LRV"], ["GL010123.LRV proxy"]),
      (["GOPR0123.MP4", "GOPR0123.LRV", "GOPR0123.THM"], ["GOPR0123.LRV proxy", "GOPR0123.THM sidecar"]),
      (["DJI_0001.MP4", "DJI_0001.LRF"], ["DJI_0001.LRF proxy"]),
      (["GL010123.LRV", "GX010123.THM"], ["GX010123.THM sidecar"]),
      (["GX010123.MP4", "GL020123.LRV"], []), (["GOPR0123.LRV"], []),
    ])
  func proxies(_ names: [String], _ leftAlone: [String]) throws {
    for (index, name) in names.enumerated() {
      if name.hasSuffix("THM") {
        try writePhoto(Array(name.utf8), seed: UInt64(index))
      } else {
        try SampleMedia.movie(duration: 0.2, size: PictureSize(width: 64, height: 48), seed: UInt64(index)).write(
          to: URL(fileURLWithPath: "\(folder)/\(name)"))
      }
    }
    let report = try FolderImporter(library: nil).importFiles(at: [folder], isDryRun: true)
    #expect(report.leftAlone.map { "\(($0.path as NSString).lastPathComponent) \($0.reason)" } == leftAlone)
    #expect(report.videos == names.count - leftAlone.count)
  }

  // MARK: Empty and removed folders

  @Test func aNamedFolderThatIsEmptyIsReported() throws {
    mkdir(folder.appending(Array("below".utf8)).cString, 0o700)
    let empty = folder.appending(Array("below".utf8))
    let importer = FolderImporter(library: nil)
    #expect(try importer.importFiles(at: [empty], isDryRun: true).emptyFolders == [empty.description])
    #expect(try importer.importFiles(at: [folder], isDryRun: true).emptyFolders == [])
  }

  /// A removed USB stick leaves an empty folder, or none.
  @Test(arguments: [false, true])
  func aFolderThatGoesAwayIsOneFailure(_ leavesEmptyFolder: Bool) throws {
    mkdir(folder.appending(Array("stick".utf8)).cString, 0o700)
    let stick = folder.appending(Array("stick".utf8))
    mkdir(stick.appending(Array("DCIM".utf8)).cString, 0o700)
    for index in 0..<60 {
      try writePhoto(Array("stick/\(index % 2 == 0 ? "DCIM/" : "")\(100 + index).jpg".utf8), seed: UInt64(index))
    }
    try writePhoto(Array("z.jpg".utf8), seed: 100)
    let folder = folder
    let report = try FolderImporter(
      library: temporary.library,
      progressHandler: { progress in
        guard progress.phase == .importing, progress.files > 0 else { return }
        rename(stick.cString, folder.appending(Array(".pulled".utf8)).cString)
        if leavesEmptyFolder { mkdir(stick.cString, 0o700) }
      }
    ).importFiles(at: [folder])
    #expect(report.photos == 25)
    #expect(report.failures.map(\.path) == [stick.description])
    #expect(report.failures.map(\.fileCount) == [36])
    #expect(
      report.failures.first?.reason
        == "this folder can't be read any more or is empty now, as when a disk is pulled out; 36 files in it were not "
        + "imported; what was imported is safe; bring the disk back and import again")
  }

  @Test(.enabled(if: geteuid() != 0, "root has every permission: skipped"))
  func aFolderThatMayNotBeReadIsNamedWithThatReason() throws {
    chmod(folder.cString, 0)
    defer { chmod(folder.cString, 0o700) }
    let report = try FolderImporter(library: nil).importFiles(at: [folder], isDryRun: true)
    #expect(
      report.failures.map(\.reason) == [
        "you have no permission to read this folder (Permission denied); what is in it was not imported; "
          + "give yourself access and import again"
      ])
  }

  // MARK: Copies

  @Test(arguments: [false, true])
  func aCopyWithinTheSourceIsNotCalledPartOfTheLibrary(_ isDryRun: Bool) throws {
    for name in ["a.jpg", "b.jpg", "c.jpg"] { try writePhoto(Array(name.utf8), seed: 1) }
    let importer = FolderImporter(library: temporary.library)
    let report = try importer.importFiles(at: [folder], isDryRun: isDryRun)
    #expect(report.photos == 1)
    #expect(report.copies == 2)
    #expect(report.alreadyThere == 0)
    if isDryRun { _ = try importer.importFiles(at: [folder]) }
    let again = try importer.importFiles(at: [folder], isDryRun: isDryRun)
    #expect(again.copies == 0)
    #expect(again.alreadyThere == 3)
  }
}
