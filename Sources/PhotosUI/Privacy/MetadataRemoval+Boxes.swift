/// Pictures and movies that consist of boxes: HEIC, AVIF, MP4 and QuickTime.
extension MetadataRemoval {
  struct Box {
    var type: String
    var range: Range<Int>
    var content: Range<Int>
  }

  private static let mostBoxes = 100_000
  private static let deepest = 8
  /// The largest box of tables that is read at once.
  static let largestTable = 64 << 20
  private static let containers: Set<String> = ["moov", "trak", "udta", "moof", "traf", "mpvd"]
  /// The boxes with a place: ISO 6709, 3GP's, and those of cameras with a receiver. Canon, Nikon,
  /// Fujifilm, Panasonic and Leica have a place among other values.
  private static let places: Set<String> = [
    "©xyz", "@xyz", "loci", "GPMF", "gps ", "CNTH", "CMT4", "NCDT", "MVTG", "PANA", "LEIC",
  ]
  private static let texts: Set<String> = [
    "©nam", "©cmt", "©des", "©inf", "©key", "desc", "ldes", "titl", "dscp", "kywd",
  ]
  /// XMP, and the XML of Sony's cameras.
  private static let packets: Set<String> = ["XMP_", "xml "]
  private static let uuidOfXMP: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
  /// The boxes that may end a picture's file.
  private static let pictureBoxTypes: Set<String> = [
    "meta", "mdat", "moov", "moof", "mpvd", "idat", "free", "skip", "wide", "uuid",
  ]
  private static let canonUUID: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]

  func isRemoved(type: String) -> Bool {
    Self.packets.contains(type) || options.contains(.removeLocation) && Self.places.contains(type)
      || options.contains(.removeCaptions) && Self.texts.contains(type)
  }

  /// Returns the boxes in a range. For a whole file that is a picture or a sequence of pictures,
  /// returns only the boxes up to its end.
  func boxes(in range: Range<Int>, ofFile: Bool = false) throws -> [Box] {
    var boxes: [Box] = []
    var (hasItems, hasIndex) = (false, false)
    var at = range.lowerBound
    // User data may end with four zeros.
    while range.upperBound - at >= 8, boxes.count < Self.mostBoxes {
      let head = try bytes(at, 8)
      var size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
      var headCount = 8
      if size == 1 {
        let large = try bytes(at + 8, 8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        size = Int(clamping: large)
        headCount = 16
      } else if size == 0 {
        size = range.upperBound - at
      }
      let type = String(String.UnicodeScalarView(head[4...].map { Unicode.Scalar($0) }))
      let isBox = head[4] > 0x20 && head[5...].allSatisfy { $0 >= 0x20 }
      let isUnknown = !Self.pictureBoxTypes.contains(type) && (size < headCount || size >= range.upperBound - at)
      let isPicture = hasBrandOfPicture ? hasItems || hasIndex : hasItems && !hasIndex
      if ofFile, isPicture, !isBox || isUnknown || type == "ftyp" { break }
      guard size >= headCount, size <= range.upperBound - at else { throw Self.unreadable }
      if type == "meta" { hasItems = true }
      if type == "moov" { hasIndex = true }
      boxes.append(Box(type: type, range: at..<at + size, content: at + headCount..<at + size))
      at += size
    }
    return boxes
  }

  /// Ends the copy of a picture with its data, if its last box has no size. Such a box reaches to
  /// the end of the file, and contains whatever follows the picture.
  private mutating func endOpenBox(_ found: [Box]) throws {
    guard hasBrandOfPicture, let last = found.last, last.type == "mdat",
      try bytes(last.range.lowerBound, 4) == [0, 0, 0, 0]
    else { return }
    var end = last.content.lowerBound
    for box in found {
      switch box.type {
      case "meta":
        guard let locations = try itemLocations(in: boxes(inMeta: box.content)) else { continue }
        guard !locations.hasOpenExtent else { throw Self.unreadable }
        end = locations.extents.values.joined().reduce(end) { max($0, $1.upperBound) }
      case "moov":
        for track in try boxes(in: box.content) where track.type == "trak" {
          end = try chunks(of: track).reduce(end) { max($0, $1.upperBound) }
        }
      // The samples of fragments are not read.
      case "moof": throw Self.unreadable
      default: break
      }
    }
    endCopy(at: end)
  }

  mutating func findInBoxes(_ range: Range<Int>, depth: Int = 0) throws {
    let found = try boxes(in: range, ofFile: depth == 0)
    // A file without an index is cut short.
    guard depth < Self.deepest, depth > 0 || found.contains(where: { $0.type == "moov" || $0.type == "meta" }) else {
      throw Self.unreadable
    }
    if depth == 0 {
      if let end = found.last?.range.upperBound, range.upperBound - end >= 8 { endCopy(at: end) }
      try endOpenBox(found)
    }
    for box in found {
      if box.type == "mvex" || box.type == "moof" { hasFragments = true }
      switch box.type {
      case "uuid" where box.content.count >= 16:
        let uuid = try bytes(box.content.lowerBound, 16)
        if uuid == Self.uuidOfXMP { remove(box) }
        if uuid == Self.canonUUID {
          let range = box.content.lowerBound + 16..<box.content.upperBound
          // A damaged Canon box is removed as a whole, since the movie plays without it.
          if (try? boxes(in: range)) == nil { remove(box) } else { try findInBoxes(range, depth: depth + 1) }
        }
      case "meta": try findInMeta(box.content)
      // A compressed index may contain a place.
      case "cmov": throw Self.unreadable
      case "trak" where try removeSamples(of: box):
        hasPrivateTrack = true
        remove(box)
      case let type where Self.containers.contains(type): try findInBoxes(box.content, depth: depth + 1)
      case let type where isRemoved(type: type): remove(box)
      default: break
      }
    }
    // A track's tables do not list the samples in fragments, so they can't be cleared.
    guard !hasFragments || !hasPrivateTrack else { throw Self.unreadable }
  }

  /// Renames a box to `free`, which programs skip, and fills its content with zeros.
  private mutating func remove(_ box: Box) {
    patch(box.range.lowerBound + 4, Array("free".utf8))
    clear(box.content)
  }

  // MARK: Tables of values

  private func boxes(inMeta content: Range<Int>) throws -> [Box] {
    guard content.count >= 8 else { return [] }
    guard content.count <= Self.largestTable else { throw Self.unreadable }
    // ISO's box begins with a version, QuickTime's does not.
    let isQuickTimes = try bytes(content.lowerBound + 4, 4) == Array("hdlr".utf8)
    return try boxes(in: content.lowerBound + (isQuickTimes ? 0 : 4)..<content.upperBound)
  }

  private mutating func findInMeta(_ content: Range<Int>) throws {
    let found = try boxes(inMeta: content)
    let names = try found.first { $0.type == "keys" }.map { try keys(in: $0.content) } ?? []
    for box in found where box.type == "ilst" {
      for value in try boxes(in: box.content) {
        let number = value.type.unicodeScalars.reduce(0) { $0 << 8 | Int($1.value) }
        let isNamed = names.indices.contains(number - 1)
        if isNamed ? isRemoved(key: names[number - 1]) : isRemoved(type: value.type) { remove(value) }
      }
    }
    for box in found where Self.packets.contains(box.type) { remove(box) }
    try findItems(in: found)
  }

  private func keys(in content: Range<Int>) throws -> [String] {
    guard content.count > 8 else { return [] }
    return try boxes(in: content.lowerBound + 8..<content.upperBound).map {
      String(decoding: try bytes($0.content.lowerBound, $0.content.count), as: UTF8.self).lowercased()
    }
  }

  func isRemoved(key: String) -> Bool {
    func names(_ words: String...) -> Bool { words.contains { key.hasSuffix("." + $0) } }
    return options.contains(.removeLocation) && (key.contains("location") || key.contains("gps"))
      || options.contains(.removeCaptions)
        && names("title", "displayname", "description", "comment", "keywords", "information", "caption")
  }

  // MARK: The items of a picture

  private func itemLocations(in meta: [Box]) throws -> ItemLocations? {
    guard let table = meta.first(where: { $0.type == "iloc" }) else { return nil }
    return try ItemLocations(
      try bytes(table.content.lowerBound, table.content.count),
      dataOffset: meta.first { $0.type == "idat" }?.content.lowerBound)
  }

  private mutating func findItems(in meta: [Box]) throws {
    guard let infos = meta.first(where: { $0.type == "iinf" }), let locations = try itemLocations(in: meta)
    else { return }
    let version = try bytes(infos.content.lowerBound, min(1, infos.content.count)).first ?? 0
    let start = infos.content.lowerBound + (version == 0 ? 6 : 8)
    guard start <= infos.content.upperBound else { throw Self.unreadable }
    for box in try boxes(in: start..<infos.content.upperBound) where box.type == "infe" && box.content.count >= 12 {
      let info = try bytes(box.content.lowerBound, box.content.count)
      let isLong = info[0] >= 3
      guard info[0] >= 2, info.count >= (isLong ? 14 : 12) else { continue }
      let id = info[4..<(isLong ? 8 : 6)].reduce(0) { $0 << 8 | Int($1) }
      let type = String(decoding: info[(isLong ? 10 : 8)...].prefix(4), as: UTF8.self)
      guard type == "Exif" || type == "mime" else { continue }
      guard let extents = locations.extents[id] else { throw Self.unreadable }
      if type == "Exif" {
        try clearEXIF(extents)
      } else {
        for extent in extents { try fill(extent, with: 0x20) }
      }
    }
  }

  private mutating func fill(_ extent: Range<Int>, with byte: UInt8) throws {
    // An extent without a length reaches to the end of the file, beyond the item.
    guard !extent.isEmpty, extent.upperBound <= byteCount else { throw Self.unreadable }
    patch(extent.lowerBound, [UInt8](repeating: byte, count: extent.count))
  }

  /// Clears EXIF after the four bytes with the offset of its TIFF header. EXIF that can't be read
  /// is removed.
  private mutating func clearEXIF(_ extents: [Range<Int>]) throws {
    if extents.count == 1, let extent = extents.first, extent.count > 4, extent.count <= Self.largestTable {
      let item = try bytes(extent.lowerBound, extent.count)
      let begin = 4 + item[..<4].reduce(0) { $0 << 8 | Int($1) }
      if begin < item.count, let cleared = ClearedTIFF(Array(item[begin...]), options) {
        return patch(extent.lowerBound + begin, cleared.bytes)
      }
    }
    for extent in extents { try fill(extent, with: 0) }
  }
}

/// The places of a picture's items in its file.
private struct ItemLocations {
  private(set) var extents: [Int: [Range<Int>]] = [:]
  /// Whether an extent has no length and reaches to the end of the file.
  private(set) var hasOpenExtent = false

  /// Reads the box `iloc`.
  init(_ table: [UInt8], dataOffset: Int?) throws {
    var at = 0
    func number(_ count: Int) throws -> Int {
      guard count <= 8, count <= table.count - at else { throw MetadataRemoval.unreadable }
      defer { at += count }
      return Int(clamping: table[at..<at + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    let version = try number(1)
    at += 3
    let sizes = try number(2)
    // Without sizes, the file could claim any number of extents.
    guard sizes >> 8 > 0 else { throw MetadataRemoval.unreadable }
    for _ in 0..<(try number(version < 2 ? 2 : 4)) {
      let id = try number(version < 2 ? 2 : 4)
      let method = version == 0 ? 0 : try number(2) & 15
      _ = try number(2)
      let base = try number(sizes >> 4 & 15)
      for _ in 0..<(try number(2)) {
        if version > 0 { _ = try number(sizes & 15) }
        let (offset, count) = (try number(sizes >> 12), try number(sizes >> 8 & 15))
        let start = (method == 1 ? dataOffset ?? 0 : 0).addingReportingOverflow(base)
        let begin = start.partialValue.addingReportingOverflow(offset)
        let end = begin.partialValue.addingReportingOverflow(count)
        guard method < 2 else { continue }
        guard !start.overflow, !begin.overflow, !end.overflow else { throw MetadataRemoval.unreadable }
        if method == 0, count == 0 { hasOpenExtent = true }
        extents[id, default: []].append(begin.partialValue..<end.partialValue)
      }
    }
  }
}
