import CBrotli
import CZlib

/// Decompresses small parts of files. The result is nil if the bytes are damaged, or if more than
/// `limit` bytes would come out of them.
enum Decompression {
  /// Inflates bytes in zlib's format (RFC 1950).
  static func inflated(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    filled(limit) { output in
      var byteCount = uLongf(output.count)
      let status = uncompress(output.baseAddress, &byteCount, bytes, uLong(bytes.count))
      return status == Z_OK ? Int(byteCount) : nil
    }
  }

  /// Decodes bytes in Brotli's format (RFC 7932).
  static func decodedBrotli(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    filled(limit) { output in
      var byteCount = output.count
      let status = BrotliDecoderDecompress(bytes.count, bytes, &byteCount, output.baseAddress)
      return status == BROTLI_DECODER_RESULT_SUCCESS ? byteCount : nil
    }
  }

  private static func filled(_ limit: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Int?) -> [UInt8]? {
    var isWhole = false
    let result = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      // An array may have room for more than was asked for.
      let found = fill(UnsafeMutableBufferPointer(rebasing: buffer.prefix(limit)))
      isWhole = found != nil
      count = found ?? 0
    }
    return isWhole ? result : nil
  }
}
