import Foundation

/// The identity of the file at a path. Another file that takes its place has another identity.
public struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// Returns `nil` if there is no file.
  public init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init?(in folder: LibraryFolder, _ name: String) {
    guard let status = (try? folder.status(name)).flatMap(\.self) else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}
