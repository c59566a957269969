import CLcms
import MediaMetadata
import Synchronization

/// In which colours a decoder's pixels are.
package enum ColorDescription: Hashable, Sendable {
  case sRGB
  /// An ICC profile.
  case profile([UInt8])
  /// Code points of ITU-T H.273, as HEIF and AVIF tell them.
  case coded(primaries: Int, transfer: Int)
}

extension PixelBuffer {
  /// Converts the picture to sRGB, and answers what was wrong with its profile, which then is ignored.
  ///
  /// Relative colorimetric with black point compensation: what sRGB can show stays as it is, the rest is clipped.
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
        return "its colour profile is damaged"
      }
      return nil
    }
  }

  /// Between two profiles of RGB, in the same way; false where one of them is none.
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

/// What some colours need to become sRGB.
private enum ConversionToSRGB {
  case none
  case matrix(MatrixConversion)
  case profile(ColorProfile)
  /// With a reason.
  case impossible(String)

  /// Of the photos of one camera all have one profile, and its tables take longer than a thumbnail.
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
      guard let profile = ColorProfile(bytes) else { return .impossible("its colour profile is damaged") }
      // Decoders turn grey to RGB, and the profile no longer fits; its tone curve hardly differs from sRGB's.
      guard profile.space != cmsSigGrayData else { return .none }
      guard profile.space == cmsSigRgbData else { return .impossible("its colour profile is not of an RGB device") }
      source = profile
    case .coded(let primaries, let transfer):
      guard let profile = ColorProfile(primaries: primaries, transfer: transfer) else { return .none }
      source = profile
    }
    if source.isSRGB { return .none }
    return MatrixConversion(from: source).map(ConversionToSRGB.matrix) ?? .profile(source)
  }
}

/// Turns four inks into sRGB: by the profile if it is one of four inks, else the way browsers do.
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
    // Alpha, where there is one, stays as it is: the transform is told to skip it, and runs in place.
    cmsDoTransform(handle, source, target, cmsUInt32Number(count))
  }
}
