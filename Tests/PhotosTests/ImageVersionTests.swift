import Foundation
import PhotosTesting
import Testing
import UIKit

@testable @_spi(Testing) import Photos

/// Tests pictures of an edited asset, which is square since its edit and was 64 × 48 pixels before.
@Suite struct ImageVersionTests {
  let fixture: EditingFixture
  let edited: PHAsset

  init() async throws {
    fixture = try EditingFixture()
    let render = try SampleMedia.jpeg(size: EditingFixture.square, seed: 2)
    var metadata = SampleMetadata()
    metadata.hasThumbnail = true
    edited = try await fixture.edit(fixture.photo(metadata), render)
  }

  @Test(
    arguments: [
      (PHImageRequestOptionsVersion.current, "32×32"), (.unadjusted, "64×48"), (.original, "64×48"),
    ], [PHImageRequestOptionsDeliveryMode.opportunistic, .highQualityFormat])
  func aPictureIsOfTheVersionThatIsAskedFor(
    _ expected: (PHImageRequestOptionsVersion, String), _ mode: PHImageRequestOptionsDeliveryMode
  ) async throws {
    for forgets in [false, true] {
      if forgets { fixture.library.forgetRenditionsForTesting(of: [edited]) }
      let answers = try await PHImageManager().answers(for: edited, 64, 64) { options in
        options.version = expected.0
        options.deliveryMode = mode
      }
      #expect(answers.last?.text == expected.1)
      // The first answer, too, has the shape of the requested version.
      let isSquare = expected.1 == "32×32"
      #expect(answers.compactMap(\.image).allSatisfy { ($0.size.width == $0.size.height) == isSquare })
    }
  }

  @Test func twoVersionsShareNothing() async throws {
    let pipeline = ImagePipeline()
    let manager = PHCachingImageManager(pipeline: pipeline)
    let options = PHImageRequestOptions()
    options.deliveryMode = .highQualityFormat
    manager.startCachingImages(
      for: [edited], targetSize: CGSize(width: 64, height: 64), contentMode: .aspectFit, options: options)
    async let current = manager.answers(for: edited, 64, 64) { $0.deliveryMode = .highQualityFormat }
    async let original = manager.answers(for: edited, 64, 64) { options in
      options.deliveryMode = .highQualityFormat
      options.version = .original
    }
    #expect(try await current.map(\.text) == ["32×32"])
    #expect(try await original.map(\.text) == ["64×48"])
  }
}
