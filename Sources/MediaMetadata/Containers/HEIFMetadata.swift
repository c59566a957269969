extension ParsedValues {
  /// Reads the metadata of HEIC, HEIF and AVIF. These formats rotate their picture by their own
  /// properties, and EXIF's orientation is ignored.
  mutating func readHEIF(_ bytes: ByteReader) {
    formatRotates = true
    var hasMeta = false
    for box in bytes.boxes() {
      switch box.type {
      case "meta":
        if !hasMeta { readItems(HEIFItems(box.content), in: bytes) }
        hasMeta = true
        if box.isCut { note("The file ends within its headers.") }
      case "moov": readSequence(box.content)
      case "mpvd": readMotionBox(box.content)
      default: break
      }
      if box.isCut, box.type == "mdat" { note("The file is cut short.") }
    }
    if storedWidth == 0 { note("The file has no picture size.") }
  }

  private mutating func readItems(_ items: HEIFItems, in bytes: ByteReader) {
    if let size = items.primarySize { (storedWidth, storedHeight) = size }
    for item in items.items {
      if item.type == "Exif", let data = items.data(of: item.id, in: bytes, limit: 1 << 20) {
        // The first four bytes are the distance from their end to the TIFF header.
        if let skip = data.u32(0), let exif = data.slice(4 + skip) { readEXIF(exif) }
      } else if item.type == "mime", item.contentType == "application/rdf+xml",
        let data = items.data(of: item.id, in: bytes, limit: XMP.byteLimit), let packet = data.bytes(0, data.count)
      {
        readXMP(packet)
      } else if item.type == "tmap" {
        subtypes.insert(.hdr)
      }
    }
    for type in items.auxiliaryTypes {
      if type.hasSuffix("aux:hdrgainmap") {
        subtypes.insert(.hdr)
      } else if type == "urn:mpeg:hevc:2015:auxid:2" || type == "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"
        || type.hasSuffix("aux:portraiteffectsmatte") || type.hasSuffix("aux:disparity")
      {
        subtypes.insert(.depthEffect)
      }
    }
    if items.hasStereoPair { subtypes.insert(.spatial) }
  }

  /// Reads an animation, which is stored as a movie track beside its first picture.
  private mutating func readSequence(_ moov: ByteReader) {
    let movie = QuickTimeMovie(moov)
    guard let track = movie.tracks.first(where: { $0.handler == "pict" || $0.handler == "vide" }), track.sampleCount > 1
    else { return }
    subtypes.insert(.animated)
    duration = track.duration ?? movie.duration ?? 0
    if let creation = movie.creation { readCreation(creation) }
    if storedWidth == 0 { (storedWidth, storedHeight) = track.displaySize }
  }
}
