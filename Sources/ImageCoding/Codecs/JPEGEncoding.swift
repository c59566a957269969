import CTurboJPEG
import Foundation
import MediaMetadata
import Synchronization

func encodeJPEG(_ pixels: PixelBuffer, quality: Int, exif: [UInt8]?) throws(ImagingError) -> Data {
  let bands = encodeInBands(pixels, quality: quality)
  let jpeg = if let bands { bands } else { try encodeInOnePiece(pixels, quality: quality) }
  guard let exif else { return jpeg }
  return try insertEXIF(exif, intoJPEG: jpeg)
}

func encodeInOnePiece(_ pixels: PixelBuffer, quality: Int) throws(ImagingError) -> Data {
  guard let compressor = tjInitCompress() else { throw cannotEncode("no memory for a JPEG encoder") }
  defer { tjDestroy(compressor) }
  var bytes: UnsafeMutablePointer<UInt8>?
  var count: UInt = 0
  defer { tjFree(bytes) }
  let format = pixels.channels == 4 ? TJPF_RGBX : TJPF_RGB
  let status = tjCompress2(
    compressor, pixels.bytes, Int32(pixels.width), 0, Int32(pixels.height), Int32(format.rawValue), &bytes, &count,
    Int32(TJSAMP_420.rawValue), Int32(quality), 0)
  guard status == 0, let bytes else { throw cannotEncode(String(cString: tjGetErrorStr2(compressor))) }
  return Data(bytes: bytes, count: Int(count))
}

private func insertEXIF(_ exif: [UInt8], intoJPEG jpeg: Data) throws(ImagingError) -> Data {
  let header = Array("Exif\0\0".utf8)
  let length = 2 + header.count + exif.count
  guard length <= 0xFFFF else { throw cannotEncode("\(exif.count) bytes of EXIF are too many for a JPEG") }
  var data = Data(jpeg.prefix(2))
  data += [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + header + exif
  data += jpeg.dropFirst(2)
  return data
}

// MARK: - Bands

/// Pictures with fewer pixels are encoded by one thread. An import's pictures for screens are
/// smaller: it has work for all processors anyway.
private let pixelsWorthThreads = 8_000_000
/// The rows between two markers of the same number: eight rows of blocks of 16 × 16 pixels.
private let rowsOfMarkers = 128
/// More threads gain little, and each takes address space, which a worker has 3 GiB of.
private let mostBands = 8

/// Encodes bands of a large picture in parallel, and joins them. Returns nil for a small picture.
///
/// The pixels are exactly those of `encodeInOnePiece`. A marker after each row of blocks lets a
/// decoder begin there, so the data of the next band can follow.
func encodeInBands(
  _ pixels: PixelBuffer, quality: Int, count: Int = min(ProcessInfo.processInfo.activeProcessorCount, mostBands)
) -> Data? {
  guard pixels.width * pixels.height >= pixelsWorthThreads, count > 1, pixels.height <= JPEG_MAX_DIMENSION
  else { return nil }
  let rows = ((pixels.height + count - 1) / count + rowsOfMarkers - 1) / rowsOfMarkers * rowsOfMarkers
  let starts = Array(stride(from: 0, to: pixels.height, by: rows))
  let bands = Mutex<[Int: JPEGBand]>([:])
  pixels.withView { view in
    // The pixels don't change, and this function waits for all bands.
    nonisolated(unsafe) let view = view
    runInThreads(starts.count) { index in
      let height = min(rows, view.height - starts[index])
      let band = JPEGBand(
        view.base + starts[index] * view.stride, width: view.width, height: height, channels: view.channels,
        quality: quality)
      bands.withLock { $0[index] = band }
    }
  }
  let encoded = bands.withLock { bands in starts.indices.compactMap { bands[$0] } }
  guard encoded.count == starts.count, let first = encoded.first else { return nil }
  var joined = first.header(height: pixels.height)
  joined.reserveCapacity(joined.count + encoded.reduce(2) { $0 + $1.data.count + 2 })
  for (index, band) in encoded.enumerated() {
    // This is the last of eight markers: each earlier band has a multiple of eight rows of blocks.
    if index > 0 { joined += [0xFF, 0xD7] }
    joined += band.data
  }
  joined += [0xFF, 0xD9]
  return joined
}

/// A band of a picture as a JPEG of its own.
private struct JPEGBand {
  private let bytes: [UInt8]
  /// The position of the two bytes of the height.
  private let heightPosition: Int
  /// The position of the first byte of the picture's data.
  private let dataPosition: Int

  init?(
    _ pixels: UnsafePointer<UInt8>, width: Int, height: Int, channels: Int, quality: Int
  ) {
    var count = 0
    guard
      let encoded = calotype_jpeg_with_restarts(
        pixels, Int32(width), Int32(height), Int32(channels), Int32(quality), &count)
    else { return nil }
    defer { free(encoded) }
    bytes = Array(UnsafeBufferPointer(start: encoded, count: count))
    var heightPosition: Int?
    var dataPosition: Int?
    for marker in JPEGMarkers(MediaBytes(bytes).all) {
      // The first byte is the number of bits of a sample.
      if marker.isFrame { heightPosition = marker.offset + 5 }
      if marker.code == JPEGMarker.startOfScan {
        dataPosition = marker.end
        break
      }
    }
    guard let heightPosition, let dataPosition else { return nil }
    self.heightPosition = heightPosition
    self.dataPosition = dataPosition
  }

  /// The picture's data, without the marker of the end.
  var data: ArraySlice<UInt8> { bytes[dataPosition..<bytes.count - 2] }

  /// Returns everything before the data, for a picture of another height.
  func header(height: Int) -> Data {
    var header = Data(bytes[..<dataPosition])
    header[heightPosition] = UInt8(height >> 8)
    header[heightPosition + 1] = UInt8(height & 0xFF)
    return header
  }
}
