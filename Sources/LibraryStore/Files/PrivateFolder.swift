import Foundation
import Synchronization

/// A folder for files on their way to somewhere else, that nobody else may read; it goes away with its last user.
///
///     let folder = PrivateFolder()
///     try data.write(to: folder.url.appendingPathComponent("FullSizeRender.jpg"))
///
/// Where it can't be made, writing a file into it tells. It is locked as long as its process lives: what a killed process left –
/// renders of private photos – is cleared by the next one that makes such a folder.
public final class PrivateFolder: Sendable {
  public let url: URL
  private let descriptor: Int32

  private static let prefix = "calotype-private-"

  public init(in parent: URL = FileManager.default.temporaryDirectory) {
    Self.clearAbandoned(in: parent)
    let template = parent.appendingPathComponent(Self.prefix + "XXXXXX").path
    var bytes = Array(template.utf8CString)
    let path = mkdtemp(&bytes).map { String(cString: $0) } ?? template
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

  /// Between making a folder and locking it lies an instant.
  public static let shortestAge: TimeInterval = 60

  public static func clearAbandoned(in parent: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = parent.appendingPathComponent(name).path
      var information = stat()
      // A link is nobody's folder.
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
