import Foundation
import Photos
import PhotosTesting
import TestSupport
import Testing

// Programs subclass PhotoKit's classes in their tests. Half of this test is that these subclasses
// compile.

private final class OneAsset: PHAsset, @unchecked Sendable {
  // Unchecked, because it has no state.
  override class func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> { PHFetchResult() }
  override class func fetchAssets(
    in assetCollection: PHAssetCollection, options: PHFetchOptions?
  ) -> PHFetchResult<PHAsset> { PHFetchResult() }
  override var localIdentifier: String { "one" }
  override func requestContentEditingInput(
    with options: PHContentEditingInputRequestOptions?,
    completionHandler: @escaping (PHContentEditingInput?, [AnyHashable: Any]) -> Void
  ) -> PHContentEditingInputRequestID {
    completionHandler(SquareInput(), [:])
    return 7
  }
}

private final class NoAlbums: PHAssetCollection, @unchecked Sendable {
  // Unchecked, because it has no state.
  override class func fetchAssetCollections(
    with type: PHAssetCollectionType, subtype: PHAssetCollectionSubtype, options: PHFetchOptions?
  ) -> PHFetchResult<PHAssetCollection> { PHFetchResult() }
}

private final class SquareInput: PHContentEditingInput, @unchecked Sendable {
  // Unchecked, because it has no state.
  override var fullSizeImageURL: URL? { URL(fileURLWithPath: "/square.jpg") }
}

private final class DeniedLibrary: PHPhotoLibrary, @unchecked Sendable {
  // Unchecked, because it has no state.
  override class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus { .denied }
  override func performChanges(
    _ changeBlock: @escaping () -> Void, completionHandler: ((Bool, (any Error)?) -> Void)? = nil
  ) { completionHandler?(false, PHPhotosError(.accessUserDenied)) }
}

private final class OneByte: PHAssetResourceManager, @unchecked Sendable {
  // Unchecked, because it has no state.
  override func requestData(
    for resource: PHAssetResource, options: PHAssetResourceRequestOptions?,
    dataReceivedHandler handler: @escaping (Data) -> Void, completionHandler: @escaping ((any Error)?) -> Void
  ) -> PHAssetResourceDataRequestID {
    handler(Data([1]))
    completionHandler(nil)
    return 1
  }
}

private final class RawResource: PHAssetResource, @unchecked Sendable {
  // Unchecked, because it has no state.
  override var originalFilename: String { "IMG_1.DNG" }
}

private final class RemovedChange: PHChange, @unchecked Sendable {
  // Unchecked, because it has no state.
  override func changeDetails<T: PHObject>(for object: T) -> PHObjectChangeDetails<T>? {
    PHObjectChangeDetails(objectBeforeChanges: object, objectAfterChanges: nil, assetContentChanged: false)
  }
}

private final class Moved<T: PHObject>: PHObjectChangeDetails<T>, @unchecked Sendable {
  // Unchecked, because it has no state.
  override var assetContentChanged: Bool { true }
}

private final class Named: PHObjectPlaceholder, @unchecked Sendable {
  // Unchecked, because it has no state.
  override var localIdentifier: String { "placeholder" }
}

private final class Still: PHLivePhoto, @unchecked Sendable {
  // Unchecked, because it has no state.
  override var size: CGSize { CGSize(width: 3, height: 4) }
}

private final class CountingManager: PHCachingImageManager, @unchecked Sendable {
  // Unchecked, because its only state is a constant.
  let limit: Int
  init(limit: Int) {
    self.limit = limit
    super.init()
  }
}

private final class WithNetwork: PHAssetResourceRequestOptions {
  override var isNetworkAccessAllowed: Bool {
    get { true }
    set {}
  }
}

@Suite struct SubclassTests {
  @Test func fetchesOfASubclassAreItsOwn() {
    #expect(OneAsset.fetchAssets(with: nil).count == 0)
    #expect(OneAsset.fetchAssets(in: NoAlbums(), options: nil).count == 0)
    #expect(NoAlbums.fetchAssetCollections(with: .album, subtype: .any, options: nil).count == 0)
  }

  @Test func anAssetOfATestHandsOutAnInputOfItsOwn() async throws {
    let asset: PHAsset = OneAsset()
    let url: URL? = try await answer("an input for an edit") { done in
      _ = asset.requestContentEditingInput(with: nil) { input, _ in done(input?.fullSizeImageURL) }
    }
    #expect(url?.path == "/square.jpg")
  }

  @Test func aLibraryOfATestNeedsNoDisk() async throws {
    let library: PHPhotoLibrary = DeniedLibrary()
    #expect(DeniedLibrary.authorizationStatus(for: .readWrite) == .denied)
    let error: PHPhotosError? = try await answer("the end of a change") { done in
      library.performChanges({}) { _, error in done(error as? PHPhotosError) }
    }
    #expect(error?.code == .accessUserDenied)
  }

  @Test func resourcesAndTheirManagerAreMadeByTests() async throws {
    let manager: PHAssetResourceManager = OneByte()
    let resource: PHAssetResource = RawResource()
    #expect(resource.originalFilename == "IMG_1.DNG" && resource.dataSize == 0)
    let data: Data = try await answer("the end of a request for data") { done in
      nonisolated(unsafe) var bytes = Data()
      _ = manager.requestData(for: resource, options: WithNetwork(), dataReceivedHandler: { bytes += $0 }) { _ in
        done(bytes)
      }
    }
    #expect(data == Data([1]))
  }

  @Test func changesAreMadeByTests() {
    let asset = OneAsset()
    let change: PHChange = RemovedChange()
    #expect(change.changeDetails(for: asset)?.objectWasDeleted == true)
    #expect(PHChange().changeDetails(for: asset) == nil)
    let moved = Moved(objectBeforeChanges: asset, objectAfterChanges: asset, assetContentChanged: false)
    #expect(moved.assetContentChanged && !moved.objectWasDeleted)
    #expect(Named().localIdentifier == "placeholder")
  }

  @Test func livePhotosAndImageManagersAreMadeByTests() {
    #expect(Still().size == CGSize(width: 3, height: 4))
    #expect(CountingManager(limit: 5).limit == 5)
  }
}
