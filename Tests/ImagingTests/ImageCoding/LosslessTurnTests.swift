import Foundation
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct TurnTests {
  @Test("A turn after an orientation is another orientation", arguments: 1...8)
  func composition(_ orientation: Int) {
    var pixels = PixelBuffer(width: 3, height: 2, channels: 3) { out in
      for index in 0..<18 { out[index] = UInt8(index) }
    }
    pixels = pixels.oriented(1)
    for next in 1...8 {
      let both = Turn(exifOrientation: orientation).then(Turn(exifOrientation: next))
      #expect(pixels.oriented(orientation).oriented(next).bytes == pixels.oriented(both.exifOrientation).bytes)
    }
  }

  @Test func fourQuarterTurnsAreNone() {
    #expect(Turn.right.then(.right) == .around)
    #expect(Turn.right.then(.left) == .none)
    #expect(Turn(quarterTurns: -1) == .left)
    #expect(Turn.flipped.exifOrientation == 4)
  }
}

@Suite struct LosslessTurnTests {
  /// A picture in which all parts differ from each other.
  private static func picture(_ width: Int, _ height: Int) -> PixelBuffer {
    PixelBuffer(width: width, height: height, channels: 3) { out in
      for y in 0..<height {
        for x in 0..<width {
          let at = (y * width + x) * 3
          out[at] = UInt8(255 * x / width)
          out[at + 1] = UInt8(255 * y / height)
          out[at + 2] = UInt8((x / 7 + y / 5) % 2 * 160)
        }
      }
    }
  }

  private func medium(_ data: Data) throws -> MediaFile { try MediaFile(data: data, name: "test.jpg") }

  private func decoded(_ data: Data) throws -> PixelBuffer {
    let opened = try medium(data)
    return try decodePicture(of: opened, metadata: MediaMetadata(of: opened))
  }

  private func orientation(_ data: Data) throws -> Int { try MediaMetadata(of: medium(data)).orientation }

  private func jpeg(_ width: Int, _ height: Int, orientation: Int? = nil) throws -> Data {
    let exif = orientation.map { EXIFEditing(orientation: $0).bytes }
    return try encode(Self.picture(width, height), as: "public.jpeg", quality: 90, exif: exif)
  }

  /// Returns the largest difference between the bytes of two pictures, or `.max` if their sizes
  /// differ.
  private func difference(_ one: PixelBuffer, _ other: PixelBuffer) -> Int {
    guard one.width == other.width, one.height == other.height else { return .max }
    return zip(one.bytes, other.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
  }

  private static let allTurns: [Turn] = [.right, .around, .left, .mirrored, .flipped]

  @Test("A picture whose blocks fit its edges is turned as it is seen", arguments: 1...8, allTurns)
  func turns(_ orientation: Int, _ turn: Turn) throws {
    let data = try jpeg(64, 48, orientation: orientation)
    let turned = try rotateJPEGLosslessly(medium(data), by: turn)
    #expect(try self.orientation(turned) == 1)
    // The decoder rounds a turned block in other directions, by at most one in each of its steps.
    let expected = try decoded(data).oriented(turn.exifOrientation)
    #expect(try difference(decoded(turned), expected) <= 12)
  }

  @Test func fourTurnsGiveTheSamePicture() throws {
    let data = try jpeg(64, 48)
    var turned = data
    for _ in 0..<4 { turned = try rotateJPEGLosslessly(medium(turned), by: .right) }
    #expect(try decoded(turned).bytes == decoded(data).bytes)
  }

  @Test("If the blocks don't fit the edges, the file gets another orientation", arguments: [nil, 1, 3, 6, 8])
  func fallback(_ stored: Int?) throws {
    let data = try jpeg(61, 45, orientation: stored)
    let turned = try rotateJPEGLosslessly(medium(data), by: .around)
    let expected = Turn(exifOrientation: stored ?? 1).then(.around)
    // A file without an orientation is upright as well.
    #expect(try MediaMetadata(of: medium(turned)).orientation == expected.exifOrientation)
    #expect(try decoded(turned).bytes == decoded(data).oriented(3).bytes)
  }

  @Test func anEdgeThatStaysMayHaveBlocksThatAreCutOff() throws {
    // A turn to the left moves the right edge to the top, where it must fit whole blocks. It moves
    // the bottom to the right.
    let data = try jpeg(64, 45)
    #expect(
      try JPEGSegments([UInt8](rotateJPEGLosslessly(medium(data), by: .left)))?.headers.count(where: {
        $0.marker == 0xE1
      }
      ) == 0)
    #expect(try orientation(rotateJPEGLosslessly(medium(data), by: .right)) == 6)
  }

  @Test func anOrientationIsAddedToAnEXIFThatHasNone() throws {
    let make = Array("Camera\0\0".utf8)
    let exif: [UInt8] =
      Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x0F, 0x01, 2, 0, 8, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0] + make
    let data = try encode(Self.picture(61, 45), as: "public.jpeg", quality: 90, exif: exif)
    let turned = try medium(rotateJPEGLosslessly(medium(data), by: .right))
    let metadata = try MediaMetadata(of: turned)
    #expect(metadata.orientation == 6)
    #expect(metadata.camera.make == "Camera")
    #expect("\(metadata.pixelWidth) × \(metadata.pixelHeight)" == "45 × 61")
  }

  @Test func aMovieBehindThePictureStays() throws {
    let movie = Data("\u{0}\u{0}\u{0}\u{8}free".utf8)
    let data = try jpeg(64, 48) + movie
    let turned = try rotateJPEGLosslessly(medium(data), by: .right)
    #expect(turned.suffix(movie.count) == movie)
    #expect(try orientation(turned) == 6)
  }

  @Test func theThumbnailIsDropped() throws {
    let thumbnail = try [UInt8](encode(Self.picture(16, 12), as: "public.jpeg", quality: 50))
    let count = UInt8(thumbnail.count & 0xFF)
    let high = UInt8(thumbnail.count >> 8)
    // The first directory has an orientation, the second describes a thumbnail.
    let exif: [UInt8] =
      Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 26]
      + [0, 2, 0x02, 0x01, 0, 4, 0, 0, 0, 1, 0, 0, 0, 56, 0x02, 0x02, 0, 4, 0, 0, 0, 1, 0, 0, high, count, 0, 0, 0, 0]
      + thumbnail
    let data = try encode(Self.picture(64, 48), as: "public.jpeg", quality: 90, exif: exif)
    let turned = try rotateJPEGLosslessly(medium(data), by: .right)
    #expect(turned.firstRange(of: Data(thumbnail.suffix(60))) == nil)
    var editing = try #require(EXIFEditing(exif))
    editing.dropThumbnail()
    #expect(editing.bytes.count == exif.count - thumbnail.count)
    #expect(Array(editing.bytes[22..<26]) == [0, 0, 0, 0])
  }

  @Test("Data that is no whole JPEG is refused", arguments: ["PNG", "cut off", "nothing"])
  func refused(_ kind: String) throws {
    let data: Data =
      switch kind {
      case "PNG": try encode(Self.picture(8, 8), as: "public.png", quality: 90)
      case "cut off": try jpeg(64, 48).prefix(700)
      default: Data([0xFF, 0xD8, 0xFF, 0xD9])
      }
    #expect(throws: ImagingError.self) { try rotateJPEGLosslessly(medium(data), by: .right) }
  }
}

private let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

/// Tests JPEGs of real cameras. Skipped unless `CALOTYPE_CORPUS` is the path of a folder with such
/// files.
@Suite(.enabled(if: corpus != nil, "CALOTYPE_CORPUS is not set"), .enabled(if: Soak.isOn, Soak.reason))
struct CorpusTurnTests {
  @Test func realJPEGsKeepTheirMetadataAndTheirPicture() throws {
    let root = try #require(corpus)
    var turned = 0
    for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init()
    where ["jpg", "jpeg"].contains((name as NSString).pathExtension.lowercased()) && !name.hasPrefix("corrupt") {
      let file = try MediaFile(path: "\(root)/\(name)")
      guard let data = try? rotateJPEGLosslessly(file, by: .right) else { continue }
      turned += 1
      let result = try MediaFile(data: data, name: name)
      let (before, after) = (try MediaMetadata(of: file), try MediaMetadata(of: result))
      #expect(after.pixelWidth == before.pixelHeight && after.pixelHeight == before.pixelWidth, "\(name)")
      if before.captureDate.source != .file { #expect(after.captureDate == before.captureDate, "\(name)") }
      #expect(after.location == before.location, "\(name)")
      #expect(after.camera == before.camera, "\(name)")
      #expect(after.contentIdentifier == before.contentIdentifier, "\(name)")
      #expect(after.motionVideo?.byteCount == before.motionVideo?.byteCount, "\(name)")
      // Decoding large pictures would take too long for a test.
      guard file.byteCount < 200_000 else { continue }
      let expected = try decodePicture(of: file, metadata: before).oriented(6)
      let found = try decodePicture(of: result, metadata: after)
      #expect(expected.bytes.count == found.bytes.count, "\(name)")
      let places = Array(stride(from: 0, to: min(expected.bytes.count, found.bytes.count), by: 997))
      let sum = places.reduce(0) { $0 + abs(Int(expected.bytes[$1]) - Int(found.bytes[$1])) }
      #expect(Double(sum) / Double(places.count) < 1, "\(name)")
    }
    #expect(turned > 40)
  }
}
