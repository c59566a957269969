import CLcms
import Foundation
import MediaMetadata
import Synchronization

/// A color profile that Little CMS has opened.
package final class ColorProfile {
  package let handle: cmsHPROFILE

  package var space: cmsColorSpaceSignature { cmsGetColorSpace(handle) }
  var isOfGray: Bool { space == cmsSigGrayData }
  var isOfRGB: Bool { space == cmsSigRgbData }
  var isOfInks: Bool { space == cmsSigCmykData }

  /// Whether the profile declares relative colorimetric conversion. Profiles of scanners often have
  /// one table only, for the perceptual intent. Little CMS then uses that one.
  var hasRelativeIntent: Bool {
    cmsIsIntentSupported(handle, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC), cmsUInt32Number(LCMS_USED_AS_INPUT))
      != 0
  }

  /// Whether the profile was one of PQ or HLG. Its curves were replaced, so its bytes no longer
  /// describe it.
  private(set) var isToneMapped = false

  init(adopting handle: cmsHPROFILE) { self.handle = handle }

  /// The number of profiles that this process has parsed. It stays 0 in a process that has workers;
  /// a test checks that.
  package static let parsedCount = Atomic<Int>(0)

  /// Parses a profile, which is untrusted. Called in workers only.
  package init?(_ bytes: [UInt8]) {
    Self.parsedCount.add(1, ordering: .relaxed)
    guard let handle = cmsOpenProfileFromMem(bytes, cmsUInt32Number(bytes.count)) else { return nil }
    self.handle = handle
    toneMap()
  }

  /// Creates the profile of code points of ITU-T H.273; nil if they mean sRGB, or nothing.
  package init?(primaries: Int, transfer: Int) {
    guard let corners = Self.corners(of: primaries) ?? (TransferCurve.unlikeSRGB.contains(transfer) ? Self.rec709 : nil)
    else { return nil }
    guard let curve = TransferCurve.make(transfer) else { return nil }
    defer { cmsFreeToneCurve(curve) }
    var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
    var triple = corners
    var curves: [OpaquePointer?] = [curve, curve, curve]
    guard let handle = cmsCreateRGBProfile(&white, &triple, &curves) else { return nil }
    self.handle = handle
  }

  package convenience init?(_ colors: ColorDescription) {
    switch colors {
    case .sRGB:
      guard let handle = cmsCreate_sRGBProfile() else { return nil }
      self.init(adopting: handle)
    case .profile(let bytes): self.init(bytes)
    case .coded(let primaries, let transfer): self.init(primaries: primaries, transfer: transfer)
    }
  }

  deinit { cmsCloseProfile(handle) }

  /// The profile as it is written in a file.
  package var bytes: [UInt8] {
    var count: cmsUInt32Number = 0
    guard cmsSaveProfileToMem(handle, nil, &count) != 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    return cmsSaveProfileToMem(handle, &bytes, &count) != 0 ? bytes : []
  }

  private static let tableTags = [
    cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigAToB2Tag, cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag, cmsSigDToB3Tag,
  ]
  private static let curveTags = [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag, cmsSigGrayTRCTag]

  /// Replaces the curves of PQ and HLG. Without that, white paper would be a dark gray: their white
  /// is the brightest light.
  private func toneMap() {
    let tags = Self.curveTags.filter { cmsIsTag(handle, $0) != 0 }
    guard !tags.isEmpty, let transfer = highDynamicRange(tags[0]), let curve = TransferCurve.make(transfer) else {
      return
    }
    defer { cmsFreeToneCurve(curve) }
    // If a profile has tables, Little CMS ignores its curves.
    for tag in Self.tableTags where cmsIsTag(handle, tag) != 0 {
      cmsWriteTag(handle, tag, nil)
    }
    for tag in tags { cmsWriteTag(handle, tag, UnsafeRawPointer(curve)) }
    isToneMapped = true
  }

  /// Returns the code point of PQ or HLG if the profile is one of them, by its own code points or
  /// by its curve.
  private func highDynamicRange(_ curve: cmsTagSignature) -> Int? {
    // A type and a reserved number, four bytes each, and the four code points.
    var codePoints = [UInt8](repeating: 0, count: 12)
    if cmsReadRawTag(handle, cmsSigcicpTag, &codePoints, 12) == 12 {
      return TransferCurve.highDynamicRange.contains(Int(codePoints[9])) ? Int(codePoints[9]) : nil
    }
    guard let curve = cmsReadTag(handle, curve).map(OpaquePointer.init) else { return nil }
    return TransferCurve.highDynamicRange.first { transfer in
      [0.5, 0.75, 1].allSatisfy {
        let light = TransferCurve.light(transfer, $0)
        return abs(Double(cmsEvalToneCurveFloat(curve, Float($0))) - light) <= light / 20
      }
    }
  }

  /// Returns the profile with sRGB's curves in place of its own; nil unless it consists of three
  /// curves and a matrix. Its matrix then applies to light that was coded in sRGB's curve.
  func bytesWithCurvesOfSRGB() -> [UInt8]? {
    guard matrixShape() != nil, let curve = TransferCurve.make(TransferCurve.sRGB) else { return nil }
    defer { cmsFreeToneCurve(curve) }
    for tag in [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag] {
      guard cmsWriteTag(handle, tag, UnsafeRawPointer(curve)) != 0 else { return nil }
    }
    // Code points of PQ or HLG would replace the curves again.
    if cmsIsTag(handle, cmsSigcicpTag) != 0 { cmsWriteTag(handle, cmsSigcicpTag, nil) }
    let changed = bytes
    return changed.isEmpty ? nil : changed
  }

  /// Whether converting from this profile would change nothing visible. Most profiles are sRGB's
  /// under one of many names.
  package var isSRGB: Bool {
    guard let sRGB = cmsCreate_sRGBProfile() else { return false }
    defer { cmsCloseProfile(sRGB) }
    guard space == cmsSigRgbData, cmsIsTag(handle, cmsSigAToB0Tag) == 0 else { return false }
    return Self.sameColors(handle, sRGB) && Self.sameTones(handle, sRGB)
  }

  private static func sameColors(_ one: cmsHPROFILE, _ other: cmsHPROFILE) -> Bool {
    [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag].allSatisfy { tag in
      guard let a = cmsReadTag(one, tag)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee,
        let b = cmsReadTag(other, tag)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
      else { return false }
      return max(abs(a.X - b.X), abs(a.Y - b.Y), abs(a.Z - b.Z)) < 0.004
    }
  }

  private static func sameTones(_ one: cmsHPROFILE, _ other: cmsHPROFILE) -> Bool {
    [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag].allSatisfy { tag in
      guard let a = cmsReadTag(one, tag).map(OpaquePointer.init),
        let b = cmsReadTag(other, tag).map(OpaquePointer.init)
      else { return false }
      return stride(from: Float(0), through: 1, by: 1 / 16).allSatisfy {
        abs(cmsEvalToneCurveFloat(a, $0) - cmsEvalToneCurveFloat(b, $0)) < 0.004
      }
    }
  }

  private static let rec709 = triple((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))

  /// Returns nil if the primaries are sRGB's, close to them, or unknown.
  private static func corners(of primaries: Int) -> cmsCIExyYTRIPLE? {
    switch primaries {
    case 9: triple((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
    case 11, 12: triple((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
    default: nil
    }
  }

  private static func triple(_ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double))
    -> cmsCIExyYTRIPLE
  {
    cmsCIExyYTRIPLE(
      Red: cmsCIExyY(x: red.0, y: red.1, Y: 1), Green: cmsCIExyY(x: green.0, y: green.1, Y: 1),
      Blue: cmsCIExyY(x: blue.0, y: blue.1, Y: 1))
  }
}

/// Curves from coded values to light: the transfer characteristics of ITU-T H.273.
enum TransferCurve {
  static let linear = 8
  static let sRGB = 13
  static let pq = 16
  static let hlg = 18
  static let highDynamicRange = [pq, hlg]
  private static let gamma22 = 4
  private static let gamma28 = 5
  private static let cinema = 17
  /// The curves that are not shown as sRGB's.
  static let unlikeSRGB = [gamma22, gamma28, linear, pq, cinema, hlg]

  /// The light of paper white in cd/m² (ITU-R BT.2408), which becomes white on the screen.
  private static let paperWhite = 203.0
  private static let samples = 4096

  static func make(_ transfer: Int) -> OpaquePointer? {
    switch transfer {
    case linear: return cmsBuildGamma(nil, 1)
    case pq: return tabulated { shoulder(pqLight($0) / paperWhite) }
    case hlg: return tabulated { shoulder(hlgLight($0) / paperWhite) }
    case gamma22: return cmsBuildGamma(nil, 2.2)
    case gamma28: return cmsBuildGamma(nil, 2.8)
    // SMPTE ST 428-1: the largest value is brighter than white, which has 48 cd/m².
    case cinema: return cmsBuildParametricToneCurve(nil, 2, [2.6, pow(52.37 / 48, 1 / 2.6), 0])
    default:
      // sRGB's own curve. Screens show BT.709's in the same way.
      return cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    }
  }

  private static func tabulated(_ curve: (Double) -> Double) -> OpaquePointer? {
    let table = (0..<samples).map { Float(curve(Double($0) / Double(samples - 1))) }
    return cmsBuildTabulatedToneCurveFloat(nil, cmsUInt32Number(samples), table)
  }

  /// Compresses highlights. Light below the knee stays as it is; brighter light approaches white
  /// and never reaches it. Each channel is treated separately, so very bright colors turn pale, as
  /// on film.
  private static func shoulder(_ light: Double) -> Double {
    let knee = 0.6
    return light <= knee ? light : knee + (1 - knee) * (1 - exp(-(light - knee) / (1 - knee)))
  }

  /// Returns the light of a value of PQ or HLG as profiles describe it: 1 for the brightest.
  static func light(_ transfer: Int, _ value: Double) -> Double {
    transfer == pq ? pqLight(value) / 10_000 : hlgScene(value)
  }

  /// Returns the light of SMPTE ST 2084 (PQ) in cd/m².
  private static func pqLight(_ value: Double) -> Double {
    let power = pow(value, 1 / 78.84375)
    return 10_000 * pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 1 / 0.1593017578125)
  }

  /// Returns the light of ITU-R BT.2100's hybrid log-gamma in cd/m², on a screen of 1000 cd/m².
  private static func hlgLight(_ value: Double) -> Double {
    1000 * pow(hlgScene(value), 1.2)
  }

  /// Returns the light in front of the camera, 1 for the brightest.
  private static func hlgScene(_ value: Double) -> Double {
    value <= 0.5 ? value * value / 3 : (exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
  }
}
