import MediaMetadata

/// The metadata of a picture's file, prepared for another file that contains an edit of the
/// picture.
///
///     let carried = try CarriedMetadata(
///       from: file, metadata: MediaMetadata(of: file), width: 1200, height: 900)
///     let jpeg = try encode(pixels, as: "public.jpeg", quality: 92, carrying: carried)
///
/// - EXIF stays as the camera wrote it, including the maker's note if the block fits a JPEG
///   segment. The orientation becomes 1 and the sizes become those of the new picture. The embedded
///   thumbnail is removed, since it shows the picture before the edit. A file that stores camera
///   and date in another way (RAW, TIFF, texts of a PNG) gets a new block with camera, date and
///   place.
/// - XMP stays, except for properties that describe the old picture: sizes, orientation,
///   thumbnails, gain maps, depth, the movie behind the picture, and settings of raw developers.
///   Face regions and panorama geometry stay only if `keepsGeometry` is true.
/// - IPTC stays in a JPEG. In other formats its texts become XMP. Other Photoshop resources are
///   removed.
/// - If a person changed the date or place in `metadata`, EXIF and XMP contain the new value.
///   Unchanged values stay as they are written.
/// - The color profile is that of the pixels. The caller sets it, because only the decoder knows
///   it.
public struct CarriedMetadata: Hashable, Sendable {
  /// The EXIF block from the TIFF header on.
  public var exif: [UInt8]?
  /// A whole XMP packet.
  public var xmp: [UInt8]?
  /// The IIM fields.
  public var iptc: [UInt8]?
  /// An ICC profile. `nil` writes none, which means sRGB.
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
    let source = MediaBytes(file)
    var blocks = MetadataBlocks()
    if let format = FileFormat(source.all) { blocks.read(source.all, format) }
    if let failure = source.failure { throw failure }
    let revision = MetadataRevision(changes, in: metadata)
    let iptc = blocks.iptc.flatMap { revision.revised(fields: $0) }
    self.init(
      exif: blocks.exif.flatMap { EXIFRewriting.rewritten($0, width: width, height: height) }
        .flatMap { revision.revised($0) }
        .flatMap { $0.count <= Self.exifByteLimit ? $0 : nil }
        ?? EXIFWriting(metadata, width: width, height: height)?.bytes,
      xmp: blocks.xmp.map { XMPRewriting(keepsGeometry: keepsGeometry, isReplaced: revision.isReplaced).rewritten($0) },
      iptc: iptc)
    if let xmp {
      xmpWithAllTexts = XMPWriting(metadata, iptc: iptc, known: XMP(xmp)).merged(into: xmp)
    } else {
      xmpWithAllTexts = XMPWriting(metadata, iptc: iptc).packet
    }
  }

  /// The profile of sRGB, always the same bytes.
  public static let sRGBProfile: [UInt8]? = ColorProfile.sRGB?.undatedBytes

  /// The profile, unless it is sRGB's.
  package var otherProfile: [UInt8]? { profile == Self.sRGBProfile ? nil : profile }

  /// The length that fits a JPEG segment beside its own header. Only a maker's note can make a
  /// block longer.
  package static let exifByteLimit = 0xFFFF - 2 - 6

  /// The packet with the texts that the file stores outside of XMP, for formats that hold only XMP.
  package var xmpWithAllTexts: [UInt8]?
}
