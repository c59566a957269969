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

  @Test func `an edit of a remote asset is resumed`() async throws {
    try await photo.edit { $0.turn(byQuarters: 1) }
    temporary.setOriginalsRemote(of: photo)
    let options = PHContentEditingInputRequestOptions()
    options.isNetworkAccessAllowed = true
    options.canHandleAdjustmentData = { _ in true }
    let input = try temporary.refetched(photo).editingInput(options, Cancellation())
    #expect(try PhotoEdit(#require(input.adjustmentData)).quarterTurns == 1)
  }

  @Test func `the edit of a remote asset is fetched`() async throws {
    try await photo.edit { $0.turn(byQuarters: 1) }
    temporary.setOriginalsRemote(of: photo)
    #expect(try temporary.refetched(photo).photoEdit?.quarterTurns == 1)
  }
}
