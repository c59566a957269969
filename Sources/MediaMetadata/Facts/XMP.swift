import Foundation

/// The few properties of an XMP packet that the library uses. One pass finds them without an XML
/// parser. No tree is built, references are not decoded, and malformed parts are not found.
package struct XMP {
  /// The longest packet that is read.
  package static let byteLimit = 512 << 10
  private static let propertyLimit = 2000

  /// The first value of each property, by qualified name ("exif:DateTimeOriginal"), with the
  /// prefixes that programs generally use. If the value has several languages, the default one.
  package private(set) var values: [String: String] = [:]
  /// All values of dc:subject.
  package private(set) var keywords: [String] = []
  /// The keywords with those above them, the widest first: Places, Norway, Bergen.
  package var keywordPaths: [[String]] {
    paths + (self["acdsee:categories"].map(Self.categories) ?? []).prefix(TextCandidates.keywordCountLimit)
  }
  private var paths: [[String]] = []
  /// The properties whose value is marked as the default of several languages.
  private var defaults: Set<String> = []
  /// True if the packet contains several places. This type does not decide which of them is meant.
  package private(set) var hasSeveralPlaces = false
  /// The parts of a Google container, in the order of the file.
  package private(set) var items: [Item] = []

  package struct Item: Hashable {
    package var semantic = ""
    package var byteCount = 0
    package var padding = 0
  }

  package init(_ bytes: [UInt8]) {
    var scanner = Scanner(bytes: bytes)
    while values.count < Self.propertyLimit, let event = scanner.next() {
      switch event {
      case .property(let name, let value, let isDefault): keep(name, value, isDefault: isDefault)
      case .item: items.append(Item())
      }
    }
  }

  private mutating func keep(_ name: String, _ value: String, isDefault: Bool) {
    if name.hasPrefix("Item:"), !items.isEmpty {
      switch name {
      case "Item:Semantic": items[items.count - 1].semantic = value
      case "Item:Length": items[items.count - 1].byteCount = Int(value) ?? 0
      case "Item:Padding": items[items.count - 1].padding = Int(value) ?? 0
      default: break
      }
    } else if name == "dc:subject" {
      if keywords.count < TextCandidates.keywordCountLimit { keywords.append(value) }
    } else if let separator = Self.keywordSeparators[name] {
      if paths.count < TextCandidates.keywordCountLimit {
        paths.append(value.split(separator: separator).map(String.init))
      }
    } else if name == "mwg-kw:Keyword" {
      // Each level is an element of its own, the widest first. Keywords start with the narrowest.
      if paths.count < TextCandidates.keywordCountLimit { paths.insert([value], at: 0) }
    } else if isDefault, !Self.placeParts.contains(name), defaults.insert(name).inserted {
      values[name] = value
    } else if let known = values[name] {
      if known != value, Self.placeParts.contains(name) { hasSeveralPlaces = true }
    } else {
      values[name] = value
    }
  }

  /// Returns the value of a property under the first of its names that is there.
  package subscript(names: String...) -> String? {
    for name in names { if let value = values[name] { return value } }
    return nil
  }

  /// Adds what another packet of the same file has and this one lacks.
  package mutating func addMissing(_ other: XMP) {
    values.merge(other.values) { own, _ in own }
    if items.isEmpty { items = other.items }
  }

  package func hasNamespace(_ prefix: String) -> Bool { values.keys.contains { $0.hasPrefix(prefix + ":") } }
}

extension XMP {
  /// Scans tags and returns attributes, texts inside elements, and the beginnings of container
  /// parts.
  private struct Scanner {
    enum Event {
      /// A property's name and value.
      case property(String, String, isDefault: Bool)
      /// The beginning of a part of a container.
      case item
    }

    let bytes: [UInt8]
    private var position = 0
    private var pending: [Event] = []
    private var nextPending = 0
    /// The innermost open element, except RDF's own.
    private var property: String?
    /// The text of that element so far. Comments and CDATA may divide it.
    private var text: [UInt8] = []
    private var isDefaultText = false
    private var namespaces = XMPNamespaces()
    /// The attributes of the last tag. All tags share this array, which saves allocations.
    private var attributes: [XMPNamespaces.Attribute] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Event? {
      while nextPending == pending.count {
        pending.removeAll(keepingCapacity: true)
        nextPending = 0
        guard let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) else { return nil }
        keepText(bytes[position..<open])
        position = open + 1
        if !skipMarkup() { scanTag() }
      }
      defer { nextPending += 1 }
      return pending[nextPending]
    }

    private mutating func keepText(_ more: ArraySlice<UInt8>) {
      if property != nil { text += more }
    }

    /// Skips a comment or an instruction, or keeps the text of CDATA. Returns false before anything
    /// else.
    private mutating func skipMarkup() -> Bool {
      guard position < bytes.count, bytes[position] == UInt8(ascii: "!") || bytes[position] == UInt8(ascii: "?") else {
        return false
      }
      for (start, end) in [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("!", ">")]
      where bytes[position...].starts(with: start.utf8) {
        let content = position + start.utf8.count
        let close = bytes[content...].firstRange(of: Array(end.utf8)) ?? bytes.count..<bytes.count
        if end == "]]>" {
          // Readers expand references later, but CDATA has none.
          for byte in bytes[content..<close.lowerBound] {
            keepText(byte == UInt8(ascii: "&") ? ArraySlice("&amp;".utf8) : [byte])
          }
        }
        position = close.upperBound
        return true
      }
      return false
    }

    /// Adds the text of an element if it is more than white space.
    private mutating func addText() {
      defer { text.removeAll(keepingCapacity: true) }
      guard let property, Self.isShort(text[...], for: property), let value = trimmedText(text) else { return }
      pending.append(.property(property, value, isDefault: isDefaultText))
    }

    private static func isShort(_ value: ArraySlice<UInt8>, for name: String) -> Bool {
      value.count < 256 || value.count <= TextCandidates.byteLimit && longTexts.contains(name)
    }

    private mutating func scanTag() {
      addText()
      isDefaultText = false
      guard let close = endOfTag else {
        position = bytes.count
        return
      }
      let tag = bytes[position..<close]
      position = close + 1
      guard let first = tag.first else { return }
      if first == UInt8(ascii: "/") {
        if property.map({ namespaces.usual(tag.dropFirst()).elementsEqual($0.utf8) }) == true { property = nil }
        return
      }
      let nameEnd = tag.firstIndex { $0 <= 32 || $0 == UInt8(ascii: "/") } ?? tag.endIndex
      attributes.removeAll(keepingCapacity: true)
      if nameEnd < tag.endIndex {
        attributes.add(tag[nameEnd...])
        // A tag's declarations apply to its own name, too.
        namespaces.declare(from: &attributes, in: bytes)
      }
      let name = namespaces.usual(tag[tag.startIndex..<nameEnd])
      let isScaffolding = name.starts(with: "rdf:".utf8) || name.starts(with: "x:".utf8)
      if !isScaffolding { property = String(decoding: name, as: UTF8.self) }
      if property == "Container:Item" || property == "GContainer:Item", !isScaffolding { pending.append(.item) }
      for attribute in attributes { add(attribute) }
      isDefaultText =
        !attributes.isEmpty && name.starts(with: "rdf:li".utf8) && tag.firstRange(of: Array("x-default".utf8)) != nil
      if tag.last == UInt8(ascii: "/"), !isScaffolding { property = nil }
    }

    /// The index of the tag's `>`. An attribute's value may contain `>`, but not `<`. If a `<`
    /// comes first, a quotation mark is missing.
    private var endOfTag: Int? {
      var quote: UInt8?
      let end = bytes[position...].firstIndex { byte in
        if byte == UInt8(ascii: "<") || quote == nil && byte == UInt8(ascii: ">") { return true }
        if byte == quote {
          quote = nil
        } else if quote == nil, byte == 0x22 || byte == 0x27 {
          quote = byte
        }
        return false
      }
      if let end, bytes[end] == UInt8(ascii: ">") { return end }
      return bytes[position...].firstIndex(of: UInt8(ascii: ">"))
    }

    private mutating func add(_ attribute: XMPNamespaces.Attribute) {
      // The default namespace doesn't apply to attributes.
      guard bytes[attribute.name].contains(UInt8(ascii: ":")) else { return }
      let name = namespaces.usual(bytes[attribute.name])
      guard !name.starts(with: "rdf:".utf8), !name.starts(with: "xml:".utf8) else { return }
      let property = String(decoding: name, as: UTF8.self)
      let value = bytes[attribute.value]
      guard Self.isShort(value, for: property) else { return }
      pending.append(.property(property, String(decoding: value, as: UTF8.self), isDefault: false))
    }
  }
}

extension ParsedValues {
  /// Reads XMP's properties. EXIF's values for camera and position take precedence if they were
  /// read before.
  @discardableResult
  package mutating func readXMP(_ bytes: [UInt8]) -> XMP {
    let xmp = XMP(bytes)
    readTexts(xmp)
    if let text = xmp["exif:DateTimeOriginal"] { addDate(.xmpOriginal, text) }
    if let text = xmp["photoshop:DateCreated"] { addDate(.created, text) }
    for name in ["exif:DateTimeDigitized", "xmp:CreateDate", "xap:CreateDate", "dc:date"] {
      if let text = xmp[name] { addDate(.xmp, text) }
    }
    for name in ["tiff:DateTime", "xmp:ModifyDate", "xap:ModifyDate"] {
      if let text = xmp[name] { addDate(.modification, text) }
    }
    if gpsInstant == nil, let text = xmp["exif:GPSTimeStamp", "exif:GPSDateTime"],
      case .date(let parts) = DateText(text), parts.precision == .time
    {
      let instant = Date(timeIntervalSince1970: parts.time.secondsOnUTC - Double(parts.offset ?? 0))
      gpsInstant = instant
      dates.append(DateCandidate(.gps, .instant(instant)))
    }
    if let latitude = xmp["exif:GPSLatitude"].flatMap(Self.xmpDegrees),
      let longitude = xmp["exif:GPSLongitude"].flatMap(Self.xmpDegrees)
    {
      let below = xmp["exif:GPSAltitudeRef"] == "1"
      let altitude = xmp["exif:GPSAltitude"].flatMap(Self.xmpRational).map { below ? -$0 : $0 }
      setPosition(latitude, longitude, altitude: altitude)
    }
    camera.make = camera.make ?? xmp["tiff:Make"]
    camera.model = camera.model ?? xmp["tiff:Model"]
    camera.lens = camera.lens ?? xmp["aux:Lens", "exifEX:LensModel"]
    camera.software = camera.software ?? xmp["xmp:CreatorTool"]
    if xmp["exif:UserComment"] == "Screenshot" { subtypes.insert(.screenshot) }
    if xmp["GPano:ProjectionType"] != nil { subtypes.insert(.panorama) }
    if xmp.hasNamespace("GDepth") { subtypes.insert(.depthEffect) }
    if xmp.hasNamespace("hdrgm") || xmp.hasNamespace("HDRGainMap")
      || xmp.items.contains(where: { $0.semantic == "GainMap" })
    {
      subtypes.insert(.hdr)
    }
    return xmp
  }

  /// Parses XMP's `51,46.7169N` and `51,46,43N`, and plain degrees, which some programs write.
  private static func xmpDegrees(_ text: String) -> Double? {
    guard let last = text.last?.uppercased() else { return nil }
    guard "NSEW".contains(last) else { return Double(text) }
    let parts = text.dropLast().split(separator: ",").map { Double($0) ?? .nan }
    guard (1...3).contains(parts.count) else { return nil }
    let degrees = zip(parts, [1.0, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
    return last == "S" || last == "W" ? -abs(degrees) : degrees
  }

  private static func xmpRational(_ text: String) -> Double? {
    let parts = text.split(separator: "/").map { Double($0) ?? .nan }
    return parts.count == 2 ? parts[0] / parts[1] : parts.first
  }
}
