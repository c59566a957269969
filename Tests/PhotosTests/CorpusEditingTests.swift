import CoreImage
import Foundation
import Photos
import PhotosTesting
import Testing

@testable import ImageCoding
@testable import Imaging
@testable import MediaMetadata
@testable import MovieCoding

private let corpus = ProcessInfo.processInfo.environment["CALOTYPE_CORPUS"]

/// Tests edits of real cameras' files. Skipped unless `CALOTYPE_CORPUS` is the path of a folder
/// with such files.
@Suite(.serialized, .enabled(if: corpus != nil)) struct CorpusEditingTests {
  private func url(_ path: String) throws -> URL { URL(fileURLWithPath: "\(try #require(corpus))/\(path)") }

  @Test(arguments: ["apple-live/IMG_3589"])
  func `a phone's Live Photo stays one, in its colors`(name: String) async throws {
    let fixture = try EditingFixture()
    let still = try url("\(name).HEIC")
    let movie = try url("\(name).mov")
    let stillBefore = try MediaMetadata(of: MediaFile(path: still.path))
    let movieBefore = try MediaMetadata(of: MediaFile(path: movie.path))
    var pair = try SampleMedia.livePhoto(size: EditingFixture.small)
    pair.still = try Data(contentsOf: still)
    pair.video = try Data(contentsOf: movie)
    let asset = try fixture.temporary.add(pair)
    let input = try #require(try await fixture.request(asset).input)
    let context = try #require(PHLivePhotoEditingContext(livePhotoEditingInput: input))
    context.frameProcessor = { frame, _ in frame.image.applyingFilter("CISepiaTone") }
    let output = PHContentEditingOutput(contentEditingInput: input)
    output.adjustmentData = EditingFixture.sepia
    try await context.saveLivePhoto(to: output)
    let stillFile = try MediaFile(path: output.renderedContentURL.path)
    let movieFile = try MediaFile(path: output.renderedPairedVideoURL.path)
    let stillAfter = try MediaMetadata(of: stillFile)
    let movieAfter = try MediaMetadata(of: movieFile)
    #expect(stillAfter.contentIdentifier == stillBefore.contentIdentifier && stillAfter.contentIdentifier != nil)
    #expect(movieAfter.contentIdentifier == movieBefore.contentIdentifier)
    #expect(stillAfter.captureDate.date == stillBefore.captureDate.date)
    #expect(stillAfter.location?.latitude == stillBefore.location?.latitude)
    #expect(movieAfter.captureDate.date == movieBefore.captureDate.date)
    #expect(abs(movieAfter.duration - movieBefore.duration) < 0.1)
    let time: Double = try #require(movieAfter.stillTime)
    let wanted: Double = try #require(movieBefore.stillTime)
    #expect(abs(time - wanted) < 0.001)
    #expect(try MovieStreams(of: movieFile, range: nil).video?.colorPrimaries == "smpte432")
    #expect(try decodeInOwnColors(stillFile, metadata: stillAfter).profile != nil)
    try fixture.commit(output, to: asset)
    #expect(fixture.refetched(asset).playbackStyle == .livePhoto)
  }

  @Test(arguments: [
    ("jpeg/p3_wide_gamut.jpg", true), ("jpeg/apple_gainmap_hdr.jpg", true), ("jpeg/pixel8pro_ultrahdr.jpg", true),
    ("heic/iphone11pro_gps_o6.heic", true), ("heic/sony_a7c2_10bit_rot.HIF", false),
    ("gif/rotating-squares.gif", false),
    ("jpeg/cmyk.jpg", false),
  ])
  func `an edited picture has its size, its colors and its date`(path: String, hasOwnColors: Bool) throws {
    let file = try MediaFile(path: url(path).path)
    let before = try MediaMetadata(of: file)
    let image = try #require(CIImage(contentsOf: url(path), options: [.applyOrientationProperty: true]))
    let brown = image.applyingFilter("CISepiaTone")
    let space = try #require(brown.colorSpace)
    let data = try #require(CIContext().jpegRepresentation(of: brown, colorSpace: space))
    let written = try EncodedPicture(data, named: path)
    #expect(CGFloat(written.pixelWidth) == image.extent.width && CGFloat(written.pixelHeight) == image.extent.height)
    #expect(try (written.inOwnColors().profile != nil) == hasOwnColors)
    #expect(written.metadata.orientation == 1)
    if before.captureDate.source != .file {
      #expect(written.metadata.captureDate.date == before.captureDate.date)
    }
    for word in ["hdrgm:Version", "HDRGainMap"] { #expect(data.range(of: Data(word.utf8)) == nil) }
  }
}
