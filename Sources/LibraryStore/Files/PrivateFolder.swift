import Foundation
import Synchronization

/// A temporary folder that no other user can read. It is removed with its last reference.
///
///     let folder = PrivateFolder()
///     try data.write(to: folder.url.appendingPathComponent("FullSizeRender.jpg"))
///
/// If the folder can't be created, writing a file into it throws. The folder is locked until its
/// process ends. If a process is killed, the next one that creates such a folder removes the
/// abandoned one, which may contain renders of private photos.
public final class PrivateFolder: Sendable {
  public let url: URL
  private let descriptor: Int32

  private static let prefix = "calotype-private-"
  /// A path at which no file can be created.
  private static let nowhere = "/dev/null/none"

  public init(in parent: URL = FileManager.default.temporaryDirectory) {
    Self.clearAbandoned(in: parent)
    let (path, descriptor) = Self.make(in: parent) ?? (Self.nowhere, -1)
    url = URL(fileURLWithPath: path, isDirectory: true)
    self.descriptor = descriptor
    _ = Self.removalAtExit
    Self.living.withLock { _ = $0.insert(path) }
  }

  /// The number of attempts to create a folder. One fails if another thread or process takes the
  /// new folder for an abandoned one.
  private static let attempts = 100

  /// Creates a folder and locks it. Returns its path, and the descriptor that holds the lock.
  private static func make(in parent: URL) -> (path: String, descriptor: Int32)? {
    for _ in 0..<attempts {
      var bytes = Array(parent.appendingPathComponent(prefix + "XXXXXX").path.utf8CString)
      // Another user may have created a folder with the template's name.
      guard let path = mkdtemp(&bytes).map({ String(cString: $0) }) else { return nil }
      if let descriptor = lock(path) { return (path, descriptor) }
      rmdir(path)
    }
    return nil
  }

  /// Locks a folder, and returns the descriptor that holds the lock; `nil` if another process took
  /// the folder for an abandoned one and has removed it, or is about to.
  static func lock(_ path: String) -> Int32? {
    // A program that is started meanwhile does not inherit the lock.
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // Without locks, no process removes the folder.
    let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    var (opened, found) = (stat(), stat())
    // The folder may have been removed after it was opened.
    if isLocked, fstat(descriptor, &opened) == 0, lstat(path, &found) == 0, opened.st_dev == found.st_dev,
      opened.st_ino == found.st_ino
    {
      return descriptor
    }
    close(descriptor)
    return nil
  }

  deinit {
    Self.remove(url.path)
    if descriptor >= 0 { close(descriptor) }
  }

  /// The paths of this process's folders.
  private static let living = Mutex<Set<String>>([])

  /// Removes the folders that are still in use when the program exits, since objects are not
  /// released then.
  private static let removalAtExit: Int32 = atexit {
    for path in PrivateFolder.living.withLock(\.self) { PrivateFolder.remove(path) }
  }

  private static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
    living.withLock { _ = $0.remove(path) }
  }

  /// Removes the folders that no process has locked.
  public static func clearAbandoned(in parent: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = parent.appendingPathComponent(name).path
      var information = stat()
      // A link is never one of these folders.
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      guard fstat(descriptor, &information) == 0, information.st_uid == getuid(),
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
