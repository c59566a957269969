extension ParsedValues {
  /// Reads the metadata of HEIC, HEIF and AVIF. These formats rotate their picture by their own
  /// properties, and EXIF's orientation is ignored.
  mutating func readHEIF(_ bytes: ByteReader) {
    formatRotates = true
    var hasMeta = false
    var xmp: XMP?
    var boxed: ByteReader?
    for box in bytes.pictureBoxes {
      switch box.type {
      case "meta":
        if !hasMeta { xmp = readItems(HEIFItems(box.content), in: bytes) }
        hasMeta = true
        if box.isCut { note("The file ends within its headers.") }
      case "moov": readSequence(box.content)
      case "mpvd": boxed = box.content
      default: break
      }
      if box.isCut, box.type == "mdat" { note("The file is cut short.") }
    }
    if storedWidth == 0 { note("The file has no picture size.") }
    readMotionPhoto(bytes, xmp: xmp, boxed: boxed, searchingFrom: bytes.startOfFollowers)
  }

  /// Reads the primary picture's item and those with metadata. Returns the XMP.
  private mutating func readItems(_ items: HEIFItems, in bytes: ByteReader) -> XMP? {
    var xmp: XMP?
    if let size = items.primarySize { (storedWidth, storedHeight) = size }
    for item in items.items {
      if item.type == "Exif", let data = items.data(of: item.id, in: bytes, limit: 1 << 20) {
        // The first four bytes are the distance from their end to the TIFF header.
        if let skip = data.u32(0), let exif = data.slice(4 + skip) { readEXIF(exif) }
      } else if item.type == "mime", item.contentType == "application/rdf+xml",
        let data = items.data(of: item.id, in: bytes, limit: XMP.byteLimit), let packet = data.bytes(0, data.count)
      {
        let found = readXMP(packet)
        xmp = xmp ?? found
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
    return xmp
  }

  /// Reads an animation, which is stored as a movie track beside its first picture.
  private mutating func readSequence(_ moov: ByteReader) {
    let movie = QuickTimeMovie(moov)
    let pictures = movie.tracks.filter { $0.handler == "pict" || $0.handler == "vide" }
    // A track of thumbnails may come first.
    func isSmaller(_ one: QuickTimeMovie.Track, _ other: QuickTimeMovie.Track) -> Bool {
      one.displaySize.0 &* one.displaySize.1 < other.displaySize.0 &* other.displaySize.1
    }
    guard let track = pictures.max(by: isSmaller) else { return }
    if storedWidth == 0 { (storedWidth, storedHeight) = track.displaySize }
    guard track.sampleCount > 1 else { return }
    subtypes.insert(.animated)
    duration = track.duration ?? movie.duration ?? 0
    if let creation = movie.creation { readCreation(creation) }
  }
}

extension ByteReader {
  private static let pictureBoxTypes: Set<FourCC> = [
    "meta", "mdat", "moov", "moof", "mpvd", "idat", "free", "skip", "wide", "uuid",
  ]

  /// The top-level boxes of a HEIF file that belong to its picture. A movie behind them begins with
  /// a second `ftyp` box. Other bytes behind them look like a box without a name, or like an
  /// unknown one that reaches to the end of the file.
  var pictureBoxes: [Box] {
    var found: [Box] = []
    for box in boxes() {
      let isLast = box.content.base + box.content.count == base + count
      if !found.isEmpty, box.type == "ftyp" || !box.type.isText || isLast && !Self.pictureBoxTypes.contains(box.type) {
        break
      }
      found.append(box)
    }
    return found
  }

  /// The size of a HEIF file without what follows its picture.
  package var pictureByteCount: Int {
    pictureBoxes.last.map { $0.content.base + $0.content.count - base } ?? count
  }

  /// The offset from which a movie may follow a HEIF file's picture. A last box without a size
  /// reaches to the end of the file, and the movie may be in it.
  fileprivate var startOfFollowers: Int {
    guard let last = pictureBoxes.last else { return count }
    let content = last.content.base - base
    if fourCC(content - 4) == "mdat", u32(content - 8) == 0 { return content }
    return content + last.content.count
  }
}
