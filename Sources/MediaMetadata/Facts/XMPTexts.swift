extension XMP {
  /// Properties whose values may be long.
  static let longTexts = Set(keywordSeparators.keys).union([
    "dc:title", "dc:description", "dc:subject", "acdsee:categories",
  ])
  /// The properties with hierarchies of keywords, and the separators of their levels: those of
  /// Lightroom, digiKam, Windows and Expression Media.
  static let keywordSeparators: [String: Character] = [
    "lr:hierarchicalSubject": "|", "digiKam:TagsList": "/", "MicrosoftPhoto:LastKeywordXMP": "/",
    "mediapro:CatalogSets": "|",
  ]
  /// The parts of Iptc4xmpExt's places: places shown, and places where the camera was.
  static let placeParts: Set<String> = [
    "Iptc4xmpExt:Sublocation", "Iptc4xmpExt:City", "Iptc4xmpExt:ProvinceState", "Iptc4xmpExt:CountryName",
  ]

  /// Returns the paths of ACDSee's assigned categories, which are XML inside the value:
  /// `<Category Assigned="0">Places<Category Assigned="1">Norway</Category></Category>`.
  static func categories(_ value: String) -> [[String]] {
    let deepest = 16
    var (paths, path): ([[String]], [String]) = ([], [])
    for part in value.withoutXMLReferences.split(separator: "<") {
      if part.hasPrefix("/Category>") {
        _ = path.popLast()
      } else if part.hasPrefix("Category "), let end = part.firstIndex(of: ">") {
        path.append(String(part[end...].dropFirst()))
        if part[..<end].contains("Assigned=\"1\"") { paths.append(Array(path.prefix(deepest))) }
      }
    }
    return paths
  }
}

extension ParsedValues {
  /// Reads a person's texts. Of a text in several languages, this reads the one that is marked as
  /// the default (XMP part 1, 8.2.2.4), else the first.
  ///
  /// Keywords in a hierarchy count if the file has no plain ones. Each name in a path is one, the
  /// narrowest first, since people search for "Norway", too.
  mutating func readTexts(_ xmp: XMP) {
    func add(_ field: TextCandidates.Field, _ name: String) {
      texts.add(field, xmp[name]?.withoutXMLReferences, from: .xmp)
    }
    add(.title, "dc:title")
    add(.caption, "dc:description")
    let keywords = xmp.keywords.isEmpty ? xmp.keywordPaths.flatMap { $0.reversed() } : xmp.keywords
    for keyword in keywords { texts.add(.keyword, keyword.withoutXMLReferences, from: .xmp) }
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
