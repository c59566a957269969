import Foundation
import GRDB
import Synchronization
import Testing

@testable import LibraryStore

@Suite struct OriginalsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func anOriginalKeepsItsNameAndBytes() throws {
    try folder.open().add("one", as: "IMG_1.JPG", date: Date(timeIntervalSince1970: 1_551_690_000))
    #expect(folder.files(in: "originals") == ["2019/03/IMG_1.JPG"])
    #expect(try String(contentsOfFile: "\(folder.library)/originals/2019/03/IMG_1.JPG", encoding: .utf8) == "one")
  }

  @Test func aLibraryThatCannotBeMadeSaysTheSystemsReason() throws {
    try Data().write(to: URL(fileURLWithPath: "\(folder.path)/file"))
    let path = "\(folder.path)/file/deep/Library.calotype"
    #expect(throws: StoreError(.cannotWrite, path, reason: "Not a directory")) {
      try LibraryStore(path: path, create: true)
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root has every permission: skipped"))
  func aFolderThatMayNotBeWrittenToIsNamedWithThatReason() throws {
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    #expect(
      throws: StoreError(
        .cannotWrite, folder.library, reason: "you have no permission to write it (Permission denied)")
    ) { try folder.open() }
  }

  @Test func aMissingOriginalIsNamedWithWhatHeals() throws {
    let store = try folder.open()
    let asset = try store.add("one")
    let resource = try store.inspect { try $0.resources(of: asset)[0] }
    let file = "\(folder.library)/originals/1970/01/A.jpg"
    try FileManager.default.removeItem(atPath: file)
    #expect(throws: StoreError(.cannotRead, file, reason: StoreError.missingFile)) {
      try store.originals.open(resource)
    }
  }

  @Test func theSameNameGetsANumber() throws {
    let store = try folder.open()
    try store.add("one")
    try store.add("two")
    #expect(folder.files(in: "originals") == ["1970/01/A (2).jpg", "1970/01/A.jpg"])
  }

  @Test func `the path of a missing original stays its own`() throws {
    let store = try folder.open()
    let missing = try store.add("one")
    try FileManager.default.removeItem(atPath: "\(folder.library)/originals/1970/01/A.jpg")
    let added = try store.add("two")
    let paths = try store.inspect { records in
      try [missing, added].flatMap { try records.resources(of: $0) }.map(\.path)
    }
    #expect(paths == ["originals/1970/01/A.jpg", "originals/1970/01/A (2).jpg"])
    #expect(folder.files(in: "originals") == ["1970/01/A (2).jpg"])
  }

  @Test func namesThatDifferInCaseOnlyDoNotShareAFolderInOneTransaction() throws {
    let store = try folder.open()
    let staged = try ["one", "two"].map { try store.stage(.data(Data($0.utf8))) }
    let placements = zip(staged, ["a.jpg", "A.JPG"]).map {
      Placement(staged: $0, originalFilename: $1, creationDate: Date(timeIntervalSince1970: 0), timeZoneOffset: 0)
    }
    try store.commit(placing: placements) { transaction in
      for original in staged {
        _ = try transaction.insert(
          .sample(), .sample, resources: [(record: .sample(name: "a.jpg"), sha256: original.sha256)])
      }
    }
    #expect(folder.files(in: "originals") == ["1970/01/A (2).JPG", "1970/01/a.jpg"])
  }

  @Test func aFileThatIsGivenAwayIsNotCopied() throws {
    let store = try folder.open()
    func file(_ name: String) throws -> String {
      let path = "\(folder.library)/incoming/\(name)"
      try Data(name.utf8).write(to: URL(fileURLWithPath: path))
      return path
    }
    func inode(_ path: String) -> UInt {
      var status = stat()
      stat(path, &status)
      return status.st_ino
    }
    for allowsLinking in [true, false] {
      let source = try file("render \(allowsLinking)")
      let staged = try store.stage(.file(path: source), allowsLinking: allowsLinking)
      #expect((inode(staged.path) == inode(source)) == allowsLinking)
      #expect(try staged.sha256 == ByteSource.file(path: source).sha256())
      #expect(staged.byteCount == "render \(allowsLinking)".utf8.count)
    }
    // A file from another disk is copied.
    let elsewhere = "/dev/shm/calotype-\(UUID().uuidString)"
    try Data("elsewhere".utf8).write(to: URL(fileURLWithPath: elsewhere))
    defer { unlink(elsewhere) }
    let staged = try store.stage(.file(path: elsewhere), allowsLinking: true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: staged.path)) == Data("elsewhere".utf8))
  }

  @Test func theSameBytesAreStoredOnce() throws {
    let store = try folder.open()
    try store.add("one", as: "A.jpg")
    try store.add("one", as: "B.jpg")
    #expect(folder.files(in: "originals") == ["1970/01/A.jpg"])
    #expect(try store.fetch(FetchQuery(.assets)).ids.count == 2)
  }

  @Test(
    "A damaged original is replaced when its file is added again",
    arguments: ["on", "ono", "", nil])
  func healing(_ damaged: String?) throws {
    let store = try folder.open()
    let original = "\(folder.library)/originals/1970/01/A.jpg"
    var asset = try store.add("one", as: "A.jpg")
    let source = "\(folder.path)/A.jpg"
    try "one".write(toFile: source, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 9)], ofItemAtPath: source)
    if let damaged {
      try damaged.write(toFile: original, atomically: false, encoding: .utf8)
    } else {
      try FileManager.default.removeItem(atPath: original)
    }
    asset.isUnreadable = true
    try store.commit { try $0.update(asset) }

    let staged = try store.stage(.file(path: source))
    let placement = Placement(
      staged: staged, originalFilename: "A.jpg", creationDate: Date(timeIntervalSince1970: 0), timeZoneOffset: 0)
    try store.commit(placing: [placement]) { _ in }

    #expect(try String(contentsOfFile: original, encoding: .utf8) == "one")
    #expect(folder.files(in: "originals") == ["1970/01/A.jpg"])
    #expect(try store.assets(ids: [asset.id]).first?.isUnreadable == false)
    #expect(try store.stage(.file(path: source)).isAlreadyStored)
  }

  @Test func `a damaged original that is missing keeps its record and its pictures`() throws {
    let store = try folder.open()
    let asset = try store.add("one")
    let original = "\(folder.library)/originals/1970/01/A.jpg"
    try "0ne".write(toFile: original, atomically: false, encoding: .utf8)
    try store.verify(isCancelled: { false }, progress: { _ in }, found: { _ in })
    let picture = RenditionStore.Picture(
      kind: "grid", pixelWidth: 4, pixelHeight: 3, uniformTypeIdentifier: "public.jpeg", data: Data("grid".utf8))
    let version = asset.renditionVersion
    try store.renditions.store([.init(uuid: asset.uuid, version: version, pictures: [picture], placeholder: nil)])

    try FileManager.default.removeItem(atPath: original)
    try store.verify(isCancelled: { false }, progress: { _ in }, found: { _ in })

    #expect(try store.renditions.picture(uuid: asset.uuid, kind: "grid", version: version) != nil)
    #expect(try store.assets(ids: [asset.id]).first?.renditionVersion == version)
    let damaged = try store.database.pool.read { try Int.fetchOne($0, sql: "SELECT SUM(is_damaged) FROM original") }
    #expect(damaged == 1)
  }

  @Test("A file that was renamed gets the path of its row back", arguments: [nil, "0ne"])
  func renamed(_ damaged: String?) throws {
    let store = try folder.open()
    let asset = try store.add("one", as: "A.jpg")
    let original = "\(folder.library)/originals/1970/01/A.jpg"
    let stray = "\(folder.library)/originals/1970/01/renamed.jpg"
    try FileManager.default.moveItem(atPath: original, toPath: stray)
    try damaged?.write(toFile: original, atomically: false, encoding: .utf8)
    try store.verify(isCancelled: { false }, progress: { _ in }, found: { _ in })

    // Without a commit, nothing is moved.
    _ = try store.stageInPlace(.file(path: stray))
    #expect(FileManager.default.fileExists(atPath: stray))
    let staged = try store.stageInPlace(.file(path: stray))
    let placement = Placement(staged: staged, originalFilename: "A.jpg", creationDate: Date(), timeZoneOffset: 0)
    try store.commit(placing: [placement]) { _ in }

    #expect(folder.files(in: "originals") == ["1970/01/A.jpg"])
    #expect(try String(contentsOfFile: original, encoding: .utf8) == "one")
    #expect(try store.original(sha256: staged.sha256)?.isDamaged == false)
    #expect(try store.fetch(FetchQuery(.assets)).ids == [asset.id])
  }

  @Test(
    "Damage that left a copy's date unchanged is detected before its source is removed", arguments: [true, false])
  func rot(_ isRemovedAfterwards: Bool) throws {
    let store = try folder.open()
    let original = "\(folder.library)/originals/1970/01/A.jpg"
    try store.add("one", as: "A.jpg")
    let source = "\(folder.path)/A.jpg"
    for (text, path) in [("one", source), ("0ne", original)] {
      try text.write(toFile: path, atomically: false, encoding: .utf8)
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 9)], ofItemAtPath: path)
    }
    let staged = try store.stage(.file(path: source), isRemovedAfterwards: isRemovedAfterwards)
    #expect(staged.isReplacement == isRemovedAfterwards)
  }

  @Test func theSameBytesTwiceInOneTransactionAreStoredOnce() throws {
    let store = try folder.open()
    let staged = try (0..<2).map { _ in try store.stage(.data(Data("one".utf8))) }
    let placements = staged.map {
      Placement(staged: $0, originalFilename: "A.jpg", creationDate: Date(timeIntervalSince1970: 0), timeZoneOffset: 0)
    }
    try store.commit(placing: placements) { transaction in
      for original in staged {
        _ = try transaction.insert(
          .sample(), .sample, resources: [(record: .sample(name: "A.jpg"), sha256: original.sha256)])
      }
    }
    #expect(folder.files(in: "originals") == ["1970/01/A.jpg"])
  }

  @Test func aTransactionThatFailsLeavesNoFile() throws {
    struct Refusal: Error {}
    let store = try folder.open()
    let staged = try store.stage(.data(Data("one".utf8)))
    let placement = Placement(
      staged: staged, originalFilename: "A.jpg", creationDate: Date(timeIntervalSince1970: 0), timeZoneOffset: 0)
    #expect(throws: Refusal.self) { try store.commit(placing: [placement]) { _ in throw Refusal() } }
    #expect(folder.files(in: "originals") == [])
    #expect(try store.fetch(FetchQuery(.assets)).ids == [])
  }

  @Test func aStagedFileThatNobodyCommitsGoes() throws {
    let store = try folder.open()
    var staged: StagedOriginal? = try store.stage(.data(Data("one".utf8)))
    let path = try #require(staged?.path)
    #expect(FileManager.default.fileExists(atPath: path))
    try staged?.waitUntilDurable()
    staged = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `the files of a running session stay`() throws {
    let first = try folder.open()
    let staged = try first.stage(.data(Data("one".utf8)))
    _ = try folder.open()
    #expect(FileManager.default.fileExists(atPath: staged.path))
  }

  @Test func aDatabaseThatWasReplacedGetsNoMoreRowsAndNoFiles() throws {
    let store = try folder.open()
    try store.add("one", as: "A.jpg")
    let source = "\(folder.path)/B.jpg"
    try "two".write(toFile: source, atomically: false, encoding: .utf8)
    let staged = try store.stage(.file(path: source))
    // As a repair does.
    for (name, other) in [("library.sqlite", "old.sqlite"), ("new.sqlite", "library.sqlite")] {
      if name == "new.sqlite" { try Data().write(to: URL(fileURLWithPath: "\(folder.library)/new.sqlite")) }
      try FileManager.default.moveItem(atPath: "\(folder.library)/\(name)", toPath: "\(folder.library)/\(other)")
    }

    let placement = Placement(staged: staged, originalFilename: "B.jpg", creationDate: Date(), timeZoneOffset: 0)
    var isRun = false
    let error = #expect(throws: StoreError.self) { try store.commit(placing: [placement]) { _ in isRun = true } }

    #expect(error?.code == .replaced)
    #expect(error?.reason.contains("open the library again") == true)
    #expect(!isRun)
    #expect(folder.files(in: "originals") == ["1970/01/A.jpg"])
    #expect(try String(contentsOfFile: staged.path, encoding: .utf8) == "two")
  }

  @Test func aReportedTransactionIsOnTheDisk() throws {
    let store = try folder.open()
    let level = try store.database.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    #expect(level == 2, "2 is FULL: the log is synchronised with each transaction")
  }

  @Test func aFolderWithOtherFilesDoesNotBecomeALibrary() throws {
    try FileManager.default.createDirectory(atPath: folder.library, withIntermediateDirectories: true)
    try "mine".write(toFile: "\(folder.library)/letter.txt", atomically: false, encoding: .utf8)
    let error = #expect(throws: StoreError.self) { try folder.open() }
    #expect(error?.code == .notALibrary)
    #expect(folder.files(in: "") == ["letter.txt"])
  }
}

@Suite struct VerificationTests {
  let folder: TemporaryFolder
  let store: LibraryStore

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
    try store.add("one", as: "A.jpg")
    try store.add("two", as: "B.jpg")
  }

  private func findings() throws -> [VerificationFinding] {
    let found = Mutex<[VerificationFinding]>([])
    try store.verify(
      isCancelled: { false }, progress: { _ in }, found: { finding in found.withLock { $0.append(finding) } })
    return found.withLock { $0 }
  }

  @Test func aWholeLibraryHasNoFindings() throws { #expect(try findings() == []) }

  @Test func aChangedByteIsFound() throws {
    try "tvo".write(toFile: "\(folder.library)/originals/1970/01/B.jpg", atomically: false, encoding: .utf8)
    #expect(try findings() == [.changed(path: "originals/1970/01/B.jpg")])
  }

  @Test func aMissingFileIsFound() throws {
    try FileManager.default.removeItem(atPath: "\(folder.library)/originals/1970/01/A.jpg")
    #expect(try findings() == [.missing(path: "originals/1970/01/A.jpg")])
  }

  /// Changes the bytes of an original but not its size or date, like a failing disk.
  private func rot(_ path: String, to text: String) throws {
    let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.modificationDate: date as Any], ofItemAtPath: path)
  }

  @Test func aDamagedOriginalIsReplacedByItsFile() throws {
    let (original, source) = ("\(folder.library)/originals/1970/01/B.jpg", "\(folder.path)/B.jpg")
    try FileManager.default.copyItem(atPath: original, toPath: source)
    let date = try FileManager.default.attributesOfItem(atPath: original)[.modificationDate]
    try FileManager.default.setAttributes([.modificationDate: date as Any], ofItemAtPath: source)
    try rot(original, to: "tvo")
    #expect(try store.stage(.file(path: source)).isAlreadyStored)

    #expect(try findings() == [.changed(path: "originals/1970/01/B.jpg")])
    let staged = try store.stage(.file(path: source))
    #expect(staged.isReplacement)
    let placement = Placement(staged: staged, originalFilename: "B.jpg", creationDate: Date(), timeZoneOffset: 0)
    try store.commit(placing: [placement]) { _ in }

    #expect(try String(contentsOfFile: original, encoding: .utf8) == "two")
    #expect(try store.original(sha256: staged.sha256)?.isDamaged == false)
    #expect(try findings() == [])
  }

  @Test func anOriginalThatIsWholeAgainIsNoLongerRecordedAsDamaged() throws {
    let sha256 = try ByteSource.data(Data("two".utf8)).sha256()
    let original = "\(folder.library)/originals/1970/01/B.jpg"
    for (text, isDamaged) in [("tvo", true), ("two", false)] {
      try rot(original, to: text)
      _ = try findings()
      #expect(try store.original(sha256: sha256)?.isDamaged == isDamaged)
    }
  }

  /// Writes a copy of A.jpg, which no row names.
  private func writeCopy() throws {
    try "one".write(toFile: "\(folder.library)/originals/1970/01/C.jpg", atomically: false, encoding: .utf8)
  }

  @Test func aCopyOfAnOriginalIsFoundWithItsAsset() throws {
    try writeCopy()
    let uuid: String? = try store.read { try $0.value("SELECT uuid FROM asset ORDER BY id") }
    #expect(
      try findings() == [
        .copy(path: "originals/1970/01/C.jpg", original: "originals/1970/01/A.jpg", uuid: #require(uuid))
      ])
  }

  @Test func `a copy of a deleted photo is no copy that may go`() throws {
    try writeCopy()
    try store.commit { transaction in
      for asset in try transaction.assets(holdingAnyOf: [ByteSource.data(Data("one".utf8)).sha256()]) {
        try transaction.trash(asset)
      }
    }
    #expect(try findings() == [.stray(path: "originals/1970/01/C.jpg")])
  }

  @Test func anotherNameOfAnOriginalIsNoCopy() throws {
    let folder = "\(folder.library)/originals/1970/01"
    try FileManager.default.linkItem(atPath: "\(folder)/A.jpg", toPath: "\(folder)/C.jpg")
    #expect(try findings() == [.stray(path: "originals/1970/01/C.jpg")])
  }

  @Test("The only whole copy of an original is no copy that may go", arguments: ["eno", nil])
  func onlyCopy(_ damage: String?) throws {
    try writeCopy()
    let original = "\(folder.library)/originals/1970/01/A.jpg"
    if let damage { try rot(original, to: damage) } else { try FileManager.default.removeItem(atPath: original) }
    #expect(try findings().contains(.stray(path: "originals/1970/01/C.jpg")))
  }

  @Test func aStrayFileIsFound() throws {
    try "three".write(toFile: "\(folder.library)/originals/1970/01/C.jpg", atomically: false, encoding: .utf8)
    #expect(try findings() == [.stray(path: "originals/1970/01/C.jpg")])
  }
}
