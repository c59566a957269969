extension ParsedValues {
  /// The largest number of places that the search for a movie looks at.
  private static let candidateLimit = 100
  /// The largest number of places with the letters of a movie's first box. Most are not boxes.
  private static let letterLimit = 10_000

  /// Finds the movie behind a JPEG's picture: by Google's XMP, by Samsung's trailer, at the known
  /// end of one of several pictures, or by a search from an offset to the trailer.
  mutating func readMotionPhoto(_ bytes: ByteReader, xmp: XMP?, pictureEnds: [Int], searchingFrom start: Int) {
    if let xmp {
      if Self.isMarkedAsStill(xmp) { return }
      if let video = Self.googleVideo(bytes, xmp) { return keep(video) }
    }
    let blocks = Self.samsungBlocks(bytes)
    if let video = Self.samsungVideo(bytes, blocks) { return keep(video) }
    // The movie may be before a trailer that doesn't contain its offset. If a program wrote longer
    // headers, the movie has moved, and the offset in the trailer is wrong.
    let front = blocks.map(\.base).min().flatMap { bytes.slice(0, $0 - bytes.base) } ?? bytes
    // Most trailers are of photos without a movie. The last two bytes are enough for them.
    let isOrdinary =
      !blocks.isEmpty && !blocks.contains(where: Self.isOfMovie) && front.bytes(front.count - 2, 2) == [0xFF, 0xD9]
    if isOrdinary { return }
    let place = pictureEnds.first { front.fourCC($0 &+ 4) == "ftyp" }
    let isMarked = xmp.map { Self.flags($0).contains(true) } ?? false
    if place != nil || isMarked || !Self.endsWithJPEG(front),
      let video = Self.foundVideo(front, from: place ?? start)
    {
      keep(video)
    }
  }

  /// Whether the bytes end with the end of a JPEG's coded data, or with zeros behind it. Then a
  /// search, which reads the whole file, is not needed. The search would find a movie between
  /// two pictures, but phones describe such a movie in XMP or in an index of the pictures.
  ///
  /// A movie may end with the bytes of an end marker, too. In coded data, each 0xFF is followed by
  /// a zero or the code of a marker that belongs there. In a movie, it is followed by any byte.
  private static func endsWithJPEG(_ bytes: ByteReader) -> Bool {
    let byteCount = min(tailByteCount, bytes.count)
    guard var tail = bytes.bytes(bytes.count - byteCount, byteCount)?[...] else { return false }
    tail = tail[..<(tail.lastIndex { $0 != 0 }.map { $0 + 1 } ?? tail.startIndex)]
    guard tail.suffix(2).elementsEqual([0xFF, 0xD9]) else { return false }
    var stuffingCount = 0
    var last: UInt8 = 0
    for byte in tail.dropLast(2) {
      if last == 0xFF {
        if byte == 0 { stuffingCount += 1 }
        guard codesInCodedData.contains(byte) else { return false }
      }
      last = byte
    }
    return stuffingCount >= leastStuffingCount
  }

  /// The number of bytes at the end of a JPEG that are looked at. In most pictures, they contain
  /// about one pair of 0xFF and zero in 256.
  private static let tailByteCount = 16 << 10
  /// The least number of pairs of 0xFF and zero. A movie's tables may contain a few of them.
  private static let leastStuffingCount = 8
  /// The bytes that follow 0xFF in coded data and between its scans: stuffing, restarts, tables,
  /// scans, comments and fill bytes.
  private static let codesInCodedData: Set<UInt8> = Set([0, 0xC4, 0xDA, 0xDB, 0xDD, 0xFE, 0xFF]).union(0xD0...0xD7)

  /// Finds the movie of a HEIF file: in the box of the format, by Google's XMP, by Samsung's
  /// trailer, or by a search from the end of the picture's boxes on.
  mutating func readMotionPhoto(_ bytes: ByteReader, xmp: XMP?, boxed: ByteReader?, searchingFrom start: Int) {
    if let xmp, Self.isMarkedAsStill(xmp) { return }
    if let boxed, boxed.fourCC(4) == "ftyp" {
      keep(MotionVideo(offset: boxed.base, byteCount: boxed.count))
    } else if let video = xmp.flatMap({ Self.googleVideo(bytes, $0) }) ?? Self.samsungVideo(
      bytes, Self.samsungBlocks(bytes))
      ?? Self.foundVideo(bytes, from: start)
    {
      keep(video)
    }
  }

  /// Whether Google's flags say that the photo has no movie, even if one is there.
  private static func isMarkedAsStill(_ xmp: XMP) -> Bool {
    let flags = flags(xmp)
    return !flags.isEmpty && !flags.contains(true)
  }

  private static func flags(_ xmp: XMP) -> [Bool] { ["MotionPhoto", "MicroVideo"].compactMap { flag($0, xmp) } }

  /// Reads one of Google's flags. By Android's format for motion photos, undefined values mean 0.
  private static func flag(_ name: String, _ xmp: XMP) -> Bool? {
    xmp["GCamera:\(name)", "Camera:\(name)"].map { $0 == "1" || $0.lowercased() == "true" }
  }

  private mutating func keep(_ video: MotionVideo) {
    motionVideo = video
    subtypes.insert(.live)
  }

  /// Finds a movie by Google's XMP. Its lengths count back from the end of the file.
  private static func googleVideo(_ bytes: ByteReader, _ xmp: XMP) -> MotionVideo? {
    var candidates: [(start: Int, byteCount: Int)] = []
    if flag("MotionPhoto", xmp) == true,
      let index = xmp.items.firstIndex(where: { $0.semantic == "MotionPhoto" })
    {
      let item = xmp.items[index]
      let behind = xmp.items[(index + 1)...].prefix(16).reduce(0) { $0 &+ $1.byteCount &+ $1.padding }
      candidates.append((bytes.count &- behind &- item.byteCount &- item.padding, item.byteCount))
    }
    if flag("MicroVideo", xmp) == true,
      let length = xmp["GCamera:MicroVideoOffset", "Camera:MicroVideoOffset"].flatMap({ Int($0) })
    {
      candidates.append((bytes.count &- length, length))
    }
    for (start, byteCount) in candidates where start > 0 && byteCount > 8 && byteCount <= bytes.count - start {
      if bytes.fourCC(start + 4) == "ftyp" { return MotionVideo(offset: start, byteCount: byteCount) }
    }
    return nil
  }

  /// Returns the blocks of Samsung's trailer. The file ends with the directory "SEFH", its size and
  /// "SEFT". The offsets of blocks count back from the directory.
  private static func samsungBlocks(_ bytes: ByteReader) -> [ByteReader] {
    var bytes = bytes
    bytes.order = .little
    guard bytes.starts(with: "SEFT", at: bytes.count - 4), let size = bytes.u32(bytes.count - 8),
      size <= bytes.count - 8
    else { return [] }
    let directory = bytes.count - 8 - size
    guard bytes.starts(with: "SEFH", at: directory), let count = bytes.u32(directory + 8) else { return [] }
    var blocks: [ByteReader] = []
    for index in 0..<min(count, 100) {
      let entry = directory + 12 + index * 12
      guard let back = bytes.u32(entry + 4), let length = bytes.u32(entry + 8) else { break }
      if let block = bytes.slice(directory - back, length) { blocks.append(block) }
    }
    return blocks
  }

  private static func isOfMovie(_ block: ByteReader) -> Bool { block.starts(with: "MotionPhoto_Data", at: 8) }

  /// Finds a movie by the blocks of Samsung's trailer.
  private static func samsungVideo(_ bytes: ByteReader, _ blocks: [ByteReader]) -> MotionVideo? {
    for block in blocks where isOfMovie(block) {
      // The block contains its type, the length of its name, and its name.
      guard let content = block.u32(4).flatMap({ block.slice(8 + $0) }) else { continue }
      if content.starts(with: "mpv2") {
        if let placed = placedVideo(bytes, by: content) { return placed }
      } else if content.fourCC(4) == "ftyp" {
        return MotionVideo(offset: content.base, byteCount: content.count)
      }
    }
    return nil
  }

  /// Reads the offset and the size of a movie, which newer phones of Samsung write in place of the
  /// movie itself.
  private static func placedVideo(_ bytes: ByteReader, by content: ByteReader) -> MotionVideo? {
    var content = content
    content.order = .big
    guard let offset = content.u32(4), let byteCount = content.u32(8), offset > 0, byteCount > 8,
      offset <= bytes.count - byteCount, bytes.fourCC(offset + 4) == "ftyp"
    else { return nil }
    return MotionVideo(offset: offset, byteCount: byteCount)
  }

  /// Searches for a movie from an offset on; other bytes may precede it.
  private static func foundVideo(_ bytes: ByteReader, from start: Int) -> MotionVideo? {
    var position = start
    var candidateCount = 0
    for _ in 0..<letterLimit {
      guard let found = bytes.source.firstIndex(of: "ftyp", from: bytes.base + position),
        found < bytes.base + bytes.count
      else { return nil }
      let offset = found - 4 - bytes.base
      position = offset + 5
      guard offset >= start, let movie = bytes.slice(offset), hasSizeOfFirstBox(movie) else { continue }
      if isMovie(movie) { return MotionVideo(offset: offset, byteCount: byteCountBeforePicture(movie)) }
      candidateCount += 1
      if candidateCount == candidateLimit { return nil }
    }
    return nil
  }

  /// Returns the size of a movie, without a JPEG that may follow its boxes.
  private static func byteCountBeforePicture(_ movie: ByteReader) -> Int {
    let ends = movie.boxes().lazy.map { $0.content.base + $0.content.count - movie.base }
    return ends.first { movie.u16($0) == 0xFFD8 } ?? movie.count
  }

  private static func hasSizeOfFirstBox(_ bytes: ByteReader) -> Bool {
    bytes.u32(0).map { (16...1024).contains($0) && $0 % 4 == 0 } ?? false
  }

  /// Whether the bytes are a movie with an index, and not a picture or the letters `ftyp` by
  /// chance.
  private static func isMovie(_ bytes: ByteReader) -> Bool {
    guard bytes.box("moov") != nil, let format = FileFormat(bytes) else { return false }
    return MediaType(format, bytes)?.kind == .video
  }
}
