import Foundation
@_spi(Testing) import Photos
import PhotosTesting
import Testing
import UIKit

/// Tests Live Photos that are made of two files.
@Suite struct LivePhotoFileTests {
  private let fixture: LivePhotoFixture

  init() throws {
    fixture = try LivePhotoFixture()
  }

  @Test(arguments: [false, true])
  func twoFilesOfOnePairMakeALivePhoto(_ isReversed: Bool) async throws {
    let files = try fixture.files()
    let answers = try await livePhotos(of: isReversed ? files.reversed() : files)
    let found = try #require(answers.first?.live)
    #expect(answers.count == 1)
    #expect(found.size == CGSize(width: 480, height: 360))
    #expect(PHAssetResource.assetResources(for: found).map(\.originalFilename) == ["a.heic", "a.mov"])
    let reader = try PHAssetResourceManager.default().reader(for: PHAssetResource.assetResources(for: found)[1])
    #expect(try reader.data(in: 0..<reader.byteCount) == fixture.pair.video)
  }

  @Test func thePlaceholderComesFirst() async throws {
    let placeholder = try #require(UIImage(data: try SampleMedia.jpeg(size: PictureSize(width: 8, height: 6))))
    let answers = try await livePhotos(of: fixture.files(), placeholder: placeholder)
    #expect(answers.map(\.text) == ["0*", "2"])
    #expect(answers.first?.live?.size == CGSize(width: 8, height: 6))
  }

  @Test func filesThatDontBelongTogetherMakeNone() async throws {
    let other = fixture.temporary.folder.appendingPathComponent("b.heic")
    try SampleMedia.livePhoto(size: PictureSize(width: 64, height: 48), seed: 9).still.write(to: other)
    let files = try fixture.files()
    for wrong in [[other, files[1]], [files[0]], [files[0], other], []] {
      let answers = try await livePhotos(of: wrong)
      #expect(answers.map(\.text) == ["-1"])
      #expect((answers[0].info[PHLivePhotoInfoErrorKey] as? PHPhotosError)?.code == .invalidResource)
    }
  }

  @Test func aCancelledOneSaysSo() async throws {
    let answers = try await livePhotos(of: fixture.files(), cancels: true)
    #expect(answers.last?.info[PHLivePhotoInfoCancelledKey] as? Bool == true)
    #expect(answers.last?.live == nil)
  }
}
