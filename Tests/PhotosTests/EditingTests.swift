import Foundation
import PhotosTesting
import Synchronization
import Testing

@testable import LibraryStore
@testable import Photos

@Suite struct EditingTests {
  let fixture: EditingFixture
  let render: Data
  var library: PHPhotoLibrary { fixture.library }

  init() throws {
    fixture = try EditingFixture()
    render = try SampleMedia.jpeg(size: EditingFixture.square, seed: 2)
  }

  private func error(_ body: () async throws -> Void) async -> PHPhotosError? {
    do { try await body() } catch { return error as? PHPhotosError }
    return nil
  }

  @Test func anEditedPhotoShowsTheRenderAndKeepsTheOriginal() async throws {
    let asset = try fixture.photo()
    let original = try #require(fixture.imageData(asset, .current))
    let edited = try await fixture.edit(asset, render)
    #expect(edited.hasAdjustments)
    #expect("\(edited.pixelWidth) × \(edited.pixelHeight)" == "32 × 32")
    #expect(fixture.imageData(edited, .current) == render)
    #expect(fixture.imageData(edited, .original) == original)
    #expect(fixture.imageData(edited, .unadjusted) == original)
    #expect(
      fixture.resources(edited) == [
        "photo IMG_0001.JPG", "fullSizePhoto FullSizeRender.jpg", "adjustmentData Adjustments.plist",
      ])
    #expect(edited.contentType == .jpeg)
  }

  @Test func anEditKnowsItsFormatAndItsTime() async throws {
    let start = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    let edited = try await fixture.edit(fixture.photo(), render)
    #expect(edited.adjustmentFormatIdentifier == "com.example.filters")
    #expect(edited.adjustmentsState == .userAdjusted)
    let time = try #require(edited.adjustmentTimestamp)
    #expect((start...Date()).contains(time))
  }

  @Test func renditionsFollowTheEditAndItsRevert() async throws {
    let asset = try fixture.photo()
    let before = try await PHImageManager.default().rendition(.grid, for: asset)
    let edited = try await fixture.edit(asset, render)
    #expect(edited.renditionVersion != asset.renditionVersion)
    let picture = try await PHImageManager.default().rendition(.grid, for: edited)
    #expect("\(picture.pixelWidth) × \(picture.pixelHeight)" == "32 × 32")
    #expect(try PHImageManager.default().placeholders(for: [edited]).count == 1)
    try library.performChangesAndWait { PHAssetChangeRequest(for: edited).revertAssetContentToOriginal() }
    let reverted = fixture.refetched(asset)
    #expect(reverted.renditionVersion == asset.renditionVersion)
    #expect(try await PHImageManager.default().rendition(.grid, for: reverted).data == before.data)
  }

  @Test func anAssetThatWasFetchedBeforeTheEditLeavesNoPictureOfItForTheOriginal() async throws {
    let asset = try fixture.photo()
    let edited = try await fixture.edit(asset, render)
    let picture = try await PHImageManager.default().rendition(.grid, for: asset)
    #expect(picture.pixelWidth == 32)
    // The rendition made through the older object is stored under the edit's version only.
    func stored(_ asset: PHAsset) throws -> Data? {
      try library.store.renditions.picture(uuid: asset.uuid, kind: "grid", version: asset.renditionVersion)?.data
    }
    #expect(try stored(edited) == picture.data)
    #expect(try stored(asset) == nil)
  }

  @Test func aRevertedPhotoIsWhatItWas() async throws {
    let asset = try fixture.photo()
    let edited = try await fixture.edit(asset, render)
    try library.performChangesAndWait { PHAssetChangeRequest(for: edited).revertAssetContentToOriginal() }
    let reverted = fixture.refetched(asset)
    #expect(!reverted.hasAdjustments)
    #expect(reverted.adjustmentFormatIdentifier == nil)
    #expect("\(reverted.pixelWidth) × \(reverted.pixelHeight)" == "64 × 48")
    #expect(fixture.resources(reverted) == ["photo IMG_0001.JPG"])
    #expect(try #require(reverted.modificationDate) > #require(edited.modificationDate))
  }

  @Test func aRevertAndAnEditOfTheSameBytesAreOneChange() async throws {
    let asset = try fixture.photo()
    let edited = try await fixture.edit(asset, render)
    let output = try await fixture.output(for: edited)
    try render.write(to: output.renderedContentURL)
    try library.performChangesAndWait {
      let request = PHAssetChangeRequest(for: edited)
      request.revertAssetContentToOriginal()
      request.contentEditingOutput = output
    }
    #expect(fixture.imageData(fixture.refetched(asset), .current) == render)
    #expect(try fixture.findings().isEmpty)
  }

  @Test func bytesMoveFromAnEditThatIsTakenBackToAnother() async throws {
    let assets = try [fixture.photo(), fixture.temporary.add(SampleFile("B.JPG", SampleMedia.jpeg(seed: 7)))[0]]
    let edited = try await fixture.edit(assets[0], render)
    let output = try await fixture.output(for: assets[1])
    try render.write(to: output.renderedContentURL)
    try library.performChangesAndWait {
      PHAssetChangeRequest(for: edited).revertAssetContentToOriginal()
      PHAssetChangeRequest(for: assets[1]).contentEditingOutput = output
    }
    #expect(fixture.imageData(fixture.refetched(assets[1]), .current) == render)
    #expect(!fixture.refetched(assets[0]).hasAdjustments)
    #expect(try fixture.findings().isEmpty)
  }

  @Test func anUneditedAssetIsNotReverted() throws {
    let asset = try fixture.photo()
    let token = library.currentChangeToken.transaction
    try library.performChangesAndWait { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
    #expect(fixture.refetched(asset).modificationDate == asset.modificationDate)
    #expect(library.currentChangeToken.transaction == token)
  }

  @Test func aRenderWaitsOnTheLibrarysDiskAndGoesWithItsOutput() async throws {
    let asset = try fixture.photo()
    let incoming = fixture.temporary.url.appendingPathComponent("incoming")
    func folders() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: incoming.path).filter { $0.hasPrefix("calotype-private-") }
    }
    do {
      let output = try await fixture.output(for: asset)
      try render.write(to: output.renderedContentURL)
      let parent = output.renderedContentURL.deletingLastPathComponent().deletingLastPathComponent()
      #expect(parent.resolvingSymlinksInPath() == incoming.resolvingSymlinksInPath())
      #expect(try folders().count == 1)
    }
    #expect(try folders().isEmpty)
    // The next opening removes the folder of a killed process.
    let abandoned = incoming.appendingPathComponent("calotype-private-abcdef")
    try FileManager.default.createDirectory(at: abandoned, withIntermediateDirectories: true)
    let copy = fixture.temporary.folder.appendingPathComponent("copy.calotype")
    try FileManager.default.copyItem(at: fixture.temporary.url, to: copy)
    let copied = copy.appendingPathComponent("incoming/calotype-private-abcdef")
    _ = try PHPhotoLibrary(url: copy)
    #expect(!FileManager.default.fileExists(atPath: copied.path))
  }

  @Test func theFoldersOfKilledProcessesAreCleared() throws {
    let parent = fixture.temporary.folder
    func folder(_ name: String) throws -> URL {
      let url = parent.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data("render".utf8).write(to: url.appendingPathComponent("FullSizeRender.jpg"))
      return url
    }
    let (abandoned, others) = (try folder("calotype-private-a"), try folder("calotype-c"))
    let living = PrivateFolder(in: parent)
    _ = PrivateFolder(in: parent)
    #expect(!FileManager.default.fileExists(atPath: abandoned.path))
    for url in [others, living.url] { #expect(FileManager.default.fileExists(atPath: url.path)) }
  }

  @Test func aFolderThatIsTakenForAnAbandonedOneIsNotLocked() throws {
    let folder = fixture.temporary.folder.appendingPathComponent("calotype-private-a").path
    #expect(PrivateFolder.lock(folder) == nil)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let descriptor = try #require(PrivateFolder.lock(folder))
    // Another process has locked it, and removes it.
    #expect(PrivateFolder.lock(folder) == nil)
    close(descriptor)
    close(try #require(PrivateFolder.lock(folder)))
  }

  @Test func foldersThatAreMadeAtTheSameTimeAreAllThere() throws {
    let parent = fixture.temporary.folder
    let kept = Mutex<[PrivateFolder]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<25 {
        let folder = PrivateFolder(in: parent)
        kept.withLock { $0.append(folder) }
      }
    }
    #expect(kept.withLock(\.self).allSatisfy { FileManager.default.fileExists(atPath: $0.url.path) })
  }

  @Test func aPipeIsNoAdjustmentData() throws {
    let pipe = fixture.temporary.folder.appendingPathComponent("IMG_0001.AAE")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    #expect(PHAdjustmentData(contentsOf: pipe) == nil)
  }

  @Test func dateAndPlaceStayThoughTheRenderHasNeither() async throws {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_551_741_611), offset: -21_600)
    metadata.place = .init(latitude: 41.25, longitude: -96, altitude: 320)
    metadata.camera = .iPhone
    let asset = try fixture.photo(metadata)
    let edited = try await fixture.edit(asset, render)
    #expect(edited.creationDate == asset.creationDate)
    #expect(edited.timeZoneOffset == -21_600)
    #expect(edited.location?.coordinate.latitude == 41.25)
    #expect(try edited.details()?.camera.model == SampleMetadata.Camera.iPhone.model)
    #expect(edited.extendedMetadata.originalFilename == "IMG_0001.JPG")
  }

  @Test func anotherEditTakesThePlaceOfTheOneBefore() async throws {
    let asset = try fixture.photo()
    let original = fixture.imageData(asset, .original)
    let once = try await fixture.edit(asset, render)
    let second = try SampleMedia.jpeg(size: EditingFixture.small, seed: 3)
    let twice = try await fixture.edit(once, second)
    #expect(fixture.imageData(twice, .current) == second)
    #expect(fixture.imageData(twice, .original) == original)
    // The second edit was made from the first render, which is kept as its base so that the edit
    // can be resumed.
    #expect(
      fixture.resources(twice) == [
        "photo IMG_0001.JPG", "fullSizePhoto FullSizeRender.jpg", "adjustmentBasePhoto FullSizeRender.jpg",
        "adjustmentData Adjustments.plist",
      ])
  }

  @Test func observersAreToldThatTheContentChanged() async throws {
    let asset = try fixture.photo()
    let observer = RecordingObserver()
    library.register(observer)
    // Waits after each change, because observers may be told of two quick changes together.
    let edited = try await fixture.edit(asset, render)
    library.waitForObservers()
    #expect(observer.changes.first?.changeDetails(for: asset)?.objectAfterChanges?.hasAdjustments == true)
    try library.performChangesAndWait { PHAssetChangeRequest(for: edited).revertAssetContentToOriginal() }
    library.waitForObservers()
    try library.performChangesAndWait { PHAssetChangeRequest(for: edited).isFavorite = true }
    library.waitForObservers()
    #expect(observer.changes.map { $0.changeDetails(for: asset)?.assetContentChanged } == [true, true, false])
  }

  @Test func anEditWithoutARenderChangesNothing() async throws {
    let asset = try fixture.photo()
    let output = try await fixture.output(for: asset)
    let error = await error { try fixture.commit(output, to: asset) }
    #expect(error?.code == .invalidResource)
    #expect(error?.localizedDescription.contains(output.renderedContentURL.path) == true)
    #expect(!fixture.refetched(asset).hasAdjustments)
  }

  @Test func anEditWithoutAdjustmentDataChangesNothing() async throws {
    let asset = try fixture.photo()
    let output = try await fixture.output(for: asset)
    try render.write(to: output.renderedContentURL)
    output.adjustmentData = nil
    let error = await error {
      try library.performChangesAndWait {
        let request = PHAssetChangeRequest(for: asset)
        request.isFavorite = true
        request.contentEditingOutput = output
      }
    }
    #expect(error?.code == .invalidResource)
    #expect(fixture.refetched(asset).isFavorite == false)
  }

  @Test(
    "A rendered file that is no picture is refused with its name",
    arguments: ["text", "a movie", "a JPEG without a picture"])
  func refused(_ kind: String) async throws {
    let asset = try fixture.photo()
    let output = try await fixture.output(for: asset)
    let bytes =
      switch kind {
      case "text": Data("no picture".utf8)
      case "a movie": try SampleMedia.movie(duration: 0.2, size: EditingFixture.small)
      default: Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xD9])
      }
    try bytes.write(to: output.renderedContentURL)
    let error = await error { try fixture.commit(output, to: asset) }
    #expect(error?.code == .invalidResource)
    #expect(error?.localizedDescription.contains("FullSizeRender.jpg") == true)
    #expect(fixture.resources(fixture.refetched(asset)) == ["photo IMG_0001.JPG"])
  }

  @Test func anUnreadableFileCannotBeEdited() async throws {
    let broken = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xD9])
    let asset = try fixture.temporary.add(SampleFile("broken.jpg", broken))[0]
    #expect(!asset.canPerform(.content))
    #expect(try await fixture.request(asset).errorCode == .requestNotSupportedForAsset)
  }

  @Test func anAssetIsEditedInTheBlockThatCreatesIt() throws {
    let original = try SampleMedia.jpeg(size: EditingFixture.small)
    nonisolated(unsafe) var identifier: String?
    try library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      request.addResource(with: .photo, data: original, options: nil)
      guard let placeholder = request.placeholderForCreatedAsset else { return }
      let output = PHContentEditingOutput(placeholderForCreatedAsset: placeholder)
      output.adjustmentData = EditingFixture.sepia
      try? render.write(to: output.renderedContentURL)
      request.contentEditingOutput = output
      identifier = placeholder.localIdentifier
    }
    let asset = PHAsset.fetchAssets(
      withLocalIdentifiers: [try #require(identifier)], options: fixture.temporary.options()
    ).object(at: 0)
    #expect(asset.hasAdjustments)
    #expect(fixture.imageData(asset, .current) == render)
    #expect(fixture.imageData(asset, .original) == original)
  }

  @Test func aRenderOfAnotherTypeIsWrittenToItsOwnURL() async throws {
    let asset = try fixture.photo()
    let output = try await fixture.output(for: asset)
    let url = try output.renderedContentURL(for: .heic)
    let heic = try SampleMedia.heic(size: EditingFixture.small)
    try heic.write(to: url)
    try fixture.commit(output, to: asset)
    #expect(fixture.imageData(fixture.refetched(asset), .current) == heic)
    #expect(fixture.resources(fixture.refetched(asset))[1] == "fullSizePhoto FullSizeRender.heic")
    #expect(throws: PHPhotosError.self) { try output.renderedContentURL(for: .pdf) }
    #expect(output.defaultRenderedContentType == .jpeg)
  }

  @Test func theRenderedFileGoesAwayWithItsOutput() async throws {
    var output: PHContentEditingOutput? = try await fixture.output(for: fixture.photo())
    let url = try #require(output?.renderedContentURL)
    try render.write(to: url)
    output = nil
    #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
  }

  @Test func aVideosEditIsAMovie() async throws {
    let movie = try SampleMedia.movie(duration: 1, size: EditingFixture.small)
    let asset = try fixture.temporary.add(SampleFile("IMG_0002.MOV", movie))[0]
    let output = try await fixture.output(for: asset)
    #expect(output.renderedContentURL.lastPathComponent == "FullSizeRender.mov")
    let shorter = try SampleMedia.movie(duration: 0.5, size: EditingFixture.square, seed: 2, container: .mp4)
    try shorter.write(to: output.renderedContentURL)
    try fixture.commit(output, to: asset)
    let edited = fixture.refetched(asset)
    #expect(abs(edited.duration - 0.5) < 0.1)
    #expect(edited.pixelWidth == 32)
    let played = try await PHImageManager.default().playableMovie(for: edited)
    #expect(try played.data(in: 0..<shorter.count) == shorter)
    try library.performChangesAndWait { PHAssetChangeRequest(for: edited).revertAssetContentToOriginal() }
    #expect(fixture.refetched(asset).duration == asset.duration)
  }

  @Test(
    "The edit of a Live Photo needs a still and a movie to stay live",
    arguments: [(true, PHAsset.PlaybackStyle.livePhoto), (false, .image)])
  func livePhoto(hasMovie: Bool, style: PHAsset.PlaybackStyle) async throws {
    let pair = try SampleMedia.livePhoto(size: EditingFixture.small, stillType: .jpeg)
    let asset = try fixture.temporary.add(pair)
    let output = try await fixture.output(for: asset)
    try render.write(to: output.renderedContentURL)
    let movie = try SampleMedia.movie(duration: 1, size: EditingFixture.square, seed: 2, container: .mp4)
    if hasMovie { try movie.write(to: output.renderedPairedVideoURL) }
    try fixture.commit(output, to: asset)
    let edited = fixture.refetched(asset)
    #expect(edited.playbackStyle == style)
    #expect(edited.mediaSubtypes.contains(.photoLive))
    let played = try await PHImageManager.default().playableMovie(for: edited)
    #expect(try (played.data(in: 0..<10_000_000) == movie) == hasMovie)
    try library.performChangesAndWait { PHAssetChangeRequest(for: edited).revertAssetContentToOriginal() }
    #expect(fixture.refetched(asset).playbackStyle == .livePhoto)
    #expect(fixture.resources(fixture.refetched(asset)).count == 2)
  }
}
