import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Generated pictures and their metadata.
enum Sample {
  static let red: [UInt8] = [220, 30, 30]
  static let green: [UInt8] = [30, 190, 40]
  static let blue: [UInt8] = [30, 40, 210]
  static let white: [UInt8] = [250, 250, 250]

  /// A picture with four quarters: red and green above blue and white.
  static func quadrants(_ width: Int, _ height: Int, channels: Int = 3) -> PixelBuffer {
    let opaque: [UInt8] = channels == 4 ? [255] : []
    func row(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
      (0..<width).flatMap { $0 < width / 2 ? left + opaque : right + opaque }
    }
    let upper = row(red, green)
    let lower = row(blue, white)
    return PixelBuffer(
      width: width, height: height, channels: channels,
      bytes: Array((0..<height).map { $0 < height / 2 ? upper : lower }.joined()))
  }

  static func picture(
    _ width: Int, _ height: Int, channels: Int = 3, _ color: (_ x: Int, _ y: Int) -> [UInt8]
  ) -> PixelBuffer {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * channels)
    for y in 0..<height {
      for x in 0..<width {
        let pixel = color(x, y)
        bytes += pixel.count == channels ? pixel : pixel + [255]
      }
    }
    return PixelBuffer(width: width, height: height, channels: channels, bytes: bytes)
  }

  static func metadata(_ type: String, orientation: Int = 1, kind: MediaType.Kind = .image, duration: Double = 0)
    -> MediaMetadata
  {
    var metadata = MediaMetadata(
      type: MediaType(kind: kind, type, "file"),
      captureDate: CaptureDate(date: .distantPast, offset: 0, source: .file, zoneSource: .machine))
    metadata.orientation = orientation
    metadata.duration = duration
    return metadata
  }
}

/// A folder that is removed when it is deallocated.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("imaging-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ data: some DataProtocol, named name: String = "sample") throws -> MediaFile {
    let path = url.appendingPathComponent(name)
    try Data(data).write(to: path)
    return try MediaFile(path: path.path)
  }

  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] }
}

extension Rendition {
  var size: PixelSize { PixelSize(width: pixelWidth, height: pixelHeight) }

  /// Decodes the rendition with the library's own decoders.
  func decoded() throws -> PixelBuffer {
    let file = try TemporaryFolder().file(data)
    let request = DecodingRequest(kinds: [.full], limits: .standard)
    return uniformTypeIdentifier == "public.jpeg"
      ? try decodeJPEG(file, orientation: 1, endingAt: nil, request).pixels
      : try decodeWithVips(file, orientation: 1, request).pixels
  }
}

extension RenditionSet {
  func rendition(_ kind: RenditionKind) throws -> Rendition { try #require(renditions.first { $0.kind == kind }) }
}

extension PixelBuffer {
  subscript(x: Int, y: Int) -> [UInt8] { Array(bytes[(y * width + x) * channels..<(y * width + x + 1) * channels]) }

  /// The colors in the middle of the four quarters: top left, top right, bottom left, bottom right.
  var corners: [[UInt8]] {
    [(1, 1), (3, 1), (1, 3), (3, 3)].map { self[width * $0.0 / 4, height * $0.1 / 4] }
  }
}

/// Returns whether colors agree within the error of a lossy encoder.
func close(_ one: [[UInt8]], _ other: [[UInt8]], within tolerance: Int = 10) -> Bool {
  one.count == other.count
    && zip(one, other).allSatisfy { a, b in
      a.count == b.count && zip(a, b).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    }
}
