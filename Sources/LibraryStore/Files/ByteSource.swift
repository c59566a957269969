import Crypto
import Foundation

/// Where the bytes of a new original come from.
public enum ByteSource: Sendable {
  case file(FilePath)
  case data(Data)

  public static func file(path: String) -> ByteSource { .file(FilePath(path)) }

  /// What errors call it.
  var name: String {
    switch self {
    case .file(let path): path.description
    case .data: "data"
    }
  }

  /// Fails for what is not a regular file: a pipe could be waited for without end.
  public func byteCount() throws(StoreError) -> Int {
    switch self {
    case .data(let data): return data.count
    case .file(let path):
      var status = stat()
      guard stat(path.bytes, &status) == 0 else { throw FileOperations.error(errno, name, code: .cannotRead) }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw StoreError(.cannotRead, name, reason: "not a regular file")
      }
      return Int(status.st_size)
    }
  }

  /// An original keeps the date of the file that it came from.
  func copyModificationDate(to descriptor: Int32) {
    guard case .file(let path) = self else { return }
    var status = stat()
    guard stat(path.bytes, &status) == 0 else { return }
    futimens(descriptor, [status.st_atim, status.st_mtim])
  }

  public func sha256() throws(StoreError) -> Data {
    var hash = SHA256()
    try forEachChunk { chunk throws(StoreError) in hash.update(bufferPointer: chunk) }
    return Data(hash.finalize())
  }

  /// Returns all bytes: for small files.
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
    case .file(let path): try Self.forEachChunk(ofFile: path, body)
    }
  }

  /// A read large enough to keep a disk busy, small enough for the processor's cache.
  private static let chunkByteCount = 1 << 20

  private static func forEachChunk(
    ofFile path: FilePath, _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError) {
    let descriptor = open(path.bytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileOperations.error(errno, path.description, code: .cannotRead) }
    defer { close(descriptor) }
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkByteCount, alignment: 64)
    defer { buffer.deallocate() }
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileOperations.error(errno, path.description, code: .cannotRead) }
      if count == 0 { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
