import ImageCoding
import MediaMetadata
import Sandbox

extension CarriedMetadata {
  /// Reads the metadata for an edited picture of `width × height` pixels, upright and in sRGB.
  ///
  /// - Parameters:
  ///   - changes: the values of `metadata` that differ from the file's.
  ///   - keepsGeometry: whether each pixel is where it was in the file's rows and columns.
  ///
  /// Throws if the file can't be read from the disk.
  public init(
    from file: MediaFile, metadata: MediaMetadata, changes: MetadataChanges = [], width: Int, height: Int,
    keepsGeometry: Bool = false
  ) throws(ImagingError) {
    self = try CarryMetadata(
      metadata: metadata, changes: changes, size: PixelSize(width: width, height: height),
      keepsGeometry: keepsGeometry
    ).answer(on: file)
  }
}

struct CarryMetadata: Endpoint {
  var metadata: MediaMetadata
  var changes: MetadataChanges
  var size: PixelSize
  var keepsGeometry: Bool

  var isBrief: Bool { true }

  func perform(on file: MediaFile) throws(ImagingError) -> CarriedMetadata {
    try CarriedMetadata(
      parsing: file, metadata: metadata, changes: changes, width: size.width, height: size.height,
      keepsGeometry: keepsGeometry)
  }

  /// Sends each block's byte count, nil for a missing block, and then the blocks. The color profile
  /// is not sent, since it is not the file's.
  func send(_ answer: CarriedMetadata, with reply: ReplyWriter) throws {
    let blocks = [answer.exif, answer.xmp, answer.iptc, answer.xmpWithAllTexts]
    try reply.send(Reply.answer(blocks.map { $0?.count }), blocks: blocks.compactMap(\.self))
  }

  func read(_ counts: [Int?], _ reply: inout ReplyReader, on file: MediaFile) throws -> CarriedMetadata {
    try check(counts.count == 4, "another number of blocks")
    try check(counts.allSatisfy { (0...Self.longestBlock).contains($0 ?? 0) }, "a block of an impossible length")
    try check((counts[0] ?? 0) <= CarriedMetadata.exifByteLimit, "an EXIF block of an impossible length")
    try check(counts.reduce(0) { $0 + ($1 ?? 0) } == reply.payloadByteCount, "blocks of another length")
    let blocks = try counts.map { try $0.map { [UInt8](try reply.payload(byteCount: $0)) } }
    var carried = CarriedMetadata(exif: blocks[0], xmp: blocks[1], iptc: blocks[2])
    carried.xmpWithAllTexts = blocks[3]
    return carried
  }

  /// The limit of a block. The largest is an XMP packet with texts from other parts of the file.
  private static let longestBlock = 4 << 20
}

extension CarryMetadata: MessagePart {
  static var blank: Self {
    Self(metadata: .blank, changes: [], size: .blank, keepsGeometry: false)
  }
  mutating func code(with coder: inout MessageCoder) {
    coder.part(&metadata)
    coder.part(&changes)
    coder.part(&size)
    coder.part(&keepsGeometry)
  }
}
