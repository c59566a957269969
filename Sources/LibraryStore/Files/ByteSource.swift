import Crypto
import Foundation

/// Bytes that are read in chunks.
protocol ChunkedBytes {
  func byteCount() throws(StoreError) -> Int
  func forEachChunk(_ body: (UnsafeRawBufferPointer) throws(StoreError) -> Void) throws(StoreError)
}

extension ChunkedBytes {
  func digest() throws(StoreError) -> Data {
    var hash = SHA256()
    try forEachChunk { chunk throws(StoreError) in hash.update(bufferPointer: chunk) }
    return Data(hash.finalize())
  }
}

/// The source of a new original's bytes.
public enum ByteSource: Sendable, ChunkedBytes {
  case file(FilePath)
  case data(Data)

  public static func file(path: String) -> ByteSource { .file(FilePath(path)) }

  /// The name for errors.
  var name: String {
    switch self {
    case .file(let path): path.description
    case .data: "data"
    }
  }

  /// Returns the number of bytes. Throws if the file is not a regular file: reading a pipe could
  /// block forever.
  public func byteCount() throws(StoreError) -> Int {
    switch self {
    case .data(let data): return data.count
    case .file(let path): return try OpenFile(path: path).byteCount()
    }
  }

  /// Sets a copy's modification date to that of its source file, or to `now` if the bytes did not
  /// come from a file.
  func copyModificationDate(to descriptor: Int32, now: Date) {
    if case .file(let path) = self {
      try? OpenFile(path: path).copyModificationDate(to: descriptor)
    } else {
      let seconds = now.timeIntervalSince1970.rounded(.down)
      let time = timespec(
        tv_sec: Int(seconds), tv_nsec: Int((now.timeIntervalSince1970 - seconds) * 1_000_000_000))
      futimens(descriptor, [time, time])
    }
  }

  /// The modification time; nil if there is no file.
  var modificationTime: timespec? {
    guard case .file(let path) = self else { return nil }
    return try? OpenFile(path: path).modificationTime
  }

  /// The modification date; nil if there is no file.
  public var modificationDate: Date? {
    modificationTime.map { Date(timeIntervalSince1970: Double($0.tv_sec) + Double($0.tv_nsec) / 1_000_000_000) }
  }

  public func sha256() throws(StoreError) -> Data { try digest() }

  /// Returns all bytes; for small files only.
  public func contents() throws(StoreError) -> Data {
    var contents = Data()
    try forEachChunk { chunk throws(StoreError) in contents.append(contentsOf: chunk) }
    return contents
  }

  func forEachChunk(_ body: (UnsafeRawBufferPointer) throws(StoreError) -> Void) throws(StoreError) {
    switch self {
    case .data(let data):
      var failure: StoreError?
      data.withUnsafeBytes { bytes in
        do throws(StoreError) { try body(bytes) } catch { failure = error }
      }
      if let failure { throw failure }
    case .file(let path): try OpenFile(path: path).forEachChunk(body)
    }
  }
}

/// A regular file that is open for reading. It is closed with the last reference.
final class OpenFile: ChunkedBytes {
  private let descriptor: Int32
  private let name: String

  /// Opens any file; files of the library are opened by `LibraryFolder`.
  convenience init(path: FilePath) throws(StoreError) {
    self.init(descriptor: try path.open(), name: path.description)
  }

  /// Takes ownership of the descriptor; `name` is for errors.
  init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  deinit { close(descriptor) }

  func byteCount() throws(StoreError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileOperations.error(errno, name, code: .cannotRead) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.cannotRead, name, reason: "not a regular file")
    }
    return Int(status.st_size)
  }

  var modificationTime: timespec? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status.st_mtim : nil
  }

  /// Makes a new, empty file share this file's blocks. Returns false if its disk can't do that.
  func clone(to other: Int32) -> Bool {
    // `FICLONE`, which Swift does not import.
    ioctl(other, 0x4004_9409, descriptor) == 0
  }

  func copyModificationDate(to other: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return }
    futimens(other, [status.st_atim, status.st_mtim])
  }

  /// The size of a read: large enough to keep a disk busy, small enough for the processor's cache.
  private static let chunkByteCount = 1 << 20

  func forEachChunk(_ body: (UnsafeRawBufferPointer) throws(StoreError) -> Void) throws(StoreError) {
    try forEachChunk(in: 0..<Int.max) { _, chunk throws(StoreError) in try body(chunk) }
  }

  /// Calls `body` with the bytes that the disk keeps, and with their offsets. Leaves out the holes
  /// of a sparse file, whose zeros can be terabytes.
  func forEachChunkOfData(_ body: (Int, UnsafeRawBufferPointer) throws(StoreError) -> Void) throws(StoreError) {
    var end = 0
    while let data = try nextData(from: end) {
      try forEachChunk(in: data, body)
      end = data.upperBound
    }
  }

  /// The number of bytes that the disk keeps for the file.
  func dataByteCount() throws(StoreError) -> Int {
    var (end, count) = (0, 0)
    while let data = try nextData(from: end) {
      count += data.count
      end = data.upperBound
    }
    return count
  }

  /// Returns the first bytes at or after an offset that are in no hole; `nil` if there are none.
  private func nextData(from offset: Int) throws(StoreError) -> Range<Int>? {
    // `SEEK_DATA` and `SEEK_HOLE`, which Swift does not import.
    let start = lseek(descriptor, off_t(offset), 3)
    if start < 0 {
      switch errno {
      case ENXIO: return nil
      // The file system does not know holes.
      case EINVAL, EOPNOTSUPP:
        let end = try byteCount()
        return offset < end ? offset..<end : nil
      default: throw FileOperations.error(errno, name, code: .cannotRead)
      }
    }
    let end = lseek(descriptor, start, 4)
    guard end >= 0 else { throw FileOperations.error(errno, name, code: .cannotRead) }
    return end > start ? Int(start)..<Int(end) : nil
  }

  private func forEachChunk(
    in range: Range<Int>, _ body: (Int, UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError) {
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkByteCount, alignment: 64)
    defer { buffer.deallocate() }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = pread(descriptor, buffer.baseAddress, min(buffer.count, range.upperBound - offset), off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileOperations.error(errno, name, code: .cannotRead) }
      if count == 0 { return }
      try body(offset, UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += count
    }
  }
}
