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
    profile("GRAY", [("wtpt", xyz(0xF6D6, 0x10000, 0xD32D)), ("kTRC", curve(light))])
  }

  /// A profile with BT.2020's primaries.
  static func rgb(_ light: (Double) -> Double, _ more: [(String, [UInt8])] = []) -> [UInt8] {
    let curve = curve(light)
    return profile(
      "RGB ",
      [
        ("wtpt", xyz(0xF6D6, 0x10000, 0xD32D)), ("rXYZ", xyz(0xAC68, 0x476F, -0x7E)),
        ("gXYZ", xyz(0x2A69, 0xACE3, 0x7AD)), ("bXYZ", xyz(0x2007, 0xBAE, 0xCC13)), ("rTRC", curve), ("gTRC", curve),
        ("bTRC", curve),
      ] + more)
  }

  private static func xyz(_ x: Int, _ y: Int, _ z: Int) -> [UInt8] {
    ascii("XYZ ") + big(0, 4) + big(x, 4) + big(y, 4) + big(z, 4)
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
