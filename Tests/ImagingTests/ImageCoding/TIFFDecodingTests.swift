import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// TIFFs that libvips alone would show wrongly, or not at all.
@Suite struct TIFFDecodingTests {
  private static func shown(_ bytes: [UInt8]) throws -> (metadata: MediaMetadata, picture: PixelBuffer) {
    let file = try TemporaryFolder().file(bytes, named: "sample.tif")
    let metadata = try MediaMetadata(of: file)
    return (metadata, try decodePicture(of: file, metadata: metadata))
  }

  // MARK: Samples

  /// The kinds of samples, and the bytes of a share of the whole range.
  enum Samples: String, CaseIterable {
    case unsigned8, signed8, unsigned16, signed16, unsigned32, signed32, half, float

    var bits: Int {
      switch self {
      case .unsigned8, .signed8: 8
      case .unsigned16, .signed16, .half: 16
      case .unsigned32, .signed32, .float: 32
      }
    }

    /// TIFF's number of the kind.
    var format: Int {
      switch self {
      case .unsigned8, .unsigned16, .unsigned32: 1
      case .signed8, .signed16, .signed32: 2
      case .half, .float: 3
      }
    }

    var isLight: Bool { format == 3 }

    func bytes(_ share: Double) -> [UInt8] {
      switch self {
      case .half: big(Self.half(share), 2)
      case .float: big(Int(Float(share).bitPattern), 4)
      default: big(Int((share * Double(1 << (format == 2 ? bits - 1 : bits) - 1)).rounded()), bits / 8)
      }
    }

    /// Returns the nearest number of 16 bits for 0 or for a number from 2⁻¹⁴ on.
    static func half(_ value: Double) -> Int {
      guard value > 0 else { return 0 }
      let exponent = Int(value.exponent)
      return (exponent + 15) << 10 + Int(((value / pow(2, Double(exponent)) - 1) * 1024).rounded())
    }
  }

  private static let shares = [0, 0.25, 0.5, 0.75, 1]
  private static let codes: [UInt8] = [0, 64, 128, 191, 255]
  /// The same shares of light in sRGB's curve.
  private static let lightCodes: [UInt8] = [0, 137, 188, 225, 255]

  /// Five stripes of 16 × 16 pixels.
  private static func tiff(
    _ samples: Samples, channels: Int, alpha: Double? = nil, opacity kind: Int = 2, isWhiteZero: Bool = false,
    _ more: [(Int, TIFFBuilder.Value)] = []
  ) -> [UInt8] {
    var row: [UInt8] = []
    for share in shares {
      let color = [[UInt8]](repeating: samples.bytes(share), count: channels).flatMap { $0 }
      let pixel = color + (alpha.map { samples.bytes($0) } ?? [])
      row += [[UInt8]](repeating: pixel, count: 16).flatMap { $0 }
    }
    let pixels = [[UInt8]](repeating: row, count: 16).flatMap { $0 }
    let count = channels + (alpha == nil ? 0 : 1)
    return TIFFBuilder(
      main: [
        (0x100, .long([80])), (0x101, .long([16])), (0x102, .short([Int](repeating: samples.bits, count: count))),
        (0x103, .short([1])), (0x106, .short([isWhiteZero ? 0 : channels == 1 ? 1 : 2])), (0x111, .long([8])),
        (0x115, .short([count])),
        (0x116, .long([16])), (0x117, .long([pixels.count])),
        (0x153, .short([Int](repeating: samples.format, count: count))),
      ] + (alpha == nil ? [] : [(0x152, .short([kind]))]) + more, preamble: pixels
    ).bytes
  }

  @Test(arguments: Samples.allCases, [1, 3]) func `every kind of samples is shown`(
    samples: Samples, channels: Int
  ) throws {
    let picture = try Self.shown(Self.tiff(samples, channels: channels)).picture
    let found = Self.shares.indices.map { picture[$0 * 16 + 8, 8] }
    let codes = samples.isLight ? Self.lightCodes : Self.codes
    #expect(close(found, codes.map { [$0, $0, $0] }, within: 1), "\(found)")
  }

  @Test(arguments: [Samples.half, .float, .unsigned32], [1, 3]) func `the opacity of deep samples has no curve`(
    samples: Samples, channels: Int
  ) throws {
    let picture = try Self.shown(Self.tiff(samples, channels: channels, alpha: 0.5)).picture
    #expect(picture.channels == 4)
    #expect(close([picture[24, 8]], [[UInt8](repeating: samples.isLight ? 137 : 64, count: 3) + [128]], within: 1))
  }

  @Test(arguments: [Samples.half, .float, .unsigned32]) func `opaque deep samples are no picture with opacity`(
    samples: Samples
  ) throws {
    let picture = try Self.shown(Self.tiff(samples, channels: 3, alpha: 1)).picture
    #expect(picture.channels == 3)
    #expect(close([picture[24, 8]], [[UInt8](repeating: samples.isLight ? 137 : 64, count: 3)], within: 1))
  }

  /// The stripe is a quarter of the range, and half of what the opacity allows.
  @Test(arguments: Samples.allCases, [1, 3]) func `colors that are multiplied by opacity are divided by it`(
    samples: Samples, channels: Int
  ) throws {
    let picture = try Self.shown(Self.tiff(samples, channels: channels, alpha: 0.5, opacity: 1)).picture
    let code: UInt8 = samples.isLight ? 188 : 128
    #expect(close([picture[24, 8]], [[code, code, code, 128]], within: 2), "\(picture[24, 8])")
    #expect(picture[8, 8].prefix(3) == [0, 0, 0])
  }

  /// Returns a TIFF of 16 × 16 equal pixels with the given bytes.
  private static func uniform(
    _ pixel: [UInt8], bits: Int = 8, photometric: Int, extras: [Int]? = nil, _ more: [(Int, TIFFBuilder.Value)] = []
  ) -> [UInt8] {
    let pixels = [[UInt8]](repeating: pixel, count: 256).flatMap { $0 }
    let count = pixel.count * 8 / bits
    return TIFFBuilder(
      main: [
        (0x100, .long([16])), (0x101, .long([16])), (0x102, .short([Int](repeating: bits, count: count))),
        (0x103, .short([1])), (0x106, .short([photometric])), (0x111, .long([8])), (0x115, .short([count])),
        (0x116, .long([16])), (0x117, .long([pixels.count])),
      ] + (extras.map { [(0x152, .short($0))] } ?? []) + more, preamble: pixels
    ).bytes
  }

  // MARK: Colors other than RGB

  /// Y, Cb and Cr of the color 200, 100, 50.
  private static let brightnessAndColor: [UInt8] = [124, 86, 182]
  private static let noSubsampling: (Int, TIFFBuilder.Value) = (0x212, .short([1, 1]))
  private static let bt709: (Int, TIFFBuilder.Value) = (0x211, .rational([(2126, 10000), (7152, 10000), (722, 10000)]))
  private static let noWeights: (Int, TIFFBuilder.Value) = (0x211, .rational([(0, 1), (0, 1), (0, 1)]))
  private static let limitedRange: (Int, TIFFBuilder.Value) = (
    0x214, .rational([(16, 1), (235, 1), (128, 1), (240, 1), (128, 1), (240, 1)])
  )

  /// The expected colors are computed.
  @Test(
    arguments: [
      ("as in JPEG", [], [200, 100, 50]), ("BT.709", [bt709], [209, 107, 46]),
      ("limited range", [limitedRange], [212, 98, 41]), ("absurd weights", [noWeights], [200, 100, 50]),
      // Little CMS converts 200, 100, 50 to this.
      ("with a profile", [(0x8773, .bytes(ProfileBuilder.rgb { pow($0, 2.2) }))], [243, 75, 22]),
    ] as [(String, [(Int, TIFFBuilder.Value)], [UInt8])])
  func `uncompressed YCbCr is converted`(name: String, entries: [(Int, TIFFBuilder.Value)], shown: [UInt8])
    throws
  {
    let more = entries + [Self.noSubsampling]
    let picture = try Self.shown(Self.uniform(Self.brightnessAndColor, photometric: 6, more)).picture
    #expect(close([picture[8, 8]], [shown], within: 2), "\(name): \(picture[8, 8])")
  }

  @Test func `YCbCr of 16 bits is converted`() throws {
    let pixel = Self.brightnessAndColor.flatMap { big(Int($0) * 257, 2) }
    let bytes = Self.uniform(pixel, bits: 16, photometric: 6, [Self.noSubsampling])
    let picture = try Self.shown(bytes).picture
    #expect(close([picture[8, 8]], [[200, 100, 50]], within: 2), "\(picture[8, 8])")
  }

  private static let daylight: [(Int, TIFFBuilder.Value)] = [(0x13E, .rational([(3127, 10000), (3290, 10000)]))]

  /// The expected colors are computed, with Bradford's adaptation of D50. In 8 bits, 255 is an L*
  /// of 100.
  @Test(
    arguments: [
      ("CIE's form", 8, 8, [128, 20, 226], nil, [], [133, 109, 171]),
      ("a dark color", 8, 8, [8, 3, 254], nil, [], [16, 9, 16]),
      ("dark red", 8, 8, [13, 10, 10], nil, [], [34, 10, 0]),
      ("red", 8, 8, [138, 81, 70], nil, [], [255, 0, 0]),
      ("white", 8, 8, [255, 0, 0], nil, [], [255, 255, 255]),
      ("D65 as white", 8, 8, [128, 20, 226], nil, daylight, [127, 110, 170]),
      ("CIE's form with a fourth sample", 8, 8, [128, 20, 226, 255], [2], [], [133, 109, 171]),
      ("CIE's form in 16 bits", 8, 16, [128, 128, 20, 0, 226, 0], nil, [], [133, 109, 171]),
      ("ICC's form", 9, 8, [128, 148, 98], nil, [], [133, 109, 171]),
      ("a dark color in ICC's form", 9, 8, [8, 131, 126], nil, [], [16, 9, 16]),
      ("ICC's form with opacity", 9, 8, [128, 148, 98, 77], [2], [], [133, 109, 171, 77]),
      ("ICC's form in 16 bits", 9, 16, [128, 0, 148, 0, 98, 0], nil, [], [133, 109, 171]),
      ("ICC's white in 16 bits", 9, 16, [255, 0, 128, 0, 128, 0], nil, [], [255, 255, 255]),
    ] as [(String, Int, Int, [UInt8], [Int]?, [(Int, TIFFBuilder.Value)], [UInt8])])
  func `L*a*b* is converted`(
    name: String, photometric: Int, bits: Int, pixel: [UInt8], extras: [Int]?, more: [(Int, TIFFBuilder.Value)],
    shown: [UInt8]
  ) throws {
    let bytes = Self.uniform(pixel, bits: bits, photometric: photometric, extras: extras, more)
    let picture = try Self.shown(bytes).picture
    #expect(close([picture[8, 8]], [shown], within: 1), "\(name): \(picture[8, 8])")
  }

  @Test(
    arguments: [
      ([0, 0, 0, 0], [255, 255, 255]), ([0, 255, 255, 0], [255, 0, 0]), ([9, 9, 9, 255], [0, 0, 0]),
      ([10, 20, 30, 40], [206, 198, 189]),
    ] as [([UInt8], [UInt8])], [8, 16])
  func `inks without a profile are shown as in a JPEG`(color: (inks: [UInt8], shown: [UInt8]), bits: Int) throws {
    let pixels = PixelBuffer(width: 1, height: 1, channels: 4, bytes: color.inks)
    #expect(convertInks(pixels, profile: nil, inverted: false).bytes == color.shown)
    let pixel = bits == 8 ? color.inks : color.inks.flatMap { [$0, $0] }
    let picture = try Self.shown(Self.uniform(pixel, bits: bits, photometric: 5)).picture
    #expect(picture[8, 8] == color.shown)
  }

  // MARK: Further samples

  @Test(
    arguments: [
      ("gray", 1, [80, 7], [0], [80, 80, 80]), ("gray and opacity", 1, [80, 7], [2], [80, 80, 80, 7]),
      ("gray, one more, opacity", 1, [80, 9, 7], [0, 2], [80, 80, 80, 7]),
      ("gray and two more", 1, [80, 9, 7], [0, 0], [80, 80, 80]),
      ("RGB", 2, [50, 100, 150, 7], [0], [50, 100, 150]),
      ("RGB and a fourth without a kind", 2, [50, 100, 150, 7], nil, [50, 100, 150, 7]),
      ("RGB and two without a kind", 2, [50, 100, 150, 7, 9], nil, [50, 100, 150]),
      ("RGB and opacity", 2, [50, 100, 150, 7], [2], [50, 100, 150, 7]),
      ("RGB and two more", 2, [50, 100, 150, 7, 9], [0, 0], [50, 100, 150]),
      ("RGB, opacity, one more", 2, [50, 100, 150, 7, 9], [2, 0], [50, 100, 150, 7]),
      ("RGB, one more, opacity", 2, [50, 100, 150, 9, 7], [0, 2], [50, 100, 150, 7]),
    ] as [(String, Int, [UInt8], [Int]?, [UInt8])])
  func `a sample is opacity by its tag, or as the fourth without a tag`(
    name: String, photometric: Int, pixel: [UInt8], extras: [Int]?, shown: [UInt8]
  ) throws {
    let picture = try Self.shown(Self.uniform(pixel, photometric: photometric, extras: extras)).picture
    #expect(close([picture[8, 8]], [shown], within: 1), "\(picture[8, 8])")
  }

  @Test(
    arguments: [
      ([0], nil), ([2], 7), ([0, 0], nil), ([2, 0], 7), ([0, 2], 9),
    ] as [([Int], UInt8?)])
  func `inks may have further samples`(extras: [Int], opacity: UInt8?) throws {
    let inks: [UInt8] = [10, 20, 30, 40]
    let expected = try Self.shown(Self.uniform(inks, photometric: 5, extras: nil)).picture
    let further = [UInt8]([7, 9].prefix(extras.count))
    let picture = try Self.shown(Self.uniform(inks + further, photometric: 5, extras: extras)).picture
    #expect(close([picture[8, 8]], [expected[8, 8] + (opacity.map { [$0] } ?? [])], within: 1), "\(picture[8, 8])")
  }

  @Test(arguments: [Samples.half, .float, .unsigned32]) func `a further deep sample is no opacity`(
    samples: Samples
  ) throws {
    let bytes = Self.tiff(samples, channels: 3, alpha: 0.5, opacity: 0)
    #expect(try Self.shown(bytes).picture.channels == 3)
  }

  @Test(arguments: Samples.allCases.filter { $0 != .half }) func `0 may be white`(samples: Samples) throws {
    let picture = try Self.shown(Self.tiff(samples, channels: 1, isWhiteZero: true)).picture
    let found = Self.shares.indices.map { picture[$0 * 16 + 8, 8] }
    let codes = samples.isLight ? Self.lightCodes.reversed() : Self.codes.map { 255 - $0 }
    #expect(close(found, codes.map { [$0, $0, $0] }, within: 1), "\(found)")
  }

  @Test(arguments: [Samples.half, .float], [1, 3]) func `the curve of a profile does not apply to light`(
    samples: Samples, channels: Int
  ) throws {
    let profile = channels == 1 ? ProfileBuilder.gray { $0 } : ProfileBuilder.rgb { $0 }
    let picture = try Self.shown(Self.tiff(samples, channels: channels, [(0x8773, .bytes(profile))])).picture
    let found = Self.shares.indices.map { picture[$0 * 16 + 8, 8] }
    #expect(close(found, Self.lightCodes.map { [$0, $0, $0] }, within: 1), "\(found)")
  }

  /// Returns 16 × 16 pixels of one color of light.
  private static func light(_ samples: Samples, _ color: [Double], profile: [UInt8]) -> [UInt8] {
    let pixels = [[UInt8]](repeating: color.flatMap { samples.bytes($0) }, count: 256).flatMap { $0 }
    return TIFFBuilder(
      main: [
        (0x100, .long([16])), (0x101, .long([16])), (0x102, .short([samples.bits, samples.bits, samples.bits])),
        (0x103, .short([1])), (0x106, .short([2])), (0x111, .long([8])), (0x115, .short([3])), (0x116, .long([16])),
        (0x117, .long([pixels.count])), (0x153, .short([3, 3, 3])), (0x8773, .bytes(profile)),
      ], preamble: pixels
    ).bytes
  }

  /// The code points of BT.2020's primaries and PQ, as a tag of a profile.
  private static let codePoints = ascii("cicp") + big(0, 4) + [9, 16, 0, 1]

  @Test(
    arguments: [Samples.half, .float],
    [
      ("of light", ProfileBuilder.rgb { $0 }), ("of gamma 2.2", ProfileBuilder.rgb { pow($0, 2.2) }),
      ("of PQ", ProfileBuilder.rgb(ProfileBuilder.pq)),
      ("with code points of PQ", ProfileBuilder.rgb({ $0 }, [("cicp", codePoints)])),
    ])
  func `light has the primaries of its profile, whatever its curve`(
    samples: Samples, profile: (name: String, bytes: [UInt8])
  ) throws {
    let picture = try Self.shown(Self.light(samples, [0.5, 0.25, 0.25], profile: profile.bytes)).picture
    // BT.2020's light in sRGB is 0.665, 0.219, 0.245.
    #expect(close([picture[8, 8]], [[213, 129, 136]], within: 2), "\(profile.name): \(picture[8, 8])")
  }

  @Test(
    arguments: [Samples.half, .float],
    [
      (ProfileBuilder.gray { $0 }, "its color profile has no matrix, which floating-point colors need"),
      ([UInt8](repeating: 1, count: 200), "its color profile is damaged"),
    ])
  func `a profile that does not fit light is noted and ignored`(
    samples: Samples, profile: (bytes: [UInt8], note: String)
  ) throws {
    let bytes = Self.light(samples, [0.5, 0.25, 0.25], profile: profile.bytes)
    let file = try TemporaryFolder().file(bytes, named: "sample.tif")
    let set = try makeRenditionsInProcess(of: file, metadata: MediaMetadata(of: file), kinds: [.full])
    #expect(set.notes == [profile.note])
    let picture = try Self.shown(bytes).picture
    #expect(close([picture[8, 8]], [[188, 137, 137]], within: 1), "\(picture[8, 8])")
  }

  @Test(arguments: [0x102, 0x115, 0x116, 0x101]) func `numbers without a limit are an error or a picture`(tag: Int)
    throws
  {
    let main: [(Int, TIFFBuilder.Value)] = [
      (0x100, .long([80])), (0x101, .long([16])), (0x102, .long([8])), (0x103, .short([1])), (0x106, .short([1])),
      (0x111, .long([8])), (0x115, .long([1])), (0x116, .long([16])), (0x117, .long([1280])),
    ]
    let hostile = main.map { $0.0 == tag ? (tag, TIFFBuilder.Value.long([0xFFFF_FFFF])) : $0 }
    let other = main.map { [0x102, 0x115].contains($0.0) ? ($0.0, TIFFBuilder.Value.long([0xFFFF_FFFF])) : $0 }
    for entries in [hostile, other] {
      _ = try? Self.shown(TIFFBuilder(main: entries, preamble: [UInt8](repeating: 9, count: 1280)).bytes)
    }
  }

  /// Shares of L*, the lightness of CIE L*a*b*, without a color.
  @Test func `the signed samples of Lab keep their range`() throws {
    var row: [UInt8] = []
    for share in Self.shares {
      let pixel = big(Int(share * 65535), 2) + big(0, 4)
      row += [[UInt8]](repeating: pixel, count: 16).flatMap { $0 }
    }
    let pixels = [[UInt8]](repeating: row, count: 16).flatMap { $0 }
    let tiff = TIFFBuilder(
      main: [
        (0x100, .long([80])), (0x101, .long([16])), (0x102, .short([16, 16, 16])), (0x103, .short([1])),
        (0x106, .short([8])), (0x111, .long([8])), (0x115, .short([3])), (0x116, .long([16])),
        (0x117, .long([pixels.count])),
      ], preamble: pixels)
    let picture = try Self.shown(tiff.bytes).picture
    let found = Self.shares.indices.map { picture[$0 * 16 + 8, 8] }
    #expect(close(found, [0, 60, 119, 185, 255].map { [$0, $0, $0] }, within: 2), "\(found)")
  }

  @Test func `half floats that are no colors are black or white`() throws {
    var bytes = Self.tiff(.half, channels: 1)
    // A negative number, infinity, and no number.
    bytes.replaceSubrange(8..<14, with: [0xBC, 0, 0x7C, 0, 0x7E, 0])
    let picture = try Self.shown(bytes).picture
    #expect([picture[0, 0], picture[1, 0], picture[2, 0]] == [[0, 0, 0], [255, 255, 255], [0, 0, 0]])
  }

  // MARK: Pages

  struct Page {
    var width: Int
    var height: Int
    var entries: [(Int, TIFFBuilder.Value)] = []
    var gray: UInt8
  }

  /// Chains pages in a file of little-endian order.
  ///
  /// - Parameter isNested: whether the second page is a subdirectory of the first.
  private static func pages(_ pages: [Page], isNested: Bool = false) -> [UInt8] {
    var bytes = ascii("II") + little(42, 2) + little(8, 4)
    for (index, page) in pages.enumerated() {
      var entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
        (0x100, 4, 1, page.width), (0x101, 4, 1, page.height), (0x102, 3, 1, 8), (0x103, 3, 1, 1), (0x106, 3, 1, 1),
        (0x115, 3, 1, 1), (0x116, 4, 1, page.height), (0x117, 4, 1, page.width * page.height),
      ]
      for (tag, value) in page.entries {
        entries.removeAll { $0.tag == tag }
        switch value {
        case .long(let numbers): entries.append((tag, 4, 1, numbers[0]))
        case .short(let numbers): entries.append((tag, 3, 1, numbers[0]))
        default: break
        }
      }
      let hasChild = isNested && index == 0
      let pixels = bytes.count + 2 + (entries.count + (hasChild ? 2 : 1)) * 12 + 4
      let next = pixels + page.width * page.height
      entries.append((0x111, 4, 1, pixels))
      if hasChild { entries.append((0x14A, 4, 1, next + next % 2)) }
      bytes += little(entries.count, 2)
      for entry in entries.sorted(by: { $0.tag < $1.tag }) {
        bytes += little(entry.tag, 2) + little(entry.type, 2) + little(entry.count, 4) + little(entry.value, 4)
      }
      bytes += little(!hasChild && index + 1 < pages.count ? next + next % 2 : 0, 4)
      bytes += [UInt8](repeating: page.gray, count: page.width * page.height + next % 2)
    }
    return bytes
  }

  private static let reduced: [(Int, TIFFBuilder.Value)] = [(0xFE, .long([1]))]
  private static let mask: [(Int, TIFFBuilder.Value)] = [(0xFE, .long([4]))]
  private static let reducedByOldTag: [(Int, TIFFBuilder.Value)] = [(0xFF, .short([2]))]
  private static let full: [(Int, TIFFBuilder.Value)] = [(0xFE, .long([0]))]

  @Test(
    arguments: [
      ("a reduced copy first", [reduced, full], 1), ("two reduced copies first", [reduced, reduced, []], 2),
      ("the old tag", [reducedByOldTag, []], 1), ("a mask first", [mask, full], 1),
      ("a reduced copy behind", [full, reduced], 0), ("pages of a document", [full, full], 0),
      ("nothing but reduced copies", [reduced, reduced], 0),
    ] as [(String, [[(Int, TIFFBuilder.Value)]], Int)])
  func `the main page is shown`(name: String, entries: [[(Int, TIFFBuilder.Value)]], main: Int) throws {
    let pages = entries.enumerated().map { index, entries in
      Page(width: 40 + 20 * index, height: 30, entries: entries, gray: UInt8(50 + 50 * index))
    }
    let (metadata, picture) = try Self.shown(Self.pages(pages))
    #expect(metadata.pixelWidth == 40 + 20 * main)
    #expect(picture.size == PixelSize(width: 40 + 20 * main, height: 30))
    #expect(picture[5, 5] == [UInt8](repeating: UInt8(50 + 50 * main), count: 3))
  }

  @Test func `the main page may follow many reduced copies`() throws {
    let copy = Page(width: 8, height: 6, entries: Self.reduced, gray: 1)
    let pages = [Page](repeating: copy, count: 70) + [Page(width: 80, height: 60, gray: 2)]
    let (metadata, picture) = try Self.shown(Self.pages(pages))
    #expect(metadata.pixelWidth == 80)
    #expect(picture.size == PixelSize(width: 80, height: 60))
    #expect(picture[5, 5] == [2, 2, 2])
  }

  @Test(
    arguments: [
      ("a reduced copy with the full size inside", reduced, full, 80),
      ("the full size with a reduced copy inside", full, reduced, 40),
      ("two reduced copies", reduced, reduced, 40),
      // This is the kind of colors in RAW files.
      ("a reduced copy with a sensor's data inside", reduced, [(0x106, .short([32803]))], 40),
    ] as [(String, [(Int, TIFFBuilder.Value)], [(Int, TIFFBuilder.Value)], Int)])
  func `the main page may be a subdirectory`(
    name: String, outer: [(Int, TIFFBuilder.Value)], inner: [(Int, TIFFBuilder.Value)], width: Int
  ) throws {
    let outer = Page(width: 40, height: 30, entries: outer, gray: 1)
    let inner = Page(width: 80, height: 60, entries: inner, gray: 2)
    let (metadata, picture) = try Self.shown(Self.pages([outer, inner], isNested: true))
    #expect(metadata.pixelWidth == width)
    #expect(picture.size == PixelSize(width: width, height: width * 3 / 4))
    #expect(picture[5, 5] == [UInt8](repeating: width == 40 ? 1 : 2, count: 3))
  }

  /// Each page is half as large as the one before, like the levels of a map's picture.
  @Test(arguments: [RenditionKind.grid, .full]) func `the first of the pages of a pyramid is shown`(
    kind: RenditionKind
  ) throws {
    let pages = (0..<3).map { Page(width: 256 >> $0, height: 128 >> $0, gray: UInt8(50 + 50 * $0)) }
    let file = try TemporaryFolder().file(Self.pages(pages), named: "pyramid.tif")
    let metadata = try MediaMetadata(of: file)
    let picture = try makeRenditionsInProcess(of: file, metadata: metadata, kinds: [kind]).rendition(kind).decoded()
    #expect(picture.size == PixelSize(width: 256, height: 128))
    #expect(close([picture[5, 5]], [[50, 50, 50]], within: 2), "\(picture[5, 5])")
  }

  @Test func `the first page's orientation is not the main one's`() throws {
    let turned: [(Int, TIFFBuilder.Value)] = reducedAndTurned
    let pages = [Page(width: 40, height: 30, entries: turned, gray: 1), Page(width: 80, height: 60, gray: 2)]
    let (metadata, picture) = try Self.shown(Self.pages(pages))
    #expect(metadata.orientation == 1)
    #expect(picture.size == PixelSize(width: 80, height: 60))
  }

  @Test(arguments: [nil, 3]) func `a subdirectory may have the orientation of the first page`(own: Int?) throws {
    let entries: [(Int, TIFFBuilder.Value)] = own.map { [(0x112, .short([$0]))] } ?? []
    let outer = Page(width: 40, height: 30, entries: reducedAndTurned, gray: 1)
    let inner = Page(width: 80, height: 60, entries: entries, gray: 2)
    let metadata = try Self.shown(Self.pages([outer, inner], isNested: true)).metadata
    #expect(metadata.orientation == own ?? 6)
  }

  private var reducedAndTurned: [(Int, TIFFBuilder.Value)] { Self.reduced + [(0x112, .short([6]))] }
}
