/// The metadata blocks of a file, as stored.
package struct MetadataBlocks {
  package var exif: [UInt8]?
  package var xmp: [UInt8]?
  package var iptc: [UInt8]?

  package init() {}

  private static let blockByteLimit = 1 << 20

  package mutating func read(_ bytes: ByteReader, _ format: FileFormat) {
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
    for marker in JPEGMarkers.headers(bytes) {
      let content = marker.content
      switch marker.code {
      case 0xE1 where content.starts(with: "Exif\0"): keepEXIF(content.slice(6))
      case 0xE1 where content.starts(with: "http://ns.adobe.com/xap/1.0/\0"): keepXMP(content.slice(29))
      case 0xED: keepPhotoshop(content)
      default: break
      }
    }
  }

  private mutating func readPNG(_ bytes: ByteReader) {
    let header = "XML:com.adobe.xmp\0\0\0\0\0"
    var chunks = PNGChunks(bytes)
    while let chunk = chunks.next() {
      if chunk.type == "IDAT" { chunks.skipRepetitions(of: chunk) }
      if chunk.type == "eXIf" { keepEXIF(chunk.content) }
      if chunk.type == "iTXt", chunk.content.starts(with: header) {
        keepXMP(chunk.content.slice(header.utf8.count))
      }
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

  /// Keeps the block if it is the file's first.
  private mutating func keepEXIF(_ content: ByteReader?) {
    guard exif == nil, let content, content.count <= Self.blockByteLimit else { return }
    let start = content.starts(with: "Exif\0\0") ? 6 : 0
    exif = content.bytes(start, content.count - start)
  }

  private mutating func keepXMP(_ content: ByteReader?) {
    guard xmp == nil, let content, content.count > 0, content.count <= XMP.byteLimit else { return }
    xmp = content.bytes(0, content.count)
  }

  private mutating func keepPhotoshop(_ content: ByteReader?) {
    guard iptc == nil, let content, let fields = content.photoshopResource(0x0404) else { return }
    iptc = fields.bytes(0, fields.count)
  }
}

extension ByteReader {
  /// Returns one of the image resources that Photoshop writes into a JPEG.
  package func photoshopResource(_ wanted: Int) -> ByteReader? {
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
