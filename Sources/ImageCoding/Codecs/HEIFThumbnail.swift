import MediaMetadata

/// Decodes a thumbnail beside a HEIF file's primary picture; `nil` where there is none.
///
/// Of a HEIC file the headers and the thumbnail alone are read. What is not HEVC, or rare, is left to libheif, which takes the whole
/// file, and several times as long.
func decodeHEIFThumbnail(_ file: MediaFile, _ limits: DecodingLimits) throws(ImagingError) -> DecodedPicture? {
  let source = ByteSource(file)
  let items = HEIFItems(of: source.all)
  if let failure = source.failure { throw failure }
  let request = DecodingRequest(kinds: [.grid], limits: limits)
  if let items, let primary = items.primary {
    guard !items.items(referringTo: primary, as: "thmb").isEmpty else { return nil }
    if let (item, thumbnail) = items.thumbnail(of: primary, in: source.all),
      let pixels = try decode(thumbnail, named: file, request, isPreview: true)
    {
      let colors = items.colors(of: item) ?? items.colors(of: primary) ?? .sRGB
      return DecodedPicture(pixels: pixels, colors: colors, orientation: thumbnail.orientation)
    }
    if let failure = source.failure { throw failure }
    try request.checkDeadline(file)
  }
  return try decodeHEIF(file, request, of: .thumbnail)
}

extension HEIFItems {
  /// More than any file has; each is looked at.
  static let thumbnailLimit = 8

  /// The largest that is small enough, among those that are opaque HEVC. One is read at a time, and none after that which serves.
  fileprivate func thumbnail(of primary: Int, in file: ByteReader) -> (item: Int, picture: HEVCPicture)? {
    let sizes = items(referringTo: primary, as: "thmb").prefix(Self.thumbnailLimit)
      .compactMap { item in codedSize(of: item).map { (item: item, pixels: $0.pixels) } }
    let candidates = sizes.filter { $0.pixels <= thumbnailPixelLimit && !hasAlpha($0.item) }
      .sorted { $0.pixels > $1.pixels }
    for (item, _) in candidates {
      if let picture = HEVCPicture(item, self, in: file, byteLimit: ByteSource.readLimit) { return (item, picture) }
    }
    return nil
  }

  private func hasAlpha(_ item: Int) -> Bool {
    items(referringTo: item, as: "auxl").flatMap(properties(of:)).contains { property in
      let types = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"]
      return property.type == "auxC" && types.contains { property.content.starts(with: $0, at: 4) }
    }
  }

  /// What a picture says of its colours: a profile, before code points.
  fileprivate func colors(of item: Int) -> ColorDescription? {
    let told = properties(of: item).filter { $0.type == "colr" }.map(\.content)
    if let profile = told.first(where: { $0.starts(with: "prof") || $0.starts(with: "rICC") }),
      profile.count - 4 < longestColorProfile, let bytes = profile.bytes(4, profile.count - 4), !bytes.isEmpty
    {
      return .profile(bytes)
    }
    guard let coded = told.first(where: { $0.starts(with: "nclx") }), let primaries = coded.u16(4),
      let transfer = coded.u16(6)
    else { return nil }
    return .coded(primaries: primaries, transfer: transfer)
  }
}
