import MediaMetadata

/// Facts from a JPEG's markers that TurboJPEG doesn't report.
struct JPEGStructure {
  /// The ICC profile, assembled from the `APP2` segments.
  private(set) var profile: [UInt8]?
  /// Whether the file has Adobe's marker: Adobe's programs write inverted inks.
  private(set) var hasAdobeMarker = false
  private(set) var isProgressive = false
  private(set) var componentCount = 0
  /// The number of coefficients for each pixel. Colors may have fewer than brightness.
  private(set) var coefficientsPerPixel = 1.0
  private(set) var scanCount = 0

  /// Whether all the coefficients of the picture must stay in memory.
  var isMultiScan: Bool { isProgressive || scanCount > 1 }

  private static let profileByteLimit = 4 << 20
  private static let profileSignature = "ICC_PROFILE\0"
  private static let adobeSignature = "Adobe"

  init(_ bytes: [UInt8]) {
    var profileChunks: [Int: [UInt8]] = [:]
    for marker in JPEGMarkers(MediaBytes(bytes).all) {
      read(marker, &profileChunks)
      // The only scan of a baseline JPEG: nothing after it needs to be read.
      let isWholePicture =
        marker.code == JPEGMarker.startOfScan && !isProgressive && scanCount == 1
        && marker.content.u8(0) ?? 0 == componentCount
      if isWholePicture || !marker.isWhole { break }
    }
    profile = assemble(profileChunks)
  }

  private mutating func read(_ marker: JPEGMarker, _ profileChunks: inout [Int: [UInt8]]) {
    let content = marker.content
    switch marker.code {
    case _ where marker.isFrame:
      guard content.count >= 6, let componentCount = content.u8(5) else { return }
      isProgressive = marker.isProgressiveFrame
      self.componentCount = componentCount
      coefficientsPerPixel = Self.coefficientsPerPixel(content, componentCount)
    case JPEGMarker.startOfScan: scanCount += 1
    case 0xE2 where content.starts(with: Self.profileSignature):
      let start = Self.profileSignature.utf8.count
      guard let number = content.u8(start) else { return }
      profileChunks[number] = content.bytes(start + 2, content.count - start - 2)
    case 0xEE where content.starts(with: Self.adobeSignature): hasAdobeMarker = true
    default: break
    }
  }

  /// Reads the sampling factors of each component: two numbers of four bits, across and down.
  private static func coefficientsPerPixel(_ frame: ByteReader, _ componentCount: Int) -> Double {
    let factors = (0..<componentCount).compactMap { frame.u8(7 + 3 * $0) }.map { (max(1, $0 >> 4), max(1, $0 & 15)) }
    guard factors.count > 1, let across = factors.map(\.0).max(), let down = factors.map(\.1).max() else { return 1 }
    return Double(factors.reduce(0) { $0 + $1.0 * $1.1 }) / Double(across * down)
  }

  private func assemble(_ chunks: [Int: [UInt8]]) -> [UInt8]? {
    let parts = chunks.sorted { $0.key < $1.key }.map(\.value)
    let count = parts.reduce(0) { $0 + $1.count }
    guard count > 0, count <= Self.profileByteLimit else { return nil }
    return Array(parts.joined())
  }
}
