import Foundation

/// Builds ICC profiles of version 2, as programs write them.
struct ProfileBuilder {
  /// A curve from coded values to light, in 1024 steps.
  static func curve(_ light: (Double) -> Double) -> [UInt8] {
    let values = (0..<1024).map { big(Int((light(Double($0) / 1023) * 65535).rounded()), 2) }
    return ascii("curv") + big(0, 4) + big(values.count, 4) + values.flatMap { $0 }
  }

  static func pq(_ value: Double) -> Double {
    let power = pow(value, 1 / 78.84375)
    return pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 1 / 0.1593017578125)
  }

  static func hlg(_ value: Double) -> Double {
    value <= 0.5 ? value * value / 3 : (exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
  }

  static func gray(_ light: (Double) -> Double) -> [UInt8] {
    profile("GRAY", [("wtpt", white), ("kTRC", curve(light))])
  }

  /// A profile with BT.2020's primaries.
  static func rgb(_ light: (Double) -> Double, _ more: [(String, [UInt8])] = []) -> [UInt8] {
    let curve = curve(light)
    return profile(
      "RGB ",
      [
        ("wtpt", white), ("rXYZ", xyz(primaries[0])), ("gXYZ", xyz(primaries[1])),
        ("bXYZ", xyz(primaries[2])), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
      ] + more)
  }

  /// The same colors in a table, as in profiles of scanners.
  static func rgbTable(_ light: (Double) -> Double) -> [UInt8] {
    let curve = (0...255).map { Int((light(Double($0) / 255) * 65535).rounded()) }
    return profile("RGB ", [("wtpt", white), ("A2B0", table(channels: 3, curve) { $0 })])
  }

  /// A profile of inks, each of which takes one of BT.2020's primaries from white. Black takes all.
  static let inks = profile(
    "CMYK",
    [
      ("wtpt", white),
      ("A2B0", table(channels: 4, [0, 65535]) { inks in inks[3] == 1 ? [0, 0, 0] : inks.prefix(3).map { 1 - $0 } }),
    ])

  /// A table with two steps for each channel. `colors` receives 0 or 1 for each channel, and
  /// returns the same for red, green and blue.
  private static func table(channels: Int, _ curve: [Int], _ colors: ([Int]) -> [Int]) -> [UInt8] {
    var corners: [UInt8] = []
    for corner in 0..<1 << channels {
      // The last channel varies first.
      let shares = colors((0..<channels).map { corner >> (channels - 1 - $0) & 1 })
      for component in 0..<3 {
        let sum = zip(shares, primaries).map { $0 * $1[component] }.reduce(0, +)
        // In a table, 1 is 32768.
        corners += big(min(max(sum / 2, 0), 65535), 2)
      }
    }
    let identity = (0..<9).flatMap { big($0 % 4 == 0 ? 0x10000 : 0, 4) }
    let curves = [[Int]](repeating: curve, count: channels).flatMap { $0 }.flatMap { big($0, 2) }
    let lines = [0, 65535, 0, 65535, 0, 65535].flatMap { big($0, 2) }
    return ascii("mft2") + big(0, 4) + [UInt8(channels), 3, 2, 0] + identity + big(curve.count, 2) + big(2, 2) + curves
      + corners + lines
  }

  private static let white = xyz([0xF6D6, 0x10000, 0xD32D])
  /// BT.2020's red, green and blue in XYZ.
  private static let primaries = [[0xAC68, 0x476F, -0x7E], [0x2A69, 0xACE3, 0x7AD], [0x2007, 0xBAE, 0xCC13]]

  private static func xyz(_ color: [Int]) -> [UInt8] {
    ascii("XYZ ") + big(0, 4) + color.flatMap { big($0, 4) }
  }

  private static func profile(_ space: String, _ tags: [(String, [UInt8])]) -> [UInt8] {
    let headerByteCount = 128
    var table = big(tags.count, 4)
    var data: [UInt8] = []
    for (name, content) in tags {
      table += ascii(name) + big(headerByteCount + 4 + 12 * tags.count + data.count, 4) + big(content.count, 4)
      data += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    }
    var header = big(headerByteCount + table.count + data.count, 4) + big(0, 4) + big(0x0210_0000, 4)
    header += ascii("mntr") + ascii(space) + ascii("XYZ ") + big(0, 12) + ascii("acsp") + big(0, 28)
    header += big(0xF6D6, 4) + big(0x10000, 4) + big(0xD32D, 4)
    return header + [UInt8](repeating: 0, count: headerByteCount - header.count) + table + data
  }
}
