import MediaMetadata

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

  /// Reads the file in this process.
  package init(
    parsing file: MediaFile, metadata: MediaMetadata, changes: MetadataChanges, width: Int, height: Int,
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
  package var otherProfile: [UInt8]? { profile == Self.sRGBProfile ? nil : profile }

  /// What a JPEG's segment holds besides its own header; only a maker's note can be longer.
  package static let longestEXIF = 0xFFFF - 2 - 6

  /// The packet with the texts that the file keeps elsewhere, for formats that hold nothing but XMP.
  package var complete: [UInt8]?
}
