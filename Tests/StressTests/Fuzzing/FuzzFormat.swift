import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import PhotosTesting

/// The formats whose files are damaged, with intact files of each to start from.
enum FuzzFormat: String, CaseIterable, Sendable {
  case jpeg, heic, avif, png, webp, jpegxl, gif, tiff, jpeg2000, bmp, raw, movie

  /// One in this many files is decoded fully. `ffmpeg` takes a hundred times as long as the other
  /// decoders, so only some of the movies give frames and are written again.
  var decodesOneIn: Int { self == .movie ? 20 : 1 }

  /// Returns generated files. `realFiles` adds real ones from `CALOTYPE_CORPUS`.
  func samples() throws -> [Data] {
    let size = PictureSize(width: 96, height: 64)
    var metadata = SampleMetadata()
    metadata.captureDate = Date(timeIntervalSince1970: 1_600_000_000)
    metadata.offset = 7200
    metadata.camera = .iPhone
    metadata.orientation = 6
    // The second file contains a thumbnail.
    let large = PictureSize(width: 420, height: 300)
    var nested = metadata
    nested.hasThumbnail = true
    switch self {
    case .jpeg:
      return [
        try SampleMedia.jpeg(size: size, metadata: metadata), try SampleMedia.jpeg(size: size, seed: 2),
        try SampleMedia.panorama(size: PictureSize(width: 160, height: 40)),
        try SampleMedia.jpeg(size: large, metadata: nested),
        try SampleMedia.motionPhoto(size: size, metadata: metadata),
      ]
    case .heic:
      return [
        try SampleMedia.heic(size: size, metadata: metadata), try SampleMedia.heic(size: size, seed: 2),
        try SampleMedia.heic(size: large, metadata: nested), try #require(Data(base64Encoded: Self.heicGrid)),
      ]
    case .avif:
      return [try SampleMedia.avif(size: size, metadata: metadata), try SampleMedia.avif(size: size, seed: 2)]
    case .png:
      return [
        try SampleMedia.png(size: size, metadata: metadata), try SampleMedia.png(size: size, seed: 2),
        try SampleMedia.animatedPNG(frames: 3, size: size),
      ]
    case .webp:
      return [try SampleMedia.webP(size: size, metadata: metadata), try SampleMedia.webP(size: size, seed: 2)]
    case .jpegxl: return [try SampleMedia.jpegXL(size: size), try SampleMedia.jpegXL(size: size, seed: 2)]
    case .gif: return [try SampleMedia.gif(size: size), SampleMedia.animatedGIF(frames: 3, size: size)]
    case .tiff:
      return [try SampleMedia.tiff(size: size, metadata: metadata), try SampleMedia.tiff(size: size, seed: 2)]
    // Only libvips can write this format here. The samples are those with which workers warm up.
    case .jpeg2000:
      return WarmUp.samplesOfVips.compactMap { Data(base64Encoded: $0) }.filter {
        $0.dropFirst(4).starts(with: "jP".utf8)
      }
    case .bmp: return [Self.bmp(bits: 24), Self.bmp(bits: 32)]
    case .raw: return [try SampleMedia.dng(size: size, metadata: metadata)]
    case .movie:
      let movie = try SampleMedia.movie(duration: 0.3, size: size, metadata: metadata)
      return try [
        movie, SampleMedia.movie(duration: 0.3, size: size, codec: .hevc, container: .mp4),
        Self.movie("mkv", ["-c", "copy"], movie), Self.movie("3gp", ["-c", "copy"], movie),
        Self.movie("avi", ["-c:v", "mjpeg", "-c:a", "pcm_s16le"], movie),
        Self.movie("webm", ["-c:v", "libvpx", "-c:a", "libopus"], movie), SampleMedia.livePhoto(size: size).video,
        SampleMedia.oldMovie(.swf), SampleMedia.oldMovie(.h264), SampleMedia.oldMovie(.hevc),
      ]
    }
  }

  /// Returns small files of this format from a folder of real files.
  func realFiles(in corpus: String) -> [Data] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: corpus).sorted()) ?? []
    let fitting = paths.filter { extensions.contains(URL(fileURLWithPath: $0).pathExtension.lowercased()) }
    let files = fitting.compactMap { try? MediaFile(path: "\(corpus)/\($0)") }
    return files.filter { $0.byteCount < 200 << 10 }.prefix(12).compactMap { file in
      (try? file.read(file.byteCount, at: 0)).map { Data($0) }
    }
  }

  private var extensions: Set<String> {
    switch self {
    case .jpeg: ["jpg", "jpeg", "mpo"]
    case .heic: ["heic", "hif", "heif"]
    case .jpegxl: ["jxl"]
    case .tiff: ["tif", "tiff"]
    case .jpeg2000: ["jp2", "j2k"]
    case .raw: ["dng", "cr2", "cr3", "nef", "kdc"]
    case .movie: ["mov", "mp4", "avi", "mkv", "webm", "3gp"]
    default: [rawValue]
    }
  }

  /// Returns the movie in another container.
  private static func movie(_ container: String, _ codecs: [String], _ movie: Data) throws -> Data {
    try FFmpeg.making("a movie", named: "movie.\(container)") { folder throws(SampleError) in
      let source = folder.appendingPathComponent("source.mov")
      try SampleMedia.write(movie, to: source)
      return ["-i", source.path] + codecs
    }
  }

  private static func bmp(bits: Int) -> Data {
    func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
    let (width, height) = (16, 12)
    let pixels = (0..<width * height * bits / 8).map { UInt8($0 * 7 & 0xFF) }
    let header = number(40, 4) + number(width, 4) + number(height, 4) + number(1, 2) + number(bits, 2)
    let rest = number(0, 4) + number(pixels.count, 4) + number(2835, 4) + number(2835, 4) + number(0, 8)
    return Data(Array("BM".utf8) + number(54 + pixels.count, 4) + number(0, 4) + number(54, 4) + header + rest + pixels)
  }
}
