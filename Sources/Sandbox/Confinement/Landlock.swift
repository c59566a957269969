import CProcess
import Foundation

/// The kernel's rules for the paths that a process may still open; nil if the kernel has no
/// Landlock.
///
///     let rules = try Landlock()
///     rules?.allow(reading: "/usr")
///     try rules?.restrict()
///
/// Throws if the kernel has Landlock but refuses it.
///
/// A restricted process can open only files that a rule allows, and can't create or delete files.
/// On newer kernels it can't connect or listen, and can't signal processes outside the sandbox. The
/// restriction applies to the calling thread, and to the threads and programs that it starts. The
/// system call filter applies to the other threads too.
package final class Landlock {
  private let rules: Int32
  /// The version of the kernel's Landlock, from 1 on.
  let version: Int
  private let handled: UInt64

  private enum Access {
    static let execute: UInt64 = 1 << 0
    static let write: UInt64 = 1 << 1
    static let read: UInt64 = 1 << 2
    static let list: UInt64 = 1 << 3
    static let truncate: UInt64 = 1 << 14
    /// Returns all rights on files that a version knows: the first 13, then linking across folders,
    /// truncation, and device requests.
    static func all(_ version: Int) -> UInt64 {
      let known = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13
      return 1 << UInt64(known) - 1
    }
  }

  /// The kernel's version of Landlock; 0 if it has none, or if a container's filter hides it.
  package static var kernelVersion: Int { isHidden ? 0 : max(0, Int(calotype_landlock_version())) }

  /// Whether this task behaves as if the kernel had no Landlock; for tests.
  @TaskLocal package static var isHidden = false

  /// The reason why movies are not read without Landlock. Through `/proc`, a program can read and
  /// write the memory of all programs of the same user.
  static let missingReason =
    "movies are read only where the kernel has Landlock (Linux 5.13 and newer, if it is switched on); "
    + "CALOTYPE_WORKER=none reads them without that protection"

  init?() throws(ConfinementError) {
    version = Self.kernelVersion
    guard version >= 1 else { return nil }
    handled = Access.all(version)
    var attributes = calotype_landlock_rules(
      files: handled,
      // The rights to bind and to connect.
      network: version >= 4 ? 0b11 : 0,
      // Connections to abstract sockets, and signals.
      scopes: version >= 6 ? 0b11 : 0)
    let descriptor = calotype_landlock_create(&attributes, MemoryLayout<calotype_landlock_rules>.size)
    guard descriptor >= 0 else { throw Self.refusal }
    rules = Int32(descriptor)
  }

  deinit { close(rules) }

  /// Allows reading a file, or a folder with its content. Ignores a path that does not exist.
  func allow(reading path: String) { allow(path, Access.read | Access.list) }

  func allow(executing path: String) { allow(path, Access.read | Access.execute) }

  /// Allows reading, writing and truncating an existing file.
  func allow(writing path: String) { allow(path, Access.read | Access.write | Access.truncate) }

  /// Allows reading an open file. A program may open it again through `/dev/fd`.
  func allow(reading descriptor: Int32) { allow(descriptor, Access.read) }

  private func allow(_ path: String, _ access: UInt64) {
    let descriptor = open(path, calotype_path_only | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    allow(descriptor, access)
  }

  private func allow(_ descriptor: Int32, _ access: UInt64) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return }
    // Only folders can be listed.
    let fitting = status.st_mode & S_IFMT == S_IFDIR ? access : access & ~Access.list
    var path = calotype_landlock_path(allowed: fitting & handled, parent: descriptor)
    // A file in memory is on no file system that Landlock guards, and needs no rule.
    _ = calotype_landlock_allow(rules, &path)
  }

  /// Applies the rules. Privileges must have been given up before.
  func restrict() throws(ConfinementError) {
    guard calotype_landlock_restrict(rules) == 0 else { throw Self.refusal }
  }

  private static var refusal: ConfinementError {
    ConfinementError("Landlock refused: \(String(cString: strerror(errno)))")
  }
}
