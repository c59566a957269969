import Crypto
import Foundation

/// The system calls that keep originals safe, each with an error that names its file.
enum FileOperations {
  static func check(_ result: Int32, _ file: String) throws(StoreError) {
    guard result != 0 else { return }
    throw error(errno, file)
  }

  static func error(_ number: Int32, _ file: String, code: StoreError.Code = .cannotWrite) -> StoreError {
    switch number {
    case ENOSPC, EDQUOT: return StoreError(.notEnoughSpace, file, reason: "no space is left on its disk")
    case EACCES, EPERM:
      let deed = code == .cannotRead ? "read" : "write"
      return StoreError(
        code, file, reason: "you have no permission to \(deed) it (\(String(cString: strerror(number))))")
    default: return StoreError(code, file, reason: String(cString: strerror(number)))
    }
  }

  /// Makes a name in a folder durable.
  static func synchronizeFolder(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error(errno, path) }
    defer { close(descriptor) }
    try check(fsync(descriptor), path)
  }

  /// Gives a file its name unless the name is taken; `false` where it is.
  static func renameWithoutReplacing(_ from: String, _ to: String) throws(StoreError) -> Bool {
    // A hard link fails where the name exists, on every file system that has hard links.
    if link(from, to) == 0 {
      // Should the first name stay, it goes with the session's folder.
      unlink(from)
      return true
    }
    if errno == EEXIST { return false }
    guard errno == EPERM || errno == ENOTSUP || errno == EMLINK || errno == ENOSYS else { throw error(errno, to) }
    if access(to, F_OK) == 0 { return false }
    try check(rename(from, to), to)
    return true
  }

  /// Copies what `source` holds into the new file `destination` and answers its SHA-256 and size.
  ///
  /// The bytes are in the system's hands when it returns; `fsync` of the answered descriptor brings them to the disk.
  static func copy(_ source: borrowing ByteSource, to destination: String) throws(StoreError) -> Copied {
    let descriptor = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw error(errno, destination) }
    do throws(StoreError) {
      var hash = SHA256()
      var written = 0
      try source.forEachChunk { chunk throws(StoreError) in
        hash.update(bufferPointer: chunk)
        try write(chunk, to: descriptor, destination)
        written += chunk.count
      }
      return Copied(descriptor: descriptor, sha256: Data(hash.finalize()), byteCount: written)
    } catch {
      close(descriptor)
      unlink(destination)
      throw error
    }
  }

  /// As `copy`, for a file that only gets another name; `nil` where it can't get one there.
  static func adopt(_ source: ByteSource, to destination: String) throws(StoreError) -> Copied? {
    guard case .file(let path) = source, link(path.bytes, destination) == 0 else { return nil }
    let linked = ByteSource.file(path: destination)
    do throws(StoreError) {
      let (sha256, byteCount) = (try linked.sha256(), try linked.byteCount())
      let descriptor = open(destination, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw error(errno, destination) }
      return Copied(descriptor: descriptor, sha256: sha256, byteCount: byteCount)
    } catch {
      unlink(destination)
      throw error
    }
  }

  struct Copied {
    var descriptor: Int32
    var sha256: Data
    var byteCount: Int
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ name: String
  ) throws(StoreError) {
    var rest = bytes[...]
    while let start = rest.isEmpty ? nil : UnsafeRawBufferPointer(rebasing: rest).baseAddress {
      let count = Glibc.write(descriptor, start, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw error(errno, name) }
      rest = rest.dropFirst(count)
    }
  }
}
