import CVips
import Foundation
import TestSupport
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

private let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

/// Compares renditions with a decode of every pixel that libvips' Lanczos filter resizes.
/// Renditions are decoded at a fraction of their size and then resized quickly, which must not be
/// visible.
///
/// Each rendition is compared in its stored, compressed form. The cost of compression is measured
/// on libvips' picture at the same quality. The quick method may cost a margin in addition.
@Suite struct RenditionQualityTests {
  fileprivate struct Comparison {
    var likeness: Double
    var similarity: Double
    /// The contrast between neighboring pixels that is left. 1 is that of libvips' picture.
    var sharpness: Double
  }

  /// A file's renditions, and all its pixels.
  private struct Pictures {
    let renditions: RenditionSet
    let whole: PixelBuffer

    init(_ file: MediaFile, _ metadata: MediaMetadata) throws {
      renditions = try makeRenditionsInProcess(of: file, metadata: metadata, kinds: [.grid, .screen])
      var whole = try decode(file, metadata: metadata, DecodingRequest(kinds: [.full], limits: .standard))
      _ = whole.pixels.convertToSRGB(from: whole.colors)
      self.whole = whole.pixels.oriented(whole.orientation)
    }

    func compare(_ kind: RenditionKind) throws -> (quick: Comparison, compressed: Comparison) {
      let made = try renditions.rendition(kind)
      let reference = try whole.resizedByVips(to: made.size)
      let quality = kind == .grid ? 80 : 82
      let compressed = try Rendition(
        kind: kind, pixelWidth: made.pixelWidth, pixelHeight: made.pixelHeight, uniformTypeIdentifier: "public.jpeg",
        data: encode(reference, as: "public.jpeg", quality: quality)
      ).decoded()
      return (try made.decoded().comparison(with: reference), compressed.comparison(with: reference))
    }
  }

  /// The margins that the quick method may cost in addition to the compression: likeness in
  /// decibels, and structural similarity from 0 to 1.
  private static let likenessMargin = 2.0
  private static let similarityMargin = 0.01
  /// A rendition must not be softer. It may be a little sharper, because a decoder that skips
  /// detail leaves harder edges.
  private static let sharpness = 0.95...1.15

  private func check(_ file: MediaFile, _ metadata: MediaMetadata, _ name: String) throws {
    let pictures = try Pictures(file, metadata)
    for kind in [RenditionKind.grid, .screen] {
      let (quick, compressed) = try pictures.compare(kind)
      let note: Comment = "\(name), \(kind): \(quick), compressed alone \(compressed)"
      #expect(quick.likeness > compressed.likeness - Self.likenessMargin, note)
      #expect(quick.similarity > compressed.similarity - Self.similarityMargin, note)
      #expect(Self.sharpness.contains(quick.sharpness / compressed.sharpness), note)
    }
  }

  /// Pictures with foliage, letters and fine lines.
  private static let details = sizes.map { detail($0, $1) }
  private static let sizes = [(1008, 756), (2688, 2016), (4032, 3024)]

  private static func detail(_ width: Int, _ height: Int) -> PixelBuffer {
    var generator = SplitMix(seed: 3)
    // Noise of several sizes imitates natural surfaces.
    var sums = [Int](repeating: 0, count: width * height)
    for step in [2, 4, 8, 16, 32, 64] {
      let columns = width / step + 2
      let noise = (0..<columns * (height / step + 2)).map { _ in Int(generator.next() & 0xFF) }
      sums.withUnsafeMutableBufferPointer { sums in
        noise.withUnsafeBufferPointer { noise in
          for y in 0..<height {
            let (row, down) = (y / step, y % step)
            // The noise of this row's columns, between which its pixels lie.
            var (left, right) = (0, 0)
            for x in 0..<width {
              let part = x % step
              if part == 0 {
                let at = row * columns + x / step
                left = noise[at] * (step - down) + noise[at + columns] * down
                right = noise[at + 1] * (step - down) + noise[at + columns + 1] * down
              }
              sums[y * width + x] += (left * (step - part) + right * part) / (step * step) - 128
            }
          }
        }
      }
    }
    func byte(_ value: Int) -> UInt8 { UInt8(min(max(value, 0), 255)) }
    var bytes = [UInt8](repeating: 0, count: width * height * 3)
    bytes.withUnsafeMutableBufferPointer { bytes in
      for y in 0..<height {
        for x in 0..<width {
          // Strokes of letters, and rings that become finer outward.
          let isStroke = y * 4 < height && (x / 6) % 5 < 2 && (y / 9) % 4 < 2
          let (right, down) = (x - width * 3 / 4, y - height * 3 / 4)
          let squares = right * right + down * down
          let isCircle = squares < height * height / 16
          let wave = isCircle ? Int(60 * cos(Double(squares) / Double(width) * 0.9)) : 0
          let light = isStroke ? 20 : 110 + sums[y * width + x] / 4 + wave
          let at = (y * width + x) * 3
          (bytes[at], bytes[at + 1], bytes[at + 2]) = (byte(light + 20), byte(light), byte(light - 30))
        }
      }
    }
    return PixelBuffer(width: width, height: height, channels: 3, bytes: bytes)
  }

  @Test(arguments: ["public.jpeg", "public.heic"], sizes.indices)
  func aPictureFullOfDetailLooksAsGood(type: String, index: Int) throws {
    let picture = Self.details[index]
    let file = try TemporaryFolder().file(encode(picture, as: type, quality: 92))
    try check(file, Sample.metadata(type), "\(type) \(picture.width) × \(picture.height)")
  }

  private static let photos = [
    "heic/iphone13pro_IMG_8565.HEIC", "heic/iphone11pro_small_gps.heic", "jpeg/motorola_empty_gps.jpg",
    "heic/iphone7_gps_IMG_2682.heic", "heic/iphone11pro_gps_o6.heic", "heic/iphone15pro_subsec_timezone.heic",
    "takeout-en/Takeout/Google Photos/Pumpkin Farm/Pumkins1.jpg",
  ]

  @Test(.enabled(if: corpus != nil), arguments: photos.prefix(Soak.count(few: 3, many: photos.count)))
  func aPhotoLooksAsGood(_ path: String) throws {
    let file = try MediaFile(path: "\(try #require(corpus))/\(path)")
    try check(file, MediaMetadata(parsing: file, machineTimeZone: .current), path)
  }
}

extension PixelBuffer {
  /// Resizes by libvips' `resize` with a Lanczos kernel of three lobes, and without a shortcut in
  /// the decoder.
  fileprivate func resizedByVips(to size: PixelSize) throws -> PixelBuffer {
    try #require(VipsLibrary.failure == nil)
    if size == self.size { return self }
    let source = try #require(
      bytes.withUnsafeBytes {
        vips_image_new_from_memory_copy(
          $0.baseAddress, $0.count, Int32(width), Int32(height), Int32(channels), VIPS_FORMAT_UCHAR)
      })
    defer { g_object_unref(source) }
    var operation = try #require(vips_operation_new("resize"))
    var value = GValue()
    g_value_init(&value, vips_image_get_type())
    g_value_set_object(&value, source)
    operation.withMemoryRebound(to: GObject.self, capacity: 1) { g_object_set_property($0, "in", &value) }
    g_value_unset(&value)
    func set(_ name: String, _ number: Double) {
      operation.withMemoryRebound(to: VipsObject.self, capacity: 1) {
        _ = vips_object_set_argument_from_string($0, name, "\(number)")
      }
    }
    set("scale", Double(size.width) / Double(width))
    set("vscale", Double(size.height) / Double(height))
    operation = try #require(vips_cache_operation_build(operation))
    defer { g_object_unref(operation) }
    var result = GValue()
    g_value_init(&result, vips_image_get_type())
    operation.withMemoryRebound(to: GObject.self, capacity: 1) { g_object_get_property($0, "out", &result) }
    defer { g_value_unset(&result) }
    let image = try #require(g_value_get_object(&result)).assumingMemoryBound(to: VipsImage.self)
    try #require(vips_image_get_width(image) == size.width && vips_image_get_height(image) == size.height)
    var count = 0
    let pixels = try #require(vips_image_write_to_memory(image, &count))
    defer { g_free(pixels) }
    return PixelBuffer(
      width: size.width, height: size.height, channels: channels,
      bytes: [UInt8](UnsafeRawBufferPointer(start: pixels, count: count)))
  }

  fileprivate var luma: [Int] {
    bytes.withUnsafeBufferPointer { bytes in
      (0..<width * height).map { pixel in
        let at = pixel * channels
        return (Int(bytes[at]) * 77 + Int(bytes[at + 1]) * 150 + Int(bytes[at + 2]) * 29) >> 8
      }
    }
  }

  fileprivate func comparison(with reference: PixelBuffer) -> RenditionQualityTests.Comparison {
    let (one, other) = (luma, reference.luma)
    var similarity = 0.0
    var blocks = 0
    let side = 8
    one.withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { other in
        for top in stride(from: 0, to: height - side, by: side) {
          for left in stride(from: 0, to: width - side, by: side) {
            var (a, b, aa, bb, ab) = (0, 0, 0, 0, 0)
            for y in top..<top + side {
              for x in left..<left + side {
                let (p, q) = (one[y * width + x], other[y * width + x])
                a += p
                b += q
                aa += p * p
                bb += q * q
                ab += p * q
              }
            }
            similarity += Self.similarity(a, b, aa, bb, ab, count: Double(side * side))
            blocks += 1
          }
        }
      }
    }
    return RenditionQualityTests.Comparison(
      likeness: likeness(to: reference), similarity: similarity / Double(max(1, blocks)),
      sharpness: sharpness(one) / sharpness(other))
  }

  /// Returns the structural similarity (SSIM) of a block from its sums.
  private static func similarity(_ a: Int, _ b: Int, _ aa: Int, _ bb: Int, _ ab: Int, count: Double) -> Double {
    let (meanA, meanB) = (Double(a) / count, Double(b) / count)
    let varianceA = Double(aa) / count - meanA * meanA
    let varianceB = Double(bb) / count - meanB * meanB
    let covariance = Double(ab) / count - meanA * meanB
    let (first, second) = (0.01 * 255 * 0.01 * 255, 0.03 * 255 * 0.03 * 255)
    return (2 * meanA * meanB + first) * (2 * covariance + second)
      / ((meanA * meanA + meanB * meanB + first) * (varianceA + varianceB + second))
  }

  private func sharpness(_ luma: [Int]) -> Double {
    var squares = 0
    for y in 0..<height - 1 {
      for x in 0..<width - 1 {
        let (right, down) = (luma[y * width + x + 1], luma[(y + 1) * width + x])
        let here = luma[y * width + x]
        squares += (right - here) * (right - here) + (down - here) * (down - here)
      }
    }
    return Double(squares).squareRoot()
  }
}
