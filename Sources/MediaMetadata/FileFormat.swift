/// The structure of a file, detected from its first bytes. It decides how the file is read.
package enum FileFormat: Hashable {
  case jpeg, png, gif, webP, bmp, tiff, jpegXL, jpeg2000
  case heif, movie, canonRaw3
  case avi, matroska, mpeg, transportStream, asf, dv, flash, ogg, mxf, realMedia
  case wtv, nut, swf, ivf, roq, h264, hevc
  case fujiRaw, canonRaw1, minoltaRaw

  package init?(_ bytes: ByteReader) {
    guard let first = bytes.u32(0) else { return nil }
    let second = bytes.u32(4) ?? 0
    switch first {
    case 0xFFD8_FF00...0xFFD8_FFFF: self = .jpeg
    case 0x8950_4E47 where second == 0x0D0A_1A0A: self = .png
    case 0x4749_4638: self = .gif
    case 0x5249_4646 where bytes.fourCC(8) == "WEBP": self = .webP
    case 0x5249_4646 where bytes.fourCC(8) == "AVI ": self = .avi
    // A Video CD's movie, copied with its sector headers.
    case 0x5249_4646 where bytes.fourCC(8) == "CDXA": self = .mpeg
    case 0x1A45_DFA3: self = .matroska
    case 0x0000_01BA where Self.isMPEG(bytes), 0x0000_01B3 where Self.isMPEG(bytes): self = .mpeg
    case 0x3026_B275 where second == 0x8E66_CF11: self = .asf
    case 0x1F07_0000...0x1F07_00FF where DVFrame(bytes) != nil: self = .dv
    case 0x464C_5601: self = .flash
    case 0x4F67_6753: self = .ogg
    case 0x060E_2B34 where second == 0x0205_0101: self = .mxf
    case 0x2E52_4D46: self = .realMedia
    case 0xB7D8_0020 where second == 0x3749_DA11: self = .wtv
    case 0x6E75_742F where bytes.starts(with: "nut/multimedia container\0"): self = .nut
    case 0x4657_5300...0x4657_53FF where Self.isSWFWithMovie(bytes): self = .swf
    case 0x444B_4946 where second == 0x0000_2000: self = .ivf
    case 0x8410_FFFF where bytes.u16(4) == 0xFFFF: self = .roq
    case 0xFF4F_FF51: self = .jpeg2000
    case 0x0000_000C where second == 0x6A50_2020: self = .jpeg2000
    case 0x0000_000C where second == 0x4A58_4C20: self = .jpegXL
    case 0xFF0A_0000...0xFF0A_FFFF: self = .jpegXL
    case 0x004D_524D: self = .minoltaRaw
    case 0x4949_2A00, 0x4D4D_002A, 0x4949_2B00, 0x4D4D_002B: self = .tiff
    // Panasonic's and Olympus' RAW files are TIFFs with version numbers of their own.
    case 0x4949_5500, 0x4949_524F, 0x4949_5253, 0x4D4D_4F52: self = .tiff
    case 0x4655_4A49 where bytes.starts(with: "FUJIFILMCCD-RAW"): self = .fujiRaw
    case 0x4949_0000...0x4949_FFFF where bytes.starts(with: "HEAPCCDR", at: 6),
      0x4D4D_0000...0x4D4D_FFFF where bytes.starts(with: "HEAPCCDR", at: 6):
      self = .canonRaw1
    case 0x424D_0000...0x424D_FFFF where Self.isBMP(bytes): self = .bmp
    default:
      let stream = RawVideoUnits(bytes)?.format ?? (TransportPackets(bytes) == nil ? nil : .transportStream)
      guard let format = Self.isoFormat(bytes) ?? stream else { return nil }
      self = format
    }
  }

  /// Checks the size of the header as well, since a signature of two letters is weak evidence.
  private static func isBMP(_ bytes: ByteReader) -> Bool {
    var bytes = bytes
    bytes.order = .little
    return [12, 16, 40, 52, 56, 64, 108, 124].contains(bytes.u32(14))
  }

  /// Checks for the first pack of a program stream (MPEG-2 or MPEG-1), or the sequence header of a
  /// stream without sound.
  private static func isMPEG(_ bytes: ByteReader) -> Bool {
    guard let next = bytes.u8(4), let rates = bytes.u8(7) else { return false }
    if bytes.u8(3) == 0xBA { return next & 0xC4 == 0x44 || next & 0xF1 == 0x21 }
    return bytes.u24(4) != 0 && rates >> 4 > 0 && (1...8).contains(rates & 15)
  }

  /// Searches the first tags for the definition of a movie. Most SWF files are drawings and
  /// programs. One that is compressed can't be told from these without decompressing it.
  private static func isSWFWithMovie(_ bytes: ByteReader) -> Bool {
    guard let frame = bytes.u8(8) else { return false }
    var bytes = bytes
    bytes.order = .little
    // The size of the stage is four numbers of as many bits as the first five say. The rate and the
    // number of frames follow.
    var offset = 8 + (5 + 4 * (frame >> 3) + 7) / 8 + 4
    for _ in 0..<256 {
      guard let tag = bytes.u16(offset), tag >> 6 != 0 else { return false }
      if tag >> 6 == 60 { return true }
      if tag & 63 < 63 {
        offset += 2 + tag & 63
      } else {
        guard let length = bytes.u32(offset + 2) else { return false }
        offset += 6 + length
      }
    }
    return false
  }

  private static func isoFormat(_ bytes: ByteReader) -> FileFormat? {
    guard let box = bytes.boxes().first(where: { _ in true }) else { return nil }
    switch box.type {
    case "ftyp":
      let brands = Brands(box.content)
      if brands.major == "crx " { return .canonRaw3 }
      return brands.isStillImage ? .heif : .movie
    // QuickTime movies had no `ftyp` box before MPEG-4 introduced it.
    case "moov", "mdat", "wide", "pnot", "free", "skip":
      return bytes.boxes().prefix(16).contains { $0.type == "moov" || $0.type == "mdat" } ? .movie : nil
    default: return nil
    }
  }
}

/// The brands of an ISO base media file: the specifications that it claims to conform to.
package struct Brands {
  package static let hevcStill: Set<FourCC> = ["heic", "heim", "heis"]
  package static let hevcOther: Set<FourCC> = ["heix", "hevc", "hevx", "hevm", "hevs"]
  package static let avif: Set<FourCC> = ["avif", "avis"]
  package static let structural: Set<FourCC> = ["mif1", "mif2", "mif3", "msf1"]
  /// Stills and sequences of AVC, VVC, JPEG and JPEG 2000.
  package static let rare: Set<FourCC> = ["avci", "avcs", "vvic", "vvis", "jpeg", "jpgs", "j2ki", "j2is"]

  package var major: FourCC
  package var compatible: [FourCC]

  package init(_ ftyp: ByteReader) {
    major = ftyp.fourCC(0) ?? FourCC(0)
    compatible = (0..<min(64, max(0, (ftyp.count - 8) / 4))).compactMap { ftyp.fourCC(8 + $0 * 4) }
  }

  package var isStillImage: Bool {
    [Self.hevcStill, Self.hevcOther, Self.avif, Self.structural, Self.rare].contains { $0.contains(major) }
  }

  /// The type of a still image. Structural brands don't name the codec; the compatible brands do.
  package var imageType: MediaType {
    let all = [major] + compatible
    if Self.avif.contains(major) { return .avif }
    if Self.hevcStill.contains(major) { return .heic }
    if Self.hevcOther.contains(major) { return .heif }
    if all.contains(where: Self.avif.contains) { return .avif }
    return all.contains(where: Self.hevcStill.contains) ? .heic : .heif
  }

  package var movieType: MediaType {
    switch major.text {
    case "qt  ": .quickTimeMovie
    case "M4V ", "M4VH", "M4VP": .m4v
    case "M4A ", "M4B ", "M4P ": .m4a
    case let brand where brand.hasPrefix("3g2"): .threeGP2
    case let brand where brand.hasPrefix("3g"): .threeGP
    default: .mp4
    }
  }
}
