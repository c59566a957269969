import Foundation

/// What is known of a photo or a movie, as an XMP packet that other programs read from a file beside it.
///
///     var packet = XMPPacket()
///     packet.title = "Fjord"
///     try packet.data.write(to: URL(fileURLWithPath: "IMG_0001.HEIC.xmp"))
///
/// The same values give the same bytes. What is not known is left out.
public struct XMPPacket: Hashable, Sendable {
  public var title: String?
  public var caption: String?
  public var keywords: [String] = []
  /// 1 to 5 stars; 0 is no rating.
  public var rating = 0
  public var date: Date?
  /// Seconds east of UTC, where it was taken.
  public var timeZoneOffset = 0
  public var location: Location?

  public init() {}

  public var data: Data { Data(text.utf8) }

  private var text: String {
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
        xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
        xmlns:exif="http://ns.adobe.com/exif/1.0/">

    """ + properties.map { "   \($0)\n" }.joined() + """
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>

      """
  }

  private var properties: [String] {
    var lines: [String] = []
    func add(_ name: String, _ value: String) { lines.append("<\(name)>\(value)</\(name)>") }
    func addList(_ name: String, _ list: String, _ items: [String]) {
      add(name, "<rdf:\(list)>\(items.joined())</rdf:\(list)>")
    }
    for (name, text) in [("dc:title", title), ("dc:description", caption)] {
      guard let text, !text.isEmpty else { continue }
      addList(name, "Alt", ["<rdf:li xml:lang=\"x-default\">\(Self.escaped(text))</rdf:li>"])
    }
    if !keywords.isEmpty { addList("dc:subject", "Bag", keywords.map { "<rdf:li>\(Self.escaped($0))</rdf:li>" }) }
    if rating > 0 { add("xmp:Rating", "\(rating)") }
    if let date {
      let text = Self.text(of: date, offset: timeZoneOffset)
      for name in ["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"] { add(name, text) }
    }
    if let location {
      add("exif:GPSLatitude", Self.degrees(location.latitude, "N", "S"))
      add("exif:GPSLongitude", Self.degrees(location.longitude, "E", "W"))
      if let altitude = location.altitude {
        add("exif:GPSAltitude", "\(Int((abs(altitude) * 1000).rounded()))/1000")
        add("exif:GPSAltitudeRef", altitude < 0 ? "1" : "0")
      }
    }
    return lines
  }

  /// Degrees and minutes with eight digits behind the point: a tenth of a millimetre.
  private static func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
    let hundredMillionths = Int((abs(value) * 60e8).rounded())
    let (degrees, rest) = hundredMillionths.quotientAndRemainder(dividingBy: 60 * 100_000_000)
    let (minutes, fraction) = rest.quotientAndRemainder(dividingBy: 100_000_000)
    return "\(degrees),\(minutes)." + String(format: "%08d", fraction) + (value < 0 ? negative : positive)
  }

  private static func text(of date: Date, offset: Int) -> String {
    let formatter = ISO8601DateFormatter()
    formatter.timeZone = TimeZone(secondsFromGMT: offset)
    let isWhole = date.timeIntervalSince1970 == date.timeIntervalSince1970.rounded(.down)
    formatter.formatOptions = isWhole ? [.withInternetDateTime] : [.withInternetDateTime, .withFractionalSeconds]
    return formatter.string(from: date)
  }

  /// Text as XML bears it: what XML 1.0 has no way to write is left out.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\t", "\n", "\r": result.unicodeScalars.append(scalar)
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
