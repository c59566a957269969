import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata

/// Tests the recognition of selfies: photos taken by the camera on the screen's side.
@Suite struct FrontCameraTests {
  @Test(arguments: [
    ("Apple", "iPhone 12 front camera 2.71mm f/2.2", true),
    ("Apple", "iPhone X front TrueDepth camera 2.87mm f/2.2", true),
    ("Apple", "iPad Pro (11-inch) front camera 2.81mm f/2.2", true),
    ("Apple", "iPhone 15 Pro back triple camera 6.86mm f/1.78", false),
    ("Google", "Pixel 7 front camera 2.74mm f/2.2", true), ("Google", "Pixel 8 Pro back camera 2.23mm f/1.95", false),
    ("", "iPhone 12 front camera 2.71mm f/2.2", true), ("Acme", "front camera", false), ("Acme", "50mm f/1.8", false),
    ("Apple", "", false),
  ])
  func `the lens's name decides whether a photo is a selfie`(make: String, lens: String, isSelfie: Bool) {
    let exif = EXIFBuilder(capture: [(0xA434, .text(lens))], main: [(0x10F, .text(make))])
    #expect(readMetadata(of: SampleFiles.jpeg(exif: exif.bytes))?.isSelfie == isSelfie)
  }

  @Test(arguments: [(1, true), (0, false)]) func `Apple's maker note decides whether a photo is a selfie`(
    value: Int, isSelfie: Bool
  ) {
    let note = appleMakerNote([(0x0045, .long([value])), (0x000A, .long([2]))])
    let exif = EXIFBuilder(capture: [(0x927C, .bytes(note))], main: [(0x10F, .text("Apple"))])
    #expect(readMetadata(of: SampleFiles.heif(exif: exif.bytes))?.isSelfie == isSelfie)
  }

  @Test(arguments: [
    ("camera.lens_model", "iPhone 15 front camera 2.69mm f/1.9", true), ("camera.identifier", "Front", true),
    ("camera.identifier", "Back", false), ("camera.lens_model", "iPhone 15 Pro back camera 6.765mm f/1.78", false),
  ])
  func `QuickTime keys decide whether a movie is a selfie`(key: String, value: String, isSelfie: Bool) {
    let keys = SampleFiles.keys([("com.apple.quicktime." + key, value)])
    #expect(readMetadata(of: SampleFiles.movie(moov: keys))?.isSelfie == isSelfie)
  }
}
