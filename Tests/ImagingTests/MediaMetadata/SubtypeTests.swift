import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct SubtypeTests {
  private let identifier = "1EA799FF-8384-4BC4-87AA-139A814D9125"

  private func apple(note: [(Int, TIFFBuilder.Value)] = [(1, .long([14]))], rendered: Int = 0) -> [UInt8] {
    EXIFBuilder(
      capture: [(0xA401, .short([rendered])), (0x927C, .bytes(appleMakerNote(note)))], main: [(0x10F, .text("Apple"))]
    ).bytes
  }

  @Test func stillAndMovieOfALivePhotoShareAnIdentifier() throws {
    let note = apple(note: [(0x0011, .text(identifier)), (0x000B, .text("520DEEC9"))])
    for bytes in [SampleFiles.jpeg(exif: note), SampleFiles.heif(exif: note)] {
      let metadata = try #require(readMetadata(of: bytes))
      #expect(metadata.contentIdentifier == identifier)
      #expect(metadata.burstIdentifier == "520DEEC9")
      // Without its movie, the file is only a still.
      #expect(!metadata.subtypes.contains(.live))
    }
    let movie = SampleFiles.movie(
      moov: SampleFiles.keys([
        ("com.apple.quicktime.make", "Apple"), ("com.apple.quicktime.content.identifier", identifier),
      ]))
    #expect(readMetadata(of: movie)?.contentIdentifier == identifier)
    #expect(readMetadata(of: movie)?.camera.make == "Apple")
  }

  @Test(arguments: [
    (2, MediaSubtypes.hdr), (3, .hdr), (4, MediaSubtypes()), (6, .panorama), (7, MediaSubtypes([.hdr, .depthEffect])),
    (8, .depthEffect),
  ])
  func applesCameraSaysWhatItRendered(value: Int, subtypes: MediaSubtypes) {
    #expect(readMetadata(of: SampleFiles.jpeg(exif: apple(rendered: value)))?.subtypes == subtypes)
  }

  @Test func theMergedPhotoIsHDRAndTheOriginalBesideItIsNot() {
    #expect(readMetadata(of: SampleFiles.jpeg(exif: apple(note: [(0x000A, .long([3]))])))?.subtypes == .hdr)
    #expect(readMetadata(of: SampleFiles.jpeg(exif: apple(note: [(0x000A, .long([4]))])))?.subtypes == [])
  }

  @Test(arguments: [
    ("urn:com:apple:photo:2020:aux:hdrgainmap", MediaSubtypes.hdr), ("urn:mpeg:hevc:2015:auxid:2", .depthEffect),
    ("urn:com:apple:photo:2018:aux:portraiteffectsmatte", .depthEffect),
    ("urn:mpeg:hevc:2015:auxid:1", MediaSubtypes()),
  ])
  func `auxiliary pictures give the subtypes`(type: String, subtypes: MediaSubtypes) {
    #expect(readMetadata(of: SampleFiles.heif(auxiliary: type))?.subtypes == subtypes)
  }

  @Test(arguments: [
    (#"GPano:ProjectionType="equirectangular""#, MediaSubtypes.panorama), (#"hdrgm:Version="1.0""#, .hdr),
    (#"GDepth:Format="RangeInverse""#, .depthEffect),
    (#"exif:UserComment="Screenshot""#, .screenshot), (#"dc:title="Screenshot""#, MediaSubtypes()),
  ])
  func `XMP properties give the subtypes`(attribute: String, subtypes: MediaSubtypes) {
    #expect(readMetadata(of: SampleFiles.jpeg(xmp: "<rdf:Description \(attribute)/>"))?.subtypes == subtypes)
  }

  @Test func theCommentOfAScreenshotMayBeAnElementOrEXIF() {
    let xmp =
      "<exif:UserComment><rdf:Alt><rdf:li xml:lang=\"x-default\">Screenshot</rdf:li></rdf:Alt></exif:UserComment>"
    #expect(
      readMetadata(of: SampleFiles.png(pngChunk("iTXt", ascii("XML:com.adobe.xmp\0\0\0\0\0" + xmp))))?.subtypes
        == .screenshot)
    let exif = EXIFBuilder(capture: [(0x9286, .bytes(ascii("ASCII\0\0\0Screenshot")))]).bytes
    #expect(readMetadata(of: SampleFiles.png(pngChunk("eXIf", exif)))?.subtypes == .screenshot)
  }

  @Test(arguments: [
    ("Screenshot 2019-05-21 at 10.45.52.png", true), ("/a/Bildschirmfoto 2020.png", true),
    ("Screenshot_20190201-212530_Fennec.jpg", true), ("Screenshot_2019-02-01-21-25-30-123_com.miui.home.jpg", true),
    ("Screenshot (12).jpg", true), ("SCREENSHOT.JPG", true), ("Capture d’écran 2020-01-02.jpg", true),
    ("Ekran Resmi 2020-01-02.png", true), ("スクリーンショット 2020-01-02.png", true), ("截屏2020-01-02.png", true),
    ("Skärmbild 2020-01-02 101112.png", true), ("Képernyőkép 2020-01-02 101112.png", true),
    ("Skärmbilder.png", false),
    ("Screenshots/tree.png", false), ("Screenshots.jpg", false), ("screen-20230101-101010.jpg", false),
    ("My screenshot.jpg", false), ("photo.jpg", false),
  ])
  func `a picture's name says that it is a screenshot`(name: String, isScreenshot: Bool) {
    for bytes in [SampleFiles.png(), SampleFiles.jpeg()] {
      #expect(readMetadata(of: bytes, name: name)?.subtypes == (isScreenshot ? .screenshot : []))
    }
  }

  @Test func `a picture with an exposure is a camera's, whatever its name`() {
    let name = "Screenshot_20190201-212530.jpg"
    let phone = EXIFBuilder(main: [(0x10F, .text("Xiaomi")), (0x110, .text("Mi 9"))]).bytes
    #expect(readMetadata(of: SampleFiles.jpeg(exif: phone), name: name)?.subtypes == .screenshot)
    let camera = EXIFBuilder(capture: [(0x829A, .rational([(1, 60)]))]).bytes
    #expect(readMetadata(of: SampleFiles.jpeg(exif: camera), name: name)?.subtypes == [])
  }

  @Test(arguments: [
    ("RPReplay_Final1.mp4", true), ("Screen Recording 2020-01-02 at 10.11.12.mov", true),
    ("ScreenRecording_01-02-2020 10-11-12_1.mp4", true), ("Screen_Recording_20200102-101112_Maps.mp4", true),
    ("screen-20200102-101112.mp4", true), ("Screenrecorder-2020-01-02-10-11-12-123.mp4", true),
    ("screen-2020.mp4", false), ("screen-door.mp4", false), ("Screenplay.mp4", false),
    ("Screenshot_20190201-212530.mp4", false),
  ])
  func `a movie's name says that it is a screen recording`(name: String, isRecording: Bool) {
    #expect(readMetadata(of: SampleFiles.movie(), name: name)?.subtypes == (isRecording ? .screenRecording : []))
  }

  // MARK: Movies

  @Test(arguments: [(30, MediaSubtypes()), (60, MediaSubtypes()), (120, .highFrameRate), (240, .highFrameRate)])
  func manyFramesASecondAreSlowMotion(frames: Int, subtypes: MediaSubtypes) {
    #expect(readMetadata(of: SampleFiles.movie(frames: frames))?.subtypes == subtypes)
  }

  @Test func theTrackTellsOfATimelapse() {
    let keys = SampleFiles.keys([("com.apple.photos.captureMode", "Time-lapse")])
    #expect(readMetadata(of: SampleFiles.movie(track: keys))?.subtypes == .timelapse)
  }

  @Test func `a movie with an eyes box is spatial`() {
    #expect(readMetadata(of: SampleFiles.movie(entry: box("vexu", box("eyes", []))))?.subtypes == .spatial)
    #expect(readMetadata(of: SampleFiles.movie(entry: box("vexu", box("proj", []))))?.subtypes == [])
  }

  @Test func replayKitRecordsScreens() {
    let keys = SampleFiles.keys([("com.apple.quicktime.author", "ReplayKitRecording")])
    #expect(readMetadata(of: SampleFiles.movie(moov: keys))?.subtypes == .screenRecording)
  }

  // MARK: Motion photos

  private let video = SampleFiles.movie(brand: "mp42")

  private func check(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let metadata = try #require(readMetadata(of: bytes), sourceLocation: sourceLocation)
    #expect(metadata.subtypes.contains(.live), sourceLocation: sourceLocation)
    let motion = try #require(metadata.motionVideo, sourceLocation: sourceLocation)
    #expect(Array(bytes[motion.offset..<motion.offset + motion.byteCount]) == video, sourceLocation: sourceLocation)
  }

  @Test func googlesContainerTellsWhereTheMovieIs() throws {
    let xmp = """
      <rdf:Description GCamera:MotionPhoto="1"><Container:Directory><rdf:Seq>
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" Item:Semantic="Primary" Item:Length="0" Item:Padding="0"/></rdf:li>
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="MotionPhoto" Item:Length="\(video.count)" Item:Padding="0"/></rdf:li>
      </rdf:Seq></Container:Directory></rdf:Description>
      """
    try check(SampleFiles.jpeg(xmp: xmp, trailer: video))
  }

  @Test func `Google's flags may have any prefix`() throws {
    let base = "http://ns.google.com/photos/1.0"
    let item = #"<b:Item c:Semantic="MotionPhoto" c:Length="\#(video.count)" c:Padding="0"/>"#
    let xmp = """
      <rdf:Description xmlns:a="\(base)/camera/" xmlns:b="\(base)/container/" xmlns:c="\(base)/container/item/"
      a:MotionPhoto="1"><b:Directory><rdf:Seq><rdf:li rdf:parseType="Resource">\(item)</rdf:li></rdf:Seq></b:Directory>
      </rdf:Description>
      """
    try check(SampleFiles.jpeg(xmp: xmp, trailer: video))
    let still = #"<rdf:Description xmlns:a="\#(base)/camera/" a:MotionPhoto="0"/>"#
    #expect(readMetadata(of: SampleFiles.jpeg(xmp: still, trailer: video))?.motionVideo == nil)
  }

  @Test func theOlderMicroVideoCountsFromTheEnd() throws {
    try check(
      SampleFiles.jpeg(
        xmp: #"<rdf:Description GCamera:MicroVideo="1" GCamera:MicroVideoOffset="\#(video.count)"/>"#, trailer: video))
  }

  /// Returns Samsung's trailer with one entry.
  private func samsungTrailer(_ content: [UInt8], name: String = "MotionPhoto_Data") -> [UInt8] {
    let name = ascii(name)
    let block = [0, 0] + little(0x0A30, 2) + little(name.count, 4) + name + content
    let directory =
      ascii("SEFH") + little(106, 4) + little(1, 4) + [0, 0] + little(0x0A30, 2) + little(block.count, 4)
      + little(block.count, 4)
    return block + directory + little(directory.count, 4) + ascii("SEFT")
  }

  @Test func samsungsTrailerIsADirectoryAtTheEnd() throws {
    try check(SampleFiles.jpeg(trailer: samsungTrailer(video)))
    try check(SampleFiles.heif(trailing: samsungTrailer(video)))
  }

  @Test func `a newer Samsung's trailer has the movie's offset and size`() throws {
    for picture in [SampleFiles.jpeg(), SampleFiles.heif()] {
      let place = ascii("mpv2") + big(picture.count, 4) + big(video.count, 4)
      try check(picture + video + samsungTrailer(place))
    }
    for (offset, byteCount) in [(1, 100), (0, 100), (0xFFFF_FFFF, 0xFFFF_FFFF)] {
      let trailer = samsungTrailer(ascii("mpv2") + big(offset, 4) + big(byteCount, 4))
      for picture in [SampleFiles.jpeg(), SampleFiles.heif()] {
        #expect(readMetadata(of: picture + trailer)?.motionVideo == nil)
      }
      // A wrong place makes the search go on.
      for picture in [SampleFiles.jpeg(), SampleFiles.jpeg(trailer: codedData(20_000))] {
        try check(picture + video + trailer)
      }
    }
  }

  @Test func `a movie is found before a Samsung's trailer that doesn't name it`() throws {
    let trailer = samsungTrailer(ascii("1601234567890"), name: "Image_UTC_Data")
    let wrongXMP = #"<rdf:Description GCamera:MicroVideo="1" GCamera:MicroVideoOffset="\#(video.count)"/>"#
    for picture in [SampleFiles.jpeg(), SampleFiles.jpeg(xmp: wrongXMP)] { try check(picture + video + trailer) }
    #expect(readMetadata(of: SampleFiles.jpeg(trailer: trailer))?.motionVideo == nil)
    // The bytes before the trailer end like a JPEG, and therefore no movie is searched for. A flat
    // picture has few bytes that are typical of coded data.
    for end in [codedData(20_000), [UInt8](repeating: 0, count: 20_000) + [0xFF, 0xD9]] {
      #expect(readMetadata(of: SampleFiles.jpeg(trailer: video + end + trailer))?.motionVideo == nil)
    }
  }

  @Test func `the letters of a movie's box are no movie`() {
    let text = ascii("boxes are ftyp, moov and mdat")
    let box = box("ftyp", ascii("isom"), big(0, 4), ascii("isommp41"))
    for bytes in [text, box, box + text, big(20, 4) + ascii("ftypisom") + text] {
      #expect(readMetadata(of: SampleFiles.jpeg(trailer: bytes))?.motionVideo == nil)
      #expect(readMetadata(of: SampleFiles.heif(trailing: bytes))?.motionVideo == nil)
    }
  }

  @Test func aMovieMayBeMerelyAppendedOrBoxed() throws {
    try check(SampleFiles.jpeg(trailer: video))
    try check(SampleFiles.heif(trailing: box("mpvd", video)))
  }

  @Test func `a movie behind a HEIC is no animation`() throws {
    let bytes = SampleFiles.heif(trailing: video)
    try check(bytes)
    #expect(readMetadata(of: bytes)?.subtypes == .live)
    for gap in [1, 4, 9, 300] {
      for byte in [0, 0x20] as [UInt8] {
        try check(SampleFiles.heif(trailing: [UInt8](repeating: byte, count: gap) + video))
      }
    }
    try check(SampleFiles.heif(trailing: ascii(#"vivo{"a":1,"b":2}"#) + video))
    #expect(readMetadata(of: SampleFiles.heif(trailing: SampleFiles.heif()))?.subtypes == [])
  }

  @Test func `a movie is found in a HEIC's box that has no size`() throws {
    for gap in [0, 300] {
      var bytes = SampleFiles.heif(exif: apple(), trailing: [UInt8](repeating: 0x20, count: gap) + video)
      let name = try #require(bytes.firstIndex(of: "mdat"))
      bytes.replaceSubrange(name - 4..<name, with: [0, 0, 0, 0])
      try check(bytes)
      // These bytes are the item's size. A size of 0 means the rest of the file.
      let places = try #require(bytes.firstIndex(of: "iloc"))
      bytes.replaceSubrange(places + 22..<places + 26, with: [0, 0, 0, 0])
      try check(bytes)
    }
  }

  @Test func `a movie behind a JPEG may be large, and bytes may be before it`() throws {
    let large = video + box("free", [UInt8](repeating: 0x55, count: 5 << 20))
    for gap in [0, 1, 3, 70_000] {
      let bytes = SampleFiles.jpeg(trailer: [UInt8](repeating: 0x20, count: gap) + large)
      let motion = try #require(readMetadata(of: bytes)?.motionVideo)
      #expect(motion.offset == bytes.count - large.count)
      #expect(motion.byteCount == large.count)
    }
  }

  /// Returns bytes of any value, as in a movie's frames.
  private func frames(_ count: Int) -> [UInt8] {
    var random = SplitMix(seed: 5)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Returns data like that of a JPEG's picture, with its end marker.
  private func codedData(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<count { bytes += index % 100 == 0 ? [0xFF, 0] : [UInt8(index % 255)] }
    return bytes + [0xFF, 0xD9]
  }

  @Test func `a movie behind a JPEG may end like a JPEG, or with zeros`() throws {
    let zeros = [UInt8](repeating: 0, count: 20_000)
    let ends: [[UInt8]] = [
      [0xFF, 0xD9], frames(20_000) + [0xFF, 0xD9], frames(20_000) + [0xFF, 0xD9, 0, 0], [UInt8](zeros.prefix(16)),
      zeros, frames(100) + zeros, codedData(100), frames(9000) + codedData(7000),
    ]
    for end in ends {
      let movie = video + box("free", end)
      for bytes in [SampleFiles.jpeg(trailer: movie), SampleFiles.jpeg(trailer: codedData(20_000) + movie)] {
        #expect(
          readMetadata(of: bytes)?.motionVideo
            == MotionVideo(offset: bytes.count - movie.count, byteCount: movie.count))
      }
    }
  }

  /// The search reads the whole file. Nearly all photos need none.
  @Test func `no movie is searched for if a JPEG ends with its picture`() {
    for padding in [0, 1, 16, 500] {
      let bytes = SampleFiles.jpeg(trailer: video + codedData(20_000)) + [UInt8](repeating: 0, count: padding)
      #expect(readMetadata(of: bytes)?.motionVideo == nil)
    }
  }

  /// The letters of a box, as they are in other data; with a size, they look like the box itself.
  @Test(arguments: [(ascii("xxxxftyp"), 500, 5000), (big(20, 4) + ascii("ftypisom"), 20_000, 90)])
  func `a movie is found behind many places that look like one`(
    _ place: [UInt8], distance: Int, count: Int
  ) throws {
    let places = [[UInt8]](repeating: place.padded(to: distance), count: count).flatMap { $0 }
    for picture in [SampleFiles.jpeg(), SampleFiles.heif()] {
      let bytes = picture + [0x20] + places + video
      let metadata = try MediaMetadata(parsing: MediaFile(data: Data(bytes), name: "many"))
      #expect(metadata.motionVideo == MotionVideo(offset: bytes.count - video.count, byteCount: video.count))
    }
  }

  @Test(arguments: [
    #"GCamera:MotionPhoto="0""#, #"GCamera:MicroVideo="0""#, #"Camera:MotionPhoto="0" Camera:MicroVideo="0""#,
    // By Android's format for motion photos, values other than 0 and 1 are undefined and mean 0.
    #"GCamera:MotionPhoto="2""#, #"GCamera:MotionPhoto="False""#,
  ])
  func `a flag that says that there is no movie is obeyed`(flags: String) throws {
    let metadata = readMetadata(of: SampleFiles.jpeg(xmp: "<rdf:Description \(flags)/>", trailer: video))
    #expect(metadata?.motionVideo == nil)
    #expect(metadata?.subtypes == [])
    for flags in [#"GCamera:MotionPhoto="0" GCamera:MicroVideo="1""#, #"GCamera:MotionPhoto="True""#] {
      try check(SampleFiles.jpeg(xmp: "<rdf:Description \(flags)/>", trailer: video))
    }
  }

  @Test func `a JPEG may have several packets of XMP`() {
    func packet(_ attributes: String) -> (Int, [UInt8]) {
      (0xE1, ascii("http://ns.adobe.com/xap/1.0/\0<rdf:Description \(attributes)/>"))
    }
    let packets = [
      packet(#"xmp:Rating="3""#), packet(#"GCamera:MotionPhoto="0" dc:title="Fjord" xmp:Rating="4""#),
    ]
    let metadata = readMetadata(of: SampleFiles.jpeg(segments: packets, trailer: video))
    #expect(metadata?.motionVideo == nil)
    #expect(metadata?.rating == 3)
    #expect(metadata?.title == "Fjord")
  }

  /// Returns the index of CIPA DC-007, with the size and the offset of each picture.
  private func pictureIndex(_ pictures: [(size: Int, offset: Int)]) -> (Int, [UInt8]) {
    let entries = pictures.flatMap { big(0, 4) + big($0.size, 4) + big($0.offset, 4) + big(0, 4) }
    let directory = TIFFBuilder(main: [(0xB001, .long([pictures.count])), (0xB002, .bytes(entries))])
    return (0xE2, ascii("MPF\0") + directory.bytes)
  }

  @Test func `a movie may be between two pictures`() throws {
    let second = SampleFiles.jpeg(trailer: codedData(20_000))
    let marked = SampleFiles.jpeg(xmp: #"<rdf:Description GCamera:MotionPhoto="1"/>"#)
    try check(marked + video + second)
    // The second picture's offset counts from the index, which follows the first 10 bytes.
    let byteCount = SampleFiles.jpeg(segments: [pictureIndex([(0, 0), (0, 0)])]).count
    let indexed = SampleFiles.jpeg(
      segments: [pictureIndex([(byteCount, 0), (second.count, byteCount + video.count - 10)])])
    try check(indexed + video + second)
    try check(indexed + video)
    #expect(readMetadata(of: indexed + second)?.motionVideo == nil)
    #expect(readMetadata(of: marked + second)?.motionVideo == nil)
    let wrong = SampleFiles.jpeg(segments: [pictureIndex([(0xFFFF_FFFF, 0), (0xFFFF_FFFF, 0xFFFF_FFFF)])])
    try check(wrong + video)
  }

  @Test(arguments: [
    "6bc3cff1-202d-503b-9b31-51f659b91b30", "{6BC3CFF1-202D-503B-9B31-51F659B91B30}",
    "6BC3CFF1202D503B9B3151F659B91B30", "urn:uuid:6bc3cff1-202d-503b-9b31-51f659b91b30",
    "6BC3CFF1-202D-503B-9B31-51F659B91B30",
  ])
  func `the identifier of a pair has one spelling`(identifier: String) {
    let keys = SampleFiles.keys([("com.apple.quicktime.content.identifier", identifier)])
    let read = readMetadata(of: SampleFiles.movie(moov: keys))?.contentIdentifier
    #expect(read == "6BC3CFF1-202D-503B-9B31-51F659B91B30")
  }

  @Test func aGainMapIsNoMovie() throws {
    let xmp = """
      <rdf:Description hdrgm:Version="1.0"><Container:Directory><rdf:Seq><rdf:li><Container:Item Item:Semantic="Primary"/></rdf:li>
      <rdf:li><Container:Item Item:Semantic="GainMap" Item:Length="60"/></rdf:li></rdf:Seq></Container:Directory></rdf:Description>
      """
    let metadata = try #require(readMetadata(of: SampleFiles.jpeg(xmp: xmp, trailer: SampleFiles.jpeg())))
    #expect(metadata.subtypes == .hdr)
    #expect(metadata.motionVideo == nil)
  }
}
