extension XMP {
  /// Properties whose values may be long.
  static let longTexts: Set<String> = ["dc:title", "dc:description", "dc:subject"]
  /// The parts of Iptc4xmpExt's places: places shown, and places where the camera was.
  static let placeParts: Set<String> = [
    "Iptc4xmpExt:Sublocation", "Iptc4xmpExt:City", "Iptc4xmpExt:ProvinceState", "Iptc4xmpExt:CountryName",
  ]
}

extension ParsedValues {
  /// Reads a person's texts. If a text is there in several languages, this reads the first, which
  /// is the default one (XMP part 1, 8.2.2.4).
  mutating func readTexts(_ xmp: XMP) {
    func add(_ field: TextCandidates.Field, _ name: String) {
      texts.add(field, xmp[name]?.withoutXMLReferences, from: .xmp)
    }
    add(.title, "dc:title")
    add(.caption, "dc:description")
    for keyword in xmp.keywords { texts.add(.keyword, keyword.withoutXMLReferences, from: .xmp) }
    add(.location, "Iptc4xmpCore:Location")
    add(.city, "photoshop:City")
    add(.state, "photoshop:State")
    add(.country, "photoshop:Country")
    if !xmp.hasSeveralPlaces {
      add(.location, "Iptc4xmpExt:Sublocation")
      add(.city, "Iptc4xmpExt:City")
      add(.state, "Iptc4xmpExt:ProvinceState")
      add(.country, "Iptc4xmpExt:CountryName")
    }
    texts.add(.rating, xmp["xmp:Rating", "xap:Rating"], from: .xmp)
  }
}
