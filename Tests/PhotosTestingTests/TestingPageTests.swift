import Foundation
import Photos
import PhotosTesting
import PhotosTestingTraits
import PhotosUI
import Testing
import XCTest

/// A model of an app that uses PhotoKit as it would on a device.
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

/// A model whose count may fail.
private struct PhotoCounter {
  func count() async throws -> Int {
    try Task.checkCancellation()
    return PHAsset.fetchAssets(with: nil).count
  }
}

final class GalleryTests: XCTestCase {
  override func invokeTest() {
    do {
      PHPhotoLibrary.useAsShared(try TemporaryLibrary(photos: 12).library)
      defer { PHPhotoLibrary.useAsShared(nil) }
      super.invokeTest()
    } catch { XCTFail("\(error)") }
  }

  @MainActor func testTheGalleryShowsTheNewestPhotoFirst() async {
    let gallery = Gallery()
    await gallery.load()
    XCTAssertEqual(gallery.titles.first, "IMG_0012.JPG")
  }
}

/// The code that `docs/TESTING.md` shows.
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
      await Task.detached {
        #expect(PHAsset.fetchAssets(with: nil).count == 2)
      }.value
    }
  }

  @MainActor @Test(.photoLibrary(photos: 12)) func theGalleryShowsTwelvePhotos() async throws {
    let gallery = Gallery()
    await gallery.load()
    #expect(gallery.titles.count == 12)
    let temporary = try #require(TemporaryLibrary.current)
    try temporary.add(.photo())
  }

  @Test func anExpectationThatThrows() async throws {
    let temporary = try TemporaryLibrary(photos: 2)
    try await temporary.library.asShared { () async throws in
      #expect(try await PhotoCounter().count() == 2)
    }
  }

  @Test func assetsOfAnyKind() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    let temporary = try TemporaryLibrary()
    let place = SampleMetadata.Place(latitude: 60.39, longitude: 5.32)
    let bergen = try temporary.add(.photo(named: "Bergen", date: date, place: place, favorite: true))
    let hundred = try temporary.add(.photos(100))
    let best = try temporary.addAlbum("The best", .photos(3, favorite: true))
    let thousand = try temporary.add(.photos(1000).map(\.withoutFiles))
    #expect(bergen.isFavorite)
    #expect(hundred.count == 100)
    #expect(PHAsset.fetchAssets(in: best, options: nil).count == 3)
    #expect(thousand.count == 1000)
  }

  @Test func scenesInEveryFormat() throws {
    let temporary = try TemporaryLibrary()
    let photo = try temporary.add(SampleFile("IMG_0001.HEIC", SampleMedia.heic(seed: 1)))[0]
    let live = try temporary.add(SampleMedia.livePhoto(seed: 2))
    let video = try temporary.add(SampleFile("IMG_0003.MOV", SampleMedia.movie(duration: 2)))[0]
    #expect([photo, live, video].map(\.playbackStyle) == [.image, .livePhoto, .video])
  }

  @Test func theCodeAboutContentsRuns() async throws {
    let temporary = try TemporaryLibrary()
    let photo = try temporary.add(.photo())
    try await temporary.library.performChanges { PHAssetChangeRequest(for: photo).isFavorite = true }
    #expect(!photo.isFavorite)  // an object stays as it was when it was fetched
    #expect(try temporary.refetched(photo).isFavorite)
    #expect(temporary.summary == "IMG_0001.JPG: photo, 160 × 120, 2020-09-13T12:26:40Z, favorite")
  }

  @MainActor @Test(.photoLibrary(photos: 1)) func changeBlocksAndActors() async throws {
    let photo = PHAsset.fetchAssets(with: nil).object(at: 0)
    try await PHPhotoLibrary.shared().performChanges { @Sendable in
      PHAssetChangeRequest(for: photo).isFavorite = true
    }
    #expect(PHAsset.fetchAssets(with: nil).object(at: 0).isFavorite)
  }

  @MainActor @Test func access() async throws {
    let temporary = try TemporaryLibrary(photos: 2)
    let photo = temporary.library.asShared { PHAsset.fetchAssets(with: nil).object(at: 0) }
    let library = temporary.library.photoLibrary(for: LibraryClient(identifier: "com.example.Gallery"))
    library.authorizationAnswerer = AuthorizationScript { _ in .limited(localIdentifiers: [photo.localIdentifier]) }
    await library.asShared {
      let gallery = Gallery()  // asks for access, and sees one photo
      await gallery.load()
      #expect(gallery.titles == ["IMG_0001.JPG"])
    }
  }

  @Test func anAppThatMayOnlyAdd() async throws {
    let temporary = try TemporaryLibrary(photos: 2)
    let library = temporary.library.photoLibrary(for: LibraryClient(identifier: "com.example.Gallery"))
    library.authorizationAnswerer = AuthorizationScript { request in
      if case .access(.addOnly, _) = request.question { .authorized } else { .denied }
    }
    await library.asShared {
      #expect(await PHPhotoLibrary.requestAuthorization(for: .addOnly) == .authorized)
      #expect(await PHPhotoLibrary.requestAuthorization(for: .readWrite) == .denied)
    }
  }

  @Test func theCodeAboutFailuresRuns() throws {
    let temporary = try TemporaryLibrary(photos: 1)
    let photo = temporary.library.asShared { PHAsset.fetchAssets(with: nil).object(at: 0) }
    temporary.failNextChange(.notEnoughSpace)  // the next performChanges fails, not the next add
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

  @Test @MainActor func aFunctionPicksInPlaceOfAPerson() async throws {
    let temporary = try TemporaryLibrary()
    let identifier = try temporary.add(.photo()).localIdentifier
    temporary.library.answerPickers { picker in
      picker.select(identifier)
      picker.add()  // or cancel(); pick([…]) selects exactly these and adds
    }
    temporary.library.answerPickers(nil)
  }

  @Test func everyLineOfThePageIsCompiledHere() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent("docs/TESTING.md"), encoding: .utf8)
    let own = try String(contentsOfFile: #filePath, encoding: .utf8)
    let compiled = Set(own.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    let blocks = page.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }.filter { !$0.hasPrefix("// Package.swift") }
    #expect(blocks.count == 13)
    let lines = blocks.flatMap { $0.split(separator: "\n") }.map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.filter { !compiled.contains($0) } == [])
  }
}
