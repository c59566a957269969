import Foundation
import ImageCoding
import MediaMetadata
import MovieCoding
import Sandbox

/// Makes the renditions of one file in one decode.
///
///     let set = try makeRenditions(of: file, metadata: MediaMetadata(of: file), kinds: [.grid, .screen])
///     set.renditions.first { $0.kind == .grid }?.data
///
/// - A still is decoded at the smallest sufficient size. A movie is represented by a frame near its
///   beginning.
/// - Pictures are upright and in sRGB: JPEG, or WebP if parts are transparent. None is larger than
///   its original.
/// - If the file is damaged, the parts that can be decoded are used, and `notes` says so. Throws if
///   nothing can be decoded.
/// - The placeholder is always made, so `kinds` may be empty.
/// - The function has no state and may be called on any thread. It blocks the thread, mostly for
///   less than half a second.
/// - A worker process decodes a still if there is one. `ffmpeg`, a process of its own, decodes a
///   movie.
public func makeRenditions(
  of file: MediaFile, metadata: MediaMetadata, kinds: Set<RenditionKind>, limits: DecodingLimits? = nil
) throws(ImagingError) -> RenditionSet {
  let limits = limits ?? (kinds.contains(.full) ? .whole(metadata.type) : .standard)
  return try MakeRenditions(metadata: metadata, kinds: kinds, limits: limits).answer(on: file)
}

struct MakeRenditions: Endpoint {
  var metadata: MediaMetadata
  var kinds: Set<RenditionKind>
  var limits: DecodingLimits

  var usesWorker: Bool { metadata.type.kind == .image }

  func perform(on file: MediaFile) throws(ImagingError) -> RenditionSet {
    var picture = try decode(file, metadata: metadata, DecodingRequest(kinds: kinds, limits: limits))
    if let note = picture.pixels.convertToSRGB(from: picture.colors) { picture.notes.append(note) }
    let upright = picture.pixels.oriented(picture.orientation)

    // Each size is made from the next larger one, so that the full picture is resized only once.
    var pixels = upright
    var renditions: [Rendition] = []
    for kind in [RenditionKind.full, .screen, .grid] where kinds.contains(kind) {
      pixels = pixels.resized(to: kind.size(of: PixelSize(width: pixels.width, height: pixels.height)))
      renditions.append(try rendition(kind, pixels, named: file.name))
    }
    var serves = false
    if metadata.canServeAsStored, picture.hasAllPixelsInSRGB, picture.damage == nil,
      let screen = renditions.first(where: { $0.kind == .screen }), screen.pixelWidth == upright.width,
      screen.data.count >= file.byteCount
    {
      serves = try file.read(2, at: file.byteCount - 2) == [0xFF, 0xD9]
    }
    return RenditionSet(
      renditions: renditions, placeholder: pixels.placeholder(), notes: picture.notes, damage: picture.damage,
      canServeOriginal: serves)
  }

  // MARK: Messages

  struct Message: MessagePart {
    var parts: [Part] = []
    var placeholder: [UInt8] = []
    var notes: [String] = []
    var damage: String?
    var canServeOriginal = false

    static var blank: Self { Self() }
    mutating func code(with coder: inout MessageCoder) {
      coder.part(&parts)
      coder.part(&placeholder)
      coder.part(&notes)
      coder.part(&damage)
      coder.part(&canServeOriginal)
    }
  }

  /// A rendition without its bytes, which follow the message.
  struct Part: MessagePart {
    var kind = RenditionKind.grid
    var pixelWidth = 0
    var pixelHeight = 0
    var uniformTypeIdentifier = ""
    var byteCount = 0

    static var blank: Self { Self() }
    mutating func code(with coder: inout MessageCoder) {
      kind.codeRawValue(with: &coder)
      coder.part(&pixelWidth)
      coder.part(&pixelHeight)
      coder.part(&uniformTypeIdentifier)
      coder.part(&byteCount)
    }
  }

  func send(_ answer: RenditionSet, with reply: ReplyWriter) throws {
    let parts = answer.renditions.map {
      Part(
        kind: $0.kind, pixelWidth: $0.pixelWidth, pixelHeight: $0.pixelHeight,
        uniformTypeIdentifier: $0.uniformTypeIdentifier, byteCount: $0.data.count)
    }
    let message = Message(
      parts: parts, placeholder: answer.placeholder, notes: answer.notes, damage: answer.damage,
      canServeOriginal: answer.canServeOriginal)
    try reply.send(Reply.answer(message), blocks: answer.renditions.map(\.data))
  }

  func read(_ message: Message, _ reply: inout ReplyReader, on file: MediaFile) throws -> RenditionSet {
    // Without this check, a file of another type, or one that is not upright, would be shown
    // unchanged.
    try check(!message.canServeOriginal || metadata.canServeAsStored, "an original that can't serve")
    try check(PixelBuffer.isPlaceholder(message.placeholder), "a placeholder of a wrong size")
    return RenditionSet(
      renditions: try renditions(message.parts, &reply), placeholder: message.placeholder,
      notes: boundedTexts(message.notes), damage: message.damage.flatMap(boundedText),
      canServeOriginal: message.canServeOriginal)
  }

  private func renditions(_ parts: [Part], _ reply: inout ReplyReader) throws -> [Rendition] {
    try check(Set(parts.map(\.kind)) == kinds && parts.count == kinds.count, "other renditions than were asked for")
    var expected = 0
    for part in parts {
      let size = PixelSize(width: part.pixelWidth, height: part.pixelHeight)
      try check(limits.allows(size), "a rendition of an impossible size")
      try check(part.kind.size(of: size) == size, "a rendition that is too large")
      try check(Rendition.types.contains(part.uniformTypeIdentifier), "a rendition of an unknown type")
      // No encoder needs more bytes than the pixels have, except for a tiny picture's headers.
      try check(
        (1...size.pixels * 4 + Self.headerByteCount).contains(part.byteCount), "a rendition of an impossible length")
      expected += part.byteCount
    }
    try check(expected == reply.payloadByteCount, "renditions of another length")
    return try parts.map { part in
      Rendition(
        kind: part.kind, pixelWidth: part.pixelWidth, pixelHeight: part.pixelHeight,
        uniformTypeIdentifier: part.uniformTypeIdentifier, data: try reply.payload(byteCount: part.byteCount))
    }
  }

  private static let headerByteCount = 64 << 10
}

extension MakeRenditions: MessagePart {
  static var blank: Self { Self(metadata: .blank, kinds: [], limits: .blank) }
  mutating func code(with coder: inout MessageCoder) {
    coder.part(&metadata)
    coder.part(&kinds)
    coder.part(&limits)
  }
}

extension MediaMetadata {
  /// Whether the file may be shown in place of a rendition: an upright JPEG.
  var canServeAsStored: Bool {
    type.kind == .image && type.uniformTypeIdentifier == MediaType.jpeg.uniformTypeIdentifier && orientation == 1
  }
}

/// Decodes a still, or the poster of a movie, in this process.
func decode(_ file: MediaFile, metadata: MediaMetadata, _ request: DecodingRequest)
  throws(ImagingError) -> DecodedPicture
{
  metadata.type.kind == .video
    ? try decodePoster(of: file, metadata, request) : try decodeStill(file, metadata: metadata, request)
}

/// The JPEG quality for screens: visually close to the original, at half the bytes of quality 90.
private let screenQuality = 82
/// The quality for cells of the grid, which are small and many.
private let gridQuality = 80
/// The quality of the picture that replaces the original.
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
