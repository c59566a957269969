import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LibraryStore

/// Tests libraries that can't be written, as on a read-only disk or in a snapshot.
@Suite(.enabled(if: ReadOnlyView.canBeMade, "a read-only mount can't be made here"))
struct ReadOnlyTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [true, false])
  func aReadOnlyLibraryShowsWhatItHolds(_ isOpenElsewhere: Bool) throws {
    var writer: LibraryStore? = try folder.open()
    let asset = try #require(try writer?.add("one", as: "A.jpg"))
    if !isOpenElsewhere { writer = nil }
    let view = try ReadOnlyView(of: folder.library, at: "\(folder.path)/view")
    let store = try LibraryStore(path: view.path, create: false)
    #expect(store.readOnlyReason == "its disk is read-only")
    #expect(try store.fetch(FetchQuery(.assets)).ids == [asset.id])
    let resource = try #require(try store.resources(assetIDs: [asset.id])[asset.id]?.first)
    #expect(try String(contentsOf: #require(try store.originals.url(of: resource)), encoding: .utf8) == "one")
    let found = Mutex<[VerificationFinding]>([])
    try store.verify(
      isCancelled: { false }, progress: { _ in }, found: { finding in found.withLock { $0.append(finding) } })
    #expect(found.withLock { $0 } == [])
    withExtendedLifetime(writer) {}
  }

  @Test func `signing in works on a full disk`() throws {
    let disk = try SmallDisk(at: "\(folder.path)/disk", megabytes: 4)
    func openDatabase() throws -> SignInDatabase {
      let path = try SignInFile.make(ofLibrary: "L", at: folder.library, in: "\(folder.path)/disk")
      return try SignInDatabase(path: path, SignInSchema.migrations)
    }
    _ = try openDatabase()
    try disk.fill()
    let database = try openDatabase()
    for number in 0..<100 {
      try database.write { db in
        try db.execute(
          "INSERT INTO sign_in_failure (date, address) VALUES (?, ?)", Double(number),
          String(repeating: "a", count: 1000))
      }
    }
    #expect(try database.read { try $0.value("SELECT COUNT(*) FROM sign_in_failure") } == 100)
  }

  @Test func `signing in to a read-only library is kept as ever`() throws {
    _ = try folder.open()
    let view = try ReadOnlyView(of: folder.library, at: "\(folder.path)/view")
    let hash = Data(repeating: 1, count: 32)
    do {
      let store = try LibraryStore(path: view.path, create: false)
      let owner = try store.signIn.owner()
      #expect(try store.signIn.setPasswordHash("hash", of: owner.id, replacing: nil))
      try store.signIn.insert(
        BrowserSessionRecord(
          id: "1", tokenHash: hash, person: owner.id, kind: .ownBrowser, date: Date(), address: "::1", device: "A test")
      )
    }
    let store = try LibraryStore(path: view.path, create: false)
    #expect(try store.signIn.owner().passwordHash == "hash")
    #expect(try store.signIn.session(tokenHash: hash)?.id == "1")
  }

  @Test func aLogWithoutItsIndexIsReadToo() throws {
    let writer = try folder.open()
    let asset = try writer.add("one", as: "A.jpg")
    let backup = "\(folder.path)/backup"
    try FileManager.default.copyItem(atPath: folder.library, toPath: backup)
    unlink("\(backup)/library.sqlite-shm")
    let view = try ReadOnlyView(of: backup, at: "\(folder.path)/view")
    #expect(try LibraryStore(path: view.path, create: false).fetch(FetchQuery(.assets)).ids == [asset.id])
    withExtendedLifetime(writer) {}
  }

  @Test func aReadOnlyLibraryRefusesChangesAndSaysWhy() throws {
    let asset = try folder.open().add("one", as: "A.jpg")
    let view = try ReadOnlyView(of: folder.library, at: "\(folder.path)/view")
    let store = try LibraryStore(path: view.path, create: false)
    let refusals = [
      #expect(throws: StoreError.self) { try store.commit { try $0.trash(asset) } },
      #expect(throws: StoreError.self) { _ = try store.stage(.data(Data("two".utf8))) },
    ]
    for refusal in refusals {
      #expect(refusal?.code == .readOnly)
      #expect(
        refusal?.reason
          == "the library is open read-only, and nothing was changed: its disk is read-only")
    }
    #expect(throws: Never.self) { try store.emptyExpiredTrash() }
    #expect(try store.fetch(FetchQuery(.assets)).ids == [asset.id])
  }

  @Test func renditionsOfAReadOnlyLibraryAreKeptElsewhere() throws {
    let asset = try folder.open().add("one", as: "A.jpg")
    let view = try ReadOnlyView(of: folder.library, at: "\(folder.path)/view")
    let store = try LibraryStore(path: view.path, create: false)
    let file = try store.renditions.file(uuid: asset.uuid, version: "1", name: "full")
    try store.renditions.write(Data("full".utf8), to: file)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "full")
    #expect(folder.files(in: "renditions") == [])
  }

  /// Returns the private folder in which the files go that the library can't take.
  private func scratch(of store: LibraryStore) -> String { store.incomingURL.deletingLastPathComponent().path }

  @Test("A library on a read-only disk is read where it is", arguments: ["disk", "disk #1?%41&mode=rw"])
  func inPlace(_ name: String) throws {
    let disk = try SmallDisk(at: "\(folder.path)/\(name)", megabytes: 24)
    func entry(_ uuid: String, _ kind: String) -> RenditionStore.Entry {
      let picture = RenditionStore.Picture(
        kind: kind, pixelWidth: 4, pixelHeight: 3, uniformTypeIdentifier: "public.jpeg", data: Data(kind.utf8))
      return RenditionStore.Entry(uuid: uuid, version: "1", pictures: [picture], placeholder: Data(kind.utf8))
    }
    func make() throws -> AssetRecord {
      let store = try LibraryStore(path: disk.library, create: true)
      let asset = try store.add("one", as: "A.jpg")
      try store.renditions.store([entry(asset.uuid, "grid")])
      let file = try store.renditions.file(uuid: asset.uuid, version: "1", name: "full")
      try store.renditions.write(Data("full".utf8), to: file)
      return asset
    }
    let asset = try make()
    try disk.makeReadOnly()

    let store = try LibraryStore(path: disk.library, create: false)
    #expect(store.readOnlyReason == "its disk is read-only")
    #expect(!FileManager.default.fileExists(atPath: "\(scratch(of: store))/library.sqlite"))
    #expect(try store.fetch(FetchQuery(.assets)).ids == [asset.id])
    #expect(try store.renditions.placeholders(for: [asset.uuid: "1"]) == [asset.uuid: Data("grid".utf8)])
    let file = try store.renditions.file(uuid: asset.uuid, version: "1", name: "full")
    #expect(file.hasPrefix(disk.library))
    // New renditions are found beside those of the library.
    try store.renditions.store([entry(asset.uuid, "screen")])
    for kind in ["grid", "screen"] {
      #expect(try store.renditions.picture(uuid: asset.uuid, kind: kind, version: "1")?.data == Data(kind.utf8))
    }
  }

  @Test("Commits that are only in the log are read from a read-only disk", arguments: [true, false])
  func logOnAReadOnlyDisk(hasIndex: Bool) throws {
    let disk = try SmallDisk(at: "\(folder.path)/disk", megabytes: 24)
    let writer = try folder.open()
    let asset = try writer.add("one", as: "A.jpg")
    try FileManager.default.copyItem(atPath: folder.library, toPath: disk.library)
    unlink("\(disk.library)/incoming/reserve")
    if !hasIndex { unlink("\(disk.library)/library.sqlite-shm") }
    try disk.makeReadOnly()
    let store = try LibraryStore(path: disk.library, create: false)
    #expect(try store.fetch(FetchQuery(.assets)).ids == [asset.id])
    withExtendedLifetime(writer) {}
  }

  @Test func aLibraryThatOthersHaveOpenShowsWhatTheyAdd() throws {
    let writer = try folder.open()
    try writer.add("one", as: "A.jpg")
    let view = try ReadOnlyView(of: folder.library, at: "\(folder.path)/view")
    let store = try LibraryStore(path: view.path, create: false)
    #expect(!FileManager.default.fileExists(atPath: "\(scratch(of: store))/library.sqlite"))
    let watcher = store.watch(since: try store.latestTransaction()) { _ in }
    try writer.add("two", as: "B.jpg")
    #expect(try store.fetch(FetchQuery(.assets)).ids.count == 2)
    watcher.flush()
    #expect(watcher.position == (try writer.latestTransaction()))
  }

  @Test(
    "A disk that nobody can write is told by its mount",
    arguments: [
      ("36 25 8:1 / /media/a ro,nosuid shared:1 - ext4 /dev/sda1 ro", true),
      ("36 25 8:1 / /media/a ro,nosuid shared:1 master:7 - ext4 /dev/sda1 rw,errors=remount-ro", false),
      ("36 25 7:0 / /snap ro - squashfs /dev/loop0 ro,errors=continue", true),
      ("36 25 0:45 /@snapshots /media/a ro - btrfs /dev/sda1 ro,space_cache", true),
      ("36 25 0:51 / /media/nas ro - nfs4 nas:/photos ro,vers=4.2", false),
      ("36 25 0:51 / /media/nas ro - fuse.sshfs host:/photos ro", false),
      ("36 25 0:33 / /photos ro - overlay overlay rw,lowerdir=/a", false),
      ("nonsense", false),
    ])
  func mounts(line: String, isImmutable: Bool) {
    #expect(LibraryFolder.isImmutable(mount: line[...]) == isImmutable)
  }

  @Test func nothingIsLeftOfAReadOnlyLibraryThatIsClosed() throws {
    _ = try folder.open()
    let view = try ReadOnlyView(of: folder.library, at: "\(folder.path)/view")
    var store: LibraryStore? = try LibraryStore(path: view.path, create: false)
    let copy = try #require(store.map(scratch))
    #expect(FileManager.default.fileExists(atPath: "\(copy)/library.sqlite"))
    store = nil
    #expect(!FileManager.default.fileExists(atPath: copy))
  }
}

/// Tests libraries on a disk that other files have filled.
@Suite(.enabled(if: ReadOnlyView.canBeMade, "a small file system can't be mounted here"))
struct FullDiskStoreTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a library with one asset and another one in the trash, and fills the disk.
  private func fill(_ disk: SmallDisk) throws -> AssetRecord {
    func make() throws -> AssetRecord {
      let store = try LibraryStore(path: disk.library, create: true)
      try store.add("one", as: "A.jpg")
      let trashed = try store.add("two", as: "B.jpg")
      try store.commit { try $0.trash(trashed) }
      return trashed
    }
    let trashed = try make()
    // By now SQLite has removed the files beside the database.
    try disk.fill()
    return trashed
  }

  @Test func aReserveLetsTheLibraryBeOpenedAndTheTrashBeEmptied() throws {
    let disk = try SmallDisk(at: "\(folder.path)/disk", megabytes: 80)
    let trashed = try fill(disk)
    for _ in 0..<3 {
      let store = try LibraryStore(path: disk.library, create: false)
      #expect(store.readOnlyReason == nil)
      #expect(try store.fetch(FetchQuery(.assets)).ids.count == 1)
    }
    try LibraryStore(path: disk.library, create: false).commit { try $0.expunge(trashed) }
    #expect(!FileManager.default.fileExists(atPath: "\(disk.library)/originals/1970/01/B.jpg"))
  }

  @Test func withoutAReserveTheLibraryIsReadOnly() throws {
    let disk = try SmallDisk(at: "\(folder.path)/disk", megabytes: 24)
    let trashed = try fill(disk)
    let store = try LibraryStore(path: disk.library, create: false)
    #expect(store.readOnlyReason == "no space is left on its disk")
    #expect(try store.fetch(FetchQuery(.assets)).ids.count == 1)
    let error = #expect(throws: StoreError.self) { try store.commit { try $0.expunge(trashed) } }
    #expect(error?.code == .notEnoughSpace)
  }

  @Test func renditionsThatFindNoSpaceSaySo() throws {
    let disk = try SmallDisk(at: "\(folder.path)/disk", megabytes: 24)
    let store = try LibraryStore(path: disk.library, create: true)
    try disk.fill()
    let picture = RenditionStore.Picture(
      kind: "grid", pixelWidth: 4, pixelHeight: 3, uniformTypeIdentifier: "public.jpeg", data: Data(count: 1 << 20))
    let full = StoreError(
      .notEnoughSpace, "\(disk.library)/renditions.sqlite", reason: "no space is left on its disk")
    #expect(throws: full) {
      try store.renditions.store([.init(uuid: "A", version: "1", pictures: [picture], placeholder: nil)])
    }
  }

  @Test func aNewLibraryOnAFullDiskIsAnError() throws {
    let disk = try SmallDisk(at: "\(folder.path)/disk", megabytes: 1)
    try disk.fill()
    let error = #expect(throws: StoreError.self) { try LibraryStore(path: disk.library, create: true) }
    #expect(error?.code == .notEnoughSpace)
  }
}

/// A file system in memory, unmounted with the last reference.
private final class SmallDisk {
  private let path: String
  var library: String { "\(path)/Library.calotype" }

  init(at path: String, megabytes: Int) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Child.check("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path)
  }

  deinit { _ = try? Child.check("umount", "--lazy", path) }

  /// Fills the disk with other files.
  func fill() throws {
    let free = LibraryFolder(path: path).freeByteCount
    try Data(count: free).write(to: URL(fileURLWithPath: "\(path)/filler"))
  }

  /// Remounts the file system as read-only, once no file on it is open for writing.
  func makeReadOnly() throws {
    try eventually("a read-only disk") { try Child.run("mount", ["-o", "remount,ro", path]).status == 0 }
  }
}

/// A read-only bind mount of a folder, unmounted with the last reference.
private final class ReadOnlyView {
  let path: String

  init(of folder: String, at path: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Child.check("mount", "--bind", folder, path)
    try Child.check("mount", "-o", "remount,bind,ro", path)
  }

  deinit { _ = try? Child.check("umount", "--lazy", path) }

  /// Whether this process can mount, which requires root and is forbidden in some containers.
  static let canBeMade: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? ReadOnlyView(of: folder.path, at: "\(folder.path)/view")) != nil
  }()
}
