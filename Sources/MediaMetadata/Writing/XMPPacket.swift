import Foundation

/// The metadata of a photo or a movie as an XMP packet, for a sidecar file that other programs
/// read.
///
///     var packet = XMPPacket()
///     packet.title = "Fjord"
///     try packet.data.write(to: URL(fileURLWithPath: "IMG_0001.HEIC.xmp"))
///
/// Equal values produce equal bytes. Unknown values are left out.
public struct XMPPacket: Hashable, Sendable {
  public var title: String?
  public var caption: String?
  public var keywords: [String] = []
  /// The rating of 1 to 5 stars; 0 is no rating.
  public var rating = 0
  /// The date, which is left out if it is only the file's or its name's. It is written with its
  /// offset from UTC. If the offset is a guess from the machine's zone, it is written as local
  /// time, or in UTC if only the instant is certain. Parts that are unknown are left out.
  public var date: CaptureDate?
  public var location: Location?

  public init() {}

  public var data: Data { Data(text.utf8) }

  private var text: String { XMPText.packet(properties) + "\n" }

  private var properties: [String] {
    var lines: [String] = []
    func add(_ name: String, _ value: String) { lines.append(XMPText.property(name, value)) }
    for (name, text) in [("dc:title", title), ("dc:description", caption)] {
      guard let text, !text.isEmpty else { continue }
      add(name, XMPText.language(text))
    }
    if !keywords.isEmpty { add("dc:subject", XMPText.bag(keywords)) }
    if rating > 0 { add("xmp:Rating", "\(rating)") }
    if let date, !date.source.isGuess {
      let text = Self.text(of: date)
      for name in ["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"] { add(name, text) }
    }
    if let location {
      add("exif:GPSLatitude", Self.degrees(location.latitude, positive: "N", negative: "S"))
      add("exif:GPSLongitude", Self.degrees(location.longitude, positive: "E", negative: "W"))
      if let altitude = location.altitude, Location.altitudes.contains(altitude) {
        add("exif:GPSAltitude", "\(Int((abs(altitude) * 1000).rounded()))/1000")
        add("exif:GPSAltitudeRef", altitude < 0 ? "1" : "0")
      }
    }
    return lines
  }

  /// Formats degrees, and minutes with eight decimals: a tenth of a millimeter.
  private static func degrees(_ value: Double, positive: String, negative: String) -> String {
    let hundredMillionths = Int((abs(value) * 60e8).rounded())
    let (degrees, rest) = hundredMillionths.quotientAndRemainder(dividingBy: 60 * 100_000_000)
    let (minutes, fraction) = rest.quotientAndRemainder(dividingBy: 100_000_000)
    return "\(degrees),\(minutes)." + String(format: "%08d", fraction) + (value < 0 ? negative : positive)
  }

  private static func text(of date: CaptureDate) -> String {
    var date = date
    // The instant is certain, the zone is not.
    if date.zoneSource == .utc { date.offset = 0 }
    let time = date.localTime
    switch date.precision {
    case .year: return String(format: "%04d", time.year)
    case .month: return String(format: "%04d-%02d", time.year, time.month)
    case .day: return String(format: "%04d-%02d-%02d", time.year, time.month, time.day)
    case .time: break
    }
    var text = String(
      format: "%04d-%02d-%02dT%02d:%02d:%02d", time.year, time.month, time.day, time.hour, time.minute, time.second)
    if time.milliseconds > 0 { text += String(format: ".%03d", time.milliseconds) }
    guard date.zoneSource != .machine else { return text }
    return text + (date.offset == 0 ? "Z" : date.exifOffset)
  }
}
