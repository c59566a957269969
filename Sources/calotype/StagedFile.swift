import Foundation

/// Writes a file that gets its name only after it is whole and on the disk. If the program is
/// killed or the machine stops, no partial file has that name.
///
///     let isWritten = try StagedFile.write(to: url) { try data.write(to: $0) }
///
/// The file is written in the same folder, as `.calotype-….partial`.
enum StagedFile {
  /// Writes a file. Returns `false` if the name is taken and must not be replaced.
  static func write(to url: URL, replacing: Bool = false, _ body: (URL) throws -> Void) throws -> Bool {
    let folder = url.deletingLastPathComponent()
    let partial = folder.appendingPathComponent("\(prefix)\(UUID().uuidString.prefix(8))\(suffix)")
    defer { unlink(partial.path) }
    try body(partial)
    try synchronize(partial, of: url)
    if !replacing {
      if link(partial.path, url.path) == 0 { return true }
      // File systems of memory cards have no hard links.
      if errno == EEXIST || access(url.path, F_OK) == 0 { return false }
    }
    // Only this file fails: a file with another name may still be allowed.
    guard rename(partial.path, url.path) == 0 else { throw systemError(url) }
    return true
  }

  /// Waits until the bytes are on the disk. A failing memory stick often reports its error only
  /// then.
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

  /// Removes the partial files that killed programs left in a folder. A file that changed within
  /// `staleAfterSeconds` may still be in use and stays.
  static func removeStaleFiles(in folder: String, now: Date = Date()) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        now.timeIntervalSince1970 - Double(status.st_ctim.tv_sec) > staleAfterSeconds
      else { continue }
      unlink(path)
    }
  }

  private static let prefix = ".calotype-"
  private static let suffix = ".partial"
  /// In seconds.
  private static let staleAfterSeconds = 600.0
}
