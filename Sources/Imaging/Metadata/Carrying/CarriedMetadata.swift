/// What a picture's file says of itself, made ready for another file that shows an edit of the picture.
///
///     let carried = try CarriedMetadata(from: file, metadata: MediaMetadata(of: file), width: 1200, height: 900)
///     let jpeg = try encode(pixels, as: "public.jpeg", quality: 92, carrying: carried)
///
/// - EXIF stays as the camera wrote it, with its maker's note (if that is shorter than a JPEG's segment); the orientation becomes 1, the sizes the new picture's, and the
///   embedded thumbnail goes, since it shows the picture as it was. A file that keeps its camera and its date in another way (RAW,
///   TIFF, PNG's texts) gets a new block that says camera, date and place.
/// - XMP stays without what describes the old picture: sizes, orientation, thumbnails, gain maps, depth, the movie behind the
///   picture, and developers' settings. Faces' regions and panoramas' geometry stay only where the geometry is kept.
/// - IPTC stays in a JPEG; elsewhere its texts become XMP. Photoshop's other resources go.
/// - A date or place that a person changed in `metadata` is what EXIF and XMP say then; what is no change stays as it is written.
/// - The colour profile is the one that the pixels are in, which whoever decoded them knows.
public struct CarriedMetadata: Hashable, Sendable {
  /// From the TIFF header on.
  public var exif: [UInt8]?
  /// A whole packet.
  public var xmp: [UInt8]?
  /// IIM's fields.
  public var iptc: [UInt8]?
  /// An ICC profile; `nil` says nothing, which means sRGB.
  public var profile: [UInt8]?

  public init(
    exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iptc: [UInt8]? = nil, profile: [UInt8]? = Self.sRGBProfile
  ) {
    self.exif = exif
    self.xmp = xmp
    self.iptc = iptc
    self.profile = profile
  }

  /// Of a file whose picture became one of `width × height` pixels, upright and in sRGB.
  ///
  /// `keepsGeometry`: each pixel is where it was in the file's own rows and columns. `changes`: what `metadata` says otherwise than the
  /// file. Throws where the file can't be read from disk.
  public init(
    from file: MediaFile, metadata: MediaMetadata, changes: MetadataChanges = [], width: Int, height: Int,
    keepsGeometry: Bool = false
  ) throws(ImagingError) {
    let size = PixelSize(width: width, height: height)
    guard let pool = try WorkerPool.current(reading: file),
      case .carried(let carried) = try pool.answer(
        to: .carried(metadata, changes, size: size, keepsGeometry: keepsGeometry), on: file)
    else {
      try self.init(
        readingHere: file, metadata: metadata, changes: changes, width: width, height: height,
        keepsGeometry: keepsGeometry)
      return
    }
    self = carried
  }

  /// The same in this process.
  init(
    readingHere file: MediaFile, metadata: MediaMetadata, changes: MetadataChanges, width: Int, height: Int,
    keepsGeometry: Bool
  ) throws(ImagingError) {
    let source = ByteSource(file)
    var blocks = MetadataBlocks()
    if let format = FileFormat(source.all) { blocks.read(source.all, format) }
    if let failure = source.failure { throw failure }
    let revision = MetadataRevision(changes, in: metadata)
    let iptc = blocks.iptc.flatMap { revision.revised(fields: $0) }
    self.init(
      exif: blocks.exif.flatMap { EXIFRewriting.rewritten($0, width: width, height: height) }
        .flatMap { revision.revised($0) }
        .flatMap { $0.count <= Self.longestEXIF ? $0 : nil }
        ?? EXIFWriting(metadata, width: width, height: height)?.bytes,
      xmp: blocks.xmp.map { XMPRewriting(keepsGeometry: keepsGeometry, isReplaced: revision.isReplaced).rewritten($0) },
      iptc: iptc)
    if let xmp {
      complete = XMPWriting(metadata, iptc: iptc, known: XMP(xmp)).merged(into: xmp)
    } else {
      complete = XMPWriting(metadata, iptc: iptc).packet
    }
  }

  /// sRGB's profile, always the same bytes.
  public static let sRGBProfile: [UInt8]? = ColorProfile.sRGB?.undatedBytes

  /// A profile that isn't sRGB's.
  var otherProfile: [UInt8]? { profile == Self.sRGBProfile ? nil : profile }

  /// What a JPEG's segment holds besides its own header; only a maker's note can be longer.
  static let longestEXIF = 0xFFFF - 2 - 6

  /// The packet with the texts that the file keeps elsewhere, for formats that hold nothing but XMP.
  var complete: [UInt8]?
}

/// Metadata as it stands in a file.
struct MetadataBlocks {
  var exif: [UInt8]?
  var xmp: [UInt8]?
  var iptc: [UInt8]?

  private static let blockByteLimit = 1 << 20

  mutating func read(_ bytes: ByteReader, _ format: FileFormat) {
    switch format {
    case .jpeg: readJPEG(bytes)
    case .png: readPNG(bytes)
    case .webP:
      var bytes = bytes
      bytes.order = .little
      for (type, content) in Chunks(bytes, from: 12) {
        if type == "EXIF" { keepEXIF(content) }
        if type == "XMP " { keepXMP(content) }
      }
    case .heif: readHEIF(bytes)
    case .jpegXL where bytes.u16(0) != 0xFF0A:
      for box in bytes.boxes() {
        if box.type == "Exif", let skip = box.content.u32(0) { keepEXIF(box.content.slice(4 + skip)) }
        if box.type == "xml " { keepXMP(box.content) }
      }
    default: break
    }
  }

  private mutating func readJPEG(_ bytes: ByteReader) {
    var position = 2
    while let marker = bytes.u16(position), marker != 0xFFDA, marker != 0xFFD9 {
      guard marker > 0xFF00, marker != 0xFFFF, let length = bytes.u16(position + 2), length >= 2 else {
        position += 1
        continue
      }
      let content = bytes.slice(position + 4, length - 2)
      switch marker {
      case 0xFFE1 where content?.starts(with: "Exif\0") == true: keepEXIF(content?.slice(6))
      case 0xFFE1 where content?.starts(with: "http://ns.adobe.com/xap/1.0/\0") == true: keepXMP(content?.slice(29))
      case 0xFFED: keepPhotoshop(content)
      default: break
      }
      position += 2 + length
    }
  }

  private mutating func readPNG(_ bytes: ByteReader) {
    let header = "XML:com.adobe.xmp\0\0\0\0\0"
    var position = 8
    while let length = bytes.u32(position), let type = bytes.fourCC(position + 4), type != "IEND" {
      if type == "eXIf" { keepEXIF(bytes.slice(position + 8, length)) }
      if type == "iTXt", let text = bytes.slice(position + 8, length), text.starts(with: header) {
        keepXMP(text.slice(header.utf8.count))
      }
      position += 12 + length
    }
  }

  private mutating func readHEIF(_ bytes: ByteReader) {
    guard let meta = bytes.boxes().first(where: { $0.type == "meta" })?.content else { return }
    let items = HEIFItems(meta)
    for item in items.items {
      if item.type == "Exif", let data = items.data(of: item.id, in: bytes, limit: Self.blockByteLimit),
        let skip = data.u32(0)
      {
        keepEXIF(data.slice(4 + skip))
      } else if item.type == "mime", item.contentType == "application/rdf+xml" {
        keepXMP(items.data(of: item.id, in: bytes, limit: XMP.byteLimit))
      }
    }
  }

  /// The first block of a file counts.
  private mutating func keepEXIF(_ content: ByteReader?) {
    guard exif == nil, let content, content.count <= Self.blockByteLimit else { return }
    let start = content.starts(with: "Exif\0\0") ? 6 : 0
    exif = content.bytes(start, content.count - start)
  }

  private mutating func keepXMP(_ content: ByteReader?) {
    guard xmp == nil, let content, content.count <= XMP.byteLimit else { return }
    xmp = content.bytes(0, content.count)
  }

  private mutating func keepPhotoshop(_ content: ByteReader?) {
    guard iptc == nil, let content, let fields = content.photoshopResource(0x0404) else { return }
    iptc = fields.bytes(0, fields.count)
  }
}

extension ByteReader {
  /// One of the image resources that Photoshop keeps in a JPEG.
  func photoshopResource(_ wanted: Int) -> ByteReader? {
    guard starts(with: "Photoshop 3.0\0") else { return nil }
    var position = 14
    while starts(with: "8BIM", at: position), let id = u16(position + 4), let nameLength = u8(position + 6) {
      let sizeAt = position + 7 + nameLength + (nameLength + 1) % 2
      guard let size = u32(sizeAt) else { return nil }
      if id == wanted { return slice(sizeAt + 4, size) }
      position = sizeAt + 4 + size + size % 2
    }
    return nil
  }
}
