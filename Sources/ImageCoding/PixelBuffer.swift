import CProcess
import MediaMetadata

/// An image in memory: rows of 8-bit RGB or RGBA, top row first, without gaps between rows.
///
///     let red = PixelBuffer(width: 1, height: 1, channels: 3, bytes: [255, 0, 0])
///     let data = try encode(red, as: "public.png", quality: 100)
///
/// Alpha is not premultiplied. `bytes` holds `width × height × channels` values.
public struct PixelBuffer: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// 3 (RGB) or 4 (RGBA).
  public let channels: Int
  public internal(set) var bytes: [UInt8]

  public init(width: Int, height: Int, channels: Int, bytes: [UInt8]) {
    precondition(channels == 3 || channels == 4, "a picture has 3 or 4 channels")
    self.init(planesOrPixels: bytes, width: width, height: height, channels: channels)
  }

  /// Creates an image whose bytes `fill` writes, all of them. Within the package one channel is
  /// allowed too: a plane of a YCbCr picture.
  package init(
    width: Int, height: Int, channels: Int, filledBy fill: (UnsafeMutablePointer<UInt8>) -> Void
  ) {
    let count = width * height * channels
    self.init(
      planesOrPixels: [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        calotype_take_large_pages(buffer.baseAddress, buffer.count)
        if let base = buffer.baseAddress { fill(base) }
        filled = count
      }, width: width, height: height, channels: channels)
  }

  private init(planesOrPixels bytes: [UInt8], width: Int, height: Int, channels: Int) {
    precondition(width > 0 && height > 0, "a picture has at least one pixel")
    precondition(bytes.count == width * height * channels, "a picture has width × height × channels bytes")
    self.width = width
    self.height = height
    self.channels = channels
    self.bytes = bytes
  }

  package var size: PixelSize { PixelSize(width: width, height: height) }

  /// Whether a pixel is not fully opaque.
  package var isTransparent: Bool {
    guard channels == 4 else { return false }
    return bytes.withUnsafeBufferPointer { source in
      stride(from: 3, to: source.count, by: 4).contains { source[$0] < 255 }
    }
  }

  /// Returns the image without its alpha channel if every pixel is opaque, else the same image.
  package func droppingOpaqueAlpha() -> PixelBuffer {
    guard channels == 4, !isTransparent else { return self }
    return bytes.withUnsafeBufferPointer { source in
      PixelBuffer(width: width, height: height, channels: 3) { out in
        for index in 0..<width * height {
          out[index * 3] = source[index * 4]
          out[index * 3 + 1] = source[index * 4 + 1]
          out[index * 3 + 2] = source[index * 4 + 2]
        }
      }
    }
  }

  /// Calls `body` with a view of the pixels, which is valid during the call only.
  package func withView<Result>(_ body: (PixelView) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("a picture has at least one pixel") }
      return body(PixelView(base: base, stride: width * channels, width: width, height: height, channels: channels))
    }
  }
}

/// A view of pixels that a `PixelBuffer` or a decoder owns. Its rows may have gaps between them.
package struct PixelView {
  package var base: UnsafePointer<UInt8>
  /// Bytes from the start of one row to the next.
  package var stride: Int
  package var width: Int
  package var height: Int
  package var channels: Int

  package var size: PixelSize { PixelSize(width: width, height: height) }

  package func copy() -> PixelBuffer {
    PixelBuffer(width: width, height: height, channels: channels) { out in
      for row in 0..<height {
        out.advanced(by: row * width * channels).update(from: base + row * stride, count: width * channels)
      }
    }
  }
}
