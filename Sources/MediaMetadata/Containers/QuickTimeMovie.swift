import Foundation

/// The content of a `moov` box in QuickTime, MP4 and 3GP movies, and in animated HEIF.
struct QuickTimeMovie {
  struct Track {
    var number = 0
    var handler: FourCC?
    /// The track's name is one that GoPro's cameras write.
    var isGoPro = false
    var codec: FourCC?
    var isEnabled = true
    /// The numbers of the tracks that contain this track's chapters.
    var chapters: [Int] = []
    /// The combined turn of the matrices of the track and of the movie.
    fileprivate var turn = Turn()
    /// The size in the track's header, which is in square pixels.
    fileprivate var headerSize = (0, 0)
    fileprivate var storedSize = (0, 0)
    /// The width of a pixel divided by its height; 1 if the header's size already includes it.
    fileprivate var pixelShape = 1.0
    var duration: Double?
    var sampleCount = 0
    var isStereo = false
    var isCinematic = false
    /// The track marks the instant at which a Live Photo's still was taken.
    var marksStill = false
    /// The time before the track begins, in the movie's time units.
    var start = 0
    var creation: Int?
    var values: [String: String] = [:]

    var framesPerSecond: Double? {
      guard let duration, duration > 0 else { return nil }
      return Double(sampleCount) / duration
    }

    fileprivate var pictureStream: PictureStream {
      var stream = PictureStream()
      stream.isStill = sampleCount == 1
      stream.hasPhotoCodec = codec == "jpeg" || codec == "mjpa" || codec == "MJPG" || codec == "png "
      stream.isDefault = isEnabled
      stream.seconds = duration
      stream.pixelCount = storedSize.0 * storedSize.1
      return stream
    }

    /// The width and height in square pixels, exchanged if the matrices turn the picture by 90° or
    /// 270°.
    var displaySize: (Int, Int) {
      // Only the rotation counts. A matrix that also scales would give another size than the stored
      // one.
      let size = headerSize == (0, 0) || pixelShape != 1 ? storedSize : headerSize
      return PictureStream.shownSize(size.0, size.1, shape: pixelShape, isTurned: turn.isQuarter)
    }

    var isTurned: Bool { !turn.isIdentity }

    /// Whether the header's size differs from the stored one by more than a few cropped rows.
    fileprivate var hasHeaderOfOtherShape: Bool {
      let shape = Double(headerSize.0 * storedSize.1) / Double(headerSize.1 * storedSize.0)
      return !(0.98...1.02).contains(shape)
    }
  }

  private static let trackLimit = 64

  /// The duration in seconds; nil if the index does not contain it.
  var duration: Double?
  /// Whether some samples are in fragments, which the index does not describe.
  private(set) var isFragmented = false
  /// Seconds from 1904, in UTC.
  var creation: Int?
  private(set) var tracks: [Track] = []
  private var timeScale: Int?
  /// The values by QuickTime's key ("com.apple.quicktime.make") or by four letters ("©xyz").
  private(set) var values: [String: String] = [:]
  /// The position in a `loci` box.
  private(set) var position: (latitude: Double, longitude: Double, altitude: Double?)?
  private(set) var xmp: ByteReader?
  /// The boxes of user data that makers of cameras define.
  private(set) var makerBoxes: [Box] = []

  init(_ moov: ByteReader) {
    if let compressed = moov.box("cmov") {
      if let moov = Self.decompressed(compressed) { read(moov) }
    } else {
      read(moov)
    }
  }

  private mutating func read(_ moov: ByteReader) {
    // The movie's turn also applies to tracks that precede `mvhd`.
    let turn = moov.box("mvhd").flatMap { Turn($0, at: $0.u8(0) == 1 ? 48 : 36) } ?? Turn()
    for box in moov.boxes() {
      switch box.type {
      case "mvhd":
        let header = Self.header(box.content)
        (duration, creation) = (header.duration, header.creation)
        timeScale = Self.timeScale(box.content)
      case "trak": if tracks.count < Self.trackLimit { tracks.append(Self.track(box.content, turn)) }
      case "meta": values.merge(Self.metaValues(box.content)) { first, _ in first }
      case "udta": readUserData(box.content)
      case "uuid" where box.content.starts(withUUID: ParsedValues.canonUUID):
        makerBoxes += box.content.boxes(from: 16).prefix(50).filter { Self.isCanonBox($0.type) }
      case "mvex": isFragmented = true
      default: break
      }
    }
    guard isFragmented else { return }
    // The header of a fragmented movie has the length of the samples before the first fragment.
    // Only this box may contain the whole length.
    let length = moov.box("mvex")?.box("mehd").flatMap { $0.u8(0) == 1 ? $0.u64(4) : $0.u32(4) } ?? 0
    duration = timeScale.flatMap { length > 0 ? Double(length) / Double($0) : nil }
  }

  /// A limit in bytes that is above the index of a movie of a few hours. Programs compressed the
  /// indexes of short movies for slow networks.
  private static let decompressedLimit = 16 << 20

  /// Returns the index that a `cmov` box contains.
  private static func decompressed(_ cmov: ByteReader) -> ByteReader? {
    guard cmov.box("dcom")?.fourCC(0) == "zlib", let data = cmov.box("cmvd"), let byteCount = data.u32(0),
      (1...decompressedLimit).contains(byteCount), let bytes = data.bytes(4, data.count - 4),
      let index = Decompression.inflated(bytes, limit: byteCount)
    else { return nil }
    return MediaBytes(index, name: cmov.source.name).all.box("moov")
  }

  /// The track whose pictures are shown; nil if there is none.
  var mainPicture: Track? {
    // A track of chapters contains a thumbnail of each.
    let chapters = tracks.flatMap(\.chapters)
    let pictures = tracks.filter {
      $0.handler == "vide" && $0.displaySize.0 > 0 && !chapters.contains($0.number)
    }
    return PictureStream.mainIndex(of: pictures.map(\.pictureStream), movieSeconds: duration ?? 0).map { pictures[$0] }
  }

  /// The seconds from the movie's beginning to the instant of a Live Photo's still.
  var stillTime: Double? {
    guard let timeScale, let track = tracks.first(where: \.marksStill) else { return nil }
    let time = Double(track.start) / Double(timeScale)
    return time <= duration ?? 0 ? time : nil
  }

  // MARK: Tracks

  private static func track(_ trak: ByteReader, _ movieTurn: Turn) -> Track {
    var track = Track()
    let header = trak.box("tkhd")
    let isLong = header?.u8(0) == 1
    let matrixAt = isLong ? 52 : 40
    track.turn = (header.flatMap { Turn($0, at: matrixAt) } ?? Turn()).followed(by: movieTurn)
    for box in trak.boxes() {
      switch box.type {
      case "tkhd":
        track.isEnabled = (box.content.u24(1) ?? 1) & 1 == 1
        track.number = box.content.u32(isLong ? 20 : 12) ?? 0
        track.headerSize = headerSize(box.content, at: matrixAt + 36)
      case "tref":
        guard let list = box.content.box("chap") else { continue }
        track.chapters = (0..<min(list.count / 4, trackLimit)).compactMap { list.u32($0 * 4) }
      case "edts": track.start = initialEmptyEditLength(box.content)
      case "mdia": readMedia(box.content, into: &track)
      case "meta": track.values = metaValues(box.content)
      default: break
      }
    }
    return track
  }

  /// Returns the length of an edit list's initial empty edit, in the movie's time units.
  private static func initialEmptyEditLength(_ edts: ByteReader) -> Int {
    guard let list = edts.box("elst"), list.u32(4) ?? 0 > 0 else { return 0 }
    let isLong = list.u8(0) == 1
    // A media time of -1 marks an empty edit.
    guard let length = isLong ? list.u64(8) : list.u32(8), list.i32(isLong ? 16 : 12) == -1 else { return 0 }
    return length
  }

  private static func headerSize(_ tkhd: ByteReader, at offset: Int) -> (Int, Int) {
    guard let width = tkhd.u32(offset), let height = tkhd.u32(offset + 4) else { return (0, 0) }
    return (Int((Double(width) / 65_536).rounded()), Int((Double(height) / 65_536).rounded()))
  }

  private static func readMedia(_ mdia: ByteReader, into track: inout Track) {
    for box in mdia.boxes() {
      switch box.type {
      case "mdhd":
        let header = header(box.content)
        (track.duration, track.creation) = (header.duration, header.creation)
      case "hdlr":
        track.handler = box.content.fourCC(8)
        track.isGoPro = box.content.text(24)?.hasPrefix("GoPro ") == true
      case "minf":
        guard let table = box.content.box("stbl") else { continue }
        for box in table.boxes() {
          switch box.type {
          case "stsz", "stz2": track.sampleCount = box.content.u32(8) ?? 0
          case "stsd": readDescription(box.content, into: &track)
          default: break
          }
        }
      default: break
      }
    }
  }

  private static func readDescription(_ stsd: ByteReader, into track: inout Track) {
    guard let entry = stsd.boxes(from: 8).first(where: { _ in true }) else { return }
    track.codec = entry.type
    if track.handler == "vide" || track.handler == "pict" {
      if let width = entry.content.u16(24), let height = entry.content.u16(26) {
        track.storedSize = (width, height)
        if width > 0, height > 0 { readPixelShape(entry.content, into: &track) }
      }
      // Further boxes follow the 78 bytes of a picture's description.
      if let vexu = entry.content.box("vexu", from: 78) { track.isStereo = vexu.box("eyes") != nil }
    } else if entry.type == "mebx", let bytes = entry.content.bytes(0, min(4096, entry.content.count)) {
      track.isCinematic = bytes.contains("com.apple.quicktime.cinematic")
      track.marksStill = bytes.contains("com.apple.quicktime.still-image-time")
    }
  }

  private static func readPixelShape(_ entry: ByteReader, into track: inout Track) {
    if let shape = entry.box("pasp", from: 78) {
      guard let across = shape.u32(0), let down = shape.u32(4), across > 0, down > 0 else { return }
      track.pixelShape = Double(across) / Double(down)
      // `ffmpeg`, too, believes this box rather than the header.
      if across == down, track.hasHeaderOfOtherShape { track.headerSize = track.storedSize }
    } else if track.headerSize == (0, 0) || track.headerSize == track.storedSize,
      let h264 = entry.box("avcC", from: 78), let count = h264.u8(5), count & 0x1F > 0, let length = h264.u16(6),
      let parameters = h264.bytes(8, length)
    {
      // If the header has another size than the stored one, that size already includes the shape.
      track.pixelShape = CodedVideo.pixelShape(h264Parameters: parameters) ?? 1
    }
  }

  /// Reads the fields that `mvhd` and `mdhd` share.
  private static func header(_ content: ByteReader) -> (duration: Double?, creation: Int?) {
    let isLong = content.u8(0) == 1
    guard let scale = timeScale(content), let length = isLong ? content.u64(24) : content.u32(16),
      let creation = isLong ? content.u64(4) : content.u32(4)
    else { return (nil, nil) }
    let isUnknown = !isLong && length == 0xFFFF_FFFF
    return (isUnknown ? nil : Double(length) / Double(scale), creation)
  }

  private static func timeScale(_ content: ByteReader) -> Int? {
    (content.u8(0) == 1 ? content.u32(20) : content.u32(12)).flatMap { $0 > 0 ? $0 : nil }
  }

  // MARK: Values

  /// Reads a `meta` box with QuickTime's numbered keys or iTunes' four letters.
  private static func metaValues(_ meta: ByteReader) -> [String: String] {
    let start = meta.metaHeaderByteCount
    guard let list = meta.box("ilst", from: start) else { return [:] }
    let keys = meta.box("keys", from: start).map(keyNames) ?? []
    var values: [String: String] = [:]
    for item in list.boxes().prefix(500) {
      let number = Int(item.type.code)
      let key = number >= 1 && number <= keys.count ? keys[number - 1] : item.type.text
      guard let data = item.content.box("data"), let kind = data.u32(0), values[key] == nil else { continue }
      switch kind & 0xFFFFFF {
      case 1: values[key] = data.text(8, min(data.count - 8, TextCandidates.byteLimit), limit: TextCandidates.byteLimit)
      case 23:
        values[key] = data.u32(8).map { String(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
      case 21, 22, 65...67, 75...78: values[key] = data.number(8, min(7, max(1, data.count - 8))).map(String.init)
      default: break
      }
    }
    return values
  }

  private static func keyNames(_ keys: ByteReader) -> [String] {
    keys.boxes(from: 8).prefix(500).map { $0.content.text(limit: 256) ?? "" }
  }

  private mutating func readUserData(_ udta: ByteReader) {
    for box in udta.boxes().prefix(500) {
      switch box.type {
      case "meta": values.merge(Self.metaValues(box.content)) { first, _ in first }
      case "loci": position = position ?? Self.location(box.content)
      case "XMP_": xmp = box.content
      case "FIRM", "CAME", "GPMF", "GoPr", "HMMT", "NCDT", "MVTG", "PANA", "LEIC", "RMKN", "QVMI", "PENT", "PXMN",
        "PXTH", "DcMD", "TAGS", "FFMV", "scrn":
        makerBoxes.append(box)
      case let type where Self.isCanonBox(type): makerBoxes.append(box)
      case "date": values["date"] = values["date"] ?? box.content.text(limit: 64)
      // In 3GP's box, four bytes of version and flags precede the year.
      case "yrrc": values["yrrc"] = values["yrrc"] ?? box.content.u16(4).map(String.init)
      // Ricoh writes the sign @ instead of ©.
      case let type where type.code >> 24 == 0xA9 || ["@day", "@mak", "@mod", "@xyz"].contains(type):
        // A length and a language precede the text.
        if let length = box.content.u16(0), let text = box.content.text(4, min(length, max(0, box.content.count - 4))) {
          values[type.text] = values[type.text] ?? text
        }
      default: break
      }
    }
  }

  /// Returns whether a box is Canon's. Newer cameras store these boxes inside a `uuid` box, older
  /// ones in the user data.
  private static func isCanonBox(_ type: FourCC) -> Bool {
    ["CNCV", "CNMN", "CNFV", "CNTH", "CMT1", "CMT2", "CMT4"].contains(type)
  }

  /// Reads 3GP's position: after a name of any length, longitude, latitude and altitude as 16.16
  /// fixed-point numbers.
  private static func location(_ loci: ByteReader) -> (Double, Double, Double?)? {
    guard let text = loci.bytes(6, min(512, max(0, loci.count - 6))), let end = text.firstIndex(of: 0) else {
      return nil
    }
    // A name in UTF-16 ends with two zeros.
    let isWide = text.starts(with: [0xFE, 0xFF])
    let wideEnd = stride(from: 0, to: text.count - 1, by: 2).first { text[$0] == 0 && text[$0 + 1] == 0 }
    let start = 6 + (isWide ? (wideEnd ?? end) + 2 : end + 1) + 1
    guard let longitude = loci.i32(start), let latitude = loci.i32(start + 4) else { return nil }
    return (Double(latitude) / 65_536, Double(longitude) / 65_536, loci.i32(start + 8).map { Double($0) / 65_536 })
  }
}

/// The part of a matrix that turns and scales a picture. That of the movie is applied after that of
/// the track.
private struct Turn {
  private var a = 1.0, b = 0.0, c = 0.0, d = 1.0

  init() {}

  init?(_ box: ByteReader, at offset: Int) {
    // The third number of each row is for perspective.
    let numbers = [0, 4, 12, 16].compactMap { box.i32(offset + $0) }.map { Double($0) / 65_536 }
    guard numbers.count == 4 else { return nil }
    (a, b, c, d) = (numbers[0], numbers[1], numbers[2], numbers[3])
  }

  func followed(by next: Turn) -> Turn {
    var both = Turn()
    both.a = a * next.a + b * next.c
    both.b = a * next.b + b * next.d
    both.c = c * next.a + d * next.c
    both.d = c * next.b + d * next.d
    return both
  }

  var isIdentity: Bool { a == 1 && b == 0 && c == 0 && d == 1 }

  /// Whether the picture is turned by 90° or 270°.
  var isQuarter: Bool { abs(b) > abs(a) && abs(c) > abs(d) }
}
