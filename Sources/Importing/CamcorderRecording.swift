import Foundation

/// The contents of a camcorder's `MOV001.MOI`: the date of the movie `MOV001.MOD` beside it, which
/// has none itself.
///
///     CamcorderRecording(contentsOf: path)?.date(in: .current)
///
/// The file begins with `V6`, its own size, and the local time at which the recording began. All
/// numbers are big-endian.
struct CamcorderRecording: Hashable {
  private let components: DateComponents

  init?(contentsOf path: SourcePath) {
    guard let handle = try? FileHandle(forReadingFrom: path.url) else { return nil }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: Self.headerByteCount) else { return nil }
    self.init(Array(data))
  }

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.headerByteCount, bytes.starts(with: "V6".utf8) else { return nil }
    func number(_ at: Int) -> Int { Int(bytes[at]) << 8 | Int(bytes[at + 1]) }
    let milliseconds = number(12)
    components = DateComponents(
      calendar: Calendar(identifier: .gregorian), year: number(6), month: Int(bytes[8]), day: Int(bytes[9]),
      hour: Int(bytes[10]), minute: Int(bytes[11]), second: milliseconds / 1000,
      nanosecond: milliseconds % 1000 * 1_000_000)
    guard (1990...2100).contains(number(6)), milliseconds < 60_000, components.isValidDate else { return nil }
  }

  private static let headerByteCount = 14

  /// Returns the instant at which clocks in the zone showed the time; `nil` if none did.
  func date(in zone: TimeZone) -> Date? {
    var components = components
    components.timeZone = zone
    return components.date
  }
}
