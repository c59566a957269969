import Foundation

/// A sequence of the consecutive elements in a window of an EBML file (Matroska, WebM).
struct EBMLElements: Sequence, IteratorProtocol {
  private static let limit = 5000

  private let bytes: ByteReader
  private var position = 0
  private var count = 0

  init(_ bytes: ByteReader) { self.bytes = bytes }

  mutating func next() -> (id: Int, content: ByteReader)? {
    guard count < Self.limit, let id = variableNumber(keepsMarker: true),
      let length = variableNumber(keepsMarker: false),
      let content = bytes.slice(position, length ?? .max), let id
    else { return nil }
    count += 1
    position += content.count
    return (id, content)
  }

  /// Reads a number of variable length. The leading zeros of its first byte are the number of
  /// further bytes. If all bits of a length are 1, the length is unknown, and the inner value is
  /// nil.
  private mutating func variableNumber(keepsMarker: Bool) -> Int?? {
    guard let first = bytes.u8(position), first > 0 else { return nil }
    let length = UInt8(truncatingIfNeeded: first).leadingZeroBitCount + 1
    guard length <= (keepsMarker ? 4 : 8) else { return nil }
    let value: Int?
    if length == 8 {
      value = bytes.number(position + 1, 7)
    } else {
      value = bytes.number(position, length).map { keepsMarker ? $0 : $0 & (1 << (7 * length) - 1) }
    }
    guard let value else { return nil }
    position += length
    return .some(!keepsMarker && value == 1 << (7 * length) - 1 ? nil : value)
  }
}

extension ByteReader {
  var ebmlElements: EBMLElements { EBMLElements(self) }

  /// The value of an element that is one number.
  fileprivate var ebmlNumber: Int? { count == 8 ? u64(0) : number(0, count) }

  fileprivate var ebmlFloat: Double? {
    switch count {
    case 4: u32(0).map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
    case 8: u32(0).flatMap { high in u32(4).map { Double(bitPattern: UInt64(high) << 32 | UInt64($0)) } }
    default: nil
    }
  }
}

extension ParsedValues {
  /// The start of Matroska's clock, 2001, in seconds from 1970.
  private static let matroskaEpoch = 978_307_200.0

  private static let tagsType = 0x1254_C367

  /// Reads the segment of a Matroska or WebM file up to its first pictures. Its index may say that
  /// the tags are behind them.
  mutating func readMatroska(_ bytes: ByteReader) {
    formatRotates = true
    guard let segment = bytes.ebmlElements.first(where: { $0.id == 0x1853_8067 })?.content else {
      return note("The movie has no content.")
    }
    var (hasInfo, hasTracks) = (false, false)
    var tags: ByteReader?
    for (id, content) in segment.ebmlElements {
      if id == 0x1F43_B675, hasInfo, hasTracks { break }
      switch id {
      case 0x1549_A966:
        readSegmentInfo(content)
        hasInfo = true
      case 0x1654_AE6B:
        readTracks(content)
        hasTracks = true
      case 0x114D_9B74:
        let indexed = Self.placeOfTags(content).flatMap { segment.slice($0)?.ebmlElements.first { _ in true } }
        if let indexed, indexed.id == Self.tagsType { tags = indexed.content }
      case Self.tagsType: tags = content
      default: break
      }
    }
    if let tags { readTags(tags) }
    if storedWidth == 0 { note("The movie has no picture size.") }
  }

  private mutating func readSegmentInfo(_ info: ByteReader) {
    var (scale, length) = (1_000_000, 0.0)
    for (id, content) in info.ebmlElements.prefix(64) {
      switch id {
      case 0x2AD7B1: scale = content.ebmlNumber ?? scale
      case 0x4489: length = content.ebmlFloat ?? 0
      case 0x4461:
        // Nanoseconds, negative before 2001. No movie of this kind is that old.
        if let nanoseconds = content.ebmlNumber, nanoseconds > 0 {
          let instant = Date(timeIntervalSince1970: Self.matroskaEpoch + Double(nanoseconds) / 1e9)
          dates.append(DateCandidate(.container, .instant(instant)))
        }
      case 0x5741: camera.software = content.text(limit: 256)
      default: break
      }
    }
    let seconds = length * Double(scale) / 1e9
    if seconds.isFinite, seconds > 0 { duration = seconds }
  }

  /// Returns the offset of the tags in the segment by its index.
  private static func placeOfTags(_ index: ByteReader) -> Int? {
    for (_, entry) in index.ebmlElements.prefix(64) {
      let fields = entry.ebmlElements.prefix(8).map { ($0.id, $0.content.ebmlNumber) }
      if fields.contains(where: { $0 == (0x53AB, tagsType) }) { return fields.first { $0.0 == 0x53AC }?.1 }
    }
    return nil
  }

  /// Reads the instant at which the recording began, which may be partial.
  private mutating func readTags(_ tags: ByteReader) {
    for (_, tag) in tags.ebmlElements.prefix(64) {
      for (_, entry) in tag.ebmlElements.prefix(64) where isRecordingDate(entry) {
        let text = entry.ebmlElements.prefix(8).first { $0.id == 0x4487 }?.content.text(limit: 64)
        if let text { addDate(.original, text) }
      }
    }
  }

  private func isRecordingDate(_ entry: ByteReader) -> Bool {
    entry.ebmlElements.prefix(8).contains { $0.id == 0x45A3 && $0.content.text(limit: 64) == "DATE_RECORDED" }
  }

  /// Keeps the size of the main picture.
  private mutating func readTracks(_ tracks: ByteReader) {
    let pictures = Self.pictures(tracks)
    guard let main = PictureStream.mainIndex(of: pictures.map(\.stream), movieSeconds: 0) else { return }
    (storedWidth, storedHeight) = pictures[main].size
  }

  fileprivate static func pictures(_ tracks: ByteReader) -> [(stream: PictureStream, size: (Int, Int), isTurned: Bool)]
  {
    tracks.ebmlElements.prefix(64).filter { $0.id == 0xAE }.compactMap { picture($0.content) }
  }

  /// Returns nil for a track without a picture.
  private static func picture(_ entry: ByteReader) -> (stream: PictureStream, size: (Int, Int), isTurned: Bool)? {
    var stream = PictureStream()
    var video: ByteReader?
    for (id, content) in entry.ebmlElements.prefix(64) {
      switch id {
      case 0x86: stream.hasPhotoCodec = ["V_MJPEG", "V_PNG"].contains(content.text(limit: 64) ?? "")
      case 0x88: stream.isDefault = content.ebmlNumber != 0
      case 0xE0: video = video ?? content
      default: break
      }
    }
    guard let video else { return nil }
    var numbers: [Int: Int] = [:]
    var roll = 0.0
    for (id, content) in video.ebmlElements.prefix(64) {
      if let number = content.ebmlNumber { numbers[id] = number }
      if id == 0x7670 { roll = content.ebmlElements.prefix(16).first { $0.id == 0x7675 }?.content.ebmlFloat ?? 0 }
    }
    let (width, height) = (numbers[0xB0] ?? 0, numbers[0xBA] ?? 0)
    guard width > 0 else { return nil }
    stream.pixelCount = width.multipliedReportingOverflow(by: height).partialValue
    // The display size is in pixels, centimeters or inches, or is a ratio. In the unit 4, its
    // shape is unknown.
    var shape = 1.0
    if (0...3).contains(numbers[0x54B2] ?? 0), let across = numbers[0x54B0], let down = numbers[0x54BA], across > 0,
      down > 0, height > 0
    {
      shape = Double(height) * Double(across) / (Double(width) * Double(down))
    }
    let isTurned = abs(roll) == 90 || abs(roll) == 270
    return (stream, PictureStream.shownSize(width, height, shape: shape, isTurned: isTurned), roll != 0)
  }
}

extension ByteReader {
  /// The number of tracks with pictures in a Matroska or WebM file; nil if its tracks can't be
  /// found.
  var matroskaPictureCount: Int? { matroskaPictures?.count }

  /// Whether a Matroska or WebM file turns a picture; true if its tracks can't be found.
  var isMatroskaTurned: Bool { matroskaPictures?.contains(where: \.isTurned) ?? true }

  private var matroskaPictures: [(stream: PictureStream, size: (Int, Int), isTurned: Bool)]? {
    let segment = ebmlElements.first { $0.id == 0x1853_8067 }?.content
    let tracks = segment?.ebmlElements.first { $0.id == 0x1654_AE6B }?.content
    return tracks.map(ParsedValues.pictures)
  }
}
