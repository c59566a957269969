import Foundation

// What a worker answers is believed as little as the file that it has read: whoever has taken it over may send anything. Whatever
// passes these checks can do no more than show another picture or another text.

extension WorkerReply {
  /// The answer, with its bytes; `receive` fills a buffer with what follows, or with what is at an address of the worker's memory. A
  /// picture takes the room that there is for it.
  ///
  /// Throws `WorkerSocket.Failure.malformed` for what the request can't have led to.
  func answer(
    to request: WorkerRequest, on file: MediaFile, payloadByteCount: Int, in room: inout PixelRoom,
    receive: (UnsafeMutableRawBufferPointer, _ address: UInt64?) throws -> Void
  ) throws -> Result<WorkerAnswer, ImagingError> {
    switch (self, request) {
    case (.failure(let code, let reason), _):
      try check(payloadByteCount == 0, "a failure with bytes")
      try check(Self.failures.contains(code), "a failure that is none of a file's")
      return .failure(ImagingError(code, file.name, reason: reason))
    case (.metadata(let metadata), .metadata), (.metadata(let metadata), .bareMetadata):
      try check(payloadByteCount == 0, "metadata with bytes")
      return .success(.metadata(try metadata.checked(for: file)))
    case (.properties(let properties), .properties):
      try check(payloadByteCount == 0, "properties with bytes")
      return .success(.properties(try properties.checked()))
    case (
      .renditions(let parts, let placeholder, let notes, let damage, let originalServes),
      .renditions(let metadata, let kinds, let limits)
    ):
      // Otherwise a file of another type, or one that is not upright, would be shown as it is.
      try check(!originalServes || metadata.canServeAsStored, "an original that can't serve")
      try check(Self.isPlaceholder(placeholder), "a placeholder of a wrong size")
      let set = RenditionSet(
        renditions: try renditions(parts, kinds, limits, payloadByteCount, receive), placeholder: placeholder,
        notes: boundedTexts(notes), damage: damage.flatMap(boundedText), originalServes: originalServes)
      return .success(.renditions(set))
    case (.picture(let width, let height, let channels, let address, let profile), .thumbnail):
      try check(payloadByteCount == 0 && profile == nil, "a picture with bytes")
      let limits = DecodingLimits(pixels: thumbnailPixelLimit, seconds: 0)
      return .success(.picture(try picture(width, height, channels, limits, &room) { try receive($0, address) }))
    case (
      .picture(let width, let height, let channels, let address, let profile),
      .picture(let metadata, let request, let limits)
    ):
      try check(payloadByteCount == 0 && profile == nil, "a picture with bytes")
      try check(isSize(width, height, limits), "a picture of an impossible size")
      let size = PixelSize(width: width, height: height)
      try check(request.canGive(size, of: metadata.reliableSize), "a picture that is larger than was asked for")
      return .success(.picture(try picture(width, height, channels, limits, &room) { try receive($0, address) }))
    case (.picture(let width, let height, let channels, let address, let profile), .coloredPicture(_, let limits)):
      try check(payloadByteCount == 0, "a picture with bytes")
      // It goes into files that are written, as it would out of the file that the worker was given.
      try check(profile?.count ?? 0 <= ColoredPicture.longestProfile, "a colour profile of an impossible length")
      let pixels = try picture(width, height, channels, limits, &room) { try receive($0, address) }
      return .success(.coloredPicture(ColoredPicture(pixels: pixels, profile: profile)))
    case (.picture(let width, let height, let channels, let address, let profile), .converted(let conversion)):
      try check(payloadByteCount == 0 && profile == nil, "a picture with bytes")
      let isSame = (width, height, channels) == (conversion.width, conversion.height, conversion.channels)
      try check(isSame, "a picture of another size")
      let pixels = try picture(width, height, channels, conversion.limits, &room) { try receive($0, address) }
      return .success(.picture(pixels))
    case (.carried(let byteCounts), .carried):
      return .success(.carried(try carried(byteCounts, payloadByteCount) { try receive($0, nil) }))
    case (.data(let byteCount), .turned):
      try check(byteCount == payloadByteCount, "a file of another length")
      // The thumbnail goes and an orientation may come; blocks that are coded with other tables may need more.
      try check((1...file.byteCount * 2 + Self.headerRoom).contains(byteCount), "a file of an impossible length")
      let data = try Self.data(byteCount) { try receive($0, nil) }
      try check(data.starts(with: [0xFF, 0xD8]), "a turned JPEG that is none")
      return .success(.data(data))
    case (.nothing, .thumbnail):
      try check(payloadByteCount == 0, "nothing with bytes")
      return .success(.nothing)
    case (.outcome(let text), .misbehavior): return .success(.outcome(text))
    default: throw WorkerSocket.Failure.malformed("an answer to another question")
    }
  }

  private func renditions(
    _ parts: [Part], _ kinds: Set<RenditionKind>, _ limits: DecodingLimits, _ payloadByteCount: Int,
    _ receive: (UnsafeMutableRawBufferPointer, UInt64?) throws -> Void
  ) throws -> [Rendition] {
    try check(Set(parts.map(\.kind)) == kinds && parts.count == kinds.count, "other renditions than were asked for")
    var expected = 0
    for part in parts {
      try check(isSize(part.pixelWidth, part.pixelHeight, limits), "a rendition of an impossible size")
      let size = PixelSize(width: part.pixelWidth, height: part.pixelHeight)
      try check(part.kind.size(of: size) == size, "a rendition that is too large")
      try check(Self.renditionTypes.contains(part.uniformTypeIdentifier), "a rendition of an unknown type")
      // No encoder needs more bytes than the pixels have, but for a tiny picture's headers.
      try check(
        (1...size.pixels * 4 + Self.headerRoom).contains(part.byteCount), "a rendition of an impossible length")
      expected += part.byteCount
    }
    try check(expected == payloadByteCount, "renditions of another length")
    return try parts.map { part in
      return Rendition(
        kind: part.kind, pixelWidth: part.pixelWidth, pixelHeight: part.pixelHeight,
        uniformTypeIdentifier: part.uniformTypeIdentifier, data: try Self.data(part.byteCount) { try receive($0, nil) })
    }
  }

  private static func data(_ count: Int, _ receive: (UnsafeMutableRawBufferPointer) throws -> Void) throws -> Data {
    var data = Data(count: count)
    try data.withUnsafeMutableBytes(receive)
    return data
  }

  private func carried(
    _ byteCounts: [Int?], _ payloadByteCount: Int, _ receive: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws -> CarriedMetadata {
    try check(byteCounts.count == CarriedMetadata.blockCount, "another number of blocks")
    try check(byteCounts.allSatisfy { (0...Self.longestBlock).contains($0 ?? 0) }, "a block of an impossible length")
    try check((byteCounts[0] ?? 0) <= CarriedMetadata.longestEXIF, "an EXIF block of an impossible length")
    try check(byteCounts.reduce(0) { $0 + ($1 ?? 0) } == payloadByteCount, "blocks of another length")
    return CarriedMetadata(
      blocks: try byteCounts.map { count in
        guard let count else { return nil }
        var block = [UInt8](repeating: 0, count: count)
        try block.withUnsafeMutableBytes(receive)
        return block
      })
  }

  private func picture(
    _ width: Int, _ height: Int, _ channels: Int, _ limits: DecodingLimits, _ room: inout PixelRoom,
    _ receive: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws -> PixelBuffer {
    try check(isSize(width, height, limits) && (3...4).contains(channels), "a picture of an impossible size")
    var bytes = room.taken(byteCount: width * height * channels)
    try bytes.withUnsafeMutableBytes(receive)
    return PixelBuffer(width: width, height: height, channels: channels, bytes: bytes)
  }

  /// What a decoder has to say of a file; the others are said by the parent alone.
  private static let failures: Set<ImagingError.Code> = [
    .cannotRead, .unknownType, .damaged, .tooLarge, .tookTooLong, .unsupported, .cannotEncode,
  ]
  /// An XMP packet with words that the file kept elsewhere.
  private static let longestBlock = 4 << 20
  private static let renditionTypes: Set = ["public.jpeg", "org.webmproject.webp"]
  private static let headerRoom = 64 << 10

  private static func isPlaceholder(_ bytes: [UInt8]) -> Bool {
    let sides = 1...UInt8(PixelBuffer.placeholderLongSide)
    guard bytes.count >= 2, sides.contains(bytes[0]), sides.contains(bytes[1]) else { return false }
    return bytes.count == 2 + Int(bytes[0]) * Int(bytes[1]) * 3
  }

  private func isSize(_ width: Int, _ height: Int, _ limits: DecodingLimits) -> Bool {
    guard width > 0, height > 0, width <= longestSide, height <= longestSide else { return false }
    return width * height <= max(0, limits.pixels)
  }
}

extension MediaMetadata {
  /// The same where every number is one that the readers could have given; texts are cut.
  fileprivate func checked(for file: MediaFile) throws -> MediaMetadata {
    try check((0...longestSide).contains(pixelWidth) && (0...longestSide).contains(pixelHeight), "an impossible size")
    try check((1...8).contains(orientation), "an impossible orientation")
    try check((0...Self.longestDuration).contains(duration), "an impossible duration")
    try check((0...Self.longestDuration).contains(stillTime ?? 0), "an impossible instant of a still")
    try check(abs(captureDate.date.timeIntervalSince1970) < farthestSeconds, "an impossible date")
    try check((-longestOffset...longestOffset).contains(captureDate.offset), "an impossible zone")
    try check((0...5).contains(rating), "an impossible rating")
    if let location {
      try check(abs(location.latitude) <= 90 && abs(location.longitude) <= 180, "an impossible place")
      try check(Location.altitudes.contains(location.altitude ?? 0), "an impossible altitude")
    }
    if let motionVideo {
      try check(
        motionVideo.offset >= 0 && motionVideo.byteCount >= 0 && motionVideo.offset <= file.byteCount
          && motionVideo.byteCount <= file.byteCount - motionVideo.offset, "a movie outside of its file")
    }
    for number in [camera.exposureTime, camera.fNumber, camera.focalLength] {
      try check(number.map(Camera.numbers.contains) ?? true, "an impossible camera")
    }
    try check((0...longestSide).contains(camera.iso ?? 0), "an impossible camera")
    // Its extension becomes part of a name on the disk.
    try check(MediaType.known.contains(type), "an unknown type")
    try check(subtypes.isSubset(of: .known), "unknown subtypes")
    try check(!subtypes.contains(.live) || motionVideo != nil, "a Live Photo without a movie")
    var bounded = self
    bounded.title = title.flatMap(boundedText)
    bounded.caption = caption.flatMap(boundedText)
    bounded.contentIdentifier = contentIdentifier.flatMap(boundedText)
    bounded.burstIdentifier = burstIdentifier.flatMap(boundedText)
    bounded.camera.make = camera.make.flatMap(boundedText)
    bounded.camera.model = camera.model.flatMap(boundedText)
    bounded.camera.lens = camera.lens.flatMap(boundedText)
    bounded.camera.software = camera.software.flatMap(boundedText)
    bounded.keywords = boundedTexts(keywords)
    bounded.placeNames = boundedTexts(placeNames)
    bounded.notes = boundedTexts(notes)
    return bounded
  }
}

extension PictureProperties {
  /// Returns the properties if the readers can produce every value; line breaks in texts become
  /// spaces.
  fileprivate func checked() throws -> PictureProperties {
    try check(entries.count <= Self.mostEntries, "too many properties")
    try check((0...64).contains(depth) && [0, 1, 3, 4].contains(colorCount), "an impossible picture")
    var checked = self
    checked.entries = try entries.compactMap { entry in
      try check((0...0xFFFF).contains(entry.number), "a property of an impossible number")
      switch entry.value {
      case .integers(let values): try check((1...Self.longestValue).contains(values.count), "an impossible property")
      case .numbers(let values):
        try check((1...Self.longestValue).contains(values.count), "an impossible property")
        try check(values.allSatisfy(\.isFinite), "a property that is no number")
      case .text(let text):
        guard let text = boundedText(text) else { return nil }
        return Entry(entry.group, entry.number, .text(text))
      case .data(let bytes): try check((1...Self.longestValue).contains(bytes.count), "an impossible property")
      }
      return entry
    }
    return checked
  }
}

/// A day, in seconds.
private let longestOffset = 24 * 3600
/// As the readers' own bound.
private let longestSide = 1 << 30
private let farthestSeconds = 1e13
private let longestText = 64 << 10
private let mostTexts = 10_000

/// In one line, without what would steer a terminal: readers give no others.
private func boundedText(_ text: String) -> String? { text.cleaned(limit: longestText) }

private func boundedTexts(_ texts: [String]) -> [String] { texts.prefix(mostTexts).compactMap(boundedText) }

private func check(_ isTrue: Bool, _ complaint: String) throws {
  guard isTrue else { throw WorkerSocket.Failure.malformed(complaint) }
}
