import Foundation

/// Files that violate their formats, like those from damaged disks and interrupted downloads.
///
///     try BrokenFiles.truncatedJPEG(seed: 1).write(to: folder.appendingPathComponent("IMG_0001.JPG"))
public enum BrokenFiles {
  /// Returns a JPEG that ends in the middle of the picture. Its upper part can be decoded.
  public static func truncatedJPEG(
    size: PictureSize = .medium, seed: UInt64 = 1, scene: SampleScene? = nil,
    metadata: SampleMetadata = SampleMetadata()
  ) throws(SampleError) -> Data {
    let whole = try SampleMedia.jpeg(size: size, seed: seed, scene: scene, metadata: metadata)
    return whole.prefix(whole.count * 6 / 10)
  }

  /// Returns a JPEG's first bytes followed by noise.
  public static func garbageJPEG(byteCount: Int = 20_000, seed: UInt64 = 1) -> Data {
    var random = SeededGenerator(seed: seed)
    let header: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
    return Data(header + (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  public static let zeroBytes = Data()

  /// Returns a few hundred bytes whose header claims 65,535 × 65,535 pixels.
  public static func hugeGIF() -> Data {
    var bytes = [UInt8](SampleMedia.animatedGIF(frames: 2, size: PictureSize(width: 8, height: 8)))
    bytes.replaceSubrange(6..<10, with: [0xFF, 0xFF, 0xFF, 0xFF])
    return Data(bytes)
  }

  /// Returns a PNG whose compressed stream is noise with a correct checksum.
  public static func badStreamPNG(seed: UInt64 = 1) throws(SampleError) -> Data {
    var random = SeededGenerator(seed: seed)
    let chunks = PNGChunk.all(in: try SampleMedia.png(size: .small, seed: seed))
    return PNGChunk.file(
      chunks.map { chunk in
        guard chunk.type == "IDAT" else { return chunk }
        return PNGChunk(type: "IDAT", content: chunk.content.map { _ in UInt8.random(in: 0...255, using: &random) })
      })
  }

  /// Returns a movie without its index, as an interrupted recording leaves it.
  public static func movieWithoutIndex(seed: UInt64 = 1) throws(SampleError) -> Data {
    let whole = [UInt8](try SampleMedia.movie(duration: 1, seed: seed))
    let index = whole.boxes(["moov"], in: 0..<whole.count).first ?? 0..<0
    return Data(whole[..<max(0, index.lowerBound - 8)] + whole[index.upperBound...])
  }
}
