import MediaMetadata

/// Decodes a thumbnail beside a HEIF file's primary picture; returns `nil` if there is none.
///
/// For HEVC only the headers and the thumbnail are read. Other codecs and rare layouts are decoded
/// by libheif, which reads the whole file and takes several times as long.
func decodeHEIFThumbnail(_ file: MediaFile, _ limits: DecodingLimits) throws(ImagingError) -> DecodedPicture? {
  let source = MediaBytes(file)
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
  /// The number of thumbnails that are examined. It is larger than that of any real file.
  static let thumbnailLimit = 8

  /// Returns the largest opaque HEVC thumbnail that is small enough. Reads one at a time and stops
  /// at the first that can be decoded.
  fileprivate func thumbnail(of primary: Int, in file: ByteReader) -> (item: Int, picture: HEVCPicture)? {
    let sizes = items(referringTo: primary, as: "thmb").prefix(Self.thumbnailLimit)
      .compactMap { item in codedSize(of: item).map { (item: item, pixels: $0.pixels) } }
    let candidates = sizes.filter { $0.pixels <= thumbnailPixelLimit && !hasAlpha($0.item) }
      .sorted { $0.pixels > $1.pixels }
    for (item, _) in candidates {
      if let picture = HEVCPicture(item, self, in: file, byteLimit: MediaBytes.readLimit) { return (item, picture) }
    }
    return nil
  }

  private func hasAlpha(_ item: Int) -> Bool {
    items(referringTo: item, as: "auxl").flatMap(properties(of:)).contains { property in
      let types = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"]
      return property.type == "auxC" && types.contains { property.content.starts(with: $0, at: 4) }
    }
  }

  /// Returns the colors of an item. An ICC profile takes precedence over code points.
  fileprivate func colors(of item: Int) -> ColorDescription? {
    let declared = properties(of: item).filter { $0.type == "colr" }.map(\.content)
    if let profile = declared.first(where: { $0.starts(with: "prof") || $0.starts(with: "rICC") }),
      profile.count - 4 < longestColorProfile, let bytes = profile.bytes(4, profile.count - 4), !bytes.isEmpty
    {
      return .profile(bytes)
    }
    guard let coded = declared.first(where: { $0.starts(with: "nclx") }), let primaries = coded.u16(4),
      let transfer = coded.u16(6)
    else { return nil }
    return .coded(primaries: primaries, transfer: transfer)
  }
}
