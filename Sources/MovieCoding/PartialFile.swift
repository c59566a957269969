import Foundation
import ImageCoding
import MediaMetadata

/// A file that is written beside its destination, by one process at a time, and becomes it when it is whole.
///
///     let part = try PartialFile(for: destination, isCancelled: { false })
///     guard !part.isDone else { return }           // another process has made it meanwhile
///     … write to part.path …
///     try part.commit()
///
/// - It is called `.movie.mp4.part`, and locked: who comes later waits for the first.
/// - Without `commit` nothing is left of it. What a process leaves that was killed is overwritten by the next one that asks.
/// - Whoever doesn't want the movie any more may remove it: then it can't be committed.
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
      // A file system without locks has one process at a time, one hopes.
      let isHeldByAnother = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && (errno == EWOULDBLOCK || errno == EINTR)
      if !isHeldByAnother, Self.isFile(path, descriptor) {
        self.descriptor = descriptor
        return
      }
      // Somebody writes it, or has just moved it away.
      close(descriptor)
      guard !isCancelled() else { throw ImagingError(.tookTooLong, path, reason: "it was cancelled") }
      usleep(50_000)
    }
  }

  /// Whether the destination is there: made by whoever held the lock before.
  var isDone: Bool { access(destination.path, F_OK) == 0 }

  private static func isFile(_ path: String, _ descriptor: Int32) -> Bool {
    var (open, named) = (stat(), stat())
    return fstat(descriptor, &open) == 0 && lstat(path, &named) == 0 && open.st_ino == named.st_ino
  }

  /// Opens or makes a file for reading and writing, with the permissions of its folder; the caller closes it.
  ///
  /// The folder is untrusted: a link in the file's place is not followed, and opening a FIFO does
  /// not block.
  static func open(_ path: String) throws(ImagingError) -> Int32 {
    var status = stat()
    let isInFolder = stat((path as NSString).deletingLastPathComponent, &status) == 0
    let mode = isInFolder ? status.st_mode & 0o660 : 0o600
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw ImagingError(writing: path, errno) }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw ImagingError(.cannotEncode, path, reason: "something else stands in the file’s place")
    }
    return descriptor
  }

  func commit() throws(ImagingError) {
    guard Self.isFile(path, descriptor) else { throw ImagingError(writing: path, ENOENT) }
    guard rename(path, destination.path) == 0 else { throw ImagingError(writing: destination.path, errno) }
    isCommitted = true
  }

  deinit {
    // Before the lock goes with the descriptor.
    if !isCommitted, Self.isFile(path, descriptor) { unlink(path) }
    close(descriptor)
  }
}
