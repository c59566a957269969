import CDav1d
import MediaMetadata

extension HEIFItems {
  /// Returns the code points (ITU-T H.273) in the coded data of the primary picture, or of the first
  /// of its tiles. They count if the file has no `colr` property. libheif 1.15 does not report them.
  func codedColors(in file: ByteReader) -> ColorDescription? {
    guard let primary, let item = codedPart(of: primary) else { return nil }
    switch type(of: item) {
    case "hvc1": return HEVCPicture.Tile(item, self, in: file).flatMap(HEVCDecoder.colors)
    case "av01":
      return data(of: item, in: file, limit: file.count).flatMap { $0.bytes(0, $0.count) }.flatMap(av1Colors)
    default: return nil
    }
  }

  /// Returns the item that a grid or an identity item begins with.
  func codedPart(of item: Int, depth: Int = 0) -> Int? {
    guard type(of: item) == "grid" || type(of: item) == "iden" else { return item }
    let parts = references(from: item, as: "dimg")
    return depth < 4 ? parts.first.flatMap { codedPart(of: $0, depth: depth + 1) } : nil
  }
}

private func av1Colors(_ units: [UInt8]) -> ColorDescription? {
  var header = Dav1dSequenceHeader()
  guard dav1d_parse_sequence_header(&header, units, units.count) == 0 else { return nil }
  return .coded(primaries: Int(header.pri.rawValue), transfer: Int(header.trc.rawValue))
}
