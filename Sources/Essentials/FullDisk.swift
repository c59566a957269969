import Glibc

/// A disk without space, or a user without space on it.
package enum FullDisk {
  /// The numbers of the system's errors.
  package static let errorNumbers = [ENOSPC, EDQUOT]

  /// The reason in errors about a file.
  package static let reason = "no space is left on its disk"
}
