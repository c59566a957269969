import Foundation

/// Files that break their format's rules, as damaged disks and interrupted downloads leave them.
///
///     try BrokenFiles.truncatedJPEG(seed: 1).write(to: folder.appendingPathComponent("IMG_0001.JPG"))
public enum BrokenFiles {
  /// Ends in the middle of the picture; the upper part can be seen.
  public static func truncatedJPEG(
    size: PictureSize = .medium, seed: UInt64 = 1, scene: SampleScene? = nil,
    metadata: SampleMetadata = SampleMetadata()
  ) throws(SampleError) -> Data {
    let whole = try SampleMedia.jpeg(size: size, seed: seed, scene: scene, metadata: metadata)
    return whole.prefix(whole.count * 6 / 10)
  }

  /// A JPEG's first bytes and then noise.
  public static func garbageJPEG(byteCount: Int = 20_000, seed: UInt64 = 1) -> Data {
    var random = SeededGenerator(seed: seed)
    let header: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
    return Data(header + (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  public static let zeroBytes = Data()

  /// Says that it is 65535 × 65535 pixels large, in a few hundred bytes.
  public static func hugeGIF() -> Data {
    var bytes = [UInt8](SampleMedia.animatedGIF(frames: 2, size: PictureSize(width: 8, height: 8)))
    bytes.replaceSubrange(6..<10, with: [0xFF, 0xFF, 0xFF, 0xFF])
    return Data(bytes)
  }

  /// The picture's compressed stream is noise, under a checksum that is right.
  public static func badStreamPNG(seed: UInt64 = 1) throws(SampleError) -> Data {
    var random = SeededGenerator(seed: seed)
    let chunks = PNGChunk.all(in: try SampleMedia.png(size: .small, seed: seed))
    return PNGChunk.file(
      chunks.map { chunk in
        guard chunk.type == "IDAT" else { return chunk }
        return PNGChunk(type: "IDAT", content: chunk.content.map { _ in UInt8.random(in: 0...255, using: &random) })
      })
  }

  /// A movie whose index never came.
  public static func movieWithoutIndex(seed: UInt64 = 1) throws(SampleError) -> Data {
    let whole = [UInt8](try SampleMedia.movie(duration: 1, seed: seed))
    let index = whole.boxes(["moov"], in: 0..<whole.count).first ?? 0..<0
    return Data(whole[..<max(0, index.lowerBound - 8)] + whole[index.upperBound...])
  }
}
