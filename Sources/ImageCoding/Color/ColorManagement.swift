import CLcms
import MediaMetadata
import Synchronization

/// The colors of a decoder's pixels.
package enum ColorDescription: Hashable, Sendable {
  case sRGB
  /// An ICC profile.
  case profile([UInt8])
  /// Code points of ITU-T H.273, as in HEIF and AVIF files.
  case coded(primaries: Int, transfer: Int)
}

extension PixelBuffer {
  /// Converts the picture to sRGB. Returns what is wrong with its profile, if anything; the profile
  /// is then ignored.
  ///
  /// The conversion is relative colorimetric with black point compensation: colors within sRGB stay
  /// as they are, the others are clipped.
  package mutating func convertToSRGB(from colors: ColorDescription) -> String? {
    switch ConversionToSRGB.of(colors) {
    case .none: return nil
    case .impossible(let reason): return reason
    case .matrix(let conversion):
      let count = width * height
      bytes.withUnsafeMutableBufferPointer { pixels in
        guard let base = pixels.baseAddress else { return }
        conversion.run(base, count: count, channels: channels)
      }
      return nil
    case .profile(let source):
      guard let sRGB = ColorProfile.sRGB, convert(from: source, to: sRGB) else {
        return "its color profile is damaged"
      }
      return nil
    case .gray(let codes):
      guard isGray else { return "its color profile is of gray, and the picture is not" }
      bytes.withUnsafeMutableBufferPointer { pixels in
        for index in pixels.indices where channels == 3 || index & 3 != 3 {
          pixels[index] = codes[Int(pixels[index])]
        }
      }
      return nil
    }
  }

  /// Whether red, green and blue are the same in each pixel.
  private var isGray: Bool {
    bytes.withUnsafeBufferPointer { pixels in
      stride(from: 0, to: pixels.count, by: channels).allSatisfy {
        pixels[$0] == pixels[$0 + 1] && pixels[$0] == pixels[$0 + 2]
      }
    }
  }

  /// Converts between two RGB profiles in the same way. Returns false if one of them can't be used.
  package mutating func convert(from source: ColorProfile, to target: ColorProfile) -> Bool {
    let format = channels == 4 ? calotype_rgba_8 : calotype_rgb_8
    guard let transform = ColorTransform(from: source, format, to: target, format) else { return false }
    let count = width * height
    bytes.withUnsafeMutableBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      transform.run(base, base, count: count)
    }
    return true
  }
}

/// The conversion from some colors to sRGB.
private enum ConversionToSRGB {
  case none
  case matrix(MatrixConversion)
  case profile(ColorProfile)
  /// Gray, which decoders turn into RGB: sRGB's code for each value.
  case gray([UInt8])
  /// No conversion is possible, for this reason.
  case impossible(String)

  /// The latest conversion. All photos of one camera have the same profile, and building its tables
  /// takes longer than a thumbnail.
  private static let latest = Mutex<(colors: ColorDescription, conversion: MatrixConversion)?>(nil)

  static func of(_ colors: ColorDescription) -> ConversionToSRGB {
    if let latest = latest.withLock({ $0?.colors == colors ? $0?.conversion : nil }) { return .matrix(latest) }
    let conversion = make(colors)
    if case .matrix(let matrix) = conversion { latest.withLock { $0 = (colors, matrix) } }
    return conversion
  }

  private static func make(_ colors: ColorDescription) -> ConversionToSRGB {
    let source: ColorProfile
    switch colors {
    case .sRGB: return .none
    case .profile(let bytes):
      guard let profile = ColorProfile(bytes) else { return .impossible("its color profile is damaged") }
      if profile.space == cmsSigGrayData {
        return grayCodes(profile).map(ConversionToSRGB.gray) ?? .impossible("its color profile is damaged")
      }
      guard profile.space == cmsSigRgbData else { return .impossible("its color profile is not of an RGB device") }
      source = profile
    case .coded(let primaries, let transfer):
      guard let profile = ColorProfile(primaries: primaries, transfer: transfer) else { return .none }
      source = profile
    }
    if source.isSRGB { return .none }
    return MatrixConversion(from: source).map(ConversionToSRGB.matrix) ?? .profile(source)
  }

  private static func grayCodes(_ profile: ColorProfile) -> [UInt8]? {
    guard let sRGB = ColorProfile.sRGB,
      let transform = ColorTransform(from: profile, calotype_gray_8, to: sRGB, calotype_rgb_8)
    else { return nil }
    let values = (0...255).map { UInt8($0) }
    var colors = [UInt8](repeating: 0, count: 3 * values.count)
    transform.run(values, &colors, count: values.count)
    return values.indices.map { colors[$0 * 3 + 1] }
  }
}

/// Converts four inks to sRGB: with the profile if it is one of four inks, else as browsers do.
package func convertInks(_ inks: PixelBuffer, profile: [UInt8]?, inverted: Bool) -> PixelBuffer {
  let count = inks.width * inks.height
  let format = inverted ? calotype_cmyk_8_inverted : calotype_cmyk_8
  let transform = profile.flatMap(ColorProfile.init).flatMap { source in
    guard source.space == cmsSigCmykData, let sRGB = ColorProfile.sRGB else { return nil as ColorTransform? }
    return ColorTransform(from: source, format, to: sRGB, calotype_rgb_8)
  }
  return inks.withView { source in
    PixelBuffer(width: inks.width, height: inks.height, channels: 3) { out in
      if let transform { return transform.run(source.base, out, count: count) }
      let flip: UInt8 = inverted ? 0 : 255
      for pixel in 0..<count {
        let light = UInt32(source.base[pixel * 4 + 3] ^ flip)
        for channel in 0..<3 {
          out[pixel * 3 + channel] = UInt8(UInt32(source.base[pixel * 4 + channel] ^ flip) * light / 255)
        }
      }
    }
  }
}

/// A conversion that Little CMS has prepared.
private final class ColorTransform {
  private let handle: cmsHTRANSFORM

  init?(
    from source: ColorProfile, _ format: cmsUInt32Number, to target: ColorProfile, _ targetFormat: cmsUInt32Number
  ) {
    let handle = cmsCreateTransform(
      source.handle, format, target.handle, targetFormat, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC),
      cmsUInt32Number(cmsFLAGS_BLACKPOINTCOMPENSATION))
    guard let handle else { return nil }
    self.handle = handle
  }

  deinit { cmsDeleteTransform(handle) }

  func run(_ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, count: Int) {
    // The pixel format tells Little CMS to skip alpha, which stays as it is. The conversion can run
    // in place.
    cmsDoTransform(handle, source, target, cmsUInt32Number(count))
  }
}
