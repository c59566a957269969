import Foundation
import Photos
import PhotosTesting
import Testing

/// The model of an app that uses PhotoKit, as it would be on a device.
@MainActor private final class Gallery {
  private(set) var titles: [String] = []

  func load() async {
    let status = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
    guard status == .authorized || status == .limited else { return }
    let options = PHFetchOptions()
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    let assets = PHAsset.fetchAssets(with: options)
    titles = (0..<assets.count).compactMap { assets.object(at: $0).extendedMetadata.originalFilename }
  }
}

/// What `docs/TESTING.md` shows.
@Suite struct TestingPageTests {
  @MainActor @Test func theGalleryShowsTheNewestPhotoFirst() async throws {
    let temporary = try TemporaryLibrary(photos: 12, videos: 1)
    await temporary.library.asShared {
      let gallery = Gallery()  // uses PHPhotoLibrary.shared(), as on a device
      await gallery.load()
      #expect(gallery.titles.first == "IMG_0013.MOV")
    }
  }

  @Test func codeWithItsOwnQueues() async throws {
    let temporary = try TemporaryLibrary(photos: 2)
    await temporary.library.asSharedEverywhere {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          #expect(PHAsset.fetchAssets(with: nil).count == 2)
          continuation.resume()
        }
      }
    }
  }

  @Test func assetsOfAnyKind() throws {
    let temporary = try TemporaryLibrary()
    let photo = try temporary.add(SampleFile("IMG_0001.HEIC", SampleMedia.heic(seed: 1)))[0]
    let live = try temporary.add(SampleMedia.livePhoto(seed: 2))
    let movie = try temporary.add(SampleFile("IMG_0003.MOV", SampleMedia.movie(duration: 2)))[0]
    #expect([photo, live, movie].map(\.playbackStyle) == [.image, .livePhoto, .video])
  }

  @MainActor @Test func access() async throws {
    let temporary = try TemporaryLibrary(photos: 2)
    let photo = temporary.library.asShared { PHAsset.fetchAssets(with: nil).object(at: 0) }
    let library = temporary.library.photoLibrary(for: PHClient(identifier: "com.example.Gallery"))
    library.authorizationAnswerer = PHAuthorizationScript { _ in .limited(localIdentifiers: [photo.localIdentifier]) }
    await library.asShared {
      let gallery = Gallery()  // asks for access, and sees one photo
      await gallery.load()
      #expect(gallery.titles == ["IMG_0001.JPG"])
    }
  }

  @Test func anAppThatMayOnlyAdd() async throws {
    let temporary = try TemporaryLibrary(photos: 2)
    let library = temporary.library.photoLibrary(for: PHClient(identifier: "com.example.Gallery"))
    library.authorizationAnswerer = PHAuthorizationScript { request in
      if case .access(.addOnly, _) = request.question { .authorized } else { .denied }
    }
    await library.asShared {
      #expect(await PHPhotoLibrary.requestAuthorization(for: .addOnly) == .authorized)
      #expect(await PHPhotoLibrary.requestAuthorization(for: .readWrite) == .denied)
    }
  }

  @Test func whatGoesWrong() throws {
    let temporary = try TemporaryLibrary(photos: 1)
    let photo = temporary.library.asShared { PHAsset.fetchAssets(with: nil).object(at: 0) }
    temporary.failNextChange(.notEnoughSpace)  // the next performChanges fails
    temporary.setOriginalsRemote(of: photo, delay: 0.2)  // in the cloud: progress, or networkAccessRequired
    temporary.setOriginalsRemote(of: photo, error: .networkError)  // and never arrives
    try temporary.removeOriginals(of: photo)  // lost from the disk
    try temporary.expireHistory()  // persistentChangeTokenExpired
    try temporary.thinHistory()  // persistentChangeDetailsUnavailable
    #expect(throws: PHPhotosError.self) { try temporary.library.performChangesAndWait {} }
  }

  @Test func timeAndObservers() throws {
    let clock = TestClock()
    let temporary = try TemporaryLibrary(photos: 1, clock: clock)
    let token = temporary.library.currentChangeToken
    try temporary.library.performChangesAndWait {
      PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Norway")
    }
    clock.advance(by: 31 * 86_400)  // the change has left the history, and what was deleted is gone for good
    #expect(throws: PHPhotosError.self) { try temporary.library.fetchPersistentChanges(since: token) }

    temporary.library.waitForObservers()  // returns when every observer has been told of everything
  }

  @Test func everyLineOfThePageIsCompiledHere() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("docs/TESTING.md"), encoding: .utf8)
    let own = try String(contentsOfFile: #filePath, encoding: .utf8)
    let compiled = Set(own.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    let blocks = page.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }.filter { !$0.hasPrefix("// Package.swift") }
    #expect(blocks.count == 7)
    let lines = blocks.flatMap { $0.split(separator: "\n") }.map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.filter { !compiled.contains($0) } == [])
  }
}
