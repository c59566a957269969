import Foundation
import Importing
import Photos
import PhotosTesting
import Testing

/// The halves of a Live Photo that became two assets, and are found to be one by a later import.
@Suite struct LatePairTests {
  private let temporary: TemporaryLibrary
  private let folder: URL
  private static let small = PictureSize(width: 48, height: 32)

  init() throws {
    temporary = try TemporaryLibrary()
    folder = temporary.folder.appending(path: "in")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_000_000_000), offset: 0)
    try SampleMedia.movie(duration: 1, size: Self.small, metadata: metadata)
      .write(to: folder.appending(path: "IMG_0001.MOV"))
    metadata.contentIdentifier = "6BC3CFF1-202D-503B-9B31-51F659B91B30"
    try SampleMedia.jpeg(size: Self.small, metadata: metadata).write(to: folder.appending(path: "IMG_0001.JPG"))
  }

  private func importFiles(_ names: String...) throws -> ImportReport {
    try FolderImporter(library: temporary.library).importFiles(at: names.map { folder.appending(path: $0).path })
  }

  private var assets: [PHAsset] {
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let found = PHAsset.fetchAssets(with: options)
    return found.objects(at: IndexSet(0..<found.count))
  }

  private func files(_ asset: PHAsset) -> [String] {
    PHAssetResource.assetResources(for: asset).map(\.originalFilename)
  }

  @Test func `albums and texts of either half are kept`() throws {
    _ = try importFiles("IMG_0001.MOV")
    _ = try importFiles("IMG_0001.JPG")
    let (video, photo) = (
      try #require(assets.first { $0.mediaType == .video }), try #require(assets.first { $0.mediaType == .image })
    )
    nonisolated(unsafe) var album: String?
    try temporary.library.performChangesAndWait {
      let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Clips")
      request.addAssets([video] as NSArray)
      album = request.placeholderForCreatedAssetCollection.localIdentifier
      let change = PHAssetChangeRequest(for: video)
      change.title = "The sea"
      change.keywords = ["water"]
      change.isFavorite = true
      let other = PHAssetChangeRequest(for: photo)
      other.caption = "In the morning"
      other.keywords = ["north"]
    }
    #expect(try importFiles("IMG_0001.JPG", "IMG_0001.MOV").failures.isEmpty)
    let live = try #require(assets.first)
    #expect(assets.count == 1)
    #expect(files(live) == ["IMG_0001.JPG", "IMG_0001.MOV"])
    #expect(live.isFavorite)
    #expect(live.extendedMetadata.title == "The sea")
    #expect(live.extendedMetadata.caption == "In the morning")
    #expect(Set(live.extendedMetadata.keywords) == ["water", "north"])
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let identifier = try #require(album)
    let clips = try #require(
      PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [identifier], options: options).firstObject)
    let inAlbum = PHAsset.fetchAssets(in: clips, options: nil)
    #expect(inAlbum.objects(at: IndexSet(0..<inAlbum.count)).map(\.localIdentifier) == [live.localIdentifier])
  }

  @Test func `a still that comes later keeps the date and the texts of a person`() throws {
    var metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_000_000_000), offset: 0)
    metadata.contentIdentifier = "6BC3CFF1-202D-503B-9B31-51F659B91B30"
    try SampleMedia.movie(duration: 1, size: Self.small, metadata: metadata)
      .write(to: folder.appending(path: "IMG_0001.MOV"))
    _ = try importFiles("IMG_0001.MOV")
    let date = Date(timeIntervalSince1970: 1_234_567_890)
    let video = try #require(assets.first)
    try temporary.library.performChangesAndWait {
      let change = PHAssetChangeRequest(for: video)
      change.creationDate = date
      change.timeZoneOffset = 3600
      change.title = "The sea"
    }
    _ = try importFiles("IMG_0001.JPG")
    let live = try #require(assets.first)
    #expect(assets.count == 1)
    #expect(files(live) == ["IMG_0001.JPG", "IMG_0001.MOV"])
    #expect(live.creationDate == date)
    #expect(live.timeZoneOffset == 3600)
    #expect(try live.details()?.dateSource == "person")
    #expect(live.extendedMetadata.title == "The sea")
  }

  @Test func `a still whose Live Photo is in the library takes no other movie of its name`() throws {
    let metadata = SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_000_000_000), offset: 0)
    let pair = try SampleMedia.livePhoto(size: Self.small, metadata: metadata)
    let (phone, takeout) = (folder.appending(path: "phone"), folder.appending(path: "takeout"))
    for part in [phone, takeout] {
      try FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
    }
    for part in [phone, takeout] { try pair.still.write(to: part.appending(path: "IMG_2.HEIC")) }
    try pair.video.write(to: phone.appending(path: "IMG_2.MOV"))
    try SampleMedia.movie(
      duration: 1, size: Self.small, seed: 9, metadata: metadata
    ).write(to: takeout.appending(path: "IMG_2.MP4"))
    _ = try importFiles("phone")
    _ = try importFiles("takeout")
    #expect(Set(assets.map(files)) == [["IMG_2.HEIC", "IMG_2.MOV"], ["IMG_2.MP4"]])
  }
}
