import Foundation

/// The boxes that makers of cameras write into a movie beside those of the standard.
extension ParsedValues {
  /// The clock that a camera copies into the times of a movie's headers.
  struct CameraClock {
    /// Seconds east of UTC, if the movie contains them.
    var offset: Int?
  }

  /// Reads the parts of a movie that belong to a maker. Returns a clock if this maker writes local
  /// time into the headers, nil if they are in UTC.
  ///
  /// QuickTime and MP4 demand UTC, but GoPro, Nikon, Canon and older cameras write local time.
  mutating func readMakers(_ movie: QuickTimeMovie) -> CameraClock? {
    var clock: CameraClock?
    // The oldest GoPros only name their tracks.
    if movie.tracks.contains(where: \.isGoPro) {
      camera.make = camera.make ?? "GoPro"
      clock = CameraClock()
    }
    for box in movie.makerBoxes {
      switch box.type {
      case "FIRM", "CAME", "GPMF", "GoPr", "HMMT":
        camera.make = camera.make ?? "GoPro"
        clock = clock ?? CameraClock()
        if box.type == "GPMF" { readGoPro(box.content, &clock) }
      case "NCDT":
        clock = clock ?? CameraClock()
        if let tags = box.content.box("NCTG") { readNikon(tags, &clock) }
      case "CNCV", "CNMN", "CNFV":
        camera.make = camera.make ?? "Canon"
        if box.type == "CNMN" { camera.model = camera.model ?? box.content.text(limit: Camera.textLimit) }
        clock = clock ?? CameraClock()
      case "CNTH":
        clock = clock ?? CameraClock()
        if let picture = box.content.box("CNDA"), picture.u16(0) == 0xFFD8 {
          readMakersEXIF { $0.readJPEGSegments(picture) }
        }
      case "CMT1", "CMT2", "CMT4": readCanonDirectory(box)
      case "MVTG": readFujifilm(box.content)
      case "PANA", "LEIC": readPanasonic(box.content)
      case "RMKN": readMakersEXIF { $0.readEXIF(box.content) }
      case "QVMI": readCasio(box.content)
      case "PENT": readPentax(box.content, &clock)
      case "PXMN", "PXTH":
        camera.make = camera.make ?? "PENTAX"
        clock = clock ?? CameraClock()
      case "DcMD":
        camera.make = camera.make ?? "EASTMAN KODAK COMPANY"
        clock = clock ?? CameraClock()
      case "FFMV":
        camera.make = camera.make ?? "FUJIFILM"
        clock = clock ?? CameraClock()
      // This box contains the length of a JPEG, and then the JPEG.
      case "scrn" where box.content.u16(4) == 0xFFD8:
        camera.make = camera.make ?? "OLYMPUS"
        clock = clock ?? CameraClock()
      case "TAGS":
        guard let maker = Self.digitalCamera(box.content) else { continue }
        camera.make = camera.make ?? maker
        clock = clock ?? CameraClock()
      default: break
      }
    }
    return clock
  }

  /// Keeps the dates, the camera and the place of EXIF inside a movie. The rest of it describes a
  /// still picture stored with the movie.
  private mutating func readMakersEXIF(_ read: (inout ParsedValues) -> Void) {
    var found = ParsedValues()
    read(&found)
    dates += found.dates
    gpsInstant = gpsInstant ?? found.gpsInstant
    location = location ?? found.location
    camera.make = found.camera.make ?? camera.make
    camera.model = found.camera.model ?? camera.model
    camera.lens = camera.lens ?? found.camera.lens
  }

  /// Reads Nikon's list: each entry has a number, a type and a count as in EXIF, and its value.
  private mutating func readNikon(_ tags: ByteReader, _ clock: inout CameraClock?) {
    var (original, created): (String?, String?)
    var (latitude, longitude): (Double?, Double?)
    var (isSouth, isWest) = (false, false)
    var worldTime: Int?
    var position = 0
    for _ in 0..<500 {
      guard let tag = tags.u32(position), let type = tags.u16(position + 4), let count = tags.u16(position + 6),
        let value = tags.slice(position + 8, count * TIFFDirectory.byteCount(ofType: type))
      else { break }
      switch tag {
      case 0x01: camera.make = value.text() ?? camera.make
      case 0x02: camera.model = value.text() ?? camera.model
      case 0x11: created = value.text()
      case 0x12: original = value.text()
      // Minutes east of UTC, as a signed number.
      case 0x19 where (type == 3 || type == 8) && count == 1:
        clock?.offset = value.u16(0).map { Int(Int16(truncatingIfNeeded: $0)) * 60 }
      // The zone without summer time, and whether summer time applies.
      case 0x200_0024:
        let summerTime = value.u8(2) == 1 ? 3600 : 0
        worldTime = value.u16(0).map { Int(Int16(truncatingIfNeeded: $0)) * 60 + summerTime }
      case 0x120_0001: isSouth = value.text()?.lowercased().hasPrefix("s") == true
      case 0x120_0002 where type == 5: latitude = Self.degrees(value)
      case 0x120_0003: isWest = value.text()?.lowercased().hasPrefix("w") == true
      case 0x120_0004 where type == 5: longitude = Self.degrees(value)
      default: break
      }
      position += 8 + value.count
    }
    if clock?.offset == nil { clock?.offset = worldTime }
    if clock?.offset.map({ abs($0) > 16 * 3600 }) == true { clock?.offset = nil }
    if let text = original ?? created { addDate(.original, text, offset: clock?.offset) }
    if let latitude, let longitude { setPosition(isSouth ? -latitude : latitude, isWest ? -longitude : longitude) }
  }

  /// Returns an angle in degrees from three fractions: degrees, minutes, seconds.
  private static func degrees(_ value: ByteReader) -> Double? {
    let parts = (0..<3).compactMap { index -> Double? in
      guard let numerator = value.u32(8 * index), let denominator = value.u32(8 * index + 4), denominator > 0 else {
        return nil
      }
      return Double(numerator) / Double(denominator)
    }
    return parts.count == 3 ? parts[0] + parts[1] / 60 + parts[2] / 3600 : nil
  }

  /// Reads a box of a Canon movie: a TIFF with the main, the EXIF or the GPS directory.
  private mutating func readCanonDirectory(_ box: Box) {
    guard let tiff = TIFFReader(box.content), let directory = tiff.directory(at: tiff.firstDirectory) else { return }
    readMakersEXIF { values in
      switch box.type {
      case "CMT1": values.readMain(directory)
      case "CMT2": values.readCapture(directory)
      default: values.readGPS(directory)
      }
    }
  }

  /// Reads GoPro's settings: four letters, a type, the size of a value, their number, and values
  /// that end at a multiple of four bytes. The type 0 is a list of the same kind.
  private mutating func readGoPro(_ settings: ByteReader, _ clock: inout CameraClock?, depth: Int = 0) {
    var position = 0
    for _ in 0..<500 {
      guard let key = settings.fourCC(position), let type = settings.u8(position + 4),
        let size = settings.u8(position + 5), let count = settings.u16(position + 6),
        let value = settings.slice(position + 8, size * count)
      else { return }
      if type == 0, depth < 4 { readGoPro(value, &clock, depth: depth + 1) }
      switch key {
      case "MINF": camera.model = camera.model ?? value.text(limit: Camera.textLimit)
      // Minutes east of UTC, as a signed number.
      case "TZON":
        let minutes = value.u16(0).map { Int(Int16(truncatingIfNeeded: $0)) }
        if let minutes, abs(minutes) <= 16 * 60 { clock?.offset = minutes * 60 }
      default: break
      }
      position += 8 + (size * count + 3) / 4 * 4
    }
  }

  /// Reads Fujifilm's EXIF directory, which has no header.
  private mutating func readFujifilm(_ content: ByteReader) {
    guard var directory = content.slice(16) else { return }
    directory.order = .little
    let tiff = TIFFReader(directory, firstDirectory: 0)
    if let main = tiff.directory(at: 0) { readMakersEXIF { $0.readEXIF(main: main, in: tiff) } }
  }

  /// Reads Casio's EXIF directory, which has no header.
  private mutating func readCasio(_ content: ByteReader) {
    let tiff = TIFFReader(content, firstDirectory: 10)
    if let main = tiff.directory(at: 10) { readMakersEXIF { $0.readEXIF(main: main, in: tiff) } }
  }

  /// Reads the texts at fixed offsets that Pentax's Optio writes.
  private mutating func readPentax(_ content: ByteReader, _ clock: inout CameraClock?) {
    camera.make = camera.make ?? content.text(0, 24)
    camera.model = camera.model ?? content.text(0x1A, 24)
    if let text = content.text(0x71, 24) { addDate(.original, text) }
    clock = clock ?? CameraClock()
  }

  /// Reads the EXIF block that newer cameras of Panasonic and Leica have among their data.
  private mutating func readPanasonic(_ content: ByteReader) {
    guard let head = content.bytes(0, min(content.count, 64 << 10)), let start = head.firstIndex(of: "Exif\0\0II"),
      let exif = content.slice(start + 6)
    else { return }
    readMakersEXIF { $0.readEXIF(exif) }
  }

  /// Returns the maker that an older camera names at the beginning of its box:
  /// `NIKON DIGITAL CAMERA`. Some of Olympus have a box of theirs in it.
  private static func digitalCamera(_ content: ByteReader) -> String? {
    if content.starts(with: "OLYM\0", at: 16) { return "OLYMPUS" }
    guard let name = content.text(0, min(content.count, 40)) else { return nil }
    if name.hasPrefix("EASTMAN KODAK COMPANY") { return "EASTMAN KODAK COMPANY" }
    return name.hasSuffix(" DIGITAL CAMERA") ? String(name.dropLast(" DIGITAL CAMERA".count)) : nil
  }

  /// Reads the XML that Sony's XAVC and XDCAM movies have after their picture. Its date has the
  /// camera's zone.
  mutating func readSonyXML(_ meta: ByteReader) {
    guard let box = meta.box("xml ", from: meta.metaHeaderByteCount), box.count <= XMP.byteLimit,
      let content = box.bytes(4, max(0, box.count - 4)), content.contains("<NonRealTimeMeta")
    else { return }
    // Line breaks may separate attributes.
    let bytes = content.map { max($0, UInt8(ascii: " ")) }
    if let text = Self.attribute("value", ofElement: "CreationDate", in: bytes) { addDate(.quickTime, text) }
    camera.make = camera.make ?? Self.attribute("manufacturer", ofElement: "Device", in: bytes)
    camera.model = camera.model ?? Self.attribute("modelName", ofElement: "Device", in: bytes)
    camera.lens = camera.lens ?? Self.attribute("modelName", ofElement: "Lens", in: bytes)
  }

  private static func attribute(_ name: String, ofElement element: String, in bytes: [UInt8]) -> String? {
    guard let start = bytes.firstIndex(of: "<\(element) "), let end = bytes[start...].firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    let tag = Array(bytes[start..<end])
    guard let found = tag.firstIndex(of: " \(name)=") else { return nil }
    let value = tag[(found + name.utf8.count + 2)...]
    guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    return trimmedText(Array(value.dropFirst().prefix { $0 != quote }))
  }
}
