import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding

/// Tests movies with a rotation, or with pixels that are not square. When turned movies are shown,
/// red is above blue.
@Suite struct MovieRotationTests {
  /// Makes a movie that is stored so that a clockwise turn by `degrees` shows red above blue. The
  /// turn is in the header of the picture's track, or else in that of the whole movie.
  private static func movie(
    in folder: TemporaryFolder, _ degrees: Int, _ codec: [String], ofTrack: Bool = true
  ) throws -> MediaFile {
    let stored = folder.url.appendingPathComponent("stored.mov").path
    // Turns the stored frames in the opposite direction.
    let back = [0: "null", 90: "transpose=cclock", 180: "hflip,vflip", 270: "transpose=clock"][degrees] ?? "null"
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "lavfi", "-i", "color=red:s=320x120:d=2:r=20,pad=320:240:0:0:blue,\(back)", "-f",
        "lavfi", "-i", "sine=d=2", "-shortest",
      ] + codec + [stored])
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: stored)))
    // The picture's track comes first. Its matrix follows the times, the layer and the volume.
    let header = try #require(bytes.firstRange(of: ascii(ofTrack ? "tkhd" : "mvhd"))).upperBound
    let matrix = header + (ofTrack ? 40 : 36)
    let numbers: [Int] =
      switch degrees {
      case 90: [0, 1, 0, -1, 0, 0, 240, 0]
      case 180: [-1, 0, 0, 0, -1, 0, 320, 240]
      case 270: [0, -1, 0, 1, 0, 0, 0, 320]
      default: [1, 0, 0, 0, 1, 0, 0, 0]
      }
    bytes.replaceSubrange(matrix..<matrix + 32, with: numbers.flatMap { big($0 * 0x10000, 4) })
    return try folder.file(bytes, named: "turned.mov")
  }

  private func isUpright(_ file: MediaFile) throws -> Bool {
    let metadata = try MediaMetadata(parsing: file, machineTimeZone: .current)
    #expect(PixelSize(width: metadata.pixelWidth, height: metadata.pixelHeight) == PixelSize(width: 320, height: 240))
    #expect(abs(metadata.duration - 2) < 0.15)
    let set = try makeRenditions(of: file, metadata: metadata, kinds: [.screen])
    let poster = try set.rendition(.screen).decoded()
    #expect(poster.size == PixelSize(width: 320, height: 240))
    let (above, below) = (poster[160, 60], poster[160, 180])
    return above[0] > 150 && above[2] < 100 && below[2] > 150 && below[0] < 100
  }

  @Test(arguments: [0, 90, 180, 270], [["-c:v", "libx264", "-pix_fmt", "yuv420p"], ["-c:v", "mpeg4"]])
  func aTurnedMovieIsUpright(degrees: Int, codec: [String]) throws {
    let folder = try TemporaryFolder()
    let file = try Self.movie(in: folder, degrees, codec + ["-c:a", "aac"])
    #expect(try isUpright(file))
    // Frames of one codec are copied and keep the rotation. Frames of the other are encoded
    // upright.
    let target = folder.url.appendingPathComponent("playable.mp4")
    try makePlayableMovie(of: file, range: nil, to: target, progress: nil)
    #expect(try isUpright(MediaFile(path: target.path)))
  }

  @Test(arguments: [0, 90, 180, 270], [["-c:v", "libx264", "-pix_fmt", "yuv420p"], ["-c:v", "mpeg4"]])
  func `a movie that is turned as a whole is upright`(degrees: Int, codec: [String]) throws {
    let folder = try TemporaryFolder()
    let file = try Self.movie(in: folder, degrees, codec + ["-c:a", "aac"], ofTrack: false)
    #expect(try isUpright(file))
    let target = folder.url.appendingPathComponent("playable.mp4")
    try makePlayableMovie(of: file, range: nil, to: target, progress: nil)
    #expect(try isUpright(MediaFile(path: target.path)))
  }

  // By default, `ffmpeg` would turn only the key frames. Browsers turn none.
  @Test(arguments: ["stated.mp4", "stated.mkv", "stated.ts"])
  func `a turn that only coded pictures state is ignored`(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent(name).path
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "lavfi", "-i", "color=red:s=320x120:d=2:r=20,pad=320:240:0:0:blue", "-c:v",
        "libx264", "-pix_fmt", "yuv420p", "-bsf:v", "h264_metadata=display_orientation=insert:rotate=90", path,
      ])
    let file = try MediaFile(path: path)
    let metadata = try MediaMetadata(of: file)
    let size = PixelSize(width: 320, height: 240)
    #expect(PixelSize(width: metadata.pixelWidth, height: metadata.pixelHeight) == size)
    let poster = try decodePicture(of: file, metadata: metadata)
    #expect(poster.size == size)
    #expect(poster[160, 60][0] > 150 && poster[160, 180][2] > 150)
    #expect(try file.movieFrame(atSeconds: 0, longestSide: nil).pixels.size == size)
    let target = folder.url.appendingPathComponent("export.mov")
    var sizes: Set<PixelSize> = []
    try MovieExport(file: file).write(to: target) { frame in
      sizes.insert(frame.pixels.size)
      return frame.pixels
    }
    #expect(sizes == [size])
  }

  @Test(arguments: [0, 90])
  func `a movie with its pixel shape in its picture's description alone has the size of its poster`(
    degrees: Int
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("wide.mp4").path
    try Program.run(
      "ffmpeg",
      [
        "-loglevel", "error", "-f", "lavfi", "-i", "color=blue:s=64x48:r=20:d=1,setsar=4/3", "-c:v", "libx264",
        "-pix_fmt", "yuv420p", path,
      ])
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let header = try #require(bytes.firstRange(of: ascii("tkhd"))).upperBound
    let matrix = degrees == 90 ? [0, 1, 0, -1, 0, 0, 48, 0] : [1, 0, 0, 0, 1, 0, 0, 0]
    bytes.replaceSubrange(header + 40..<header + 72, with: matrix.flatMap { big($0 * 0x10000, 4) })
    // The stored size.
    bytes.replaceSubrange(header + 76..<header + 84, with: big(64 * 0x10000, 4) + big(48 * 0x10000, 4))
    let file = try folder.file(bytes, named: "changed.mp4")
    let metadata = try MediaMetadata(of: file)
    let size = PixelSize(width: metadata.pixelWidth, height: metadata.pixelHeight)
    #expect(size == (degrees == 90 ? PixelSize(width: 36, height: 64) : PixelSize(width: 85, height: 48)))
    #expect(try decodePicture(of: file, metadata: metadata).size == size)
  }
}
