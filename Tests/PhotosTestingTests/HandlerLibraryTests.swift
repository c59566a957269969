import AVFoundation
import Foundation
import Photos
import PhotosTesting
import Synchronization
import TestSupport
import Testing

/// A photo, a Live Photo and videos for handlers that are called outside any scope.
private struct HandlerFixture {
  static let shared = Result { try HandlerFixture() }

  let temporary: TemporaryLibrary
  let photo: PHAsset
  let live: PHAsset
  let video: PHAsset
  /// A movie that browsers can't play.
  let otherVideo: PHAsset

  var library: PHPhotoLibrary { temporary.library }

  private init() throws {
    temporary = try TemporaryLibrary()
    let size = PictureSize(width: 64, height: 48)
    photo = try temporary.add(SampleFile("IMG_0001.JPG", SampleMedia.jpeg(size: size)))[0]
    live = try temporary.add(SampleMedia.livePhoto(size: size, stillType: .jpeg), named: "IMG_0002")
    let movies = try SampleMedia.VideoCodec.allCases.map {
      try SampleFile("\($0).MOV", SampleMedia.movie(duration: 0.2, size: size, codec: $0))
    }
    (video, otherVideo) = (try temporary.add(movies[0])[0], try temporary.add(movies[1])[0])
  }
}

/// A handler of the public API, and code that leads to a call of it.
private struct CalledHandler: CustomTestStringConvertible, Sendable {
  typealias Note = @Sendable () -> Void

  let testDescription: String
  let call: @Sendable (HandlerFixture, @escaping Note) async throws -> Void

  init(_ name: String, _ call: @escaping @Sendable (HandlerFixture, @escaping Note) async throws -> Void) {
    testDescription = name
    self.call = call
  }

  private static let size = CGSize(width: 32, height: 32)
  private static var manager: PHImageManager { .default() }

  static let all = images + videos + livePhotos + resources + edits + libraries

  private static let images = [
    CalledHandler("requestImage") { fixture, note in
      manager.requestImage(for: fixture.photo, targetSize: size, contentMode: .aspectFit, options: nil) { _, _ in
        note()
      }
    },
    CalledHandler("requestImage, synchronous") { fixture, note in
      let options = PHImageRequestOptions()
      options.isSynchronous = true
      manager.requestImage(for: fixture.photo, targetSize: size, contentMode: .aspectFit, options: options) { _, _ in
        note()
      }
    },
    CalledHandler("requestImageDataAndOrientation") { fixture, note in
      manager.requestImageDataAndOrientation(for: fixture.photo, options: nil) { _, _, _, _ in note() }
    },
    CalledHandler("requestImageData") { fixture, note in
      manager.requestImageData(for: fixture.photo, options: nil) { _, _, _, _ in note() }
    },
    CalledHandler("PHImageRequestOptions.progressHandler") { fixture, note in
      fixture.temporary.setOriginalsRemote(of: fixture.photo)
      let options = PHImageRequestOptions()
      options.isNetworkAccessAllowed = true
      options.progressHandler = { _, _, _, _ in note() }
      manager.requestImageDataAndOrientation(for: fixture.photo, options: options) { _, _, _, _ in }
    },
  ]

  private static let videos = [
    CalledHandler("requestAVAsset") { fixture, note in
      manager.requestAVAsset(forVideo: fixture.video, options: nil) { _, _, _ in note() }
    },
    CalledHandler("requestPlayerItem") { fixture, note in
      manager.requestPlayerItem(forVideo: fixture.video, options: nil) { _, _ in note() }
    },
    CalledHandler("requestExportSession") { fixture, note in
      let preset = AVAssetExportPresetPassthrough
      manager.requestExportSession(forVideo: fixture.video, options: nil, exportPreset: preset) { _, _ in note() }
    },
    CalledHandler("exportAsynchronously") { fixture, note in
      let preset = AVAssetExportPresetPassthrough
      manager.requestExportSession(forVideo: fixture.video, options: nil, exportPreset: preset) { session, _ in
        session?.outputURL = fixture.temporary.folder.appendingPathComponent("export.mov")
        session?.exportAsynchronously(completionHandler: note)
      }
    },
    CalledHandler("PHVideoRequestOptions.progressHandler") { fixture, note in
      fixture.temporary.setOriginalsRemote(of: fixture.video)
      let options = PHVideoRequestOptions()
      options.isNetworkAccessAllowed = true
      options.progressHandler = { _, _, _, _ in note() }
      manager.requestAVAsset(forVideo: fixture.video, options: options) { _, _, _ in }
    },
    CalledHandler("playableMovie") { fixture, note in
      _ = try await manager.playableMovie(for: fixture.otherVideo) { _ in note() }
    },
  ]

  private static let livePhotos = [
    CalledHandler("requestLivePhoto") { fixture, note in
      manager.requestLivePhoto(for: fixture.live, targetSize: size, contentMode: .aspectFit, options: nil) { _, _ in
        note()
      }
    },
    CalledHandler("requestLivePhoto of a photo") { fixture, note in
      manager.requestLivePhoto(for: fixture.photo, targetSize: size, contentMode: .aspectFit, options: nil) { _, _ in
        note()
      }
    },
    CalledHandler("PHLivePhotoRequestOptions.progressHandler") { fixture, note in
      fixture.temporary.setOriginalsRemote(of: fixture.live)
      let options = PHLivePhotoRequestOptions()
      options.isNetworkAccessAllowed = true
      options.progressHandler = { _, _, _, _ in note() }
      manager.requestLivePhoto(for: fixture.live, targetSize: size, contentMode: .aspectFit, options: options) { _, _ in
      }
    },
    CalledHandler("PHLivePhoto.request") { fixture, note in
      _ = fixture.library.asShared {
        PHLivePhoto.request(
          withResourceFileURLs: [], placeholderImage: nil, targetSize: .zero, contentMode: .aspectFit
        ) { _, _ in note() }
      }
    },
  ]

  private static let resources = [
    CalledHandler("requestData: data") { fixture, note in
      PHAssetResourceManager.default().requestData(
        for: PHAssetResource.assetResources(for: fixture.photo)[0], options: nil,
        dataReceivedHandler: { _ in note() }, completionHandler: { _ in })
    },
    CalledHandler("requestData: completion") { fixture, note in
      PHAssetResourceManager.default().requestData(
        for: PHAssetResource.assetResources(for: fixture.photo)[0], options: nil, dataReceivedHandler: { _ in },
        completionHandler: { _ in note() })
    },
    CalledHandler("writeData") { fixture, note in
      PHAssetResourceManager.default().writeData(
        for: PHAssetResource.assetResources(for: fixture.photo)[0],
        toFile: fixture.temporary.folder.appendingPathComponent("written.jpg"), options: nil
      ) { _ in note() }
    },
    CalledHandler("PHAssetResourceRequestOptions.progressHandler") { fixture, note in
      fixture.temporary.setOriginalsRemote(of: fixture.photo)
      let options = PHAssetResourceRequestOptions()
      options.isNetworkAccessAllowed = true
      options.progressHandler = { _ in note() }
      PHAssetResourceManager.default().requestData(
        for: PHAssetResource.assetResources(for: fixture.photo)[0], options: options, dataReceivedHandler: { _ in },
        completionHandler: { _ in })
    },
  ]

  private static let edits = [
    CalledHandler("requestContentEditingInput") { fixture, note in
      fixture.photo.requestContentEditingInput(with: nil) { _, _ in note() }
    },
    CalledHandler("PHContentEditingInputRequestOptions.progressHandler") { fixture, note in
      fixture.temporary.setOriginalsRemote(of: fixture.photo)
      let options = PHContentEditingInputRequestOptions()
      options.isNetworkAccessAllowed = true
      options.progressHandler = { _, _ in note() }
      fixture.photo.requestContentEditingInput(with: options) { _, _ in }
    },
    CalledHandler("PHAsset.edit") { fixture, note in
      try await fixture.photo.edit(progressHandler: { _ in note() }) { $0.filter = .mono }
    },
    CalledHandler("PHContentEditingInputRequestOptions.canHandleAdjustmentData") { fixture, note in
      try await fixture.photo.edit { $0.filter = .sepia }
      let options = PHContentEditingInputRequestOptions()
      options.canHandleAdjustmentData = { _ in
        note()
        return true
      }
      fixture.photo.requestContentEditingInput(with: options) { _, _ in }
    },
    CalledHandler("frameProcessor") { fixture, note in
      fixture.live.requestContentEditingInput(with: nil) { input, _ in
        guard let input, let context = PHLivePhotoEditingContext(livePhotoEditingInput: input) else { return }
        context.frameProcessor = { frame, _ in
          note()
          return frame.image
        }
        context.prepareLivePhotoForPlayback(withTargetSize: size) { _, _ in }
      }
    },
    CalledHandler("prepareLivePhotoForPlayback") { fixture, note in
      fixture.live.requestContentEditingInput(with: nil) { input, _ in
        guard let input, let context = PHLivePhotoEditingContext(livePhotoEditingInput: input) else { return }
        context.prepareLivePhotoForPlayback(withTargetSize: size) { _, _ in note() }
      }
    },
    CalledHandler("saveLivePhoto") { fixture, note in
      fixture.live.requestContentEditingInput(with: nil) { input, _ in
        guard let input, let context = PHLivePhotoEditingContext(livePhotoEditingInput: input) else { return }
        context.saveLivePhoto(to: PHContentEditingOutput(contentEditingInput: input)) { _, _ in note() }
      }
    },
  ]

  private static let libraries = [
    CalledHandler("performChanges") { fixture, note in fixture.library.performChanges({}) { _, _ in note() } },
    CalledHandler("requestAuthorization") { fixture, note in
      let library = fixture.library.photoLibrary(for: LibraryClient(identifier: "com.example.Handlers"))
      library.authorizationAnswerer = AuthorizationScript { _ in .authorized }
      library.requestAuthorization(for: .readWrite) { _ in note() }
    },
    CalledHandler("verify: progress") { fixture, note in
      try fixture.library.verify(progressHandler: { _ in note() }, findingHandler: { _ in })
    },
    CalledHandler("verify: findings") { fixture, note in
      try Data([1]).write(to: fixture.temporary.url.appendingPathComponent("originals/stray.jpg"))
      try fixture.library.verify { _ in note() }
    },
    CalledHandler("photoLibraryDidChange") { fixture, note in
      let observer = Observer(note)
      fixture.library.register(observer as any PHPhotoLibraryChangeObserver)
      try fixture.library.performChangesAndWait { PHAssetChangeRequest(for: fixture.photo).creationDate = Date() }
      fixture.library.waitForObservers()
      fixture.library.unregisterChangeObserver(observer)
    },
    CalledHandler("photoLibraryPersistentChangesDidUpdate") { fixture, note in
      let observer = Observer(note)
      fixture.library.register(observer as any PHPhotoLibraryPersistentChangesObserver)
      try fixture.library.performChangesAndWait { PHAssetChangeRequest(for: fixture.photo).creationDate = Date() }
      fixture.library.waitForObservers()
      fixture.library.unregisterPersistentChangesObserver(observer)
    },
    CalledHandler("photoLibraryDidBecomeUnavailable") { fixture, note in
      let observer = Observer(note)
      let away = fixture.temporary.folder.appendingPathComponent("away")
      fixture.library.register(observer as any PHPhotoLibraryAvailabilityObserver)
      try FileManager.default.moveItem(at: fixture.temporary.url, to: away)
      #expect(fixture.library.unavailabilityReason != nil)
      fixture.library.unregisterAvailabilityObserver(observer)
      try FileManager.default.moveItem(at: away, to: fixture.temporary.url)
      #expect(fixture.library.unavailabilityReason == nil)
    },
  ]
}

private final class Observer: NSObject, PHPhotoLibraryChangeObserver, PHPhotoLibraryPersistentChangesObserver,
  PHPhotoLibraryAvailabilityObserver
{
  private let note: CalledHandler.Note

  init(_ note: @escaping CalledHandler.Note) { self.note = note }

  func photoLibraryDidChange(_ changeInstance: PHChange) { note() }
  func photoLibraryPersistentChangesDidUpdate(_ library: PHPhotoLibrary) { note() }
  func photoLibraryDidBecomeAvailable(_ photoLibrary: PHPhotoLibrary) {}
  func photoLibraryDidBecomeUnavailable(_ photoLibrary: PHPhotoLibrary) { note() }
}

private final class SeenURL: Sendable {
  let value = Mutex<URL?>(nil)
}

@Suite(.serialized) struct HandlerLibraryTests {
  @Test(arguments: CalledHandler.all) private func `a handler's shared library is that of its call`(
    _ handler: CalledHandler
  ) async throws {
    let fixture = try HandlerFixture.shared.get()
    // A fetch of the case before may not have ended.
    for asset in [fixture.photo, fixture.live, fixture.video] { fixture.temporary.setOriginalsLocal(of: asset) }
    let seen = SeenURL()
    let call: Result<Void, any Error> = try await answer("the end of the call") { done in
      Task {
        do {
          try await handler.call(fixture) { seen.value.withLock { $0 = PHPhotoLibrary.shared().url } }
          done(.success(()))
        } catch { done(.failure(error)) }
      }
    }
    try call.get()
    try await eventually("a call of the handler", isolation: nil) { seen.value.withLock { $0 != nil } }
    #expect(seen.value.withLock(\.self) == fixture.library.url)
  }
}
