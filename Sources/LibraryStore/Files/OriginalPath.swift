import Foundation

/// The path of a file relative to the library's folder: `originals/2019/03/IMG_2682.HEIC` for an
/// original, `adjustments/<uuid>/FullSizeRender.jpg` for a file of an edit. If the name is taken, a
/// number is appended: `IMG_2682 (2).HEIC`.
struct OriginalPath {
  let folder: String
  let stem: String
  let pathExtension: String

  init(originalFilename: String, localDate: Double) {
    let (year, month) = Self.yearAndMonth(localDate: localDate)
    self.init(folder: "originals/\(year)/\(month)", originalFilename)
  }

  /// Creates the path of a file that an edit adds to an asset.
  init(adjustmentFilename: String, assetUUID: String) {
    self.init(folder: "adjustments/\(assetUUID)", adjustmentFilename)
  }

  private init(folder: String, _ originalFilename: String) {
    self.folder = folder
    let name = Self.safe(originalFilename).unicodeScalars
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
    stem = String(name[..<dot])
    pathExtension = String(name[dot...])
  }

  /// Returns whether the library itself could have given an original this name, like
  /// `2019/03/IMG_2682.HEIC` below `originals`.
  static func isNameOfOriginal(_ path: String) -> Bool {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    func isNumber(_ part: Substring.UTF8View, digits: Int) -> Bool {
      part.count == digits && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    return parts.count == 3 && isNumber(parts[0], digits: 4) && isNumber(parts[1], digits: 2)
      && parts[2].first != UInt8(ascii: ".")
  }

  /// Returns the path to try: 1 is the plain name, higher numbers are appended to it.
  func candidate(_ number: Int) -> String {
    number == 1 ? "\(folder)/\(stem)\(pathExtension)" : "\(folder)/\(stem) (\(number))\(pathExtension)"
  }

  /// Returns a free path. Tries the first eight numbers in turn, then doubles the number and
  /// bisects.
  ///
  /// Thousands of files may have the same name. Trying one number after the other would take more
  /// time with each file.
  func freeCandidate(_ isTaken: (String) throws -> Bool) rethrows -> String {
    var (taken, free) = (8, 16)
    for number in 1...taken where try !isTaken(candidate(number)) { return candidate(number) }
    while try isTaken(candidate(free)) {
      taken = free
      // Without a limit, the number could overflow if somebody has named files to provoke that.
      free += min(free, 1 << 32)
    }
    while free - taken > 1 {
      let middle = taken + (free - taken) / 2
      if try isTaken(candidate(middle)) { taken = middle } else { free = middle }
    }
    return candidate(free)
  }

  /// Returns a name that file systems accept: without separators or control characters, not hidden,
  /// with room for a number. Works by scalars: a character of many scalars could be larger than the
  /// room, and a dot with an accent still hides a file.
  static func safe(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let isUnsafe = scalar == "/" || scalar == "\\" || scalar.properties.generalCategory == .control
      scalars.append(isUnsafe ? "_" : scalar)
    }
    var byteCount = scalars.reduce(0) { $0 + UTF8.width($1) }
    let kept = scalars.drop { scalar in
      let isDropped = byteCount > Self.longestName
      byteCount -= UTF8.width(scalar)
      return isDropped
    }.drop { $0 == "." }
    return kept.isEmpty ? "Untitled" : String(kept)
  }

  /// The length limit in bytes, out of the 255 that file systems allow.
  private static let longestName = 200

  /// The years 0 to 9999 in seconds since 1970: they have four digits, and the calendar functions
  /// of C support them.
  private static let earliest = -62_167_219_200.0
  private static let latest = 253_402_300_799.0

  private static func yearAndMonth(localDate: Double) -> (String, String) {
    var seconds = time_t(min(max(localDate, earliest), latest).rounded(.down))
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return (String(format: "%04d", Int(parts.tm_year) + 1900), String(format: "%02d", Int(parts.tm_mon) + 1))
  }
}

extension ResourceRecord {
  /// The resource's original name, changed so that file systems accept it.
  public var storableFilename: String { OriginalPath.safe(originalFilename) }
}
