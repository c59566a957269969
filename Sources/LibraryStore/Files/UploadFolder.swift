import Crypto
import Essentials
import Foundation
import Synchronization

/// The folder of uploads: `incoming/uploads/`. It outlasts the process, so that an upload goes on
/// after a restart.
///
/// An upload has a record, `ID.json`, and a file of the bytes that have arrived, `ID`. Nothing but
/// an import reads that file. The identifiers consist of letters, digits, `-` and `_`.
public struct UploadFolder: Sendable {
  private static let path = "incoming/uploads"
  static let lockPath = "incoming/uploads.lock"
  private static let recordSuffix = ".json"
  private static let newRecordSuffix = ".new"

  private let store: LibraryStore
  private var folder: LibraryFolder { store.folder }

  init(of store: LibraryStore) throws(StoreError) {
    self.store = store
    try store.folder.makeFolder(Self.path)
  }

  private func path(_ name: String) -> String { "\(Self.path)/\(name)" }

  // MARK: Records

  /// Returns the identifiers of all uploads.
  public func identifiers() throws(StoreError) -> [String] {
    try folder.contents(of: Self.path).filter { $0.hasSuffix(Self.recordSuffix) }
      .map { String($0.dropLast(Self.recordSuffix.count)) }
  }

  /// Returns an upload's record; `nil` if there is no such upload.
  public func record(of id: String) throws(StoreError) -> Data? {
    let path = path(id + Self.recordSuffix)
    guard let descriptor = try folder.openIfPresent(path, O_RDONLY) else { return nil }
    var record = Data()
    try OpenFile(descriptor: descriptor, name: folder.absolute(path)).forEachChunk { chunk throws(StoreError) in
      record.append(contentsOf: chunk)
    }
    return record
  }

  /// Writes an upload's record durably, as a whole or not at all.
  public func setRecord(_ record: Data, of id: String) throws(StoreError) {
    let making = try lockForMaking()
    defer { making.release() }
    let new = path(id + Self.newRecordSuffix)
    let file = UploadFile(
      descriptor: try folder.open(new, O_WRONLY | O_CREAT | O_TRUNC), name: folder.absolute(new))
    try file.append(record)
    try file.synchronize()
    try folder.replace(path(id + Self.recordSuffix), with: new)
    try folder.synchronize(Self.path)
  }

  // MARK: Leftovers

  /// A lock by which processes distinguish files in use from leftovers of a killed process. It ends
  /// with the object, or with the process.
  public final class Lock: Sendable {
    private let descriptor: Int32

    /// Takes ownership of the descriptor.
    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    public func release() { flock(descriptor, LOCK_UN) }

    fileprivate func take(_ kind: Int32) -> Bool {
      while flock(descriptor, kind) != 0 { guard errno == EINTR else { return false } }
      return true
    }
  }

  private func openLock() throws(StoreError) -> Lock { Lock(try folder.open(Self.lockPath, O_RDWR | O_CREAT)) }

  /// Keeps all processes from removing leftovers, until the upload that is being made has a record,
  /// and a lock on its file. Waits while another process removes them.
  public func lockForMaking() throws(StoreError) -> Lock {
    let lock = try openLock()
    guard lock.take(LOCK_SH) else { throw FileOperations.error(errno, folder.absolute(Self.lockPath)) }
    return lock
  }

  /// Keeps all processes from making uploads; `nil` while one of them does.
  public func lockForCleaning() throws(StoreError) -> Lock? {
    let lock = try openLock()
    return lock.take(LOCK_EX | LOCK_NB) ? lock : nil
  }

  // MARK: Bytes

  /// Creates the file of an upload's bytes.
  public func makeFile(of id: String) throws(StoreError) {
    close(try folder.open(path(id), O_WRONLY | O_CREAT | O_EXCL))
  }

  /// Opens the file of an upload's bytes to append to it; `nil` while another process does.
  ///
  /// `hash` is the hash of the bytes that are in it, if it is known.
  public func openFile(of id: String, hash: RunningHash? = nil) throws(StoreError) -> UploadFile? {
    let path = path(id)
    let file = UploadFile(
      descriptor: try folder.open(path, O_RDWR | O_APPEND), name: folder.absolute(path), hash: hash ?? RunningHash())
    return file.lock() ? file : nil
  }

  /// Returns the number of bytes that have arrived; 0 if they were imported.
  public func byteCount(of id: String) throws(StoreError) -> Int {
    Int(try folder.status(path(id))?.st_size ?? 0)
  }

  /// Throws if the disk has no room for an upload of this size.
  public func checkRoom(for byteCount: Int) throws(StoreError) {
    // The rest is for the database, and for the reserve itself.
    guard byteCount <= folder.freeByteCount - 2 * SpaceReserve.byteCount else {
      throw StoreError(.notEnoughSpace, folder.path, reason: FullDisk.reason)
    }
  }

  public func removeFile(of id: String) throws(StoreError) { try folder.remove(path(id)) }

  public func remove(_ id: String) throws(StoreError) {
    // Without a record there is no upload. The file is a leftover then.
    try folder.remove(path(id + Self.recordSuffix))
    try folder.remove(path(id))
  }

  // MARK: Imports

  /// A folder in which the bytes of uploads have their names.
  public struct NamedFiles: Sendable {
    /// The absolute paths, in the order of the uploads.
    public let paths: [String]
    fileprivate let folders: [String]
  }

  /// Gives the bytes of uploads their names, for an import. Files of equal names, regardless of
  /// case, get different folders.
  ///
  /// The folders are in that of this process's incoming files. If the process is killed, the next
  /// opening of the library removes them.
  ///
  /// `date` is the modification date of the file, if it is known.
  public func nameFiles(of uploads: [(id: String, name: String, date: Date?)]) throws(StoreError) -> NamedFiles {
    let prefix = "\(try store.incoming.path)/\(IncomingFolder.importPrefix)\(UUID().uuidString)"
    var taken: [Set<String>] = []
    var paths: [String] = []
    var folders: [String] = []
    for upload in uploads {
      let name = upload.name.lowercased()
      let index = taken.firstIndex { !$0.contains(name) } ?? taken.count
      if index == taken.count {
        taken.append([])
        folders.append("\(prefix).\(index)")
        try folder.makeFolder(folders[index])
      }
      taken[index].insert(name)
      let named = "\(folders[index])/\(upload.name)"
      try link(path(upload.id), as: named, date: upload.date)
      paths.append(folder.absolute(named))
    }
    return NamedFiles(paths: paths, folders: folders)
  }

  private func link(_ source: String, as path: String, date: Date?) throws(StoreError) {
    let source = FilePath(folder.absolute(source))
    var descriptor = try folder.adopt(source, as: path)
    if descriptor == nil {
      // The disk has no hard links.
      let copy = try folder.open(path, O_WRONLY | O_CREAT | O_EXCL)
      descriptor = copy
      _ = try FileOperations.copy(ByteSource.file(source), to: copy, folder.absolute(path))
    }
    guard let descriptor else { return }
    if let date {
      let time = timespec(tv_sec: Int(date.timeIntervalSince1970), tv_nsec: 0)
      futimens(descriptor, [time, time])
    }
    close(descriptor)
  }

  public func remove(_ files: NamedFiles) { for path in files.folders { try? folder.removeFolder(path) } }

  /// Removes files without a record that nothing has changed for some seconds. With no seconds, the
  /// caller has the lock for cleaning.
  public func removeLeftovers(unchangedFor seconds: TimeInterval, now: Date) throws(StoreError) {
    for name in try folder.contents(of: Self.path) where !name.hasSuffix(Self.recordSuffix) {
      guard let status = try folder.status(path(name)),
        now.timeIntervalSince1970 - Double(status.st_ctim.tv_sec) >= seconds
      else { continue }
      guard status.st_mode & S_IFMT != S_IFDIR else {
        // An earlier version put the files of imports into folders here.
        try folder.removeFolder(path(name))
        continue
      }
      guard let descriptor = try folder.openIfPresent(path(name), O_RDWR) else { continue }
      let file = UploadFile(descriptor: descriptor, name: folder.absolute(path(name)))
      if file.lock(), try record(of: name) == nil { try folder.remove(path(name)) }
    }
  }
}

/// The SHA-256 of the beginning of a file, which goes on as bytes are appended.
public struct RunningHash: Sendable {
  private var function = SHA256()
  fileprivate private(set) var byteCount = 0

  public init() {}

  fileprivate mutating func append(_ bytes: UnsafeRawBufferPointer) {
    function.update(bufferPointer: bytes)
    byteCount += bytes.count
  }

  fileprivate var digest: Data { Data(function.finalize()) }
}

/// The file of an upload's bytes, open for appending. It is closed with the last reference.
public final class UploadFile: Sendable {
  private let descriptor: Int32
  private let name: String
  private let running: Mutex<RunningHash>

  /// Takes ownership of the descriptor.
  init(descriptor: Int32, name: String, hash: RunningHash = RunningHash()) {
    self.descriptor = descriptor
    self.name = name
    running = Mutex(hash)
  }

  deinit { close(descriptor) }

  /// The hash of the bytes, as far as they were appended in sequence.
  public var hash: RunningHash { running.withLock(\.self) }

  /// Returns false if another open file has the lock. It ends with the process.
  fileprivate func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Lets others open the file, even if this object is still referenced.
  public func unlock() { flock(descriptor, LOCK_UN) }

  public func byteCount() throws(StoreError) -> Int {
    var status = stat()
    try FileOperations.check(fstat(descriptor, &status), name)
    return Int(status.st_size)
  }

  /// Appends bytes. After an error, a part of them may be in the file.
  public func append(_ bytes: some ContiguousBytes) throws(StoreError) {
    let failure: StoreError? = bytes.withUnsafeBytes { bytes in
      do throws(StoreError) { try FileOperations.write(bytes, to: descriptor, name) } catch { return error }
      running.withLock { $0.append(bytes) }
      return nil
    }
    if let failure { throw failure }
  }

  /// Waits until the bytes are on the disk.
  public func synchronize() throws(StoreError) { try FileOperations.check(fsync(descriptor), name) }

  /// Returns the SHA-256 of the bytes. The file is read if they were not appended in sequence.
  public func sha256() throws(StoreError) -> Data {
    let hash = hash
    if hash.byteCount == (try byteCount()) { return hash.digest }
    let copy = dup(descriptor)
    guard copy >= 0 else { throw FileOperations.error(errno, name, code: .cannotRead) }
    return try OpenFile(descriptor: copy, name: name).digest()
  }
}

extension LibraryStore {
  /// The folder of uploads. Throws if the library can't be written.
  public var uploads: UploadFolder {
    get throws(StoreError) {
      _ = try requireWriting()
      return try UploadFolder(of: self)
    }
  }

  /// Returns whether the library has an original with this hash that is not known to be damaged.
  public func hasWholeOriginal(sha256: Data) throws -> Bool {
    guard let known = try original(sha256: sha256), !known.isDamaged else { return false }
    return try folder.status(known.path).map { Int($0.st_size) } == known.byteCount
  }
}
