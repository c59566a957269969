import Foundation

extension ParsedValues {
  /// Reads EXIF from its TIFF header on, as JPEG, PNG, WebP, HEIF and JPEG XL contain it.
  package mutating func readEXIF(_ bytes: ByteReader) {
    // Some PNG and WebP writers keep JPEG's "Exif\0\0" before the header.
    let start = bytes.starts(with: "Exif\0\0") ? 6 : 0
    let tiff = bytes.slice(start).flatMap { TIFFReader($0) }
    if let tiff, let main = tiff.directory(at: tiff.firstDirectory) {
      readEXIF(main: main, in: tiff)
    } else if tiff.flatMap({ $0.bytes.u16($0.firstDirectory) }) != 0 {
      // A program that removes all tags may leave an empty directory.
      note("The EXIF data is damaged.")
    }
  }

  /// Reads the main directory of an EXIF block or a TIFF, and its EXIF and GPS directories.
  package mutating func readEXIF(main: TIFFDirectory, in tiff: TIFFReader) {
    readMain(main)
    if let offset = main.int(0x8769) {
      if let exif = tiff.directory(at: offset) {
        readCapture(exif, beside: main)
      } else {
        note("The EXIF data is damaged.")
        readCapture(main)
      }
    } else {
      // Scanners, and RAW formats older than EXIF, write these tags into the main directory.
      readCapture(main)
    }
    if let gps = main.int(0x8825).flatMap({ tiff.directory(at: $0) }) { readGPS(gps) }
    if let text = main.text(0x0132) { addDate(.modification, text) }
  }

  package mutating func readMain(_ main: TIFFDirectory) {
    if let value = main.int(0x0112), (1...8).contains(value) { orientation = value }
    camera.make = camera.make ?? main.text(0x010F)
    camera.model = camera.model ?? main.text(0x0110)
    camera.software = camera.software ?? main.text(0x0131)
    readTexts(main)
  }

  /// Reads the EXIF directory. A missing date is read from the main directory, where some programs
  /// write it.
  package mutating func readCapture(_ exif: TIFFDirectory, beside main: TIFFDirectory? = nil) {
    func text(_ tag: Int) -> String? { exif.text(tag) ?? main?.text(tag) }
    func read(_ rank: DateCandidate.Rank, _ date: Int, fraction: Int, offset: Int) {
      guard let date = text(date) else { return }
      addDate(
        rank, date, fraction: text(fraction).map(DateText.fraction) ?? 0,
        offset: text(offset).flatMap(DateText.offset) ?? text(0x9010).flatMap(DateText.offset))
    }
    read(.original, 0x9003, fraction: 0x9291, offset: 0x9011)
    read(.digitized, 0x9004, fraction: 0x9292, offset: 0x9012)
    func positive(_ tag: Int) -> Double? { exif.rational(tag).flatMap { $0 > 0 ? $0 : nil } }
    // Some writers put maker and model into this directory, against the standard.
    camera.make = camera.make ?? exif.text(0x010F)
    camera.model = camera.model ?? exif.text(0x0110)
    camera.lens = camera.lens ?? exif.text(0xA434)
    camera.exposureTime = camera.exposureTime ?? positive(0x829A)
    camera.fNumber = camera.fNumber ?? positive(0x829D)
    camera.focalLength = camera.focalLength ?? positive(0x920A)
    // The value 65535 means that one of the 32-bit sensitivity tags has the number.
    let iso = exif.int(0x8827).flatMap { $0 == 65535 ? nil : $0 } ?? exif.int(0x8831) ?? exif.int(0x8833)
    camera.iso = camera.iso ?? iso.flatMap { $0 > 0 ? $0 : nil }
    // Eight bytes at the beginning of a UserComment name its encoding.
    if let comment = exif.window(0x9286)?.slice(8, 32)?.text(), comment == "Screenshot" { subtypes.insert(.screenshot) }
    if let note = exif.window(0x927C) { readAppleMakerNote(note) }
    if camera.make == "Apple", let rendered = exif.int(0xA401) { readCustomRendered(rendered) }
  }

  /// Reads the values that Apple's cameras write into EXIF's CustomRendered.
  private mutating func readCustomRendered(_ value: Int) {
    switch value {
    case 2, 3: subtypes.insert(.hdr)
    case 6: subtypes.insert(.panorama)
    case 7: subtypes.formUnion([.hdr, .depthEffect])
    case 8: subtypes.insert(.depthEffect)
    default: break
    }
  }

  package mutating func readGPS(_ gps: TIFFDirectory) {
    if let latitude = Self.degrees(gps, 0x0002), let longitude = Self.degrees(gps, 0x0004) {
      // Some programs write the letters small, the whole words, or a sign as well.
      let south = gps.text(0x0001)?.lowercased().hasPrefix("s") == true
      let west = gps.text(0x0003)?.lowercased().hasPrefix("w") == true
      let below = gps.int(0x0005) == 1
      let altitude = gps.rational(0x0006).map { below ? -$0 : $0 }
      setPosition(south ? -abs(latitude) : latitude, west ? -abs(longitude) : longitude, altitude: altitude)
    } else if gps[0x0002] != nil, gps[0x0004] != nil, gps[0x0002]?.count != 0 {
      // Zeros over zeros are blank fields; anything else is damaged.
      if gps.window(0x0002)?.isBlank != true { note("The position can't be read and was ignored.") }
      hasReadPosition = true
    }
    readGPSInstant(gps)
  }

  private mutating func readGPSInstant(_ gps: TIFFDirectory) {
    guard let text = gps.text(0x001D), let time = gps.rationals(0x0007), time.count == 3,
      time.allSatisfy({ $0 >= 0 && $0 < 86_400 }),
      case .date(let parts) = DateText(text), [.day, .time].contains(parts.precision)
    else { return }
    let day = parts.time
    guard let midnight = CivilTime(day.year, day.month, day.day, 0, 0, 0) else { return }
    let seconds = time[0] * 3600 + time[1] * 60 + time[2]
    // A receiver without a fix may count from GPS's epoch, in 1980.
    guard seconds < 86_401, day.year > 1980 else { return }
    let instant = Date(timeIntervalSince1970: midnight.secondsOnUTC + seconds)
    gpsInstant = instant
    dates.append(DateCandidate(.gps, .instant(instant)))
  }

  /// Reads degrees, minutes and seconds. Minutes and seconds may be missing.
  private static func degrees(_ gps: TIFFDirectory, _ tag: Int) -> Double? {
    guard let parts = gps.rationals(tag), !parts.isEmpty else {
      // Seconds of 0/0 are common and mean that there are none.
      return gps.rationals(tag, limit: 2).flatMap { $0.count == 2 ? $0[0] + $0[1] / 60 : nil }
    }
    return zip(parts, [1.0, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
  }
}

extension ByteReader {
  /// True if the first 64 bytes are zeros.
  fileprivate var isBlank: Bool { bytes(0, min(count, 64))?.allSatisfy { $0 == 0 } ?? true }
}
