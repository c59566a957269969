import Foundation
import Photos
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@Suite struct SituationTests {
  @Test func aLibraryIsSeededInALine() throws {
    let temporary = try TemporaryLibrary(photos: 3, videos: 1, isInMemory: true)
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    #expect(PHAsset.fetchAssets(with: options).count == 4)
    #expect(PHAsset.fetchAssets(with: .video, options: options).count == 1)
    #expect(temporary.url.path.hasPrefix("/dev/shm/"))
  }

  @Test func codeThatKnowsOneLibraryIsTestedWithAnother() async throws {
    let temporary = try TemporaryLibrary(photos: 2)
    let other = try TemporaryLibrary(photos: 1)
    #expect(temporary.library.asShared { PHAsset.fetchAssets(with: nil).count } == 2)
    let counts = await other.library.asShared { await Task { PHAsset.fetchAssets(with: nil).count }.value }
    #expect(counts == 1)
    nonisolated(unsafe) var isSame = false
    try other.library.performChangesAndWait { isSame = PHPhotoLibrary.shared() === other.library }
    #expect(isSame)
  }

  @Test func aChangeFailsWhenItIsToFail() throws {
    let temporary = try TemporaryLibrary(photos: 1)
    let asset = temporary.library.asShared { PHAsset.fetchAssets(with: nil).object(at: 0) }
    temporary.failNextChange(.notEnoughSpace)
    let error = #expect(throws: PHPhotosError.self) {
      try temporary.library.performChangesAndWait { PHAssetChangeRequest(for: asset).isFavorite = true }
    }
    #expect(error?.code == .notEnoughSpace)
    try temporary.library.performChangesAndWait { PHAssetChangeRequest(for: asset).isHidden = true }
    let after = temporary.library.asShared {
      PHAsset.fetchAssets(withLocalIdentifiers: [asset.localIdentifier], options: nil).object(at: 0)
    }
    #expect(after.isFavorite == false)
    #expect(after.isHidden)
  }

  @Test func `add does not consume the failure of failNextChange`() throws {
    let temporary = try TemporaryLibrary()
    temporary.failNextChange(.notEnoughSpace)
    let photo = try temporary.add(.photo())
    let error = #expect(throws: PHPhotosError.self) {
      try temporary.library.performChangesAndWait { PHAssetChangeRequest(for: photo).isFavorite = true }
    }
    #expect(error?.code == .notEnoughSpace)
  }

  /// Requests the only resource of a library's only asset, and returns the result.
  private func request(
    _ temporary: TemporaryLibrary, allowsNetwork: Bool,
    _ progressHandler: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> (bytes: Int, progress: [Double], error: PHPhotosError.Code?) {
    let asset = temporary.library.asShared { PHAsset.fetchAssets(with: nil).object(at: 0) }
    let progress = Mutex<[Double]>([])
    let bytes = Mutex(0)
    let options = PHAssetResourceRequestOptions()
    options.isNetworkAccessAllowed = allowsNetwork
    options.progressHandler = { value in
      progress.withLock { $0.append(value) }
      progressHandler(value)
    }
    let resource = PHAssetResource.assetResources(for: asset)[0]
    let error: PHPhotosError.Code? = try await answer("the end of a request for data") { done in
      PHAssetResourceManager.default().requestData(
        for: resource, options: options, dataReceivedHandler: { data in bytes.withLock { $0 += data.count } },
        completionHandler: { done(($0 as? PHPhotosError)?.code) })
    }
    return (bytes.withLock(\.self), progress.withLock(\.self), error)
  }

  @Test func aRemoteOriginalNeedsTheNetworkAndShowsItsProgress() async throws {
    let temporary = try TemporaryLibrary(photos: 1)
    let asset = temporary.library.asShared { PHAsset.fetchAssets(with: nil).object(at: 0) }
    temporary.setOriginalsRemote(of: asset, delay: 0.05)
    let refused = try await request(temporary, allowsNetwork: false)
    #expect(refused.error == .networkAccessRequired)
    #expect(refused.bytes == 0)
    let fetched = try await request(temporary, allowsNetwork: true)
    #expect(fetched.error == nil)
    #expect(fetched.bytes == PHAssetResource.assetResources(for: asset)[0].dataSize)
    #expect(fetched.progress == (1...10).map { Double($0) / 10 })
    let again = try await request(temporary, allowsNetwork: false)
    #expect(again.error == nil)
  }

  @Test func theEndOfAFetchLeavesWhatWasMadeRemoteMeanwhile() async throws {
    let temporary = try TemporaryLibrary(photos: 1)
    let asset = temporary.library.asShared { PHAsset.fetchAssets(with: nil).object(at: 0) }
    temporary.setOriginalsRemote(of: asset)
    _ = try await request(temporary, allowsNetwork: true) { share in
      if share == 1 { temporary.setOriginalsRemote(of: asset) }
    }
    #expect(try await request(temporary, allowsNetwork: false).error == .networkAccessRequired)
    #expect(try await request(temporary, allowsNetwork: true).progress.count == 10)
    #expect(try await request(temporary, allowsNetwork: false).error == nil)
  }

  @Test func aRemoteOriginalMayNeverArrive() async throws {
    let temporary = try TemporaryLibrary(photos: 1)
    let asset = temporary.library.asShared { PHAsset.fetchAssets(with: nil).object(at: 0) }
    temporary.setOriginalsRemote(of: asset, error: .networkError)
    #expect(try await request(temporary, allowsNetwork: true).error == .networkError)
  }

  @Test func aLostOriginalIsMissing() async throws {
    let temporary = try TemporaryLibrary(photos: 1)
    try temporary.removeOriginals(of: temporary.library.asShared { PHAsset.fetchAssets(with: nil).object(at: 0) })
    #expect(try await request(temporary, allowsNetwork: true).error == .missingResource)
  }

  @Test func aCancelledRequestCompletesAsCancelled() async throws {
    let temporary = try TemporaryLibrary(photos: 1)
    let asset = temporary.library.asShared { PHAsset.fetchAssets(with: nil).object(at: 0) }
    temporary.setOriginalsRemote(of: asset)
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let options = PHAssetResourceRequestOptions()
    options.isNetworkAccessAllowed = true
    options.progressHandler = { _ in
      begun.signal()
      gate.waits(for: "the cancellation")
    }
    let resource = PHAssetResource.assetResources(for: asset)[0]
    let error: PHPhotosError? = try await answer("the end of a request for data") { done in
      let id = PHAssetResourceManager.default().requestData(
        for: resource, options: options, dataReceivedHandler: { _ in },
        completionHandler: { done($0 as? PHPhotosError) })
      begun.waits(for: "the fetch")
      PHAssetResourceManager.default().cancelDataRequest(id)
      gate.signal()
    }
    #expect(error?.code == .userCancelled)
  }

  @Test func anExpiredHistoryIsToldAsExpired() throws {
    let temporary = try TemporaryLibrary()
    let token = temporary.library.currentChangeToken
    try temporary.add(SampleFile("A.JPG", SampleMedia.jpeg(size: PictureSize(width: 16, height: 16))))
    try temporary.expireHistory()
    let error = #expect(throws: PHPhotosError.self) { try temporary.library.fetchPersistentChanges(since: token) }
    #expect(error?.code == .persistentChangeTokenExpired)
    let now = temporary.library.currentChangeToken
    #expect(Array(try temporary.library.fetchPersistentChanges(since: now)).isEmpty)
  }

  @Test func aThinnedHistoryHasItsTransactionsWithoutDetails() throws {
    let temporary = try TemporaryLibrary()
    let token = temporary.library.currentChangeToken
    try temporary.add(SampleFile("A.JPG", SampleMedia.jpeg(size: PictureSize(width: 16, height: 16))))
    try temporary.thinHistory()
    let changes = Array(try temporary.library.fetchPersistentChanges(since: token))
    #expect(changes.count == 1)
    let error = #expect(throws: PHPhotosError.self) { try changes[0].changeDetails(for: .asset) }
    #expect(error?.code == .persistentChangeDetailsUnavailable)
  }

  @Test func theClockIsInTheTestsHands() throws {
    let clock = TestClock(Date(timeIntervalSince1970: 1000))
    let temporary = try TemporaryLibrary(clock: clock)
    let photo = try SampleMedia.jpeg(size: PictureSize(width: 16, height: 16))
    let asset = try temporary.add(SampleFile("A.JPG", photo))[0]
    #expect(asset.addedDate == Date(timeIntervalSince1970: 1000))
    #expect(asset.creationDate == Date(timeIntervalSince1970: 1000))
    clock.advance(by: 60)
    try temporary.library.performChangesAndWait { PHAssetChangeRequest(for: asset).isFavorite = true }
    #expect(try temporary.refetched(asset).modificationDate == Date(timeIntervalSince1970: 1060))
  }
}
