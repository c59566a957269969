import CLcms
import Foundation
import MediaMetadata

/// A conversion of 8-bit RGB to sRGB for profiles that consist of three tone curves and a matrix,
/// like Display P3 and Adobe RGB.
///
/// The results are those of Little CMS within one step of 255, in a third of its time. A table
/// contains the share of each channel's value in the three results.
struct MatrixConversion: Sendable {
  /// For each of 3 × 256 values, its share in red, green and blue of linear sRGB, in fractions of a
  /// step of `codes`.
  private var shares: [SIMD4<Int32>] = []
  /// The sRGB code for each step of linear light.
  private let codes: [UInt8]
  private static let steps = 8191
  private static let fractionBits: Int32 = 12

  init?(from profile: ColorProfile) {
    guard let source = profile.matrixShape(), let target = ColorProfile.sRGB?.matrixShape(),
      let inverse = Self.inverse(target.columns)
    else { return nil }
    codes = (0...Self.steps).map { step in
      let light = Double(step) / Double(Self.steps)
      let code = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
      return UInt8(code * 255 + 0.5)
    }
    for (column, tones) in zip(source.columns, source.tones) {
      let share = inverse[0] * column.x + inverse[1] * column.y + inverse[2] * column.z
      let scale = Double(Self.steps << Int(Self.fractionBits))
      // Each of the three shares includes a third of the half that rounds.
      let rounding = Double(1 << Self.fractionBits) / 6
      shares += tones.map { tone in
        let exact = share * Double(tone) * scale + rounding
        return SIMD4<Int32>(Self.bounded(exact.x), Self.bounded(exact.y), Self.bounded(exact.z), 0)
      }
    }
  }

  func run(_ pixels: UnsafeMutablePointer<UInt8>, count: Int, channels: Int) {
    shares.withUnsafeBufferPointer { shares in
      codes.withUnsafeBufferPointer { codes in
        guard let shares = shares.baseAddress, let codes = codes.baseAddress else { return }
        let last = Int32(Self.steps)
        var at = pixels
        for _ in 0..<count {
          let light = shares[Int(at[0])] &+ shares[256 &+ Int(at[1])] &+ shares[512 &+ Int(at[2])]
          at[0] = codes[Int(min(max(light[0] &>> Self.fractionBits, 0), last))]
          at[1] = codes[Int(min(max(light[1] &>> Self.fractionBits, 0), last))]
          at[2] = codes[Int(min(max(light[2] &>> Self.fractionBits, 0), last))]
          at += channels
        }
      }
    }
  }

  /// Limits a value, since a profile may contain any number. The sum of three limited values fits
  /// 32 bits.
  private static func bounded(_ value: Double) -> Int32 {
    let limit = 500_000_000.0
    return value.isNaN ? 0 : Int32(min(max(value, -limit), limit))
  }

  private static func inverse(_ columns: [SIMD4<Double>]) -> [SIMD4<Double>]? {
    let (a, b, c) = (columns[0], columns[1], columns[2])
    func cross(_ one: SIMD4<Double>, _ other: SIMD4<Double>) -> SIMD4<Double> {
      SIMD4(
        one.y * other.z - one.z * other.y, one.z * other.x - one.x * other.z, one.x * other.y - one.y * other.x, 0)
    }
    let rows = [cross(b, c), cross(c, a), cross(a, b)]
    let determinant = (a * rows[0]).sum()
    guard determinant.magnitude > 1e-9 else { return nil }
    return [
      SIMD4(rows[0].x, rows[1].x, rows[2].x, 0) / determinant, SIMD4(rows[0].y, rows[1].y, rows[2].y, 0) / determinant,
      SIMD4(rows[0].z, rows[1].z, rows[2].z, 0) / determinant,
    ]
  }
}

extension ColorProfile {
  static var sRGB: ColorProfile? { ColorProfile(.sRGB) }

  /// Returns the colors of red, green and blue in XYZ (D50), and the light of each of their 256
  /// values; nil if the profile is of another kind.
  func matrixShape() -> (columns: [SIMD4<Double>], tones: [[Float]])? {
    guard space == cmsSigRgbData, cmsGetPCS(handle) == cmsSigXYZData, cmsIsTag(handle, cmsSigAToB0Tag) == 0,
      cmsIsTag(handle, cmsSigAToB1Tag) == 0
    else { return nil }
    let columns = [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag].compactMap { tag in
      cmsReadTag(handle, tag).map { raw in
        let color = raw.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
        return SIMD4<Double>(color.X, color.Y, color.Z, 0)
      }
    }
    let tones = [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag].compactMap { tag in
      cmsReadTag(handle, tag).map(OpaquePointer.init).map { curve in
        (0...255).map { min(max(cmsEvalToneCurveFloat(curve, Float($0) / 255), 0), 1) }
      }
    }
    return columns.count == 3 && tones.count == 3 ? (columns, tones) : nil
  }
}
