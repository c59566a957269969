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
    let template = parent.appendingPathComponent(Self.prefix + "XXXXXX").path
    var bytes = Array(template.utf8CString)
    // Another user may have created a folder with the template's name.
    let path = mkdtemp(&bytes).map { String(cString: $0) } ?? Self.nowhere
    url = URL(fileURLWithPath: path, isDirectory: true)
    _ = Self.removalAtExit
    Self.living.withLock { _ = $0.insert(path) }
    // A program that is started meanwhile does not inherit the lock.
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 { _ = flock(descriptor, LOCK_EX | LOCK_NB) }
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

  /// The age in seconds below which a folder is not cleared: it may have been created and not
  /// locked yet.
  public static let shortestAge: TimeInterval = 60

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
        Date().timeIntervalSince1970 - Double(information.st_mtim.tv_sec) > shortestAge,
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
