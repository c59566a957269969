import Crypto
import Essentials
import Foundation

/// The system calls that write originals. Each error contains the name of its file.
enum FileOperations {
  static func check(_ result: Int32, _ file: String) throws(StoreError) {
    guard result != 0 else { return }
    throw error(errno, file)
  }

  static func error(_ number: Int32, _ file: String, code: StoreError.Code = .cannotWrite) -> StoreError {
    switch number {
    case _ where FullDisk.errorNumbers.contains(number):
      return StoreError(.notEnoughSpace, file, reason: FullDisk.reason)
    case EACCES, EPERM:
      let deed = code == .cannotRead ? "read" : "write"
      return StoreError(
        code, file, reason: "you have no permission to \(deed) it (\(String(cString: strerror(number))))")
    default: return StoreError(code, file, reason: String(cString: strerror(number)))
    }
  }

  /// Copies `source` into a new, empty file and returns its SHA-256 and size.
  ///
  /// The bytes are not durable yet: `fsync` of the descriptor writes them to the disk.
  static func copy(_ source: some ChunkedBytes, to descriptor: Int32, _ name: String) throws(StoreError) -> Copied {
    var hash = SHA256()
    var written = 0
    try source.forEachChunk { chunk throws(StoreError) in
      hash.update(bufferPointer: chunk)
      try write(chunk, to: descriptor, name)
      written += chunk.count
    }
    return Copied(sha256: Data(hash.finalize()), byteCount: written)
  }

  struct Copied {
    var sha256: Data
    var byteCount: Int
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ name: String) throws(StoreError) {
    var rest = bytes[...]
    while let start = rest.isEmpty ? nil : UnsafeRawBufferPointer(rebasing: rest).baseAddress {
      let count = Glibc.write(descriptor, start, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw error(errno, name) }
      rest = rest.dropFirst(count)
    }
  }
}
