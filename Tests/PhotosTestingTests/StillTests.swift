import Foundation
import Imaging
import PhotosTesting
import Testing

@Suite struct StillTests {
  /// Metadata in which every property has a value.
  static let full: SampleMetadata = {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_558_428_352), offset: -12_600)
    metadata.subseconds = 250
    metadata.camera = .iPhone
    metadata.place = SampleMetadata.Place(latitude: -33.8568, longitude: -70.6483, altitude: 520.5)
    metadata.orientation = 6
    metadata.contentIdentifier = "8A1B5C0D-0000-4000-8000-00000000000A"
    metadata.burstIdentifier = "8A1B5C0D-0000-4000-8000-00000000000B"
    metadata.isHDR = true
    metadata.software = "17.4"
    return metadata
  }()

  typealias Maker = @Sendable (PictureSize, SampleMetadata) throws -> Data

  static let formats: [(String, Maker)] = [
    ("public.jpeg", { try SampleMedia.jpeg(size: $0, metadata: $1) }),
    ("public.heic", { try SampleMedia.heic(size: $0, metadata: $1) }),
    ("public.png", { try SampleMedia.png(size: $0, metadata: $1) }),
    ("org.webmproject.webp", { try SampleMedia.webP(size: $0, metadata: $1) }),
    ("public.tiff", { try SampleMedia.tiff(size: $0, metadata: $1) }),
    ("com.adobe.raw-image", { try SampleMedia.dng(size: $0, metadata: $1) }),
  ]

  @Test(arguments: formats.indices) func writtenMetadataIsReadBack(_ index: Int) throws {
    let (type, make) = Self.formats[index]
    let read = try metadata(of: make(.small, Self.full))
    #expect(read.type.uniformTypeIdentifier == type)
    #expect(read.size == PictureSize(width: 160, height: 120))
    #expect(read.orientation == (type == "public.heic" ? 1 : 6))
    #expect(read.captureDate.date == Date(timeIntervalSince1970: 1_558_428_352.25))
    #expect(read.captureDate.offset == -12_600)
    #expect(read.captureDate.source == .original)
    #expect(read.captureDate.zoneSource == .file)
    #expect(abs((read.location?.latitude ?? 0) + 33.8568) < 1e-5)
    #expect(abs((read.location?.longitude ?? 0) + 70.6483) < 1e-5)
    #expect(read.location?.altitude == 520.5)
    #expect(read.contentIdentifier == Self.full.contentIdentifier)
    #expect(read.burstIdentifier == Self.full.burstIdentifier)
    #expect(read.subtypes == .hdr)
    #expect(read.camera.make == "Apple")
    #expect(read.camera.model == "iPhone 15 Pro")
    #expect(read.camera.lens == SampleMetadata.Camera.iPhone.lens)
    #expect(read.camera.exposureTime == 1.0 / 250)
    #expect(read.camera.fNumber == 1.78)
    #expect(read.camera.iso == 80)
    #expect(read.camera.focalLength == 6.86)
    #expect(read.camera.software == "17.4")
    #expect(read.notes.isEmpty)
  }

  /// The displayed picture is the same for each stored orientation.
  @Test(arguments: 2...8) func `a sample is displayed the same in every orientation`(_ orientation: Int) throws {
    var turned = SampleMetadata()
    turned.orientation = orientation
    let size = PictureSize(width: 96, height: 64)
    let upright = try placeholder(of: SampleMedia.png(size: size, scene: .lighthouse))
    let read = try placeholder(of: SampleMedia.png(size: size, scene: .lighthouse, metadata: turned))
    #expect(read.placeholder == upright.placeholder)
  }

  @Test func `a sample without metadata states none`() throws {
    let read = try metadata(of: SampleMedia.jpeg(size: .small))
    #expect(read.captureDate.source == .file)
    #expect(read.location == nil)
    #expect(read.camera.make == nil)
  }

  @Test func `screenshots, panoramas and portraits have their subtypes`() throws {
    #expect(try metadata(of: SampleMedia.screenshotPNG(size: .small.turned)).subtypes == .screenshot)
    let panorama = try metadata(of: SampleMedia.panorama(size: PictureSize(width: 240, height: 60)))
    #expect(panorama.subtypes == .panorama)
    var portrait = SampleMetadata()
    portrait.camera = .iPhone
    portrait.customRendered = 8
    #expect(try metadata(of: SampleMedia.jpeg(size: .small, metadata: portrait)).subtypes == .depthEffect)
  }

  @Test func `animated samples have their subtype and duration`() throws {
    let gif = try metadata(of: SampleMedia.animatedGIF(frames: 5))
    #expect(gif.subtypes == .animated)
    #expect(abs(gif.duration - 0.5) < 1e-9)
    let png = try metadata(of: SampleMedia.animatedPNG(frames: 4))
    #expect(png.subtypes == .animated)
    #expect(abs(png.duration - 0.4) < 1e-9)
    #expect(try metadata(of: SampleMedia.gif()).subtypes == [])
  }

  @Test func burstsShareAnIdentifier() throws {
    let frames = try SampleMedia.burst(count: 3, size: .small, metadata: SampleMetadata(captureDate: .now, offset: 0))
      .map { try metadata(of: $0) }
    #expect(Set(frames.map(\.burstIdentifier)).count == 1)
    #expect(frames[0].burstIdentifier != nil)
    #expect(Set(frames.map(\.captureDate.date)).count == 3)
  }

  @Test(arguments: formats.indices) func theSameSeedGivesTheSameBytes(_ index: Int) throws {
    let (_, make) = Self.formats[index]
    #expect(try make(.small, Self.full) == make(.small, Self.full))
  }

  /// Plain pictures serve as test data, because a debug build draws other scenes slowly.
  @Test func aPlainPictureIsNotDrawn() throws {
    func colors(_ scene: SampleScene) throws -> Int {
      let pixels = try EncodedPicture(SampleMedia.png(size: .small, scene: scene), named: "a.png").pixels()
      let starts = stride(from: 0, to: pixels.bytes.count, by: pixels.channels)
      return Set(starts.map { Array(pixels.bytes[$0..<$0 + 3]) }).count
    }
    #expect(try colors(.plain) == 3)
    #expect(try colors(.hills) > 100)
  }

  @Test func noSeedChoosesThePlainScene() throws {
    let plain = try SampleMedia.jpeg(size: .small, seed: 1, scene: .plain)
    #expect(try SampleMedia.jpeg(size: .small, seed: 1) != plain)
    #expect(SampleScene.allCases.last == .plain)
  }

  @Test func otherSeedsGiveOtherPictures() throws {
    let pictures = try (1...8 as ClosedRange<UInt64>).map {
      try SampleMedia.jpeg(size: .small, seed: $0, scene: .hills)
    }
    #expect(Set(pictures).count == 8)
  }

  @Test(arguments: SampleScene.allCases) func everySceneIsDrawn(_ scene: SampleScene) throws {
    for size in [PictureSize.small, .small.turned, PictureSize(width: 1, height: 1)] {
      #expect(try !placeholder(of: SampleMedia.jpeg(size: size, scene: scene)).renditions.isEmpty)
    }
  }

  @Test(arguments: 0...6 as ClosedRange<UInt64>) func everyScreenIsDrawn(_ seed: UInt64) throws {
    #expect(try !placeholder(of: SampleMedia.screenshotPNG(size: .small.turned, seed: seed)).renditions.isEmpty)
  }

  @Test func `AVIF and JPEG XL samples have their types`() throws {
    #expect(try metadata(of: SampleMedia.avif()).type.uniformTypeIdentifier == "public.avif")
    #expect(try metadata(of: SampleMedia.jpegXL(size: .small)).type.uniformTypeIdentifier == "public.jpeg-xl")
  }
}
