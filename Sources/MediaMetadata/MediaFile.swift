import CProcess
import Foundation

/// An open file to read as a photo or a movie, with a name for error messages.
///
///     let file = try MediaFile(path: "/photos/IMG_0001.HEIC")
///     let type = try MediaType.detect(in: file)
///
/// `Imaging` reads only through the descriptor, at explicit offsets (`pread`). Several threads can
/// therefore read a file at once, and so can a process that can't open files. The file closes when
/// its last reference is released.
public final class MediaFile: Sendable {
  public let descriptor: Int32
  /// The name for messages; no code opens it.
  public let name: String
  /// The size in bytes at the time when the file was opened.
  public let byteCount: Int
  /// The date when the file's content last changed. It is used if the metadata contains no date.
  public let modificationDate: Date

  /// Opens a file. `name` is the file's name in messages; the default is its path.
  public convenience init(path: String, name: String? = nil) throws(ImagingError) {
    try self.init(bytesOfPath: Array(path.utf8CString), name: name ?? path)
  }

  /// Opens a file by a path that need not be UTF-8: bytes that end with a zero.
  public convenience init(bytesOfPath path: [CChar], name: String) throws(ImagingError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw ImagingError(.cannotOpen, name, reason: String(cString: strerror(errno))) }
    try self.init(descriptor: descriptor, name: name)
  }

  /// Creates a file in memory with a copy of the bytes.
  public convenience init(data: Data, name: String) throws(ImagingError) {
    let descriptor = memfd_create("calotype", calotype_memfd_cloexec | calotype_memfd_sealable)
    guard descriptor >= 0 else { throw ImagingError(.cannotOpen, name, reason: String(cString: strerror(errno))) }
    let isWritten = data.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
    guard isWritten else {
      close(descriptor)
      throw ImagingError(.tooLarge, name, reason: "no memory for \(data.count) bytes")
    }
    // The seals prevent worker processes that receive the file from writing to it.
    _ = fcntl(descriptor, calotype_add_seals, calotype_all_seals)
    try self.init(descriptor: descriptor, name: name)
  }

  /// Takes ownership of the descriptor of a file that another process has opened and described.
  package init(descriptor: Int32, name: String, byteCount: Int, modificationDate: Date) {
    self.descriptor = descriptor
    self.byteCount = byteCount
    self.modificationDate = modificationDate
    self.name = name
  }

  /// Takes ownership of the descriptor of an open file.
  public init(descriptor: Int32, name: String) throws(ImagingError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw ImagingError(.cannotOpen, name, reason: "not a regular file")
    }
    self.descriptor = descriptor
    self.name = name
    self.byteCount = Int(status.st_size)
    self.modificationDate = Date(
      timeIntervalSince1970: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9)
  }

  deinit { close(descriptor) }

  /// Returns up to `count` bytes from `offset` on: fewer at the end of the file, and none beyond
  /// it.
  public func read(_ count: Int, at offset: Int) throws(ImagingError) -> [UInt8] {
    guard offset >= 0, offset < byteCount, count > 0 else { return [] }
    let wanted = min(count, byteCount - offset)
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      while filled < wanted {
        let got = pread(descriptor, buffer.baseAddress.map { $0 + filled }, wanted - filled, off_t(offset + filled))
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { return }
        filled += got
      }
    }
    guard failure == 0 else { throw ImagingError(.cannotRead, name, reason: String(cString: strerror(failure))) }
    return bytes
  }
}
