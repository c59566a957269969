import Foundation
import Photos
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@Suite struct ImageDataTests {
  let temporary: TemporaryLibrary
  let bytes: Data
  let asset: PHAsset

  private static let mainQueue = DispatchSpecificKey<Bool>()

  init() throws {
    // While a program waits for its main queue, another thread than the first may serve that queue.
    // A key on the queue identifies it instead.
    DispatchQueue.main.setSpecific(key: Self.mainQueue, value: true)
    temporary = try TemporaryLibrary()
    var metadata = SampleMetadata()
    metadata.orientation = 6
    bytes = try SampleMedia.jpeg(size: PictureSize(width: 40, height: 30), metadata: metadata)
    asset = try temporary.add(SampleFile("IMG_0001.JPG", bytes))[0]
  }

  /// The arguments of one call of a result handler.
  private struct Answer: @unchecked Sendable {
    // Unchecked, because no property changes after creation.
    var data: Data?
    var type: String?
    var orientation: CGImagePropertyOrientation
    var info: [AnyHashable: Any]
    var isOnMainQueue: Bool
  }

  private func options(_ change: (PHImageRequestOptions) -> Void) -> PHImageRequestOptions {
    let options = PHImageRequestOptions()
    change(options)
    return options
  }

  private func answer(
    for asset: PHAsset, _ options: PHImageRequestOptions? = nil, canceledBy cancel: ((() -> Void) -> Void)? = nil
  ) async throws -> Answer {
    try await TestSupport.answer("a picture's data") { done in
      let manager = PHImageManager.default()
      let id = manager.requestImageDataAndOrientation(for: asset, options: options) { data, type, orientation, info in
        done(
          Answer(
            data: data, type: type, orientation: orientation, info: info ?? [:],
            isOnMainQueue: DispatchQueue.getSpecific(key: Self.mainQueue) != nil))
      }
      guard let cancel else { return }
      cancel { manager.cancelImageRequest(id) }
    }
  }

  @Test func theBytesAreTheFilesAndComeOnTheMainQueue() async throws {
    let answer = try await answer(for: asset)
    #expect(answer.data == bytes)
    #expect(answer.type == "public.jpeg")
    #expect(answer.orientation == .right)
    #expect(answer.info[PHImageResultIsDegradedKey] as? Bool == false)
    #expect(answer.info[PHImageResultIsInCloudKey] as? Bool == false)
    #expect(answer.info[PHImageErrorKey] == nil)
    #expect(answer.isOnMainQueue)
  }

  @Test func aSynchronousRequestAnswersBeforeItReturns() {
    var found: (data: Data?, id: NSNumber?, isHere: Bool)?
    let here = pthread_self()
    let id = PHImageManager.default().requestImageDataAndOrientation(
      for: asset, options: options { $0.isSynchronous = true }
    ) { data, _, _, info in
      found = (data, info?[PHImageResultRequestIDKey] as? NSNumber, pthread_equal(here, pthread_self()) != 0)
    }
    #expect(found?.data == bytes)
    #expect(found?.id?.int32Value == id)
    #expect(found?.isHere == true)
    #expect(id != PHInvalidImageRequestID)
  }

  @Test func theOlderFormTellsUIKitsOrientation() {
    var found: UIImage.Orientation?
    PHImageManager.default().requestImageData(for: asset, options: options { $0.isSynchronous = true }) {
      _, _, orientation, _ in found = orientation
    }
    #expect(found == .right)
  }

  @Test func anOriginalThatIsElsewhereIsNotFetchedUnasked() async throws {
    temporary.setOriginalsRemote(of: asset)
    let answer = try await answer(for: asset)
    #expect(answer.data == nil)
    #expect(answer.info[PHImageResultIsInCloudKey] as? Bool == true)
  }

  @Test func anOriginalThatIsFetchedTellsOfItsProgress() async throws {
    temporary.setOriginalsRemote(of: asset)
    let told = Mutex<[Double]>([])
    let answer = try await answer(
      for: asset,
      options {
        $0.isNetworkAccessAllowed = true
        $0.progressHandler = { fraction, _, _, _ in told.withLock { $0.append(fraction) } }
      })
    #expect(answer.data == bytes)
    #expect(told.withLock { $0 } == (1...10).map { Double($0) / 10 })
  }

  @Test func theProgressHandlerMayCancel() async throws {
    temporary.setOriginalsRemote(of: asset)
    let answer = try await answer(
      for: asset,
      options {
        $0.isNetworkAccessAllowed = true
        $0.progressHandler = { fraction, _, stop, _ in stop.pointee = ObjCBool(fraction > 0.25) }
      })
    #expect(answer.data == nil)
    #expect(answer.info[PHImageCancelledKey] as? Bool == true)
    #expect(answer.info[PHImageErrorKey] == nil)
  }

  @Test func aCancelledRequestSaysSo() async throws {
    temporary.setOriginalsRemote(of: asset)
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let options = options {
      $0.isNetworkAccessAllowed = true
      $0.progressHandler = { _, _, _, _ in
        begun.signal()
        gate.waits(for: "the cancellation")
      }
    }
    let cancel = { (cancel: () -> Void) in
      begun.waits(for: "the fetch")
      cancel()
      gate.signal()
    }
    let answer = try await answer(for: asset, options, canceledBy: cancel)
    #expect(answer.data == nil)
    #expect(answer.info[PHImageCancelledKey] as? Bool == true)
  }

  @Test func anOriginalThatNeverArrivesIsAnError() async throws {
    temporary.setOriginalsRemote(of: asset, error: .networkError)
    let answer = try await answer(for: asset, options { $0.isNetworkAccessAllowed = true })
    #expect((answer.info[PHImageErrorKey] as? PHPhotosError)?.code == .networkError)
  }

  @Test func anOriginalThatIsLostIsAnError() async throws {
    try temporary.removeOriginals(of: asset)
    let answer = try await answer(for: asset)
    #expect((answer.info[PHImageErrorKey] as? PHPhotosError)?.code == .missingResource)
  }

  @Test func aClientWithoutAccessGetsNoBytes() async throws {
    let client = LibraryClient(identifier: "com.example.Gallery")
    try temporary.library.setAuthorization(.authorized, for: client, accessLevel: .readWrite)
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library.photoLibrary(for: client)
    let seen = try #require(PHAsset.fetchAssets(with: options).firstObject)
    try temporary.library.setAuthorization(.denied, for: client, accessLevel: .readWrite)
    let answer = try await answer(for: seen)
    #expect(answer.data == nil)
    #expect((answer.info[PHImageErrorKey] as? PHPhotosError)?.code == .accessUserDenied)
  }

  @Test func aVideosDataIsItsPoster() async throws {
    let movie = try temporary.add(SampleFile("IMG_0002.MOV", SampleMedia.movie(duration: 1)))[0]
    let answer = try await answer(for: movie)
    #expect(answer.type == "public.jpeg" || answer.type == "org.webmproject.webp")
    let image = try #require(answer.data.flatMap { UIImage(data: $0) })
    #expect(image.size.width > image.size.height)
  }

  @Test func aPosterElsewhereIsNotFetchedUnasked() async throws {
    let movie = try temporary.add(SampleFile("IMG_0002.MOV", SampleMedia.movie(duration: 1)))[0]
    temporary.setOriginalsRemote(of: movie)
    let answer = try await answer(for: movie)
    #expect(answer.data == nil)
    #expect(answer.info[PHImageResultIsInCloudKey] as? Bool == true)
  }

  @Test func theProgressHandlerIsToldWhyAnOriginalDoesNotArrive() async throws {
    temporary.setOriginalsRemote(of: asset, error: .networkError)
    let told = Mutex<[PHPhotosError.Code?]>([])
    _ = try await answer(
      for: asset,
      options {
        $0.isNetworkAccessAllowed = true
        $0.progressHandler = { _, error, _, _ in told.withLock { $0.append((error as? PHPhotosError)?.code) } }
      })
    #expect(told.withLock { $0 } == [nil, nil, nil, nil, .networkError])
  }

  @Test func optionsAreCopiedWhole() throws {
    let options = options {
      $0.version = .original
      $0.deliveryMode = .fastFormat
      $0.resizeMode = .exact
      $0.normalizedCropRect = CGRect(x: 0.25, y: 0, width: 0.5, height: 1)
      $0.isNetworkAccessAllowed = true
      $0.isSynchronous = true
      $0.progressHandler = { _, _, _, _ in }
      $0.allowSecondaryDegradedImage = true
      $0.preferHDR = true
      $0.targetHDRHeadroom = 2
    }
    let copy = try #require(options.copy() as? PHImageRequestOptions)
    func properties(_ options: PHImageRequestOptions) -> [String] {
      Mirror(reflecting: options).children.map {
        "\($0.label ?? "") \($0.label == "progressHandler" ? "\(options.progressHandler != nil)" : "\($0.value)")"
      }
    }
    #expect(properties(copy) == properties(options))
    #expect(properties(copy) != properties(PHImageRequestOptions()))
  }
}
