import Foundation

/// A file that gets its name when it is whole and on the disk: whatever ends the program or the machine, nobody finds half of it.
///
///     let isWritten = try UnnamedFile.write(to: url) { try data.write(to: $0) }
///
/// It is written beside its name, as `.calotype-….partial`.
enum UnnamedFile {
  /// `false` where the name is taken and not to be replaced.
  static func write(to url: URL, replacing: Bool = false, _ body: (URL) throws -> Void) throws -> Bool {
    let folder = url.deletingLastPathComponent()
    let partial = folder.appendingPathComponent("\(prefix)\(UUID().uuidString.prefix(8))\(suffix)")
    defer { unlink(partial.path) }
    try body(partial)
    try synchronize(partial, of: url)
    if !replacing {
      if link(partial.path, url.path) == 0 { return true }
      // Memory cards have no links.
      if errno == EEXIST || access(url.path, F_OK) == 0 { return false }
    }
    // Another name may be allowed: it is this file's failure.
    guard rename(partial.path, url.path) == 0 else { throw systemError(url) }
    return true
  }

  /// Returns when the bytes are on the disk; a stick that fails often says so no sooner.
  private static func synchronize(_ partial: URL, of file: URL) throws {
    let descriptor = open(partial.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw systemError(file) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw systemError(file) }
  }

  private static func systemError(_ file: URL) -> NSError {
    let code = errno
    let reason = "\(file.path): \(String(cString: strerror(code)))"
    return NSError(domain: NSPOSIXErrorDomain, code: Int(code), userInfo: [NSLocalizedDescriptionKey: reason])
  }

  /// Removes what programs that were killed left in a folder: one that is written to was changed a moment ago.
  static func clearAbandoned(in folder: String, now: Date = Date()) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        now.timeIntervalSince1970 - Double(status.st_ctim.tv_sec) > longestPause
      else { continue }
      unlink(path)
    }
  }

  private static let prefix = ".calotype-"
  private static let suffix = ".partial"
  /// Seconds.
  private static let longestPause = 600.0
}
