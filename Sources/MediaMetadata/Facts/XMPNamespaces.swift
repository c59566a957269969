/// The prefixes that an XMP packet declares for its namespaces.
///
/// A packet may bind a namespace to any prefix: `xmlns:ns1=…` and `ns1:DateCreated`. The last
/// declaration of a prefix applies. An undeclared prefix has its usual meaning, and so has a prefix
/// of an unknown namespace.
struct XMPNamespaces {
  /// The ranges of an attribute's name and value in a packet.
  struct Attribute {
    var name: Range<Int>
    var value: Range<Int>
  }

  /// The usual prefix for each unusual prefix that a packet declares. The default namespace has an
  /// empty prefix.
  private var chosen: [String: ArraySlice<UInt8>] = [:]

  /// Stores the namespaces that a tag declares, and removes their declarations from its attributes.
  mutating func declare(from attributes: inout [Attribute], in packet: [UInt8]) {
    attributes.removeAll { attribute in
      guard packet[attribute.name].starts(with: "xmlns".utf8) else { return false }
      let prefix = packet[attribute.name].dropFirst(6)
      let name = packet[attribute.value]
      // Most packets declare only usual prefixes. A search is cheaper than hashing each namespace.
      let usual = Self.usualPrefixes.first { $0.namespace.count == name.count && name.elementsEqual($0.namespace) }
      let isUsual = usual.map { prefix.elementsEqual($0.prefix) } ?? true
      if !isUsual || !chosen.isEmpty {
        chosen[String(decoding: prefix, as: UTF8.self)] = isUsual ? nil : usual.map { $0.prefix[...] }
      }
      return true
    }
  }

  /// Returns the name of an element or an attribute with its usual prefix.
  func usual(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if chosen.isEmpty { return name }
    let colon = name.firstIndex(of: UInt8(ascii: ":"))
    guard let prefix = chosen[String(decoding: name[..<(colon ?? name.startIndex)], as: UTF8.self)] else { return name }
    return prefix + [UInt8(ascii: ":")] + (colon.map { name[($0 + 1)...] } ?? name)
  }

  private static let usualPrefixes: [(namespace: [UInt8], prefix: [UInt8])] =
    ([
      "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf", "adobe:ns:meta/": "x",
      "http://purl.org/dc/elements/1.1/": "dc", "http://ns.adobe.com/xap/1.0/": "xmp",
      "http://ns.adobe.com/photoshop/1.0/": "photoshop", "http://ns.adobe.com/tiff/1.0/": "tiff",
      "http://ns.adobe.com/exif/1.0/": "exif", "http://cipa.jp/exif/1.0/": "exifEX",
      "http://ns.adobe.com/exif/1.0/aux/": "aux", "http://ns.adobe.com/xmp/note/": "xmpNote",
      "http://ns.adobe.com/camera-raw-settings/1.0/": "crs", "http://ns.adobe.com/lightroom/1.0/": "lr",
      "http://ns.adobe.com/hdr-gain-map/1.0/": "hdrgm", "http://ns.apple.com/HDRGainMap/1.0/": "HDRGainMap",
      "http://ns.apple.com/pixeldatainfo/1.0/": "apdi", "http://ns.apple.com/faceinfo/1.0/": "apple-fi",
      "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": "Iptc4xmpCore",
      "http://iptc.org/std/Iptc4xmpExt/2008-02-29/": "Iptc4xmpExt",
      "http://ns.google.com/photos/1.0/camera/": "GCamera", "http://ns.google.com/photos/1.0/container/": "Container",
      "http://ns.google.com/photos/1.0/container/item/": "Item", "http://ns.google.com/photos/1.0/panorama/": "GPano",
      "http://ns.google.com/photos/1.0/depthmap/": "GDepth", "http://ns.google.com/photos/1.0/image/": "GImage",
      "http://ns.google.com/photos/1.0/audio/": "GAudio", "http://ns.google.com/photos/1.0/focus/": "GFocus",
      "http://www.metadataworkinggroup.com/schemas/keywords/": "mwg-kw",
      "http://www.metadataworkinggroup.com/schemas/regions/": "mwg-rs",
      "http://ns.microsoft.com/photo/1.0/": "MicrosoftPhoto",
      "http://ns.microsoft.com/photo/1.0": "MicrosoftPhoto", "http://ns.microsoft.com/photo/1.2/": "MP",
      "http://ns.microsoft.com/photo/1.2/t/RegionInfo#": "MPRI", "http://ns.microsoft.com/photo/1.2/t/Region#": "MPReg",
      "http://www.digikam.org/ns/1.0/": "digiKam", "http://ns.iview-multimedia.com/mediapro/1.0/": "mediapro",
      "http://ns.acdsee.com/iptc/1.0/": "acdsee",
      "http://ns.google.com/photos/dd/1.0/device/": "Device", "http://ns.adobe.com/camera-raw-defaults/1.0/": "crd",
    ] as KeyValuePairs).map { (Array($0.key.utf8), Array($0.value.utf8)) }
}

extension [XMPNamespaces.Attribute] {
  /// Adds the attributes of a tag up to the first malformed one.
  mutating func add(_ tag: ArraySlice<UInt8>) {
    var rest = tag
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      var nameStart = equals
      while nameStart > rest.startIndex, rest[nameStart - 1] > 32 { nameStart -= 1 }
      rest = rest[(equals + 1)...].drop { $0 <= 32 }
      guard let quote = rest.first, quote == 0x22 || quote == 0x27, let end = rest.dropFirst().firstIndex(of: quote)
      else { return }
      append(XMPNamespaces.Attribute(name: nameStart..<equals, value: (rest.startIndex + 1)..<end))
      rest = rest[(end + 1)...]
    }
  }
}
