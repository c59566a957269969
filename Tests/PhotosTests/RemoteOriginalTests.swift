import Foundation
import PhotosTesting
import Testing

@testable import Photos

/// Tests the calls that read an original when it is remote, or was downloaded.
@Suite struct RemoteOriginalTests {
  let temporary: TemporaryLibrary
  let photo: PHAsset

  init() throws {
    temporary = try TemporaryLibrary()
    photo = try temporary.add(SampleFile("IMG_0001.JPG", try SampleMedia.jpeg(seed: 1)))[0]
  }

  @Test func `a call that can't fetch a remote original says that the network is needed`() throws {
    temporary.setOriginalsRemote(of: photo)
    let image = #expect(throws: PHPhotosError.self) { try photo.renderedImageData(as: .jpeg) }
    #expect(image?.code == .networkAccessRequired)
    let resource = PHAssetResource.assetResources(for: photo)[0]
    let reader = #expect(throws: PHPhotosError.self) { try PHAssetResourceManager.default().reader(for: resource) }
    #expect(reader?.code == .networkAccessRequired)
    #expect(try !temporary.refetched(photo).isUnreadable)
  }

  @Test func `a downloaded original is given to a program as a copy`() throws {
    let options = PHContentEditingInputRequestOptions()
    let own = try photo.editingInput(options, Cancellation()).fullSizeImageURL
    temporary.setOriginalsRemote(of: photo)
    options.isNetworkAccessAllowed = true
    let input = try photo.editingInput(options, Cancellation())
    let copy = try #require(input.fullSizeImageURL)
    #expect(copy != own)
    #expect(copy.lastPathComponent == "IMG_0001.JPG")
    #expect(try Data(contentsOf: copy) == Data(contentsOf: #require(own)))
  }
}
