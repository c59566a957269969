/// How much memory and time one file may take.
public struct DecodingLimits: Hashable, Sendable {
  /// The most pixels of a picture that its decoder holds whole (a JPEG that is decoded at a fraction may have eight times as many).
  public var pixels: Int
  /// Decoders that can be interrupted are, after this long; the others are bound by `pixels`.
  public var seconds: Double

  public init(pixels: Int, seconds: Double) {
    self.pixels = pixels
    self.seconds = seconds
  }

  /// Less than 10 seconds and 1 GiB for any file.
  public static let standard = DecodingLimits(pixels: 125_000_000, seconds: 10)

  /// For a picture that somebody asks for: developing a raw file takes its time.
  public static func whole(_ type: MediaType) -> DecodingLimits {
    DecodingLimits(pixels: standard.pixels, seconds: type.isRaw ? 30 : standard.seconds)
  }
}

/// Makes the renditions in this process: the worker's part of `makeRenditions`.
func makeRenditionsHere(
  of file: MediaFile, metadata: MediaMetadata, kinds: Set<RenditionKind>, limits: DecodingLimits = .standard
) throws(ImagingError) -> RenditionSet {
  var picture = try decode(file, metadata, DecodingRequest(kinds: kinds, limits: limits))
  if let note = picture.pixels.convertToSRGB(from: picture.colors) { picture.notes.append(note) }
  let upright = picture.pixels.oriented(picture.orientation)

  // From large to small, each from the one before: nothing is read twice in full.
  var pixels = upright
  var renditions: [Rendition] = []
  for kind in [RenditionKind.full, .screen, .grid] where kinds.contains(kind) {
    pixels = pixels.resized(to: kind.size(of: PixelSize(width: pixels.width, height: pixels.height)))
    renditions.append(try rendition(kind, pixels, named: file.name))
  }
  var serves = false
  if metadata.canServeAsStored, picture.isWholeInSRGB, picture.damage == nil,
    let screen = renditions.first(where: { $0.kind == .screen }), screen.pixelWidth == upright.width,
    screen.data.count >= file.byteCount
  {
    serves = try file.read(2, at: file.byteCount - 2) == [0xFF, 0xD9]
  }
  return RenditionSet(
    renditions: renditions, placeholder: pixels.placeholder(), notes: picture.notes, damage: picture.damage,
    originalServes: serves)
}

extension MediaMetadata {
  /// Whether the file may be shown in the place of a rendition: a JPEG that is upright.
  var canServeAsStored: Bool {
    type.kind == .image && type.uniformTypeIdentifier == MediaType.jpeg.uniformTypeIdentifier && orientation == 1
  }
}

func decode(_ file: MediaFile, _ metadata: MediaMetadata, _ request: DecodingRequest)
  throws(ImagingError) -> DecodedPicture
{
  let start = try file.read(16, at: 0)
  switch Decoder(for: metadata.type, start: start) {
  case .ffmpeg: return try decodePoster(of: file, metadata, request)
  case .libRaw: return try decodeRaw(file, request)
  case .libheif: return try decodeHEIF(file, request)
  case .turboJPEG:
    return try decodeJPEG(
      file, orientation: metadata.orientation, endingAt: metadata.motionVideo?.offset, request)
  case .bmp: return try decodeBMP(file, request)
  // JPEG XL decoders turn the picture themselves.
  case .libvips(turns: true): return try decodeWithVips(file, orientation: 1, request)
  case .libvips: return try decodeWithVips(file, orientation: metadata.orientation, request)
  case .none: throw ImagingError(.unsupported, file.name, reason: "sound has no picture")
  }
}

/// What reads a type of file.
private enum Decoder {
  case turboJPEG, libheif, libRaw, bmp, ffmpeg
  case libvips(turns: Bool)

  init?(for type: MediaType, start: [UInt8]) {
    switch (type.kind, type.uniformTypeIdentifier) {
    case (.audio, _): return nil
    case (.video, _): self = .ffmpeg
    case _ where type.isRaw: self = .libRaw
    case _ where start.starts(with: [0xFF, 0xD8, 0xFF]): self = .turboJPEG
    case _ where start.starts(with: "BM".utf8): self = .bmp
    case (_, "public.jpeg-xl"): self = .libvips(turns: true)
    // An ISO base media file: HEIC, HEIF, AVIF and their sequences.
    case _ where start.dropFirst(4).starts(with: "ftyp".utf8): self = .libheif
    default: self = .libvips(turns: false)
    }
  }
}

/// Visually close to the original on a screen, at half the bytes of quality 90.
private let screenQuality = 82
/// Cells of the grid are small, and many.
private let gridQuality = 80
/// Stands in for the original.
private let fullQuality = 92

private func rendition(_ kind: RenditionKind, _ pixels: PixelBuffer, named name: String)
  throws(ImagingError) -> Rendition
{
  let quality =
    switch kind {
    case .grid: gridQuality
    case .screen: screenQuality
    case .full: fullQuality
    }
  let type = pixels.channels == 4 ? "org.webmproject.webp" : "public.jpeg"
  do throws(ImagingError) {
    return Rendition(
      kind: kind, pixelWidth: pixels.width, pixelHeight: pixels.height, uniformTypeIdentifier: type,
      data: try encode(pixels, as: type, quality: quality))
  } catch {
    throw ImagingError(error.code, name, reason: error.reason)
  }
}
