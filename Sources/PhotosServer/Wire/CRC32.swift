import CZlib

/// The CRC-32 of ZIP.
struct CRC32 {
  private(set) var value: UInt32 = 0

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    // Without an address, zlib starts again.
    guard let address = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
    value = UInt32(truncatingIfNeeded: crc32_z(UInt(value), address, bytes.count))
  }
}
