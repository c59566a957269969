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
    ("Screenshots/tree.png", false),
  ])
  func thePNGsNameIsAHint(name: String, isScreenshot: Bool) {
    #expect(readMetadata(of: SampleFiles.png(), name: name)?.subtypes.contains(.screenshot) == isScreenshot)
    #expect(readMetadata(of: SampleFiles.jpeg(), name: name)?.subtypes == [])
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
    #expect(readMetadata(of: SampleFiles.movie(), name: "RPReplay_Final1.mp4")?.subtypes == .screenRecording)
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

  @Test func theOlderMicroVideoCountsFromTheEnd() throws {
    try check(
      SampleFiles.jpeg(
        xmp: #"<rdf:Description GCamera:MicroVideo="1" GCamera:MicroVideoOffset="\#(video.count)"/>"#, trailer: video))
  }

  @Test func samsungsTrailerIsADirectoryAtTheEnd() throws {
    let name = ascii("MotionPhoto_Data")
    let block = [0, 0] + little(0x0A30, 2) + little(name.count, 4) + name + video
    let directory =
      ascii("SEFH") + little(106, 4) + little(1, 4) + [0, 0] + little(0x0A30, 2) + little(block.count, 4)
      + little(block.count, 4)
    try check(SampleFiles.jpeg(trailer: block + directory + little(directory.count, 4) + ascii("SEFT")))
  }

  @Test func aMovieMayBeMerelyAppendedOrBoxed() throws {
    try check(SampleFiles.jpeg(trailer: video))
    try check(SampleFiles.heif(trailing: box("mpvd", video)))
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
