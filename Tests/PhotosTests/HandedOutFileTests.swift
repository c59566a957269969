import AVFoundation
import Foundation
import PhotosTesting
import Testing

@testable @_spi(Testing) import Photos

/// Tests a client with limited access that adds bytes under another name, although the library
/// already contains them.
@Suite struct HandedOutFileTests {
  let fixture: AccessFixture
  let library: PHPhotoLibrary

  init() throws {
    fixture = try AccessFixture()
    library = try fixture.limitedLibrary()
  }

  private func add(_ data: Data, _ type: PHAssetResourceType, named name: String) throws -> PHAsset {
    nonisolated(unsafe) var identifier = ""
    try library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      let options = PHAssetResourceCreationOptions()
      options.originalFilename = name
      request.addResource(with: type, data: data, options: options)
      identifier = request.placeholderForCreatedAsset?.localIdentifier ?? ""
    }
    return try #require(
      PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: library.options()).firstObject)
  }

  private func hiddenBytes() throws -> Data {
    try Data(contentsOf: PHAssetResource.assetResources(for: fixture.photos[0])[0].fileURLForTesting)
  }

  @Test func aPhotosFileHasTheNameThatTheClientGaveIt() throws {
    let bytes = try hiddenBytes()
    let asset = try add(bytes, .photo, named: "Mine.JPG")
    var input: PHContentEditingInput? = try asset.editingInput(.init(), Cancellation())
    let url = try #require(input?.fullSizeImageURL)
    #expect(url.lastPathComponent == "Mine.JPG")
    #expect(!url.path.contains("originals"))
    #expect(try Data(contentsOf: url) == bytes)
    input = nil
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func aVideosFileHasTheNameThatTheClientGaveIt() throws {
    let bytes = try SampleMedia.movie(duration: 1)
    _ = try fixture.temporary.add(SampleFile("Secret.MOV", bytes))
    let asset = try add(bytes, .video, named: "Mine.MOV")
    let request = AssetRequest<AVURLAsset>(in: RunningRequests(), of: nil) { _, _ in }
    var movie: AVURLAsset? = try asset.video(.current, for: request)
    let url = try #require(movie?.url)
    #expect(url.lastPathComponent == "Mine.MOV")
    #expect(try Data(contentsOf: url) == bytes)
    movie = nil
    #expect(!FileManager.default.fileExists(atPath: url.path))
    let edited = try #require(try asset.editingInput(.init(), Cancellation()).audiovisualAsset as? AVURLAsset)
    #expect(edited.url.lastPathComponent == "Mine.MOV")
    #expect(FileManager.default.fileExists(atPath: edited.url.path))
  }

  @Test func anErrorNamesTheClientsFileAndNotTheOneThatIsMissing() throws {
    let asset = try add(hiddenBytes(), .photo, named: "Mine.JPG")
    let resource = PHAssetResource.assetResources(for: asset)[0]
    let reader = try PHAssetResourceManager.default().reader(for: resource)
    try FileManager.default.removeItem(at: resource.fileURLForTesting)
    let target = fixture.temporary.url.appendingPathComponent("copy.jpg")
    let errors = [
      #expect(throws: PHPhotosError.self) {
        try PHAssetResourceManager.default().writeDataAndWait(for: resource, toFile: target)
      }, #expect(throws: PHPhotosError.self) { try reader.data(in: 0..<1) },
    ]
    for error in errors {
      #expect(error?.localizedDescription.hasPrefix("Mine.JPG: ") == true)
      #expect("\(error?.userInfo ?? [:])".contains("A.JPG") == false)
    }
  }

  @Test func theOwnerGetsTheLibrarysOwnFile() throws {
    let input = try fixture.photos[0].editingInput(.init(), Cancellation())
    #expect(
      input.fullSizeImageURL?.path == PHAssetResource.assetResources(for: fixture.photos[0])[0].fileURLForTesting.path)
  }
}
