import MediaMetadata

/// Facts from a JPEG's markers that TurboJPEG doesn't report.
struct JPEGStructure {
  /// The ICC profile, assembled from the `APP2` segments.
  private(set) var profile: [UInt8]?
  /// Whether the file has Adobe's marker: Adobe's programs write inverted inks.
  private(set) var hasAdobeMarker = false
  private(set) var isProgressive = false
  private(set) var componentCount = 0
  private(set) var isSubsampled = false
  private(set) var scanCount = 0

  /// Whether all the coefficients of the picture must stay in memory.
  var isMultiScan: Bool { isProgressive || scanCount > 1 }

  private static let profileByteLimit = 4 << 20
  private static let profileSignature = Array("ICC_PROFILE\0".utf8)
  private static let adobeSignature = Array("Adobe".utf8)

  init(_ bytes: [UInt8]) {
    var profileChunks: [UInt8: Range<Int>] = [:]
    bytes.withUnsafeBufferPointer { bytes in
      var at = 2
      while at + 4 <= bytes.count {
        guard bytes[at] == 0xFF else {
          at += 1
          continue
        }
        let marker = bytes[at + 1]
        switch marker {
        // Fill bytes, stuffed zeros, restart markers and a nested start have no length.
        case 0xFF:
          at += 1
          continue
        case 0x00, 0x01, 0xD0...0xD8:
          at += 2
          continue
        case 0xD9: return
        default: break
        }
        let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
        let segment = at + 4..<max(at + 4, min(at + 2 + length, bytes.count))
        read(marker, segment, bytes, &profileChunks)
        at = segment.upperBound
        if marker == 0xDA, !isProgressive, scanCount == 1, componentsOfScan(segment, bytes) == componentCount {
          // The only scan of a baseline JPEG: nothing after it needs to be read.
          return
        }
      }
    }
    profile = assemble(profileChunks, from: bytes)
  }

  private func componentsOfScan(_ segment: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    segment.isEmpty ? 0 : Int(bytes[segment.lowerBound])
  }

  private mutating func read(
    _ marker: UInt8, _ segment: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>, _ chunks: inout [UInt8: Range<Int>]
  ) {
    func starts(with signature: [UInt8]) -> Bool {
      segment.count > signature.count + 1 && bytes[segment].starts(with: signature)
    }
    switch marker {
    case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
      guard segment.count >= 6 else { return }
      isProgressive = [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
      componentCount = Int(bytes[segment.lowerBound + 5])
      isSubsampled = segment.count >= 8 && bytes[segment.lowerBound + 7] > 0x11
    case 0xDA: scanCount += 1
    case 0xE2 where starts(with: Self.profileSignature):
      let start = segment.lowerBound + Self.profileSignature.count
      guard start + 2 <= segment.upperBound else { return }
      chunks[bytes[start]] = start + 2..<segment.upperBound
    case 0xEE where starts(with: Self.adobeSignature): hasAdobeMarker = true
    default: break
    }
  }

  private func assemble(_ chunks: [UInt8: Range<Int>], from bytes: [UInt8]) -> [UInt8]? {
    let parts = chunks.sorted { $0.key < $1.key }.map(\.value)
    let count = parts.reduce(0) { $0 + $1.count }
    guard count > 0, count <= Self.profileByteLimit else { return nil }
    return parts.reduce(into: []) { $0 += bytes[$1] }
  }
}
