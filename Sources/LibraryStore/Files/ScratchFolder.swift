import Foundation

/// A private folder for a library that can't be written: new renditions, files of pending edits,
/// and a copy of the database if that can't be read in place.
///
/// Removed with its last reference.
final class ScratchFolder: Sendable {
  /// A folder with a library's layout, without originals.
  let folder: LibraryFolder
  private let privateFolder: PrivateFolder

  /// Creates the folder; `byteCount` is the size of the files to be copied into it.
  init(for library: LibraryFolder, byteCount: Int = 0) throws {
    privateFolder = PrivateFolder(in: try Self.parent(withRoomFor: byteCount, library))
    folder = LibraryFolder(path: privateFolder.url.path)
    for name in ["renditions", "incoming"] { try folder.makeFolder(name) }
  }

  /// The space in bytes that is left for SQLite and for other programs.
  private static let slack = 16 << 20

  /// Returns a folder for temporary files with room for so many bytes. If all disks are full, there
  /// is none, and the function throws.
  private static func parent(withRoomFor byteCount: Int, _ library: LibraryFolder) throws(StoreError) -> URL {
    let folders = [FileManager.default.temporaryDirectory, URL(fileURLWithPath: "/dev/shm", isDirectory: true)]
    let roomy = folders.first { LibraryFolder(path: $0.path).freeByteCount > byteCount + slack }
    guard let roomy else {
      let names = folders.map(\.path).joined(separator: " nor ")
      throw StoreError(
        .notEnoughSpace, library.path,
        reason: "it can’t be written, and neither \(names) has room for the \((byteCount + slack) >> 20) MB that "
          + "reading it takes")
    }
    return roomy
  }
}

extension ScratchFolder {
  private static let files = [LibraryStore.databaseName, "\(LibraryStore.databaseName)-wal"]

  /// Creates a folder with a copy of a library's database between two transactions.
  convenience init(copyingDatabaseOf library: LibraryFolder, patience: TimeInterval = CommitLock.patience) throws {
    var byteCount = 0
    for name in Self.files {
      guard let descriptor = try library.openIfPresent(name, O_RDONLY) else { continue }
      byteCount += try OpenFile(descriptor: descriptor, name: library.absolute(name)).dataByteCount()
    }
    try self.init(for: library, byteCount: byteCount)
    try Self.copy(library, to: folder, patience)
  }

  private static func copy(
    _ library: LibraryFolder, to folder: LibraryFolder, _ patience: TimeInterval
  ) throws(StoreError) {
    // The lock delays the next transaction of other processes.
    let descriptor = try library.openIfPresent(CommitLock.path, O_RDONLY)
    defer { if let descriptor { close(descriptor) } }
    if let descriptor {
      let lock = FileLock(descriptor: descriptor, path: library.absolute(CommitLock.path))
      // Some file systems have no locks.
      guard (try? lock.take(LOCK_SH, patience: patience)) ?? true else { throw lock.busy }
    }
    for _ in 0..<attempts {
      let before = try state(of: library)
      for name in files { try copy(name, from: library, to: folder) }
      // The last process to close the database writes the log into it without taking the lock.
      if try state(of: library) == before { return }
    }
    throw StoreError(.busy, library.absolute(files[0]), reason: "other programs keep changing it; try again")
  }

  private static let attempts = 10

  private static func copy(
    _ name: String, from library: LibraryFolder, to folder: LibraryFolder
  ) throws(StoreError) {
    try folder.remove(name)
    guard let source = try library.openIfPresent(name, O_RDONLY) else { return }
    let file = OpenFile(descriptor: source, name: library.absolute(name))
    let copy = try folder.open(name, O_WRONLY | O_CREAT | O_EXCL)
    defer { close(copy) }
    let path = folder.absolute(name)
    try file.forEachChunkOfData { offset, chunk throws(StoreError) in
      // The bytes before the offset become a hole.
      guard lseek(copy, off_t(offset), SEEK_SET) >= 0 else { throw FileOperations.error(errno, path) }
      try FileOperations.write(chunk, to: copy, path)
    }
    try FileOperations.check(ftruncate(copy, off_t(try file.byteCount())), path)
  }

  /// Returns a value that changes with every write.
  private static func state(of library: LibraryFolder) throws(StoreError) -> [[Int]] {
    var states: [[Int]] = []
    for name in files {
      let status = try library.status(name)
      states.append(
        status.map { [Int($0.st_ino), Int($0.st_size), $0.st_mtim.tv_sec, $0.st_mtim.tv_nsec] } ?? [])
    }
    return states
  }
}
