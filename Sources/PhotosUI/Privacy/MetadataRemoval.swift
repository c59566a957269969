internal import MediaMetadata

/// The bytes that take the place of a file's location and texts in a copy. Everything else keeps
/// its bytes and its offset: pictures and movies are not encoded again.
///
///     let removal = try MetadataRemoval(.removeLocation, byteCount: file.count) { Array(file[$0]) }
///
/// XMP and IPTC may repeat both, so they are removed in any case. A JPEG, PNG or HEIC ends with its
/// picture: a movie or a second picture behind it has metadata of its own.
struct MetadataRemoval: Sendable {
  struct Patch: Hashable, Sendable {
    var range: Range<Int>
    /// The new bytes of the range; nil for zeros.
    var content: [UInt8]?

    /// Returns the new bytes of a part of the range.
    func bytes(in part: Range<Int>) -> [UInt8] {
      guard let content else { return [UInt8](repeating: 0, count: part.count) }
      return Array(content[part.lowerBound - range.lowerBound..<part.upperBound - range.lowerBound])
    }
  }

  /// The patches in the order of their offsets. They do not overlap once all are found.
  private(set) var patches: [Patch] = []
  /// Whether a track was found whose samples contain a place or a text that is removed.
  var hasPrivateTrack = false
  /// Whether the file is a movie in fragments.
  var hasFragments = false
  /// Whether the file begins as a picture or a sequence of pictures that consists of boxes.
  private(set) var hasBrandOfPicture = false
  /// The size of the copy.
  private(set) var byteCount: Int
  let options: PHPickerMetadataOptions
  private let read: @Sendable (Range<Int>) throws -> [UInt8]

  /// The types of files from which metadata can be removed.
  static let types: [UTType] =
    [.jpeg, .png, .heic, .heif, .quickTimeMovie, .mpeg4Movie]
    + ["public.avif", "com.apple.m4v-video"].compactMap { UTType($0) }

  /// The largest picture that is read at once.
  private static let largestPicture = 1 << 30

  /// Finds the bytes to change. `read` returns the bytes of a range inside the file. Throws if the
  /// file is damaged, or of another type.
  init(
    _ options: PHPickerMetadataOptions, byteCount: Int, read: @escaping @Sendable (Range<Int>) throws -> [UInt8]
  ) throws {
    self.options = options
    self.byteCount = byteCount
    self.read = read
    guard !options.isEmpty else { return }
    let head = try bytes(0, min(12, byteCount))
    if head.starts(with: [0xFF, 0xD8]) {
      try findInJPEG()
    } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      try findInPNG()
    } else if head.count == 12, Self.boxesOfBeginnings.contains(String(decoding: head[4..<8], as: UTF8.self)) {
      hasBrandOfPicture = FileFormat(MediaBytes(head).all) == .heif
      try findInBoxes(0..<byteCount)
    } else {
      throw Self.unreadable
    }
    try makeDisjoint()
  }

  /// Sorts the patches and removes overlaps of zeros with zeros: a file may name the same bytes
  /// twice. Throws if other patches overlap, since one of them would be lost.
  private mutating func makeDisjoint() throws {
    var disjoint: [Patch] = []
    for patch in patches.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) where patch != disjoint.last {
      let end = disjoint.last?.range.upperBound ?? 0
      if patch.range.lowerBound < end, patch.content != nil || disjoint.last?.content != nil { throw Self.unreadable }
      let rest = patch.range.clamped(to: min(end, byteCount)..<byteCount)
      if !rest.isEmpty {
        disjoint.append(Patch(range: rest, content: patch.content.map { _ in patch.bytes(in: rest) }))
      }
    }
    patches = disjoint
  }

  /// The boxes with which pictures and movies begin.
  private static let boxesOfBeginnings = ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot"]

  static let unreadable = PHPhotosError(
    .invalidResource, picking: "its place and its texts can't be removed, since the file is damaged")

  func bytes(_ offset: Int, _ count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= byteCount, count <= byteCount - offset else { throw Self.unreadable }
    let bytes = try read(offset..<offset + count)
    guard bytes.count == count else { throw Self.unreadable }
    return bytes
  }

  mutating func patch(_ offset: Int, _ bytes: [UInt8]) {
    patches.append(Patch(range: offset..<offset + bytes.count, content: bytes))
  }

  /// Leaves out what follows an offset.
  mutating func endCopy(at offset: Int) { byteCount = min(byteCount, offset) }

  /// Fills a range with zeros.
  mutating func clear(_ range: Range<Int>) { patches.append(Patch(range: range, content: nil)) }

  /// Returns a piece of the copy, made of the same piece of the file.
  func applied(to piece: Data, at start: Int) -> Data {
    var piece = piece
    let range = start..<start + piece.count
    for patch in patches[firstPatch(behind: start)...] {
      let common = range.clamped(to: patch.range)
      guard !common.isEmpty else { break }
      let first = piece.startIndex + common.lowerBound - start
      piece.replaceSubrange(first..<first + common.count, with: patch.bytes(in: common))
    }
    return piece
  }

  /// Returns the index of the first patch that ends behind an offset.
  private func firstPatch(behind offset: Int) -> Int {
    var (low, high) = (0, patches.count)
    while low < high {
      let middle = (low + high) / 2
      if patches[middle].range.upperBound > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }

  // MARK: JPEG

  private mutating func findInJPEG() throws {
    var hasScan = false
    for marker in JPEGMarkers(try picture()) {
      // Between headers, other programs may find metadata in what this one takes for other bytes.
      guard marker.strayByteCount == 0, marker.isWhole || hasScan else { throw Self.unreadable }
      if marker.code == JPEGMarker.endOfImage {
        byteCount = marker.end
        return
      }
      guard marker.isWhole, let content = marker.content.bytes(0, marker.content.count) else { continue }
      findInSegment(marker.code, content, at: marker.offset)
      if marker.code == JPEGMarker.startOfScan { hasScan = true }
    }
    // A picture without an end is still shown.
    guard hasScan else { throw Self.unreadable }
  }

  /// Returns the whole file.
  private func picture() throws -> ByteReader {
    guard byteCount <= Self.largestPicture else { throw Self.unreadable }
    return MediaBytes(try bytes(0, byteCount)).all
  }

  private mutating func findInSegment(_ marker: Int, _ content: [UInt8], at offset: Int) {
    switch marker {
    case 0xE1 where content.starts(with: Array("Exif\0".utf8)) && content.count > 6:
      if let cleared = ClearedTIFF(Array(content[6...]), options) {
        patch(offset + 10, cleared.bytes)
      } else {
        removeSegment(of: content.count, at: offset)
      }
    case 0xE1, 0xED, JPEGMarker.comment: removeSegment(of: content.count, at: offset)
    case 0xE2 where content.starts(with: Array("MPF\0".utf8)): removeSegment(of: content.count, at: offset)
    default: break
    }
  }

  /// Turns a segment into one with the marker APP15, which no program uses.
  private mutating func removeSegment(of count: Int, at offset: Int) {
    patch(offset + 1, [0xEF])
    patch(offset + 4, [UInt8](repeating: 0, count: count))
  }

  // MARK: PNG

  private mutating func findInPNG() throws {
    var end = 8
    for chunk in PNGChunks(try picture()) {
      end = chunk.end
      guard end <= byteCount else { throw Self.unreadable }
      switch chunk.type {
      case "eXIf":
        if let cleared = ClearedTIFF(try bytes(chunk.offset + 8, chunk.byteCount), options) {
          patch(chunk.offset, PNGChunks.chunk("eXIf", cleared.bytes))
        } else {
          remove(chunk)
        }
      // A compressed chunk can't be cleared in its place.
      case "zxIf": remove(chunk)
      case "tEXt", "zTXt", "iTXt":
        let beginning = try bytes(chunk.offset + 8, min(chunk.byteCount, 80))
        if isRemoved(String(decoding: beginning.prefix { $0 != 0 }, as: UTF8.self)) { remove(chunk) }
      case "IEND":
        byteCount = end
        return
      default: break
      }
    }
    // A picture without an end is still shown.
    guard end >= byteCount else { throw Self.unreadable }
  }

  /// Makes a chunk one that programs skip.
  private mutating func remove(_ chunk: PNGChunks.Chunk) {
    patch(chunk.offset, PNGChunks.chunk("prVt", [UInt8](repeating: 0, count: chunk.byteCount)))
  }

  private func isRemoved(_ keyword: String) -> Bool {
    if keyword == "XML:com.adobe.xmp" || keyword.hasPrefix("Raw profile type") { return true }
    return options.contains(.removeCaptions) && !["Software", "Creation Time", "create-date"].contains(keyword)
  }
}
