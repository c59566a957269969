import Foundation
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@testable import Photos

/// The size of pictures whose content does not matter to a test.
private let tiny = PictureSize(width: 64, height: 48)

@Suite struct CreationTests {
  let temporary: TemporaryLibrary
  var library: PHPhotoLibrary { temporary.library }

  init() throws { temporary = try TemporaryLibrary() }

  private var all: PHFetchResult<PHAsset> {
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.includeAllBurstAssets = true
    return PHAsset.fetchAssets(with: options)
  }

  private func write(_ data: Data, _ name: String) throws -> URL {
    let url = temporary.folder.appendingPathComponent(name)
    try data.write(to: url)
    return url
  }

  @Test func aFileOfTheLibraryItselfIsNotMovedAway() throws {
    let photo = try temporary.add(SampleFile("IMG_1.JPG", SampleMedia.jpeg(size: tiny)))[0]
    let resource = try #require(PHAssetResource.assetResources(for: photo).first)
    let stored = try #require(try resource.libraryURL())
    try library.performChangesAndWait {
      let options = PHAssetResourceCreationOptions()
      options.shouldMoveFile = true
      PHAssetCreationRequest.forAsset().addResource(with: .photo, fileURL: stored, options: options)
    }
    #expect(FileManager.default.fileExists(atPath: stored.path))
  }

  /// The headers of such a recording contain no duration, as it is written before the end is known.
  @Test func `the library stores the measured duration of a live recording`() throws {
    let file = temporary.folder.appendingPathComponent("live.webm")
    try Child.check(
      "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=20:d=3", "-pix_fmt", "yuv420p", "-c:v",
      "libvpx", "-live", "1", file.path)
    #expect(try #require(try FileInspection(url: file)).duration == 0)
    try library.performChangesAndWait {
      PHAssetCreationRequest.forAsset().addResource(with: .video, fileURL: file, options: nil)
    }
    #expect(abs(try #require(all.firstObject).duration - 3) < 0.1)
  }

  /// Adds files as the importer does, with `joinsExistingAsset`.
  private func join(_ files: [(PHAssetResourceType, URL)]) throws -> PHAssetCreationRequest.Outcome? {
    nonisolated(unsafe) var request: PHAssetCreationRequest?
    try library.performChangesAndWait {
      let creation = PHAssetCreationRequest.forAsset()
      creation.joinsExistingAsset = true
      for (type, url) in files { creation.addResource(with: type, fileURL: url, options: nil) }
      request = creation
    }
    return request?.outcome
  }

  @Test func aRequestOfABlockThatFailsHasNoOutcome() throws {
    let photo = try write(SampleMedia.jpeg(size: tiny), "IMG_2.JPG")
    nonisolated(unsafe) var request: PHAssetCreationRequest?
    #expect(throws: PHPhotosError.self) {
      try library.performChangesAndWait {
        request = PHAssetCreationRequest.forAsset()
        request?.addResource(with: .photo, fileURL: photo, options: nil)
        let other = PHAssetCreationRequest.forAsset()
        other.addResource(with: .photo, fileURL: photo, options: nil)
        other.creationDate = Date(timeIntervalSince1970: 1e15)
      }
    }
    #expect(request?.outcome == nil && all.count == 0)
  }

  private func resources(_ asset: PHAsset?) -> [String] {
    asset.map { PHAssetResource.assetResources(for: $0).map { "\($0.type) \($0.originalFilename)" } } ?? []
  }

  @Test func aPhotoIsWhatItsFileSays() throws {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_551_741_611), offset: -21_600)
    metadata.place = .init(latitude: 41.25, longitude: -96, altitude: 320)
    let jpeg = try SampleMedia.jpeg(size: tiny, metadata: metadata)
    try temporary.add(SampleFile("IMG_1.JPG", jpeg))

    let asset = try #require(all.firstObject)
    #expect(asset.mediaType == .image)
    #expect(asset.creationDate == Date(timeIntervalSince1970: 1_551_741_611))
    #expect(asset.timeZoneOffset == -21_600)
    #expect(asset.pixelWidth == 64 && asset.pixelHeight == 48)
    #expect(asset.location?.coordinate.latitude == 41.25)
    #expect(asset.location?.altitude == 320)
    let resource = try #require(PHAssetResource.assetResources(for: asset).first)
    #expect(resource.uniformTypeIdentifier == "public.jpeg")
    #expect(try PHAssetResourceManager.default().reader(for: resource).data(in: 0..<jpeg.count) == jpeg)
  }

  @Test func anOpenedReaderReadsToItsEndWhateverBecomesOfTheFile() throws {
    let url = temporary.folder.appendingPathComponent("a.bin")
    try Data([1, 2, 3, 4]).write(to: url)
    let reader = FileReader(byteCount: 4, uniformTypeIdentifier: "public.data", url: url)
    let opened = try reader.opened()
    try FileManager.default.removeItem(at: url)
    #expect(try opened.data(in: 1..<9) == Data([2, 3, 4]))
    #expect(throws: PHPhotosError.self) { try reader.data(in: 0..<4) }
    #expect(throws: PHPhotosError.self) { try reader.opened() }
  }

  /// The reader has opened the file, so deleting the file does not interrupt it.
  @Test func anOriginalThatIsTakenAwayWhileItIsReadIsReadToItsEnd() async throws {
    let jpeg = try SampleMedia.jpeg(size: tiny) + Data(count: 3 << 20)
    let asset = try temporary.add(SampleFile("IMG_0001.JPG", jpeg))[0]
    let resource = try #require(PHAssetResource.assetResources(for: asset).first)
    let url = try #require(try resource.libraryURL())
    let pieces = Mutex<[Data]>([])
    let error: (any Error)? = try await answer("the end of a request for data") { done in
      PHAssetResourceManager.default().requestData(for: resource, options: nil) { piece in
        try? FileManager.default.removeItem(at: url)
        pieces.withLock { $0.append(piece) }
      } completionHandler: {
        done($0)
      }
    }
    #expect(error == nil)
    #expect(pieces.withLock { $0.count } > 1)
    #expect(pieces.withLock { Data($0.joined()) } == jpeg)
  }

  /// Swift's tasks and the global queues share few threads. Handlers that wait run on other
  /// threads.
  @Test func handlersThatWaitHoldUpNoTask() async throws {
    let asset = try temporary.add(SampleFile("IMG_0001.JPG", SampleMedia.jpeg(size: tiny)))[0]
    let resource = try #require(PHAssetResource.assetResources(for: asset).first)
    let gate = DispatchSemaphore(value: 0)
    let completed = Collected<Bool>()
    let count = ProcessInfo.processInfo.activeProcessorCount + 30
    for _ in 0..<count {
      PHAssetResourceManager.default().requestData(for: resource, options: nil) { _ in
        gate.waits(for: "the task")
      } completionHandler: {
        completed.add($0 == nil)
      }
    }
    // The task ends before the handlers do.
    try await answer("a task beside the handlers") { done in Task.detached { done(()) } }
    #expect(completed.all == [])
    for _ in 0..<count { gate.signal() }
    try await eventually("all requests") { completed.all.count == count }
    #expect(completed.all == Array(repeating: true, count: count))
  }

  @Test(arguments: ["taken.jpg", "nowhere/a.jpg"])
  func aCopyReplacesNothingAndMakesNoFolder(_ name: String) async throws {
    let taken = try write(Data("text".utf8), "taken.jpg")
    let asset = try temporary.add(SampleFile("IMG_0001.JPG", SampleMedia.jpeg(size: tiny)))[0]
    let resource = try #require(PHAssetResource.assetResources(for: asset).first)
    let url = taken.deletingLastPathComponent().appendingPathComponent(name)
    let error = await #expect(throws: PHPhotosError.self) {
      try await PHAssetResourceManager.default().writeData(for: resource, toFile: url, options: nil)
    }
    #expect(error?.localizedDescription.contains(url.path) == true)
    #expect(try Data(contentsOf: taken) == Data("text".utf8))
  }

  @Test func anOriginalThatIsCutOffIsNotTakenForWhole() async throws {
    let asset = try temporary.add(SampleFile("IMG_0001.JPG", SampleMedia.jpeg(size: tiny)))[0]
    let resource = try #require(PHAssetResource.assetResources(for: asset).first)
    let url = try #require(try resource.libraryURL())
    try FileManager.default.removeItem(at: url)
    try Data([1, 2, 3]).write(to: url)
    let error: (any Error)? = try await answer("the end of a request for data") { done in
      PHAssetResourceManager.default().requestData(for: resource, options: nil) { _ in
      } completionHandler: {
        done($0)
      }
    }
    #expect((error as? PHPhotosError)?.code == .missingResource)
  }

  @Test func thePlaceholdersIdentifierIsTheAssets() throws {
    let url = try write(SampleMedia.jpeg(size: tiny), "a.jpg")
    nonisolated(unsafe) var identifier: String?
    try library.performChangesAndWait {
      let request = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
      identifier = request?.placeholderForCreatedAsset?.localIdentifier
    }
    #expect(all.firstObject?.localIdentifier == identifier)
  }

  @Test func aBlockWithOneBadFileChangesNothing() throws {
    let good = try write(SampleMedia.jpeg(size: tiny), "good.jpg")
    let text = try write(Data("no picture".utf8), "text.jpg")
    let error = #expect(throws: PHPhotosError.self) {
      try library.performChangesAndWait {
        for url in [good, text] { _ = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url) }
      }
    }
    #expect(error?.code == .invalidResource)
    #expect(error?.localizedDescription.contains("text.jpg") == true)
    #expect(all.count == 0)
    let originals = try FileManager.default.subpathsOfDirectory(
      atPath: temporary.url.appendingPathComponent("originals").path)
    #expect(originals.filter { $0.hasSuffix("jpg") } == [])
  }

  @Test func aVideoIsNoPhoto() throws {
    let url = try write(SampleMedia.jpeg(size: tiny), "a.jpg")
    let error = #expect(throws: PHPhotosError.self) {
      try library.performChangesAndWait {
        _ = PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: url)
      }
    }
    #expect(error?.localizedDescription == "\(url.path): the file is public.jpeg, which can't be a video")
  }

  @Test func aBrokenPictureIsKeptWithItsReason() throws {
    let url = try write(Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xD9]), "broken.jpg")
    #expect(try join([(.photo, url)]) == .created)
    let asset = try #require(all.firstObject)
    #expect(asset.isUnreadable)
    #expect(try asset.details()?.unreadableReason?.isEmpty == false)
  }

  @Test func theSameBytesAreTheSameAssetWhenAskedFor() throws {
    let url = try write(SampleMedia.jpeg(size: tiny), "a.jpg")
    #expect(try join([(.photo, url)]) == .created)
    let identifier = try #require(all.firstObject?.localIdentifier)
    #expect(try join([(.photo, url)]) == .existing(localIdentifier: identifier))
    #expect(all.count == 1)
  }

  @Test func `an import restores every deleted asset that has its files`() throws {
    let pairs = try [1, 2].map { try SampleMedia.livePhoto(size: tiny, seed: $0, stillType: .jpeg) }
    let stills = try pairs.enumerated().map { try write($1.still, "IMG_\($0).JPG") }
    let movies = try pairs.enumerated().map { try write($1.video, "IMG_\($0).MOV") }
    for index in 0...1 { #expect(try join([(.photo, stills[index]), (.pairedVideo, movies[index])]) == .created) }
    let assets = all.objects(at: [0, 1])
    let first = try #require(assets.first { resources($0).contains("photo IMG_0.JPG") })
    try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets(assets) }
    // Neither asset has room for the other's half.
    let outcome = try join([(.photo, stills[0]), (.pairedVideo, movies[1])])
    #expect(outcome == .existing(localIdentifier: first.localIdentifier))
    #expect(all.count == 2)
  }

  @Test func `a deleted asset stays deleted if another has the same file`() throws {
    let file = try write(SampleMedia.jpeg(size: tiny), "a.jpg")
    let sample = SampleFile("b.jpg", try Data(contentsOf: file))
    try temporary.add(sample, sample)
    let deleted = all[0]
    try library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([deleted]) }
    let kept = all[0].localIdentifier
    #expect(try join([(.photo, file)]) == .existing(localIdentifier: kept))
    #expect(all.count == 1)
  }

  @Test func withoutBeingAskedPhotoKitsRequestsMakeAnotherAsset() throws {
    let file = SampleFile("a.jpg", try SampleMedia.jpeg(size: tiny))
    try temporary.add(file, file)
    #expect(all.count == 2)
  }

  @Test(
    "A Live Photo's halves become one asset in any order, in any run",
    arguments: [["still", "movie"], ["movie", "still"]])
  func liveHalves(order: [String]) throws {
    let pair = try SampleMedia.livePhoto(size: tiny, stillType: .jpeg)
    let files: [String: (PHAssetResourceType, URL)] = [
      "still": (.photo, try write(pair.still, "IMG_1.JPG")), "movie": (.video, try write(pair.video, "other name.MOV")),
    ]
    for half in order { _ = try join([#require(files[half])]) }
    #expect(all.count == 1)
    let asset = try #require(all.firstObject)
    #expect(asset.mediaType == .image)
    #expect(asset.mediaSubtypes.contains(.photoLive))
    #expect(asset.duration == 0)
    #expect(resources(asset) == ["photo IMG_1.JPG", "pairedVideo other name.MOV"])
  }

  @Test func aMovieThatStoodAloneJoinsTheStillThatComesWithIt() throws {
    let still = try write(SampleMedia.jpeg(size: tiny), "IMG_1.JPG")
    let movie = try write(SampleMedia.movie(duration: 1, size: tiny), "IMG_1.MOV")
    _ = try join([(.photo, still)])
    _ = try join([(.video, movie)])
    #expect(all.count == 2)
    _ = try join([(.photo, still), (.pairedVideo, movie)])
    #expect(all.count == 1)
    #expect(resources(all.firstObject) == ["photo IMG_1.JPG", "pairedVideo IMG_1.MOV"])
  }

  @Test func aStillWithTwoMoviesComesInOnceHoweverOftenItIsImported() throws {
    let pair = try SampleMedia.livePhoto(size: tiny, stillType: .jpeg)
    let still = try write(pair.still, "a.jpg")
    let movie = try write(pair.video, "a.mov")
    let otherMovie = try write(pair.video + Data("\u{0}\u{0}\u{0}\u{8}free".utf8), "b.mov")
    for _ in 0..<3 {
      _ = try join([(.photo, still), (.pairedVideo, movie)])
      _ = try join([(.photo, still), (.pairedVideo, otherMovie)])
    }
    #expect(all.count == 2)
  }

  @Test(
    "A RAW file and its picture become one asset in any order, also where the picture is a Live Photo's",
    arguments: [["raw", "picture"], ["picture", "raw"]], [nil, "5C1B3A52-0000-4000-8000-000000000000"])
  func rawAndPicture(order: [String], contentIdentifier: String?) throws {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_551_741_611), offset: 0)
    metadata.camera = .iPhone
    let raw = try write(SampleMedia.dng(metadata: metadata), "IMG_7.DNG")
    metadata.contentIdentifier = contentIdentifier
    let picture = try write(SampleMedia.jpeg(size: tiny, metadata: metadata), "IMG_7.JPG")
    for part in order { _ = try join([(.photo, part == "raw" ? raw : picture)]) }
    #expect(all.count == 1)
    #expect(resources(all.firstObject) == ["photo IMG_7.JPG", "alternatePhoto IMG_7.DNG"])
  }

  @Test func oneFrameOfABurstStandsForIt() throws {
    let frames = try SampleMedia.burst(count: 3, size: tiny)
    try temporary.add(frames.enumerated().map { SampleFile("IMG_\($0.offset).JPG", $0.element) })
    #expect(all.count == 3)
    let options = PHFetchOptions()
    options.photoLibrary = library
    let visible = PHAsset.fetchAssets(with: options)
    #expect(visible.count == 1)
    #expect(visible.firstObject?.representsBurst == true)
  }

  @Test func favoritesAndHiddenAssetsAreChangedByRequests() throws {
    let asset = try temporary.add(SampleFile("a.jpg", SampleMedia.jpeg(size: tiny)))[0]
    try library.performChangesAndWait {
      let request = PHAssetChangeRequest(for: asset)
      request.isFavorite = true
      request.isHidden = true
    }
    #expect(all.count == 0)
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.includeHiddenAssets = true
    #expect(PHAsset.fetchAssets(with: options).firstObject?.isFavorite == true)
    #expect(!asset.isFavorite)
  }

  @Test func aTransactionMovesTheChangeToken() throws {
    let before = library.currentChangeToken
    #expect(library.currentChangeToken == before)
    try temporary.add(SampleFile("a.jpg", SampleMedia.jpeg(size: tiny)))
    #expect(library.currentChangeToken != before)
  }
}
