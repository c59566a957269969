package import Imaging

// Converts a file's properties to ImageIO's dictionaries, and back.

/// Returns a file's metadata under ImageIO's keys. Sizes are as stored, before the orientation is
/// applied.
///
/// The values of `metadata` come first, since some texts are only in XMP. Values of EXIF and IPTC
/// replace them.
package func imageProperties(of metadata: MediaMetadata, _ properties: PictureProperties) -> [String: Any] {
  let isTurned = metadata.orientation >= 5
  var result: [String: Any] = [
    kCGImagePropertyPixelWidth: isTurned ? metadata.pixelHeight : metadata.pixelWidth,
    kCGImagePropertyPixelHeight: isTurned ? metadata.pixelWidth : metadata.pixelHeight,
    kCGImagePropertyOrientation: metadata.orientation,
  ]
  func add(_ key: String, known: [String: Any?], written: [String: Any]) {
    var values = known.compactMapValues { $0 }.merging(written) { $1 }
    // In formats that turn the picture themselves, EXIF's orientation would turn it a second time.
    if key == kCGImagePropertyTIFFDictionary { values[kCGImagePropertyTIFFOrientation] = metadata.orientation }
    if !values.isEmpty { result[key] = values }
  }
  add(kCGImagePropertyTIFFDictionary, known: metadata.tiffValues, written: properties.dictionary(.tiff))
  add(kCGImagePropertyExifDictionary, known: metadata.exifValues, written: properties.dictionary(.exif))
  add(kCGImagePropertyGPSDictionary, known: metadata.gpsValues, written: properties.dictionary(.gps))
  add(kCGImagePropertyIPTCDictionary, known: metadata.iptcValues, written: properties.dictionary(.iptc))
  add(kCGImagePropertyMakerAppleDictionary, known: [:], written: properties.dictionary(.apple))
  add(kCGImagePropertyJFIFDictionary, known: [:], written: properties.dictionary(.jfif))
  add(kCGImagePropertyPNGDictionary, known: [:], written: properties.dictionary(.png))
  if let (across, down) = properties.density {
    result[kCGImagePropertyDPIWidth] = across
    result[kCGImagePropertyDPIHeight] = down
  }
  result[kCGImagePropertyProfileName] = properties.profileName
  if properties.depth > 0 {
    result[kCGImagePropertyDepth] = properties.depth
    result[kCGImagePropertyHasAlpha] = properties.hasAlpha
  }
  switch properties.colorCount {
  case 1: result[kCGImagePropertyColorModel] = kCGImagePropertyColorModelGray
  case 3: result[kCGImagePropertyColorModel] = kCGImagePropertyColorModelRGB
  case 4: result[kCGImagePropertyColorModel] = kCGImagePropertyColorModelCMYK
  default: break
  }
  return result
}

extension MediaMetadata {
  fileprivate var tiffValues: [String: Any?] {
    [
      kCGImagePropertyTIFFMake: camera.make, kCGImagePropertyTIFFModel: camera.model,
      kCGImagePropertyTIFFSoftware: camera.software,
    ]
  }

  fileprivate var exifValues: [String: Any?] {
    let date = captureDate.source.isGuess ? nil : captureDate
    return [
      kCGImagePropertyExifDateTimeOriginal: date?.exifText,
      kCGImagePropertyExifOffsetTimeOriginal: date.flatMap { $0.zoneSource == .machine ? nil : $0.exifOffset },
      kCGImagePropertyExifExposureTime: camera.exposureTime, kCGImagePropertyExifFNumber: camera.fNumber,
      kCGImagePropertyExifISOSpeedRatings: camera.iso.map { [$0] },
      kCGImagePropertyExifFocalLength: camera.focalLength, kCGImagePropertyExifLensModel: camera.lens,
    ]
  }

  fileprivate var gpsValues: [String: Any?] {
    guard let location else { return [:] }
    return [
      kCGImagePropertyGPSLatitude: abs(location.latitude),
      kCGImagePropertyGPSLatitudeRef: location.latitude < 0 ? "S" : "N",
      kCGImagePropertyGPSLongitude: abs(location.longitude),
      kCGImagePropertyGPSLongitudeRef: location.longitude < 0 ? "W" : "E",
      kCGImagePropertyGPSAltitude: location.altitude.map(abs),
      kCGImagePropertyGPSAltitudeRef: location.altitude.map { $0 < 0 ? 1 : 0 },
    ]
  }

  fileprivate var iptcValues: [String: Any?] {
    [
      kCGImagePropertyIPTCObjectName: title, kCGImagePropertyIPTCCaptionAbstract: caption,
      kCGImagePropertyIPTCKeywords: keywords.isEmpty ? nil : keywords,
      kCGImagePropertyIPTCStarRating: rating == 0 ? nil : rating,
    ]
  }
}

// MARK: - Reading

extension PictureProperties {
  fileprivate func dictionary(_ group: Group) -> [String: Any] {
    var result: [String: Any] = [:]
    for entry in entries where entry.group == group {
      guard let key = Self.key(group, entry.number), let value = Self.value(of: entry) else { continue }
      if group == .iptc, Self.repeatedFields.contains(entry.number), let text = value as? String {
        result[key] = (result[key] as? [String] ?? []) + [text]
      } else if result[key] == nil {
        result[key] = value
      }
    }
    return result
  }

  private static func key(_ group: Group, _ number: Int) -> String? {
    switch group {
    case .apple: "\(number)"
    default: keys(group)[number]
    }
  }

  fileprivate static func keys(_ group: Group) -> [Int: String] {
    switch group {
    case .tiff: PropertyKeys.tiff
    case .exif: PropertyKeys.exif
    case .gps: PropertyKeys.gps
    case .iptc: PropertyKeys.iptc
    case .apple: [:]
    case .jfif: jfifKeys
    case .png: pngKeys
    }
  }

  private static let jfifKeys = [
    0: kCGImagePropertyJFIFVersion, 1: kCGImagePropertyJFIFDensityUnit, 2: kCGImagePropertyJFIFXDensity,
    3: kCGImagePropertyJFIFYDensity, 4: kCGImagePropertyJFIFIsProgressive,
  ]
  private static let pngKeys = [
    0: kCGImagePropertyPNGXPixelsPerMeter, 1: kCGImagePropertyPNGYPixelsPerMeter, 2: kCGImagePropertyPNGInterlaceType,
  ]
  fileprivate static let repeatedFields: Set = [20, 25, 26, 27, 80, 118, 122]

  private static func value(of entry: Entry) -> Any? {
    switch (entry.group, entry.number, entry.value) {
    case (.exif, 0x9000, .data(let bytes)), (.exif, 0xA000, .data(let bytes)): return version(bytes)
    case (.exif, 0xA300, .data(let bytes)), (.exif, 0xA301, .data(let bytes)): return bytes.first.map { Int($0) }
    case (.exif, 0x9286, .data(let bytes)), (.gps, 27, .data(let bytes)), (.gps, 28, .data(let bytes)):
      // The first eight bytes name the text's encoding.
      return String(decoding: bytes.dropFirst(8).prefix { $0 != 0 }, as: UTF8.self).nonBlank
    case (.exif, 0x8827, .integers(let values)), (.exif, 0x9214, .integers(let values)),
      (.gps, 0, .integers(let values)):
      return values
    case (.exif, 0xA432, .numbers(let values)): return values
    case (.gps, 2, .numbers(let values)), (.gps, 4, .numbers(let values)), (.gps, 20, .numbers(let values)),
      (.gps, 22, .numbers(let values)):
      return zip(values, [1.0, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
    case (.gps, 7, .numbers(let values)): return time(values)
    case (.apple, _, .data(let bytes)): return Data(bytes)
    case (_, _, .integers(let values)): return values.count == 1 ? values[0] as Any : values
    case (_, _, .numbers(let values)): return values.count == 1 ? values[0] as Any : values
    case (_, _, .text(let text)): return text
    case (_, _, .data(let bytes)): return bytes.map { Int($0) }
    }
  }

  /// Returns the parts of a version: `0221` is 2.2.1, and `0220` is 2.2.
  private static func version(_ bytes: [UInt8]) -> [Int]? {
    let digits = bytes.compactMap { (48...57).contains($0) ? Int($0) - 48 : nil }
    guard digits.count == 4 else { return nil }
    return [digits[0] * 10 + digits[1], digits[2]] + (digits[3] == 0 ? [] : [digits[3]])
  }

  private static func time(_ values: [Double]) -> String? {
    guard values.count == 3, values.allSatisfy({ (0..<86_400).contains($0) }) else { return nil }
    let seconds = values[2]
    let clock = String(format: "%02d:%02d:%02d", Int(values[0]), Int(values[1]), Int(seconds))
    let hundredths = Int(((seconds - seconds.rounded(.down)) * 100).rounded(.down))
    return hundredths == 0 ? clock : clock + String(format: ".%02d", hundredths)
  }

  /// Pixels per inch, across and down.
  fileprivate var density: (Double, Double)? {
    func number(_ group: Group, _ number: Int) -> Double? {
      switch self[group, number] {
      case .numbers(let values): values.first
      case .integers(let values): values.first.map(Double.init)
      default: nil
      }
    }
    let inch = 2.54
    if let across = number(.tiff, 0x011A), let down = number(.tiff, 0x011B) {
      let unit = number(.tiff, 0x0128) == 3 ? inch : 1
      return (across * unit, down * unit)
    }
    if let unit = number(.jfif, 1), unit > 0, let across = number(.jfif, 2), let down = number(.jfif, 3) {
      return unit == 2 ? (across * inch, down * inch) : (across, down)
    }
    guard let across = number(.png, 0), let down = number(.png, 1) else { return nil }
    return (across * inch / 100, down * inch / 100)
  }
}

extension String {
  fileprivate var nonBlank: String? { allSatisfy { $0 == " " } ? nil : self }
}

// MARK: - Writing

extension PictureProperties {
  /// Makes the EXIF and IPTC entries that ImageIO's dictionaries contain. Keys and values that
  /// files can't hold are left out.
  init(_ dictionaries: [String: Any]) {
    self.init()
    for (group, key) in [
      (Group.tiff, kCGImagePropertyTIFFDictionary), (.exif, kCGImagePropertyExifDictionary),
      (.gps, kCGImagePropertyGPSDictionary), (.iptc, kCGImagePropertyIPTCDictionary),
      (.apple, kCGImagePropertyMakerAppleDictionary),
    ] {
      guard let values = dictionaries[key] as? [String: Any] else { continue }
      add(group, values)
    }
    if let orientation = Self.integer(dictionaries[kCGImagePropertyOrientation]), (1...8).contains(orientation) {
      set(.tiff, 0x0112, to: .integers([orientation]))
    }
    let (wide, high) = (
      Self.double(dictionaries[kCGImagePropertyDPIWidth]), Self.double(dictionaries[kCGImagePropertyDPIHeight])
    )
    if let across = wide ?? high, let down = high ?? wide, across > 0, down > 0 {
      set(.tiff, 0x011A, to: .numbers([across]))
      set(.tiff, 0x011B, to: .numbers([down]))
      set(.tiff, 0x0128, to: .integers([2]))
    }
  }

  /// Replaces a value; `nil` removes it.
  mutating func set(_ group: Group, _ number: Int, to value: Value?) {
    entries.removeAll { $0.group == group && $0.number == number }
    if let value { entries.append(Entry(group, number, value)) }
  }

  private mutating func add(_ group: Group, _ values: [String: Any]) {
    let numbers = Dictionary(Self.keys(group).map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    for (key, given) in values {
      guard let number = group == .apple ? Int(key).flatMap({ (1...0xFFFF).contains($0) ? $0 : nil }) : numbers[key]
      else { continue }
      if group == .iptc {
        let texts = given as? [String] ?? (given as? String).map { [$0] } ?? Self.integer(given).map { ["\($0)"] } ?? []
        entries += texts.map { Entry(group, number, .text($0)) }
      } else if let value = Self.value(group, number, from: given) {
        entries.append(Entry(group, number, value))
      }
    }
  }

  private static func value(_ group: Group, _ number: Int, from given: Any) -> Value? {
    let numbers = (given as? [Any])?.compactMap(double) ?? double(given).map { [$0] } ?? []
    switch (group, number) {
    case (.exif, 0x9000), (.exif, 0xA000):
      guard numbers.count >= 2, numbers.allSatisfy({ (0..<100).contains($0) }) else { return nil }
      let parts = numbers.map(Int.init) + [0]
      return .data(Array(String(format: "%02d%d%d", parts[0], parts[1] % 10, parts[2] % 10).utf8))
    case (.exif, 0x9101), (.exif, 0xA300), (.exif, 0xA301), (.exif, 0xA302), (.exif, 0x8828), (.exif, 0xA20C),
      (.exif, 0xA40B):
      let bytes = numbers.compactMap { UInt8(exactly: $0) }
      return bytes.isEmpty ? nil : .data(bytes)
    case (.exif, 0x9286), (.gps, 27), (.gps, 28):
      return (given as? String).map { .data(Array("ASCII\0\0\0".utf8) + Array($0.utf8)) }
    case (.gps, 2), (.gps, 4), (.gps, 20), (.gps, 22):
      guard let degrees = numbers.first.map(abs), degrees <= 180 else { return nil }
      // Whole degrees and minutes, and seconds to a ten-thousandth.
      let seconds = (degrees * 3600 * 10_000).rounded() / 10_000
      let (hours, rest) = ((seconds / 3600).rounded(.down), seconds.truncatingRemainder(dividingBy: 3600))
      return .numbers([hours, (rest / 60).rounded(.down), rest.truncatingRemainder(dividingBy: 60)])
    case (.gps, 7):
      let parts = (given as? String)?.split(separator: ":").compactMap { Double($0) } ?? numbers
      return parts.count == 3 ? .numbers(parts) : nil
    default: break
    }
    if let text = given as? String { return .text(text) }
    if let data = given as? Data { return data.isEmpty ? nil : .data([UInt8](data)) }
    guard !numbers.isEmpty else { return nil }
    let integers = numbers.compactMap { Int(exactly: $0) }
    return integers.count == numbers.count ? .integers(integers) : .numbers(numbers)
  }

  static func integer(_ value: Any?) -> Int? { double(value).flatMap { Int(exactly: $0) } }

  static func double(_ value: Any?) -> Double? {
    let number: Double? =
      switch value {
      case let value as Double: value
      case let value as Int: Double(value)
      case let value as CGFloat: Double(value)
      case let value as Float: Double(value)
      case let value as UInt32: Double(value)
      case let value as NSNumber: value.doubleValue
      default: nil
      }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }
}
