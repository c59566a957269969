import Foundation

/// A TIFF directory: of EXIF, of GPS, of a MakerNote or of a picture.
struct TIFFDirectoryBuilder {
  enum Value {
    case ascii(String)
    case bytes([UInt8])
    /// Bytes in a format that depends on the tag.
    case undefined([UInt8])
    case short([Int])
    case long([Int])
    case signedLong([Int])
    case rational([Double])
    case signedRational([Double])
    /// The position of another directory, which is written after this one.
    case directory(TIFFDirectoryBuilder)
    /// The position of bytes that are written after this directory.
    case position([UInt8])
  }

  private var entries: [Int: Value] = [:]

  subscript(tag: Int) -> Value? {
    get { entries[tag] }
    set { entries[tag] = newValue }
  }

  /// Returns a TIFF file with this directory and an optional second one, big-endian as Apple's
  /// cameras write it.
  func file(followedBy second: TIFFDirectoryBuilder? = nil) -> [UInt8] {
    Array("MM".utf8) + bigEndian16(42) + bigEndian32(8) + serialized(at: 8, followedBy: second)
  }

  /// Returns the directory and everything that it refers to. `start` is the position of the
  /// directory.
  func serialized(at start: Int, followedBy second: TIFFDirectoryBuilder? = nil) -> [UInt8] {
    let sorted = entries.sorted { $0.key < $1.key }
    var directory = bigEndian16(sorted.count)
    var behind: [UInt8] = []
    let behindStart = start + 2 + 12 * sorted.count + 4
    for (tag, value) in sorted {
      // TIFF requires values at even positions.
      if behind.count % 2 == 1 { behind.append(0) }
      let position = behindStart + behind.count
      directory += bigEndian16(tag) + bigEndian16(value.type) + bigEndian32(value.count)
      let bytes = value.bytes(at: position)
      if value.isOutOfLine || bytes.count > 4 {
        directory += bigEndian32(position)
        behind += bytes
      } else {
        directory += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      }
    }
    guard let second else { return directory + bigEndian32(0) + behind }
    if behind.count % 2 == 1 { behind.append(0) }
    let position = behindStart + behind.count
    return directory + bigEndian32(position) + behind + second.serialized(at: position)
  }
}

extension TIFFDirectoryBuilder.Value {
  /// The number of the type in TIFF.
  fileprivate var type: Int {
    switch self {
    case .bytes: 1
    case .ascii: 2
    case .short: 3
    case .long, .directory, .position: 4
    case .rational: 5
    case .undefined: 7
    case .signedLong: 9
    case .signedRational: 10
    }
  }

  fileprivate var count: Int {
    switch self {
    case .ascii(let text): text.utf8.count + 1
    case .bytes(let bytes), .undefined(let bytes): bytes.count
    case .short(let numbers), .long(let numbers), .signedLong(let numbers): numbers.count
    case .rational(let numbers), .signedRational(let numbers): numbers.count
    case .directory, .position: 1
    }
  }

  fileprivate var isOutOfLine: Bool {
    switch self {
    case .directory, .position: true
    default: false
    }
  }

  fileprivate func bytes(at position: Int) -> [UInt8] {
    switch self {
    case .ascii(let text): Array(text.utf8) + [0]
    case .bytes(let bytes), .undefined(let bytes), .position(let bytes): bytes
    case .short(let numbers): numbers.flatMap(bigEndian16)
    case .long(let numbers), .signedLong(let numbers): numbers.flatMap(bigEndian32)
    case .rational(let numbers), .signedRational(let numbers):
      numbers.flatMap { number in
        let (numerator, denominator) = fraction(number)
        return bigEndian32(numerator) + bigEndian32(denominator)
      }
    case .directory(let directory): directory.serialized(at: position)
    }
  }
}

/// Returns the numerator and the denominator. Short exposures become 1/n (1/250), as in cameras'
/// files. Other numbers become decimal fractions.
private func fraction(_ number: Double) -> (Int, Int) {
  let reciprocal = (1 / number).rounded()
  if number > 0, number < 1, abs(reciprocal * number - 1) < 1e-4 { return (1, Int(reciprocal)) }
  var denominator = 1
  while denominator < 1_000_000, abs(number) * Double(denominator) < 100_000_000 {
    let scaled = number * Double(denominator)
    if abs(scaled.rounded() - scaled) < 1e-7 { break }
    denominator *= 10
  }
  return (Int((number * Double(denominator)).rounded()), denominator)
}

func bigEndian16(_ value: Int) -> [UInt8] {
  [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
}

func bigEndian32(_ value: Int) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}
