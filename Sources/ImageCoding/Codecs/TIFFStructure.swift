import Foundation
import MediaMetadata

/// The facts of a TIFF that libvips does not report, or would not act on.
struct TIFFStructure {
  /// The options by which libvips' loader finds the main page. A smaller copy of it may come first.
  private(set) var options = ""
  /// Whether the samples are floating-point numbers of 16 bits.
  private(set) var hasHalfFloats = false
  /// Whether 0 is white.
  private(set) var isWhiteZero = false
  /// Whether the colors are L\*a\*b\*, in CIE's or in ICC's form.
  private(set) var isLab = false
  /// Whether the colors are ICC's form of L\*a\*b\*.
  private(set) var isICCLab = false
  /// Whether the white of L\*a\*b\* is D65 instead of D50, which Photoshop uses.
  private(set) var hasDaylight = false
  /// The bytes to read instead of the file's, by their offsets: libvips refuses half floats, and
  /// reads their bits as whole numbers instead.
  private(set) var replaced: [Int: UInt8] = [:]
  /// The number of bytes that the decoder holds at once.
  private(set) var pieceByteCount = 0

  /// The conversion of YCbCr to RGB; nil for other colors, and for JPEG compression, whose decoder
  /// converts YCbCr itself.
  private(set) var matrix: YCbCrMatrix?

  /// The number of samples of a pixel that follow its color.
  private(set) var extraCount = 0
  /// The index of the opacity among these samples.
  private(set) var opacity: Int?
  /// Whether colors are multiplied by opacity, in samples that libvips would divide wrongly.
  private(set) var isPremultiplied = false

  private static let formatTag = 0x0153
  private static let extrasTag = 0x0152
  private static let floatingPoint = 3
  private static let premultiplied = 1
  private static let independent = 2

  init?(_ file: MediaFile) {
    guard let tiff = TIFFReader(MediaBytes(file).all), let page = tiff.mainPage else { return nil }
    let main = page.directory
    if page.number > 0 { options = "page=\(page.number)" }
    if let subdirectory = page.subdirectory { options = "subifd=\(subdirectory)" }
    pieceByteCount = Self.pieceByteCount(main)
    isWhiteZero = main.int(0x0106) == 0
    isICCLab = main.int(0x0106) == 9
    isLab = isICCLab || main.int(0x0106) == 8
    if let white = main.rationals(0x013E, limit: 2), white.count == 2 {
      hasDaylight = abs(white[0] - 0.3127) < 0.002 && abs(white[1] - 0.3290) < 0.002
    }
    readExtraSamples(of: main)
    readMatrix(of: main)
    // libvips would invert the bits of half floats.
    if main.int(0x0102) == 16, main.int(Self.formatTag) == Self.floatingPoint, !isWhiteZero { replaceFormat(of: main) }
    replaceOpacity(of: main)
  }

  /// Declares the opacity of deep samples as independent, so that libvips does not divide the
  /// colors by it. libvips would assume that samples end at 255 or 65535. That is right only for
  /// unsigned numbers of 8 and 16 bits.
  private mutating func replaceOpacity(of directory: TIFFDirectory) {
    let (short, signed) = (3, 2)
    let bits = directory.int(0x0102) ?? 1
    let format = directory.int(Self.formatTag)
    let isDeep = bits == 32 || bits <= 16 && (format == signed || format == Self.floatingPoint)
    guard isDeep, [0, 1, 2].contains(directory.int(0x0106)), let opacity, let entry = directory[Self.extrasTag],
      entry.type == short, directory.ints(Self.extrasTag)?.dropFirst(opacity).first == Self.premultiplied
    else { return }
    isPremultiplied = true
    replaced[entry.offset + 2 * opacity + (directory.bytes.order == .little ? 0 : 1)] = UInt8(Self.independent)
  }

  /// libvips takes each sample behind the color for opacity.
  private mutating func readExtraSamples(of directory: TIFFDirectory) {
    /// The largest number of samples that is searched for opacity.
    let searchedCount = 16
    let colorCount: Int
    switch directory.int(0x0106) {
    case 0, 1, 3: colorCount = 1
    case 2, 6, 8, 9: colorCount = 3
    // Inks other than CMYK may be of any number.
    case 5 where directory.int(0x014C) ?? 1 == 1: colorCount = 4
    default: return
    }
    guard let count = directory.int(0x0115), count > colorCount else { return }
    extraCount = count - colorCount
    // libvips reads the opacity of CIE L*a*b* as a signed number.
    guard directory.int(0x0106) != 8 else { return }
    guard let kinds = directory.ints(Self.extrasTag, limit: searchedCount)?.prefix(extraCount) else {
      // Some programs write RGB and opacity without the tag. Others read it so.
      opacity = colorCount == 3 && extraCount == 1 ? 0 : nil
      return
    }
    opacity = kinds.firstIndex { $0 == Self.premultiplied || $0 == Self.independent }
  }

  private mutating func readMatrix(of directory: TIFFDirectory) {
    let (yCbCr, oldJPEG, jpeg) = (6, 6, 7)
    guard directory.int(0x0106) == yCbCr, ![oldJPEG, jpeg].contains(directory.int(0x0103)) else { return }
    let weights = directory.rationals(0x0211, limit: 3) ?? []
    // The first number is the code of black.
    let isFullRange = directory.rational(0x0214) ?? 0 == 0
    let own = weights.count == 3 ? YCbCrMatrix(red: weights[0], blue: weights[2], isFullRange: isFullRange) : nil
    matrix = own ?? YCbCrMatrix(coefficients: 5, isFullRange: isFullRange)
  }

  private mutating func replaceFormat(of directory: TIFFDirectory) {
    let (short, mostSamples) = (3, 8)
    guard let entry = directory[Self.formatTag], entry.type == short, (1...mostSamples).contains(entry.count) else {
      return
    }
    hasHalfFloats = true
    for index in 0..<entry.count {
      let low = entry.offset + 2 * index + (directory.bytes.order == .little ? 0 : 1)
      replaced[low] = 1
    }
  }

  /// Returns the size of a strip, of a row of tiles, or of the rows that are read at once.
  private static func pieceByteCount(_ directory: TIFFDirectory) -> Int {
    let width = directory.int(0x0100) ?? 0
    let height = directory.int(0x0101) ?? 0
    let isInterleaved = directory.int(0x011C) ?? 1 == 1
    let isYCbCr = directory.int(0x0106) == 6
    // If a strip of interleaved pixels has more rows, libvips reads it row by row.
    let mostRows = isInterleaved && !isYCbCr ? 128 : Int.max
    let rows = directory.int(0x0143) ?? min(directory.int(0x0116) ?? height, height, mostRows)
    var bitCount = 1
    for factor in [width, rows, directory.int(0x0102) ?? 8, directory.int(0x0115) ?? 1] {
      let (product, overflow) = bitCount.multipliedReportingOverflow(by: factor)
      guard factor > 0, !overflow else { return .max }
      bitCount = product
    }
    return bitCount / 8
  }
}

/// The conversion of a TIFF's samples that libvips would not scale to 8 bits.
struct DeepSamples {
  /// The factor that brings the samples to 16 bits.
  let factor: Double
  /// The 8-bit code for each value of 16 bits.
  let codes: [UInt8]
  /// The same for opacity, which has no tone curve.
  let alphaCodes: [UInt8]
  /// Whether the samples are light and not codes: a color profile's curve does not apply to them.
  let isLight: Bool
  /// The light in 16 bits for each half float; nil for other samples.
  private(set) var lights: [UInt16]?

  /// Whole numbers from 0 to `largest`.
  init(largest: Double, isInverted: Bool = false) {
    factor = 65535 / largest
    alphaCodes = (0...65535).map { UInt8(($0 * 255 + 32767) / 65535) }
    codes = isInverted ? alphaCodes.reversed() : alphaCodes
    isLight = false
  }

  /// Light from 0 to 1, as floating-point numbers.
  static let light = DeepSamples(factor: 65535) { Double($0) / 65535 }
  /// The same if 0 is white. libvips inverts whole numbers only.
  static let invertedLight = DeepSamples(factor: 65535) { 1 - Double($0) / 65535 }
  /// The same in the bits of half floats.
  static let halfLight = {
    var samples = DeepSamples(factor: 1) { Double(Self.half(UInt16($0))) }
    samples.lights = (0...UInt16.max).map { UInt16((min(max(Self.half($0), 0), 1) * 65535).rounded()) }
    return samples
  }()

  private init(factor: Double, light: (Int) -> Double) {
    self.factor = factor
    let lights = (0...65535).map { min(max(light($0), 0), 1) }
    codes = lights.map { light in
      UInt8(((light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055) * 255).rounded())
    }
    alphaCodes = lights.map { UInt8(($0 * 255).rounded()) }
    isLight = true
  }

  /// Writes the codes of a pixel whose colors are multiplied by its last sample, the opacity.
  func write(_ pixel: UnsafePointer<UInt16>, bands: Int, to out: UnsafeMutablePointer<UInt8>) {
    func value(_ band: Int) -> Int { lights.map { Int($0[Int(pixel[band])]) } ?? Int(pixel[band]) }
    let colorCodes = lights == nil ? codes : Self.light.codes
    let alpha = value(bands - 1)
    for channel in 0..<3 {
      let color = value(bands == 2 ? 0 : channel)
      out[channel] = colorCodes[alpha == 0 ? 0 : min(65535, (color * 65535 + alpha / 2) / alpha)]
    }
    out[3] = UInt8((alpha * 255 + 32767) / 65535)
  }

  /// Returns the number in 16 bits: a sign, five bits of the exponent and ten of the fraction.
  /// Swift has no such type on every processor.
  private static func half(_ bits: UInt16) -> Float {
    let sign: Float = bits >> 15 == 1 ? -1 : 1
    let exponent = Int(bits >> 10 & 31)
    let fraction = Float(bits & 1023) / 1024
    switch exponent {
    case 0: return sign * fraction * 0x1p-14
    case 31: return fraction == 0 ? sign * .infinity : 0
    default: return sign * (1 + fraction) * Float(sign: .plus, exponent: exponent - 15, significand: 1)
    }
  }
}
