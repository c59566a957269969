import CDav1d
import MediaMetadata

extension HEIFItems {
  /// Returns colors of the primary picture, which libheif 1.15 does not report: those of the
  /// picture that an identity item shows, or else the code points (ITU-T H.273) in the coded data.
  func colors(in file: ByteReader) -> ColorDescription? {
    guard let primary else { return nil }
    let parts = firstParts(of: primary)
    return parts.lazy.compactMap(declaredColors).first ?? parts.last.flatMap { codedColors(of: $0, in: file) }
  }

  /// Returns an item and the first items that it is made of, down to a coded picture.
  func firstParts(of item: Int) -> [Int] {
    var parts = [item]
    while let last = parts.last, parts.count < 5, type(of: last) == "grid" || type(of: last) == "iden",
      let next = references(from: last, as: "dimg").first
    {
      parts.append(next)
    }
    return parts
  }

  private func declaredColors(of item: Int) -> ColorDescription? {
    let colors = properties(of: item).filter { $0.type == "colr" }.map(\.content)
    for profile in colors where profile.starts(with: "prof") || profile.starts(with: "rICC") {
      guard profile.count < longestColorProfile else { continue }
      return profile.bytes(4, profile.count - 4).map(ColorDescription.profile)
    }
    guard let coded = colors.first(where: { $0.starts(with: "nclx") }), let primaries = coded.u16(4),
      let transfer = coded.u16(6)
    else { return nil }
    return .coded(primaries: primaries, transfer: transfer)
  }

  private func codedColors(of item: Int, in file: ByteReader) -> ColorDescription? {
    let colors: ColorDescription? =
      switch type(of: item) {
      // libde265 reports code points only with a decoded picture.
      case "hvc1": HEVCPicture.Tile(item, self, in: file)?.parameters.lazy.compactMap(HEVCParameters.colors).first
      case "av01":
        data(of: item, in: file, limit: file.count).flatMap { $0.bytes(0, $0.count) }.flatMap(av1Colors)
      default: nil
      }
    let unspecified = ColorDescription.coded(primaries: 2, transfer: 2)
    return colors == unspecified ? nil : colors
  }
}

private func av1Colors(_ units: [UInt8]) -> ColorDescription? {
  var header = Dav1dSequenceHeader()
  guard dav1d_parse_sequence_header(&header, units, units.count) == 0 else { return nil }
  return .coded(primaries: Int(header.pri.rawValue), transfer: Int(header.trc.rawValue))
}
