import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Tests titles, captions and keywords: the blocks that may contain them, and the texts that count
/// as a person's.
@Suite struct TextTests {
  private func xmp(_ properties: String) -> MediaMetadata? {
    readMetadata(of: SampleFiles.jpeg(xmp: "<rdf:Description>\(properties)</rdf:Description>"))
  }

  private func exif(_ main: [(Int, TIFFBuilder.Value)], xmp: String? = nil, iptc: [UInt8] = []) -> MediaMetadata? {
    let bytes = EXIFBuilder(main: main).bytes
    return readMetadata(of: SampleFiles.jpeg(exif: bytes, xmp: xmp, segments: [photoshop(iptc)]))
  }

  private func movie(_ keys: [(String, String)]) -> MediaMetadata? {
    readMetadata(of: SampleFiles.movie(moov: SampleFiles.keys(keys.map { ("com.apple.quicktime." + $0.0, $0.1) })))
  }

  @Test func aPhotoWithoutWordsHasNone() throws {
    for bytes in [SampleFiles.jpeg(exif: SampleFiles.richEXIF), SampleFiles.png(), SampleFiles.movie()] {
      let metadata = try #require(readMetadata(of: bytes))
      #expect(metadata.title == nil && metadata.caption == nil)
      #expect(metadata.keywords.isEmpty && metadata.placeNames.isEmpty)
      #expect(metadata.rating == 0 && !metadata.isSelfie)
    }
  }

  @Test func eachPartOfAPhotoAddsWhatTheBetterOnesLack() throws {
    let metadata = try #require(readMetadata(of: SampleFiles.captionedJPEG()))
    #expect(metadata.title == "Object")
    #expect(metadata.caption == "Fish & chips")
    #expect(metadata.keywords == ["two", "three", "four", "one"])
    #expect(metadata.placeNames == ["Paris", "France"])
    #expect(metadata.rating == 4)
    #expect(metadata.notes.isEmpty)
  }

  @Test func xmpIsBelievedBeforeIPTCAndIPTCBeforeEXIF() {
    let description = #"<rdf:Description dc:description="xmp"/>"#
    let field = iptc(2, 120, ascii("iptc"))
    #expect(exif([(0x10E, .text("exif"))], xmp: description, iptc: field)?.caption == "xmp")
    #expect(exif([(0x10E, .text("exif"))], iptc: field)?.caption == "iptc")
    #expect(exif([(0x10E, .text("exif"))])?.caption == "exif")
  }

  // MARK: XMP

  @Test func theDefaultOfSeveralLanguagesIsTaken() {
    let title =
      #"<dc:title><rdf:Alt><rdf:li xml:lang="x-default">Tree</rdf:li><rdf:li xml:lang="de">Baum</rdf:li></rdf:Alt></dc:title>"#
    #expect(xmp(title)?.title == "Tree")
  }

  @Test func `a default that follows other languages is taken, too`() {
    func texts(_ languages: [String]) -> String {
      languages.map { #"<rdf:li xml:lang="\#($0)">\#($0) text</rdf:li>"# }.joined()
    }
    func caption(_ languages: String...) -> String? {
      xmp("<dc:description><rdf:Alt>\(texts(languages))</rdf:Alt></dc:description>")?.caption
    }
    #expect(caption("de", "x-default") == "x-default text")
    #expect(caption("de", "x-default", "fr") == "x-default text")
    #expect(caption("de", "fr") == "de text")
    #expect(
      xmp("<dc:title><rdf:Alt><rdf:li xml:lang='de'>Baum</rdf:li><rdf:li xml:lang='x-default'/></rdf:Alt></dc:title>")?
        .title == "Baum")
    // A list has no default: each of its items counts.
    #expect(xmp("<dc:subject>\(texts(["de", "x-default"]))</dc:subject>")?.keywords == ["de text", "x-default text"])
  }

  @Test(arguments: [
    ("<![CDATA[A & B]]>", "A & B"), ("<![CDATA[A &amp; B]]>", "A &amp; B"), ("A <![CDATA[<b>]]> B", "A <b> B"),
    ("A<!-- <dc:title>no</dc:title> -->B", "AB"), ("<![CDATA[]]>x", "x"), ("<?a <b> ?>x", "x"),
    ("<![CDATA[A]]]>", "A]"), ("<![CDATA[a]]><![CDATA[b]]>", "ab"),
  ])
  func `markup inside a text is read as XML has it`(written: String, read: String) {
    #expect(xmp("<dc:title>\(written)</dc:title>")?.title == read)
    #expect(
      xmp("<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">\(written)</rdf:li></rdf:Alt></dc:title>")?.title == read)
  }

  @Test(arguments: [
    (#"dc:title="A > B""#, "A > B"), (#"dc:title='A > "B"'"#, #"A > "B""#), (#"x:y=">" dc:title="A""#, "A"),
    (#"x:y="/>" dc:title="A""#, "A"), (#"x:y="it's" dc:title="A>""#, "A>"),
  ])
  func `an attribute's value may contain the sign that ends a tag`(attributes: String, title: String) {
    let xmp = "<rdf:Description \(attributes) dc:description='B'/>"
    let metadata = readMetadata(of: SampleFiles.jpeg(xmp: xmp))
    #expect(metadata?.title == title)
    #expect(metadata?.caption == "B")
  }

  @Test func `a missing quotation mark affects only its tag`() {
    let text = xmp(#"<x:y a="b>c</x:y><dc:title>A</dc:title><x:y a='>d</x:y><dc:description>B</dc:description>"#)
    #expect(text?.title == "A")
    #expect(text?.caption == "B")
  }

  @Test(arguments: ["<![CDATA[A", "<!-- A", "<?A", "<!", "<![CDATA[A]]", "<"])
  func `markup without an end ends the packet`(written: String) {
    let text = xmp("<dc:description>first</dc:description><dc:title>\(written)")
    #expect(text?.caption == "first")
    #expect(text?.title == nil)
  }

  @Test(arguments: [
    ("lr:hierarchicalSubject", "Places|Norway|Bergen", ["Bergen", "Norway", "Places"]),
    ("digiKam:TagsList", "People/Anna", ["Anna", "People"]),
    ("MicrosoftPhoto:LastKeywordXMP", "People/Anna", ["Anna", "People"]),
    ("mediapro:CatalogSets", "People|Anna", ["Anna", "People"]), ("lr:hierarchicalSubject", "A/B|", ["A/B"]),
    ("lr:hierarchicalSubject", "R&amp;D", ["R&D"]), ("lr:hierarchicalSubject", "|", []),
  ])
  func `keywords in a hierarchy are keywords`(property: String, path: String, keywords: [String]) {
    #expect(xmp("<\(property)><rdf:Bag><rdf:li>\(path)</rdf:li></rdf:Bag></\(property)>")?.keywords == keywords)
  }

  /// The packet follows section 5.9 of the Metadata Working Group's Guidelines 2.0.
  @Test func `each level of MWG's keywords is a keyword`() {
    let norway =
      "<rdf:li rdf:parseType='Resource'><mwg-kw:Keyword>Norway</mwg-kw:Keyword><mwg-kw:Children><rdf:Bag>"
      + "<rdf:li mwg-kw:Keyword='R&amp;D'/></rdf:Bag></mwg-kw:Children></rdf:li>"
    let places =
      "<rdf:li rdf:parseType='Resource'><mwg-kw:Keyword>Places</mwg-kw:Keyword><mwg-kw:Children><rdf:Bag>\(norway)"
      + "</rdf:Bag></mwg-kw:Children></rdf:li>"
    let hierarchy = "<mwg-kw:Hierarchy><rdf:Bag>\(places)</rdf:Bag></mwg-kw:Hierarchy>"
    let keywords = "<mwg-kw:Keywords rdf:parseType='Resource'>\(hierarchy)</mwg-kw:Keywords>"
    #expect(xmp(keywords)?.keywords == ["R&D", "Norway", "Places"])
    #expect(xmp(keywords + "<dc:subject>Oslo</dc:subject>")?.keywords == ["Oslo"])
  }

  @Test(arguments: [
    (#"<Category Assigned="1">Norway</Category>"#, ["Norway"]),
    (
      #"<Category Assigned="0">A<Category Assigned="1">Oslo</Category></Category>"#
        + #"<Category Assigned="1">R&amp;D</Category>"#,
      ["Oslo", "A", "R&D"]
    ),
    (#"<Category Assigned="0">Places</Category>"#, []), (#"<Category Assigned="1">Cut"#, ["Cut"]),
    (#"</Category></Category><Category Assigned="1""#, []),
  ])
  func `ACDSee's assigned categories are keywords`(categories: String, keywords: [String]) {
    let value = XMPText.escaped("<Categories>\(categories)</Categories>")
    #expect(xmp("<acdsee:categories>\(value)</acdsee:categories>")?.keywords == keywords)
    let quoted = value.replacing("\"", with: "&quot;")
    #expect(xmp("<rdf:Description acdsee:categories=\"\(quoted)\"/>")?.keywords == keywords)
  }

  @Test(arguments: [
    "<p:title xmlns:p='http://purl.org/dc/elements/1.1/'>A</p:title>",
    "<title xmlns='http://purl.org/dc/elements/1.1/'>A</title>",
    "<rdf:Description p:title='A' xmlns:p='http://purl.org/dc/elements/1.1/'/>",
    "<rdf:Description xmlns:p='a:b'/><p:title xmlns:p='http://purl.org/dc/elements/1.1/'>A</p:title>",
    "<rdf:Description xmlns:p='http://purl.org/dc/elements/1.1/' xmlns:xmp='a:b' p:title='A'/>",
    "<dc:title xmlns:dc='http://purl.org/dc/elements/1.1/'>A</dc:title>",
    // Python's ElementTree numbers all namespaces.
    "<ns0:RDF xmlns:ns0='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:ns1='http://purl.org/dc/elements/1.1/'>"
      + "<ns0:Description ns0:about=''><ns1:title><ns0:Alt><ns0:li xml:lang='de'>B</ns0:li>"
      + "<ns0:li xml:lang='x-default'>A</ns0:li></ns0:Alt></ns1:title></ns0:Description></ns0:RDF>",
  ])
  func `a packet may choose its prefixes`(packet: String) {
    #expect(readMetadata(of: SampleFiles.jpeg(xmp: packet))?.title == "A")
  }

  @Test func `the last declaration of a prefix applies`() {
    let packet =
      "<x:y xmlns:dc='http://ns.adobe.com/photoshop/1.0/'/><x:y xmlns:p='http://purl.org/dc/elements/1.1/'/>"
      + "<dc:City>Oslo</dc:City><p:title>A</p:title><x:y xmlns:p='a:b'/><p:title>B</p:title>"
      + "<x:y xmlns:dc='http://purl.org/dc/elements/1.1/' dc:description='C'/>"
    let metadata = readMetadata(of: SampleFiles.jpeg(xmp: packet))
    #expect([metadata?.title, metadata?.caption, metadata?.placeNames.first] == ["A", "C", "Oslo"])
  }

  @Test func `keywords in several hierarchies count once, and plain ones are preferred`() {
    func list(_ property: String, _ items: String...) -> String {
      "<\(property)><rdf:Bag>\(items.map { "<rdf:li>\($0)</rdf:li>" }.joined())</rdf:Bag></\(property)>"
    }
    let paths =
      list("lr:hierarchicalSubject", "Places|Norway|Bergen", "Places|Oslo") + list("digiKam:TagsList", "Places/Oslo")
    #expect(xmp(paths)?.keywords == ["Bergen", "Norway", "Places", "Oslo"])
    #expect(xmp(paths + list("dc:subject", "Bergen"))?.keywords == ["Bergen"])
  }

  @Test func longCaptionsAreReadAndEndlessOnesCut() {
    let long = String(repeating: "long ", count: 400)
    #expect(xmp("<dc:description>\(long)</dc:description>")?.caption == String(long.dropLast()))
    let endless = String(repeating: "x", count: 5000)
    #expect(xmp("<dc:description>\(endless)</dc:description>")?.caption?.count == 4000)
    #expect(xmp(#"<x:y dc:description="\#(endless)"/>"#)?.caption?.count == 4000)
    #expect(xmp("<dc:description>\(String(repeating: "x", count: 20_000))</dc:description>")?.caption == nil)
  }

  @Test(arguments: [
    ("Fish &amp; chips", "Fish & chips"), ("&lt;3 &gt;&quot;&apos;", "<3 >\"'"), ("&#65;&#x42;&#xA;C", "AB C"),
    ("AT&T", "AT&T"), ("&bomb;", "&bomb;"), ("&#xD800;&#99999999;&", "&#xD800;&#99999999;&"), ("&#0;&#27;x", "x"),
  ])
  func onlyXMLsOwnReferencesAreExpanded(written: String, read: String) {
    #expect(xmp("<dc:title>\(written)</dc:title>")?.title == read)
  }

  @Test func keywordsAreFewShortAndEachOnce() {
    let items = (0..<500).map { "<rdf:li>word \($0 / 2)</rdf:li>" }.joined()
    #expect(xmp("<dc:subject><rdf:Bag>\(items)</rdf:Bag></dc:subject>")?.keywords.count == 100)
    let long = String(repeating: "é", count: 300)
    #expect(xmp("<dc:subject>\(long)</dc:subject>")?.keywords == [String(repeating: "é", count: 100)])
    let fields = (0..<900).flatMap { iptc(2, 25, ascii("word \($0)")) }
    #expect(exif([], iptc: fields)?.keywords.count == 200)
  }

  @Test func placesGoFromTheMostExactToTheWidest() {
    let written = """
      <photoshop:Country>France</photoshop:Country><photoshop:State>Île-de-France</photoshop:State>
      <photoshop:City>Paris</photoshop:City><Iptc4xmpCore:Location>Louvre</Iptc4xmpCore:Location>
      """
    #expect(xmp(written)?.placeNames == ["Louvre", "Paris", "Île-de-France", "France"])
    let city = "<photoshop:City>Luxembourg</photoshop:City><photoshop:Country>Luxembourg</photoshop:Country>"
    #expect(xmp(city)?.placeNames == ["Luxembourg"])
  }

  @Test func aPlaceMayBeAStructureButNotOneOfMany() {
    func place(_ kind: String, _ city: String) -> String {
      """
      <Iptc4xmpExt:\(kind)><rdf:Bag><rdf:li rdf:parseType="Resource"><Iptc4xmpExt:City>\(city)</Iptc4xmpExt:City>
      <Iptc4xmpExt:CountryName>Italy</Iptc4xmpExt:CountryName></rdf:li></rdf:Bag></Iptc4xmpExt:\(kind)>
      """
    }
    #expect(xmp(place("LocationShown", "Rome"))?.placeNames == ["Rome", "Italy"])
    #expect(xmp(place("LocationShown", "Rome") + place("LocationCreated", "Rome"))?.placeNames == ["Rome", "Italy"])
    #expect(xmp(place("LocationShown", "Rome") + place("LocationCreated", "Milan"))?.placeNames == [])
    let defaultText = #"<rdf:Alt><rdf:li xml:lang="x-default">Milan</rdf:li></rdf:Alt>"#
    #expect(xmp(place("LocationShown", "Rome") + place("LocationCreated", defaultText))?.placeNames == [])
  }

  @Test(arguments: [
    ("3", 3), ("5.0", 5), ("0", 0), ("-1", 0), ("6", 0), ("99", 0), ("nan", 0), ("many", 0), ("", 0),
  ])
  func ratingsAreStars(written: String, stars: Int) {
    #expect(readMetadata(of: SampleFiles.jpeg(xmp: #"<rdf:Description xmp:Rating="\#(written)"/>"#))?.rating == stars)
  }

  // MARK: EXIF

  @Test func windowsTextsAreRead() throws {
    let metadata = try #require(
      exif([
        (0x9C9B, .bytes(wide("Grüße"))), (0x9C9C, .bytes(wide("A comment"))), (0x9C9E, .bytes(wide("a; b;;a"))),
        (0x4746, .short([5])),
      ]))
    #expect(metadata.title == "Grüße")
    #expect(metadata.caption == "A comment")
    #expect(metadata.keywords == ["a", "b"])
    #expect(metadata.rating == 5)
  }

  @Test(
    arguments: [
      ("OLYMPUS DIGITAL CAMERA", nil), ("SONY DSC", nil), (#"DCIM\100MEDIA\DJI_0042.JPG"#, nil), ("Acme", nil),
      ("<KENOX S1050  / Samsung S1050>", nil), ("Acme Zoom 3", nil), ("DSC_0042.JPG", nil), ("P1010001", nil),
      ("          ", nil), (#"{"mirror":false}"#, nil), ("My new digital camera", "My new digital camera"),
      ("Summer 2019", "Summer 2019"), ("20190102", "20190102"), ("  Hello\r\n\tworld\u{7} ", "Hello world"),
    ] as [(String, String?)])
  func onlyAPersonsWordsAreACaption(written: String, caption: String?) {
    let camera: [(Int, TIFFBuilder.Value)] = [(0x10F, .text("ACME")), (0x110, .text("Zoom 3"))]
    #expect(exif(camera + [(0x10E, .text(written))])?.caption == caption)
    // Programs copy a camera's default text from EXIF to IPTC.
    #expect(exif(camera, iptc: iptc(2, 120, ascii(written)))?.caption == caption)
  }

  @Test func aCamerasPhraseDoesNotHideAPersonsWords() {
    let phrase = #"<rdf:Description dc:description="SONY DSC"/>"#
    #expect(exif([(0x10E, .text("Our house"))], xmp: phrase)?.caption == "Our house")
  }

  // MARK: Movies and PNG

  @Test func quickTimesKeysAreRead() throws {
    let metadata = try #require(
      movie([
        ("title", "A film"), ("description", "Of a tree"), ("keywords", "tree, film,tree"),
        ("location.name", "Grandmother’s house"), ("rating.user", "4"),
      ]))
    #expect(metadata.title == "A film")
    #expect(metadata.caption == "Of a tree")
    #expect(metadata.keywords == ["tree", "film"])
    #expect(metadata.placeNames == ["Grandmother’s house"])
    #expect(metadata.rating == 4)
  }

  @Test func theRatingOfAMovieMayBeAFraction() {
    let stars = big(Int(Float(3.0).bitPattern), 4)
    let name = box("mdta", ascii("com.apple.quicktime.rating.user"))
    let item = big(8 + 16 + 4, 4) + big(1, 4) + box("data", big(23, 4), big(0, 4), stars)
    let meta = box(
      "meta", fullBox("hdlr", big(0, 4), ascii("mdta"), big(0, 12)), fullBox("keys", big(1, 4), name), box("ilst", item)
    )
    #expect(readMetadata(of: SampleFiles.movie(moov: meta))?.rating == 3)
  }

  @Test func `a title in an older movie's four-letter box is read`() {
    let text = ascii("A film")
    let title = box("udta", box("©nam", big(text.count, 2), big(0x15C7, 2), text))
    #expect(readMetadata(of: SampleFiles.movie(moov: title))?.title == "A film")
  }

  @Test func pngsTextsAreRead() throws {
    let title = pngChunk("tEXt", ascii("Title\0Caf\u{E9}"))
    let description = pngChunk("iTXt", ascii("Description\0\0\0\0\0") + Array("Grüße".utf8))
    let metadata = try #require(readMetadata(of: SampleFiles.png(title, description)))
    #expect(metadata.title == "Café")
    #expect(metadata.caption == "Grüße")
  }
}
