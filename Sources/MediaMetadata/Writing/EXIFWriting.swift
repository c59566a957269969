import Foundation

/// A new EXIF block with camera, date and place, for a picture whose source has no EXIF that could
/// be carried over.
package struct EXIFWriting {
  package enum Value {
    /// An entry of another directory: the field contains the value or its offset.
    case kept(type: Int, count: Int, field: [UInt8])
    case short(Int)
    case long(Int)
    case text(String)
    case byte(Int)
    case version(String)
    case rationals([(Int, Int)])
  }

  private var main: [(Int, Value)] = []
  private var capture: [(Int, Value)] = []
  private var gps: [(Int, Value)] = []

  /// Returns nil if the metadata contains no date, camera or place.
  package init?(_ metadata: MediaMetadata, width: Int, height: Int) {
    add(metadata.camera)
    if !metadata.captureDate.source.isGuess { capture += Self.entries(of: metadata.captureDate) }
    if let location = metadata.location { gps = Self.entries(of: location) }
    guard !main.isEmpty || !capture.isEmpty || !gps.isEmpty else { return nil }
    main.append((0x0112, .short(1)))
    capture += [(0x9000, .version("0232")), (0xA002, .long(width)), (0xA003, .long(height))]
  }

  /// Creates a block with the directories' values; nil if there are none.
  package init?(main: [(Int, Value)], capture: [(Int, Value)], gps: [(Int, Value)]) {
    guard !main.isEmpty || !capture.isEmpty || !gps.isEmpty else { return nil }
    (self.main, self.capture, self.gps) = (main, capture, gps)
    if capture.isEmpty { self.capture = [(0x9000, .version("0232"))] }
  }

  private mutating func add(_ camera: Camera) {
    if let make = camera.make { main.append((0x010F, .text(make))) }
    if let model = camera.model { main.append((0x0110, .text(model))) }
    if let software = camera.software { main.append((0x0131, .text(software))) }
    if let lens = camera.lens { capture.append((0xA434, .text(lens))) }
    if let iso = camera.iso, iso <= 0xFFFF { capture.append((0x8827, .short(iso))) }
    if let time = camera.exposureTime { capture.append((0x829A, .rationals([Self.fraction(time)]))) }
    if let number = camera.fNumber { capture.append((0x829D, .rationals([Self.fraction(number)]))) }
    if let length = camera.focalLength { capture.append((0x920A, .rationals([Self.fraction(length)]))) }
  }

  package static func entries(of date: CaptureDate) -> [(Int, Value)] {
    var entries: [(Int, Value)] = [(0x9003, .text(date.exifText))]
    let milliseconds = date.localTime.milliseconds
    if milliseconds > 0 { entries.append((0x9291, .text(String(format: "%03d", milliseconds)))) }
    // A guessed offset is not written.
    if date.zoneSource != .machine { entries.append((0x9011, .text(date.exifOffset))) }
    return entries
  }

  package static func entries(of location: Location) -> [(Int, Value)] {
    var entries: [(Int, Value)] = [
      (0x0001, .text(location.latitude < 0 ? "S" : "N")), (0x0002, .rationals(Self.degrees(location.latitude))),
      (0x0003, .text(location.longitude < 0 ? "W" : "E")), (0x0004, .rationals(Self.degrees(location.longitude))),
    ]
    if let altitude = location.altitude, Location.altitudes.contains(altitude) {
      entries += [(0x0005, .byte(altitude < 0 ? 1 : 0)), (0x0006, .rationals([Self.fraction(abs(altitude))]))]
    }
    return entries
  }

  /// Converts to whole degrees, whole minutes, and seconds to a ten-thousandth.
  private static func degrees(_ value: Double) -> [(Int, Int)] {
    let unit = 10_000
    let all = Int((abs(value) * 3600 * Double(unit)).rounded())
    return [(all / unit / 3600, 1), (all / unit / 60 % 60, 1), (all % (60 * unit), unit)]
  }

  package static func fraction(_ value: Double) -> (Int, Int) {
    guard value.isFinite, value > 0 else { return (0, 1) }
    // EXIF's numbers have 32 bits.
    if value > 1e-9, value < 1, abs((1 / value).rounded() * value - 1) < 1e-4 { return (1, Int((1 / value).rounded())) }
    let unit = value < 1000 ? 1_000_000 : 1000
    return (Int((min(value, 4e6) * Double(unit)).rounded()), unit)
  }

  /// The block in big-endian order: the main directory, EXIF's and GPS's, each followed by its
  /// values.
  package var bytes: [UInt8] {
    var main = main
    main.append((0x8769, .long(0)))
    if !gps.isEmpty { main.append((0x8825, .long(0))) }
    let start = 8
    let captureStart = start + Self.directory(main, at: start).count
    let gpsStart = captureStart + Self.directory(capture, at: captureStart).count
    main = main.map { tag, value in
      switch tag {
      case 0x8769: (tag, .long(captureStart))
      case 0x8825: (tag, .long(gpsStart))
      default: (tag, value)
      }
    }
    return [0x4D, 0x4D, 0, 42] + UInt32(start).bigEndianBytes + Self.directory(main, at: start)
      + Self.directory(capture, at: captureStart) + (gps.isEmpty ? [] : Self.directory(gps, at: gpsStart))
  }

  /// Returns the bytes of a directory at offset `start`, followed by its values.
  package static func directory(
    _ entries: [(Int, Value)], at start: Int, _ order: ByteReader.Order = .big
  ) -> [UInt8] {
    var result = UInt16(entries.count).bytes(order)
    var values: [UInt8] = []
    let valuesStart = start + 2 + entries.count * 12 + 4
    for (tag, value) in entries.sorted(by: { $0.0 < $1.0 }) {
      let (type, count, data) = encoded(value, order)
      result += UInt16(tag).bytes(order) + UInt16(type).bytes(order) + UInt32(count).bytes(order)
      if data.count <= 4 {
        result += data + [UInt8](repeating: 0, count: 4 - data.count)
      } else {
        result += UInt32(valuesStart + values.count).bytes(order)
        values += data + (data.count % 2 == 1 ? [0] : [])
      }
    }
    return result + [0, 0, 0, 0] + values
  }

  private static func encoded(_ value: Value, _ order: ByteReader.Order) -> (type: Int, count: Int, [UInt8]) {
    switch value {
    case .kept(let type, let count, let field): return (type, count, field)
    case .byte(let number): return (1, 1, [UInt8(truncatingIfNeeded: number)])
    case .short(let number): return (3, 1, UInt16(truncatingIfNeeded: number).bytes(order))
    case .long(let number): return (4, 1, UInt32(truncatingIfNeeded: number).bytes(order))
    case .version(let letters): return (7, letters.utf8.count, Array(letters.utf8))
    case .text(let text): return (2, text.utf8.count + 1, Array(text.utf8) + [0])
    case .rationals(let fractions):
      return (
        5, fractions.count,
        fractions.flatMap {
          UInt32(truncatingIfNeeded: $0.0).bytes(order) + UInt32(truncatingIfNeeded: $0.1).bytes(order)
        }
      )
    }
  }
}

extension CaptureDate {
  /// The local time at the place in EXIF's form, without fractions: `2019:07:24 11:25:40`. Unknown
  /// parts are blank: `1985:06:     :  :  `.
  public var exifText: String {
    let time = localTime
    func text(_ number: Int, _ part: Precision) -> String { part <= precision ? String(format: "%02d", number) : "  " }
    return String(format: "%04d", time.year)
      + ":\(text(time.month, .month)):\(text(time.day, .day)) "
      + [time.hour, time.minute, time.second].map { text($0, .time) }.joined(separator: ":")
  }
}

extension FixedWidthInteger {
  package var bigEndianBytes: [UInt8] { bytes(.big) }

  package func bytes(_ order: ByteReader.Order) -> [UInt8] {
    withUnsafeBytes(of: order == .big ? bigEndian : littleEndian) { Array($0) }
  }
}
