import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Profiles that libvips alone would refuse, misread or ignore.
@Suite struct ProfileDecodingTests {
  /// Returns 16 × 16 pixels of one color.
  private static func tiff(_ pixel: [Int], bits: Int, photometric: Int, profile: [UInt8], opacity: Int? = nil)
    -> [UInt8]
  {
    let pixels = [[UInt8]](repeating: pixel.flatMap { big($0, bits / 8) }, count: 256).flatMap { $0 }
    return TIFFBuilder(
      main: [
        (0x100, .long([16])), (0x101, .long([16])), (0x102, .short([Int](repeating: bits, count: pixel.count))),
        (0x103, .short([1])), (0x106, .short([photometric])), (0x111, .long([8])), (0x115, .short([pixel.count])),
        (0x116, .long([16])), (0x117, .long([pixels.count])), (0x8773, .bytes(profile)),
      ] + (opacity.map { [(0x152, .short([$0]))] } ?? []), preamble: pixels
    ).bytes
  }

  private static func webP(_ color: [UInt8], profile: [UInt8]) throws -> [UInt8] {
    let picture = Sample.picture(16, 16) { _, _ in color }
    return try [UInt8](
      encode(picture, as: "org.webmproject.webp", quality: 100, carrying: CarriedMetadata(profile: profile)))
  }

  private static func shown(_ bytes: [UInt8]) throws -> (pixel: [UInt8], notes: [String]) {
    let file = try TemporaryFolder().file(bytes, named: "sample")
    let metadata = try MediaMetadata(of: file)
    let set = try makeRenditionsInProcess(of: file, metadata: metadata, kinds: [.full])
    return (try decodePicture(of: file, metadata: metadata)[8, 8], set.notes)
  }

  private static let rgb = ProfileBuilder.rgb { pow($0, 2.2) }
  private static let gray = ProfileBuilder.gray { $0 }
  private static let damaged = [UInt8](repeating: 1, count: 200)

  @Test(arguments: [8, 16, 32], [false, true]) func `a gray picture ignores a profile of RGB`(
    bits: Int, hasOpacity: Bool
  )
    throws
  {
    let opaque = 1 << bits - 1
    let level = opaque / 255 * 80
    let bytes = Self.tiff(
      hasOpacity ? [level, opaque] : [level], bits: bits, photometric: 1, profile: Self.rgb,
      opacity: hasOpacity ? 2 : nil)
    let (pixel, notes) = try Self.shown(bytes)
    #expect(pixel == [80, 80, 80])
    #expect(notes == ["its color profile is not of gray"])
  }

  @Test(arguments: [8, 16]) func `RGB in a TIFF ignores a profile of gray`(bits: Int) throws {
    let color = [200, 100, 50].map { bits == 8 ? $0 : $0 * 257 }
    let (pixel, notes) = try Self.shown(Self.tiff(color, bits: bits, photometric: 2, profile: Self.gray))
    #expect(pixel == [200, 100, 50])
    #expect(notes == ["its color profile is of gray, and the picture is not"])
  }

  @Test func `RGB in a WebP ignores a profile of gray`() throws {
    let (pixel, notes) = try Self.shown(Self.webP([200, 100, 50], profile: Self.gray))
    #expect(close([pixel], [[200, 100, 50]]), "\(pixel)")
    #expect(notes == ["its color profile is of gray, and the picture is not"])
  }

  /// Half of the light has sRGB's code 188.
  @Test func `a profile of gray applies to RGB without colors`() throws {
    let bytes = Self.tiff([128, 128, 128], bits: 8, photometric: 2, profile: Self.gray)
    let (pixel, notes) = try Self.shown(bytes)
    #expect(close([pixel], [[188, 188, 188]], within: 1), "\(pixel)")
    #expect(notes.isEmpty)
  }

  @Test(arguments: [8, 16], [1, 3]) func `a damaged profile is noted and ignored`(bits: Int, channels: Int) throws {
    let samples = [Int](repeating: bits == 8 ? 80 : 80 * 257, count: channels)
    let bytes = Self.tiff(samples, bits: bits, photometric: channels == 1 ? 1 : 2, profile: Self.damaged)
    let (pixel, notes) = try Self.shown(bytes)
    #expect(pixel == [80, 80, 80])
    #expect(notes == ["its color profile is damaged"])
  }

  /// The pixels as Little CMS converts them: with the same primaries and curve in a matrix, too.
  private static let converted: [UInt8] = [243, 75, 22]

  @Test(arguments: [8, 16]) func `a profile with one table applies to a TIFF`(bits: Int) throws {
    for profile in [Self.rgb, ProfileBuilder.rgbTable { pow($0, 2.2) }] {
      let color = [200, 100, 50].map { bits == 8 ? $0 : $0 * 257 }
      let (pixel, notes) = try Self.shown(Self.tiff(color, bits: bits, photometric: 2, profile: profile))
      #expect(close([pixel], [Self.converted], within: 3), "\(pixel)")
      #expect(notes.isEmpty)
    }
  }

  @Test(arguments: ["public.png", "org.webmproject.webp"]) func `a profile with one table applies to other types`(
    type: String
  ) throws {
    let picture = Sample.picture(16, 16) { _, _ in [200, 100, 50] }
    let profile = ProfileBuilder.rgbTable { pow($0, 2.2) }
    let data = try encode(picture, as: type, quality: 100, carrying: CarriedMetadata(profile: profile))
    let (pixel, _) = try Self.shown([UInt8](data))
    #expect(close([pixel], [Self.converted], within: 8), "\(pixel)")
  }

  // BT.2020's light of 0.749, 0.498 and 0.498 is 0.915, 0.467 and 0.493 in sRGB.
  @Test(arguments: [8, 16], [nil, 0, 2]) func `the profile of inks applies`(bits: Int, further: Int?) throws {
    let inks = [64, 128, 128, 0] + (further == nil ? [] : [100])
    let samples = inks.map { bits == 8 ? $0 : $0 * 257 }
    let bytes = Self.tiff(samples, bits: bits, photometric: 5, profile: ProfileBuilder.inks, opacity: further)
    let (pixel, notes) = try Self.shown(bytes)
    #expect(close([pixel], [[245, 182, 187] + (further == 2 ? [100] : [])], within: 3), "\(pixel)")
    #expect(notes.isEmpty)
  }

  @Test(
    arguments: [(rgb, "its color profile is not of four inks"), (damaged, "its color profile is damaged")])
  func `inks ignore a profile that does not fit`(profile: (bytes: [UInt8], note: String)) throws {
    let inks = [64, 128, 128, 0]
    let (pixel, notes) = try Self.shown(Self.tiff(inks, bits: 8, photometric: 5, profile: profile.bytes))
    #expect(pixel == [191, 127, 127])
    #expect(notes == [profile.note])
  }
}
