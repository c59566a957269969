import Foundation
import ImageCoding
import MediaMetadata

/// A file that one process at a time writes beside its destination, and that is renamed to it when
/// it is complete.
///
///     let part = try PartialFile(for: destination, isCancelled: { false })
///     guard !part.isDone else { return }     // another process has made it meanwhile
///     … write to part.path …
///     try part.commit()
///
/// - The name is `.movie.mp4.part`, and the file is locked. Later processes wait for the first.
/// - Without `commit`, the file is removed. The file of a killed process is overwritten by the next
///   process.
/// - If the movie is no longer wanted, the file may be removed. It then can't be committed.
final class PartialFile {
  let path: String
  private let destination: URL
  private let descriptor: Int32
  private var isCommitted = false

  init(for destination: URL, isCancelled: () -> Bool) throws(ImagingError) {
    self.destination = destination
    path =
      destination.deletingLastPathComponent()
      .appendingPathComponent(".\(destination.lastPathComponent).part").path
    while true {
      let descriptor = try Self.open(path)
      // A file system without locks is assumed to have one process at a time.
      let isHeldByAnother = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR)
      if !isHeldByAnother, Self.isFile(path, descriptor) {
        self.descriptor = descriptor
        return
      }
      // Another process is writing the file or has just renamed it.
      close(descriptor)
      guard !isCancelled() else { throw ImagingError(.tookTooLong, path, reason: "it was canceled") }
      usleep(50_000)
    }
  }

  /// Whether the destination exists: the previous holder of the lock has made it.
  var isDone: Bool { access(destination.path, F_OK) == 0 }

  private static func isFile(_ path: String, _ descriptor: Int32) -> Bool {
    var (open, named) = (stat(), stat())
    return fstat(descriptor, &open) == 0 && lstat(path, &named) == 0 && open.st_ino == named.st_ino
  }

  /// Opens or creates a file for reading and writing, with the permissions of its folder. The
  /// caller closes the descriptor.
  ///
  /// The folder is untrusted: a link in place of the file is not followed, and opening a FIFO does
  /// not block.
  static func open(_ path: String) throws(ImagingError) -> Int32 {
    var status = stat()
    let isInFolder = stat((path as NSString).deletingLastPathComponent, &status) == 0
    let mode = isInFolder ? status.st_mode & 0o660 : 0o600
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw ImagingError(writing: path, errno) }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw ImagingError(.cannotEncode, path, reason: "it is not a regular file")
    }
    return descriptor
  }

  /// Renames the file after its bytes are on the disk: a power failure leaves the whole movie or
  /// none.
  func commit() throws(ImagingError) {
    guard Self.isFile(path, descriptor) else { throw ImagingError(writing: path, ENOENT) }
    guard fsync(descriptor) == 0 else { throw ImagingError(writing: path, errno) }
    guard rename(path, destination.path) == 0 else { throw ImagingError(writing: destination.path, errno) }
    isCommitted = true
    // If this fails, a power failure may undo the renaming, and the movie is made again.
    let folder = Glibc.open(destination.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  deinit {
    // Removes the file before the lock is released with the descriptor.
    if !isCommitted, Self.isFile(path, descriptor) { unlink(path) }
    close(descriptor)
  }
}
