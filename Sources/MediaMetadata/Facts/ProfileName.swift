/// Reads the name of a picture's ICC profile: "Display P3", "Adobe RGB (1998)".
enum ProfileName {
  /// The largest size in bytes of a joined or inflated profile. A larger one would use up the bytes
  /// that may be read of a file.
  private static let byteLimit = 1 << 20
  /// The longest name in bytes.
  private static let longestName = 1024
  private static let tagLimit = 100

  /// Returns the name, or nil for a file without a profile and for formats that aren't read.
  static func read(from bytes: ByteReader, _ format: FileFormat) -> String? {
    profile(in: bytes, format).flatMap(name)
  }

  private static func profile(in bytes: ByteReader, _ format: FileFormat) -> ByteReader? {
    switch format {
    case .jpeg: return jpegProfile(bytes)
    case .png: return pngProfile(bytes)
    case .webP:
      var bytes = bytes
      bytes.order = .little
      return Chunks(bytes, from: 12).first { $0.type == "ICCP" }?.content
    case .heif:
      guard let items = HEIFItems(of: bytes), let primary = items.primary else { return nil }
      let colors = items.properties(of: primary).filter { $0.type == "colr" }.map(\.content)
      return colors.first { $0.starts(with: "prof") || $0.starts(with: "rICC") }?.slice(4)
    default: return nil
    }
  }

  /// Joins the segments, each of which has its number after the signature.
  private static func jpegProfile(_ bytes: ByteReader) -> ByteReader? {
    let signature = "ICC_PROFILE\0"
    let start = signature.utf8.count
    var parts: [Int: ByteReader] = [:]
    for marker in JPEGMarkers.headers(bytes).prefix(500)
    where marker.code == 0xE2 && marker.content.starts(with: signature) {
      guard let number = marker.content.u8(start), parts[number] == nil else { continue }
      parts[number] = marker.content.slice(start + 2)
    }
    guard let first = parts[1] else { return nil }
    if parts.count == 1 { return first }
    guard parts.values.reduce(0, { $0 + $1.count }) <= byteLimit else { return nil }
    let joined = parts.sorted { $0.key < $1.key }.flatMap { $0.value.bytes(0, $0.value.count) ?? [] }
    return MediaBytes(joined).all
  }

  /// Inflates the profile, which follows a name of its own and the number of the method.
  private static func pngProfile(_ bytes: ByteReader) -> ByteReader? {
    let chunks = PNGChunks(bytes).lazy.prefix { $0.type != "IDAT" }.prefix(500)
    guard let content = chunks.first(where: { $0.type == "iCCP" })?.content, content.count <= byteLimit,
      let end = content.firstIndex(of: 0, in: 0..<content.count, searching: 80), content.u8(end + 1) == 0,
      let packed = content.bytes(end + 2, content.count - end - 2)
    else { return nil }
    return Decompression.inflated(packed, limit: byteLimit).map { MediaBytes($0).all }
  }

  /// Returns the description in a profile.
  static func name(in profile: ByteReader) -> String? {
    var profile = profile
    profile.order = .big
    guard profile.starts(with: "acsp", at: 36), let count = profile.u32(128) else { return nil }
    for index in 0..<min(count, tagLimit) {
      let entry = 132 + 12 * index
      guard let tag = profile.fourCC(entry) else { return nil }
      guard tag == "desc", let offset = profile.u32(entry + 4), let byteCount = profile.u32(entry + 8),
        let description = profile.slice(offset, byteCount)
      else { continue }
      return text(description)?.cleaned(limit: longestName)
    }
    return nil
  }

  private static func text(_ description: ByteReader) -> String? {
    if description.starts(with: "desc") {
      return description.u32(8).flatMap { description.text(12, $0, limit: longestName) }
    }
    guard description.starts(with: "mluc"), let count = description.u32(8), let size = description.u32(12), size >= 12
    else { return nil }
    let records = (0..<min(count, tagLimit)).map { 16 + size * $0 }
    // English is what other programs show.
    guard let record = records.first(where: { description.starts(with: "en", at: $0) }) ?? records.first,
      let byteCount = description.u32(record + 4), byteCount <= longestName, let offset = description.u32(record + 8)
    else { return nil }
    let units = (0..<byteCount / 2).compactMap { description.u16(offset + 2 * $0) }
    return String(decoding: units.map { UInt16(truncatingIfNeeded: $0) }.prefix { $0 != 0 }, as: UTF16.self)
  }
}
