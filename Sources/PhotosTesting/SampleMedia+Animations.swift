import Foundation
import Imaging

extension SampleMedia {
  /// Makes an animated GIF. A loop takes `frames / 10` seconds.
  public static func animatedGIF(
    frames: Int = 10, size: PictureSize = .small, seed: UInt64 = 1, scene: SampleScene? = nil
  ) -> Data {
    GIFEncoder.encode(sweep(frames, size: size, seed: seed, scene: scene), hundredthsPerFrame: 10)
  }

  /// Makes an APNG. A loop takes `frames / 10` seconds.
  public static func animatedPNG(
    frames: Int = 6, size: PictureSize = .small, seed: UInt64 = 1, scene: SampleScene? = nil
  ) throws(SampleError) -> Data {
    var encodedFrames: [[PNGChunk]] = []
    for frame in sweep(frames, size: size, seed: seed, scene: scene) {
      encodedFrames.append(
        PNGChunk.all(in: try encoded(frame, metadata: SampleMetadata(), as: "public.png", quality: 100)))
    }
    return animatedPNG(encodedFrames, size)
  }

  private static func animatedPNG(_ frames: [[PNGChunk]], _ size: PictureSize) -> Data {
    var chunks: [PNGChunk] = []
    var sequence = 0
    for (index, frame) in frames.enumerated() {
      if index == 0 {
        chunks += frame.prefix { $0.type != "IDAT" }
        chunks.append(PNGChunk(type: "acTL", content: bigEndian32(frames.count) + bigEndian32(0)))
      }
      let rectangle = bigEndian32(size.width) + bigEndian32(size.height) + bigEndian32(0) + bigEndian32(0)
      // A tenth of a second per frame, without disposal and blending.
      let control = bigEndian32(sequence) + rectangle + bigEndian16(1) + bigEndian16(10) + [0, 0]
      chunks.append(PNGChunk(type: "fcTL", content: control))
      sequence += 1
      for chunk in frame where chunk.type == "IDAT" {
        if index == 0 {
          chunks.append(chunk)
        } else {
          chunks.append(PNGChunk(type: "fdAT", content: bigEndian32(sequence) + chunk.content))
          sequence += 1
        }
      }
    }
    return PNGChunk.file(chunks + [PNGChunk(type: "IEND", content: [])])
  }

  /// Returns frames that pan across a picture and back.
  private static func sweep(_ frames: Int, size: PictureSize, seed: UInt64, scene: SampleScene?)
    -> [PixelBuffer]
  {
    let room = PictureSize(width: size.width * 4 / 3, height: size.height)
    let picture = picture(room, seed: seed, scene: scene)
    return (0..<max(2, frames)).map { index in
      let there = abs(Float(index) / Float(max(2, frames)) * 2 - 1)
      return picture.cropped(x: Int(Float(room.width - size.width) * there), y: 0, to: size)
    }
  }
}
