import Foundation

/// A file that reserves space for a full disk: to open the library, and to empty the trash.
struct SpaceReserve {
  static let byteCount = 8 << 20
  private static let path = "incoming/reserve"
  /// The space in bytes that is left to other programs when the reserve is restored on a full disk.
  private static let margin = 256 << 10

  let folder: LibraryFolder

  /// Creates the reserve if there is none and the disk has plenty of space.
  func makeIfPossible() {
    guard size < Self.byteCount, folder.freeByteCount > 8 * Self.byteCount else { return }
    allocate(Self.byteCount)
  }

  /// Releases the reserve while `body` runs, and restores as much of it as possible afterward.
  func released<Value>(while body: () throws -> Value) rethrows -> Value {
    let former = size
    guard former > 0 else { return try body() }
    allocate(0)
    defer { allocate(max(0, min(former, folder.freeByteCount - Self.margin))) }
    return try body()
  }

  /// Whether the disk has less space than the reserve itself.
  var isNeeded: Bool { folder.freeByteCount < Self.byteCount }

  private var size: Int { Int((try? folder.status(Self.path))??.st_size ?? 0) }

  /// Ignores errors: without a reserve, a full disk only makes the library read-only until there is
  /// space.
  private func allocate(_ byteCount: Int) {
    guard let file = try? folder.open(Self.path, O_RDWR | O_CREAT) else { return }
    defer { close(file) }
    ftruncate(file, 0)
    if byteCount > 0, posix_fallocate(file, 0, off_t(byteCount)) != 0 { ftruncate(file, 0) }
  }
}
