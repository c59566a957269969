import CProcess

/// Memory for the bytes of a reply, provided while the worker still works. The kernel takes as long
/// to provide it as to copy the bytes.
package struct ReceiveBuffer {
  private(set) var bytes: [UInt8] = []

  package init() {}

  /// Provides all pages of a buffer. Does nothing for a small count.
  package init(expectedByteCount count: Int) {
    guard count >= Self.leastByteCount else { return }
    bytes = Self.uninitialized(count)
    bytes.withUnsafeMutableBytes { bytes in
      // Writing one byte provides a page.
      for offset in stride(from: 0, to: bytes.count, by: 4096) { bytes[offset] = 0 }
    }
  }

  package var byteCount: Int { bytes.count }

  /// Returns `byteCount` bytes of any value.
  package mutating func take(byteCount: Int) -> [UInt8] {
    defer { bytes = [] }
    if bytes.count == byteCount { return bytes }
    bytes = []
    return Self.uninitialized(byteCount)
  }

  private static let leastByteCount = 3_000_000

  private static func uninitialized(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      calotype_take_large_pages(buffer.baseAddress, buffer.count)
      filled = count
    }
  }
}
