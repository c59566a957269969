import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct TypeDetectionTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]
    var type: String
    var filenameExtension: String
    var testDescription: String { "\(type) .\(filenameExtension)" }

    init(_ bytes: [UInt8], _ type: String, _ filenameExtension: String) {
      (self.bytes, self.type, self.filenameExtension) = (bytes, type, filenameExtension)
    }
  }

  static let samples: [Sample] = [
    Sample(SampleFiles.jpeg(), "public.jpeg", "jpg"), Sample(SampleFiles.png(), "public.png", "png"),
    Sample(SampleFiles.gif(), "com.compuserve.gif", "gif"), Sample(SampleFiles.webP(), "org.webmproject.webp", "webp"),
    Sample(SampleFiles.bmp(), "com.microsoft.bmp", "bmp"), Sample(SampleFiles.tiff(), "public.tiff", "tiff"),
    Sample(SampleFiles.jpegXL(), "public.jpeg-xl", "jxl"),
    Sample(SampleFiles.jpegXLContainer(), "public.jpeg-xl", "jxl"),
    Sample(SampleFiles.jpeg2000(), "public.jpeg-2000", "jp2"),
    Sample(SampleFiles.jpeg2000Codestream(), "public.jpeg-2000", "j2k"),
    Sample(SampleFiles.heif(), "public.heic", "heic"), Sample(SampleFiles.heif(major: "mif1"), "public.heic", "heic"),
    Sample(SampleFiles.heif(major: "heix", compatible: ["mif1", "heix"]), "public.heif", "heif"),
    Sample(SampleFiles.heif(major: "msf1", compatible: ["hevc"]), "public.heif", "heif"),
    Sample(SampleFiles.heif(major: "mif1", compatible: ["avif"]), "public.avif", "avif"),
    Sample(SampleFiles.heif(major: "avif"), "public.avif", "avif"),
    Sample(SampleFiles.heif(major: "avis"), "public.avif", "avif"),
    Sample(SampleFiles.heif(major: "avci", compatible: []), "public.heif", "heif"),
    Sample(SampleFiles.movie(), "com.apple.quicktime-movie", "mov"),
    Sample(SampleFiles.movie(brand: "isom"), "public.mpeg-4", "mp4"),
    Sample(SampleFiles.movie(brand: "M4V "), "com.apple.m4v-video", "m4v"),
    Sample(SampleFiles.movie(brand: "3gp5"), "public.3gpp", "3gp"),
    Sample(Array(SampleFiles.movie().dropFirst(20)), "com.apple.quicktime-movie", "mov"),
    Sample(SampleFiles.movie(brand: "M4A ", handler: "soun"), "com.apple.m4a-audio", "m4a"),
    Sample(SampleFiles.movie(brand: "mp42", handler: "soun"), "public.mpeg-4-audio", "mp4"),
    Sample(SampleFiles.avi(), "public.avi", "avi"),
    Sample(SampleFiles.matroska(), "org.matroska.mkv", "mkv"),
    Sample(SampleFiles.matroska("webm"), "org.webmproject.webm", "webm"),
    Sample(OldMovies.mpeg1, "public.mpeg", "mpg"), Sample(OldMovies.mpeg2, "public.mpeg", "mpg"),
    Sample(OldMovies.videoCD, "public.mpeg", "mpg"), Sample(OldMovies.pictureSequence, "public.mpeg", "mpg"),
    Sample(OldMovies.transportStream(), "public.mpeg-2-transport-stream", "ts"),
    Sample([7, 7, 7] + OldMovies.transportStream(), "public.mpeg-2-transport-stream", "ts"),
    Sample(OldMovies.transportStream(behind: 16), "public.mpeg-2-transport-stream", "ts"),
    Sample(OldMovies.transportStream(before: 4), "public.avchd-mpeg-2-transport-stream", "mts"),
    Sample(OldMovies.asf(), "com.microsoft.windows-media-wmv", "wmv"), Sample(OldMovies.dv(), "public.dv-movie", "dv"),
    Sample(OldMovies.flash(5), "com.adobe.flash.video", "flv"),
    Sample(OldMovies.ogg("fishead", "\u{1}vorbis", "\u{80}theora"), "org.xiph.ogv", "ogv"),
    Sample(OldMovies.mxf, "org.smpte.mxf", "mxf"),
    Sample(OldMovies.realMedia("video/x-pn-realvideo"), "com.real.realmedia", "rm"),
    Sample(OldMovies.wtv, "org.videolan.wtv", "wtv"), Sample(OldMovies.nut, "org.ffmpeg.nut", "nut"),
    Sample(OldMovies.swf("FWS", 9, 60), "com.macromedia.shockwave-flash", "swf"),
    Sample(OldMovies.ivf, "org.webmproject.ivf", "ivf"), Sample(OldMovies.roq, "com.idsoftware.roq", "roq"),
    Sample(OldMovies.h264(), "int.itu.h264", "h264"),
    Sample(OldMovies.h264([0x27, 66, 0xC0, 40]), "int.itu.h264", "h264"),
    Sample(Array(OldMovies.h264().dropFirst(6)), "int.itu.h264", "h264"),
    Sample(OldMovies.hevc(), "int.itu.hevc", "hevc"),
    Sample([0, 0, 0, 1, 0x46, 1, 0x50] + OldMovies.hevc(), "int.itu.hevc", "hevc"),
    Sample(SampleFiles.raw(make: "LEICA", [(0xC612, .bytes([1, 4, 0, 0]))]), "com.adobe.raw-image", "dng"),
    Sample(SampleFiles.tiff(preamble: ascii("CR") + [2, 0, 0, 0, 0, 0]), "com.canon.cr2-raw-image", "cr2"),
    Sample(SampleFiles.canonRaw3(), "com.canon.cr3-raw-image", "cr3"),
    Sample(SampleFiles.canonRaw1(), "com.canon.crw-raw-image", "crw"),
    Sample(SampleFiles.raw(make: "NIKON CORPORATION", compression: 34713), "com.nikon.raw-image", "nef"),
    Sample(SampleFiles.raw(make: "SONY", compression: 32767), "com.sony.arw-raw-image", "arw"),
    Sample(SampleFiles.fujiRaw(), "com.fuji.raw-image", "raf"),
    Sample(SampleFiles.panasonicRaw(), "com.panasonic.rw2-raw-image", "rw2"),
    Sample(ascii("IIRO") + little(8, 4) + [0, 0], "com.olympus.or-raw-image", "orf"),
    Sample(SampleFiles.raw(make: "PENTAX", compression: 65535), "com.pentax.raw-image", "pef"),
    Sample(SampleFiles.raw(make: "SAMSUNG", compression: 32770), "com.samsung.raw-image", "srw"),
    Sample(SampleFiles.raw(make: "Eastman Kodak Company", compression: 32867), "com.kodak.raw-image", "kdc"),
    Sample(SampleFiles.minoltaRaw(), "com.konicaminolta.raw-image", "mrw"),
  ]

  @Test(arguments: samples) func theContentTellsTheType(_ sample: Sample) throws {
    let type = try #require(readMetadata(of: sample.bytes)).type
    #expect(type.uniformTypeIdentifier == sample.type)
    #expect(type.preferredFilenameExtension == sample.filenameExtension)
    #expect(type.isRaw == sample.type.contains("raw-image"))
  }

  @Test(arguments: [
    OldMovies.asf(hasPicture: false), OldMovies.flash(4), OldMovies.ogg("\u{1}vorbis"),
    OldMovies.realMedia("audio/x-pn-realaudio"),
  ])
  func aContainerOfMoviesThatHasSoundAloneIsAudio(_ bytes: [UInt8]) {
    #expect(readMetadata(of: bytes)?.type.kind == .audio)
  }

  @Test(
    arguments: [
      // Records of 64 bytes, three of which are as long as a packet of 192 bytes.
      [[UInt8]](repeating: ascii("G row 2009") + [UInt8](repeating: 0x31, count: 54), count: 60).flatMap { $0 },
      [UInt8](repeating: 0x47, count: 4000), [0, 0, 1, 0xBA, 0x99, 0, 0, 0], [0, 0, 1, 0xB3, 0, 0, 0, 0, 0],
      [0x1F, 7, 0, 0x3F] + [UInt8](repeating: 0, count: 400),
      // An unknown profile, reserved bits, an unknown level, and no parameters of a picture.
      OldMovies.h264([0x67, 101, 0, 10]), OldMovies.h264([0x67, 100, 1, 10]), OldMovies.h264([0x67, 100, 0, 14]),
      OldMovies.h264(picture: [0x65, 0x88]), OldMovies.h264(picture: []), OldMovies.h264([0x67, 100]),
      // Reserved bits, an unknown profile, and no parameters of a sequence or a picture.
      OldMovies.hevc([0x40, 1, 12, 1, 0xFF, 0xFE, 1]), OldMovies.hevc([0x40, 1, 12, 1, 0xFF, 0xFF, 12]),
      OldMovies.hevc(sequence: [0x26, 1, 1]), OldMovies.hevc(picture: [0x26, 1]), OldMovies.hevc([0x40, 1]),
      // An icon.
      [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0],
    ] as [[UInt8]])
  func bytesThatOnlyLookLikeAStreamAreNoMovie(_ bytes: [UInt8]) { #expect(readMetadata(of: bytes) == nil) }

  /// The tags are the background's color, a shape, and a movie that is compressed.
  @Test(arguments: [
    OldMovies.swf("FWS", 9, 2), OldMovies.swf("CWS", 9, 60), Array(OldMovies.swf("FWS", 9, 60).prefix(30)),
  ])
  func aFlashFileWithoutAReadableMovieHasNoType(_ bytes: [UInt8]) { #expect(readMetadata(of: bytes) == nil) }

  @Test func aSoundWithoutAPictureIsAudio() throws {
    #expect(readMetadata(of: SampleFiles.movie(brand: "mp42", handler: "soun"))?.type.kind == .audio)
    #expect(readMetadata(of: SampleFiles.movie(brand: "mp42"))?.type.kind == .video)
  }

  @Test(arguments: [
    "", "x", "{\"title\": \"IMG_1.jpg\"}", "<?xml version=\"1.0\"?><plist></plist>",
    "BM is how this text begins, and it goes on for long",
    "GIF", "RIFF1234WAVEfmt ", "%PDF-1.7",
  ])
  func otherContentHasNoType(_ text: String) { #expect(readMetadata(of: ascii(text)) == nil) }

  @Test func aFileIsReadFromDiskAndItsNameDoesNotCount() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).png").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(SampleFiles.jpeg(exif: SampleFiles.richEXIF)).write(to: URL(fileURLWithPath: path))
    let file = try MediaFile(path: path)
    #expect(try MediaType.detect(in: file)?.uniformTypeIdentifier == "public.jpeg")
    #expect(try MediaMetadata(of: file, machineTimeZone: .gmt).pixelWidth == 30)
  }

  @Test func anUnknownFileIsAnErrorThatNamesIt() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jpg").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("a text".utf8).write(to: URL(fileURLWithPath: path))
    let file = try MediaFile(path: path)
    #expect(try MediaType.detect(in: file) == nil)
    let error = #expect(throws: ImagingError.self) { try MediaMetadata(of: file, machineTimeZone: .gmt) }
    #expect(error?.code == .unknownType)
    #expect(error?.file == path)
  }

  @Test func aMoviesIndexBehindFourGigabytesIsFoundByItsBoxes() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).mov").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let movie = SampleFiles.movie()
    // The same movie with a gap of 4 GiB for its pictures before its index.
    let hole = 4 << 30
    let start: [UInt8] = Array(movie[..<20]) + big(1, 4) + ascii("mdat") + big(hole, 8)
    #expect(
      FileManager.default.createFile(
        atPath: path, contents: Data(start)))
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seek(toOffset: UInt64(20 + hole))
    try handle.write(contentsOf: Data(movie.dropFirst(20)))
    try handle.close()
    let metadata = try MediaMetadata(of: MediaFile(path: path), machineTimeZone: .gmt)
    #expect(metadata.duration == 1)
    #expect(metadata.pixelWidth == 40)
  }
}
