import Foundation
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

@Suite struct PictureTests {
  @Test(arguments: 1...8) func exifTurnsThePicture(_ orientation: Int) throws {
    let exif = EXIFBuilder(orientation: orientation).bytes
    for bytes in [SampleFiles.jpeg(exif: exif), SampleFiles.png(pngChunk("eXIf", exif)), SampleFiles.webP(exif: exif)] {
      let metadata = try #require(readMetadata(of: bytes))
      #expect(metadata.orientation == orientation)
      #expect(metadata.size == (orientation >= 5 ? "30x40" : "40x30"))
    }
  }

  @Test(arguments: [0, 1, 2, 3]) func heifTurnsItselfAndEXIFIsNotAppliedAgain(_ quarters: Int) throws {
    let bytes = SampleFiles.heif(properties: [box("irot", [UInt8(quarters)])], exif: EXIFBuilder(orientation: 6).bytes)
    let metadata = try #require(readMetadata(of: bytes))
    #expect(metadata.orientation == 1)
    #expect(metadata.size == (quarters % 2 == 1 ? "30x40" : "40x30"))
  }

  @Test func heifIsCroppedBeforeItIsTurned() throws {
    let clap = box("clap", big(36, 4), big(1, 4), big(20, 4), big(1, 4), big(0, 4), big(1, 4), big(0, 4), big(1, 4))
    let metadata = try #require(readMetadata(of: SampleFiles.heif(properties: [clap, box("irot", [1])])))
    #expect(metadata.size == "20x36")
  }

  @Test func aMovieIsTurnedByItsMatrix() throws {
    let metadata = try #require(readMetadata(of: SampleFiles.movie(turned: true)))
    #expect(metadata.size == "30x40")
    #expect(metadata.orientation == 1)
  }

  @Test(arguments: [
    ("png", SampleFiles.png()), ("gif", SampleFiles.gif()), ("bmp", SampleFiles.bmp()), ("tiff", SampleFiles.tiff()),
    ("jxl", SampleFiles.jpegXL()),
    ("jxl container", SampleFiles.jpegXLContainer()), ("jp2", SampleFiles.jpeg2000()),
    ("j2k", SampleFiles.jpeg2000Codestream()),
    ("avi", SampleFiles.avi()), ("mkv", SampleFiles.matroska()),
  ])
  func everyFormatTellsItsSize(name: String, bytes: [UInt8]) throws {
    let metadata = try #require(readMetadata(of: bytes))
    #expect(metadata.size == "40x30")
    #expect(metadata.notes.isEmpty)
  }

  @Test(arguments: [
    ("nef", SampleFiles.raw(make: "NIKON CORPORATION"), "4000x3000"), ("raf", SampleFiles.fujiRaw(), "4000x3000"),
    ("cr3, upright", SampleFiles.canonRaw3(), "3000x4000"), ("crw, upright", SampleFiles.canonRaw1(), "3000x4000"),
    ("mrw", SampleFiles.minoltaRaw(), "4000x3000"), ("rw2", SampleFiles.panasonicRaw(), "4000x3000"),
    (
      "dng, cropped",
      SampleFiles.tiff(
        width: 4016, height: 3016,
        [(0xC612, .bytes([1, 4, 0, 0])), (0xFE, .long([0])), (0xC620, .long([4000, 3000]))]),
      "4000x3000"
    ),
  ])
  func aRawFileHasTheSizeOfItsPictureAndNotOfItsPreview(name: String, bytes: [UInt8], size: String) throws {
    let metadata = try #require(readMetadata(of: bytes))
    #expect(metadata.size == size)
  }

  @Test(arguments: [
    ("gif", SampleFiles.gif(frames: 4), 1.0), ("apng", SampleFiles.animatedPNG(), 0.5),
    ("webp", SampleFiles.webP(animated: true), 0.5),
  ])
  func anAnimationLastsOneLoop(name: String, bytes: [UInt8], seconds: Double) throws {
    let metadata = try #require(readMetadata(of: bytes))
    #expect(metadata.subtypes == .animated)
    #expect(metadata.duration == seconds)
  }

  @Test func aGIFOfOneFrameIsAStill() throws {
    let metadata = try #require(readMetadata(of: SampleFiles.gif()))
    #expect(metadata.subtypes == [])
    #expect(metadata.duration == 0)
  }

  @Test(arguments: [
    ("mov", SampleFiles.movie(), 1.0), ("avi", SampleFiles.avi(), 2), ("mkv", SampleFiles.matroska(), 2.5),
  ])
  func aMovieTellsItsDuration(name: String, bytes: [UInt8], seconds: Double) {
    #expect(readMetadata(of: bytes)?.duration == seconds)
  }

  @Test(arguments: [Float.greatestFiniteMagnitude, 1e16, .infinity, .nan, -1])
  func aDurationThatCannotBeIsNone(milliseconds: Float) {
    #expect(readMetadata(of: SampleFiles.matroska(milliseconds: milliseconds))?.duration == 0)
  }

  @Test func theCameraIsTrimmedAndItsZerosAreDropped() throws {
    var exif = EXIFBuilder()
    exif.main = [(0x10F, .text("Canon   ")), (0x110, .text("\0")), (0x131, .text("Ver 1.0"))]
    exif.capture = [
      (0x829A, .rational([(1, 250)])), (0x829D, .rational([(0, 1)])), (0x8827, .short([400])),
      (0x920A, .rational([(50, 0)])), (0xA434, .text("EF50mm")),
    ]
    let camera = try #require(readMetadata(of: SampleFiles.jpeg(exif: exif.bytes))).camera
    var expected = Camera()
    (expected.make, expected.software, expected.lens) = ("Canon", "Ver 1.0", "EF50mm")
    (expected.exposureTime, expected.iso) = (1.0 / 250, 400)
    #expect(camera == expected)
  }
}

extension MediaMetadata {
  fileprivate var size: String { "\(pixelWidth)x\(pixelHeight)" }
}
