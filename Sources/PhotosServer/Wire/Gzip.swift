import CZlib
import NIOCore

/// Compresses answers in the format gzip (RFC 1952), which all browsers read.
enum Gzip {
  enum Effort: Int32 {
    /// For answers that are written for one request.
    case fast = 1
    /// For answers that are kept.
    case small = 6
  }

  /// Returns the compressed bytes; `nil` if they would not be fewer.
  static func compress(_ buffer: ByteBuffer, _ effort: Effort) -> ByteBuffer? {
    guard let byteCount = UInt32(exactly: buffer.readableBytes) else { return nil }
    var stream = z_stream()
    let gzipFormat: Int32 = 15 + 16
    let begun = deflateInit2_(
      &stream, effort.rawValue, Z_DEFLATED, gzipFormat, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard begun == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var compressed = ByteBuffer()
    let status = buffer.withUnsafeReadableBytes { input in
      var status = Z_OK
      // zlib declares its input as mutable, and only reads it.
      stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
      stream.avail_in = byteCount
      compressed.writeWithUnsafeMutableBytes(minimumWritableBytes: input.count) { output in
        stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = byteCount
        status = deflate(&stream, Z_FINISH)
        return Int(byteCount - stream.avail_out)
      }
      return status
    }
    guard status == Z_STREAM_END else { return nil }
    // The caller may keep the bytes for long, so the unused memory is released.
    compressed.shrinkBufferCapacity(to: compressed.readableBytes)
    return compressed
  }
}
