import Foundation
import Photos
import PhotosTesting
import Testing

@Suite struct TemporaryLibraryTests {
  @Test func filesBecomeAssetsInTheirOrder() throws {
    let temporary = try TemporaryLibrary()
    let assets = try temporary.add(
      SampleFile("IMG_0001.JPG", SampleMedia.jpeg(size: .small, seed: 1)),
      SampleFile("IMG_0002.PNG", SampleMedia.png(size: .small.turned, seed: 2)))
    #expect(assets.map(\.pixelWidth) == [160, 120])
    #expect(PHAssetResource.assetResources(for: assets[1]).map(\.originalFilename) == ["IMG_0002.PNG"])
  }

  // MARK: The folder

  @Test func theFolderGoesAwayWithTheObject() throws {
    var temporary: TemporaryLibrary? = try TemporaryLibrary()
    let url = try #require(temporary?.url)
    #expect(FileManager.default.fileExists(atPath: url.path))
    temporary = nil
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func theLibraryOfAnExpressionStays() throws {
    var library: PHPhotoLibrary? = try TemporaryLibrary(photos: 2).library
    let url = try #require(library?.url)
    #expect(library?.asShared { PHAsset.fetchAssets(with: nil).count } == 2)
    library = nil
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  /// A temporary folder for exit tests alone. Otherwise any process could remove what this suite
  /// looks for.
  private enum OwnTemporaryFolder {
    static func url(ofProcess process: pid_t) -> URL {
      FileManager.default.temporaryDirectory.appendingPathComponent("trapped-\(process)")
    }

    static func useInExitTest() { setenv("TMPDIR", url(ofProcess: getppid()).path, 1) }
  }

  @Test func theFolderOfAProcessThatTrappedIsRemovedLater() async throws {
    let parent = OwnTemporaryFolder.url(ofProcess: getpid())
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: parent) }
    func folders() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: parent.path).filter { $0.hasPrefix("calotype-private-") }
    }
    await #expect(processExitsWith: .failure) {
      OwnTemporaryFolder.useInExitTest()
      let temporary = try TemporaryLibrary()
      fatalError("the test traps in \(temporary.folder.path)")
    }
    #expect(try folders().count == 1)
    await #expect(processExitsWith: .success) {
      OwnTemporaryFolder.useInExitTest()
      _ = try TemporaryLibrary()
    }
    #expect(try folders() == [])
  }

  // MARK: Samples

  @Test func aSampleHasWhatItWasMadeWith() throws {
    let temporary = try TemporaryLibrary()
    let date = Date(timeIntervalSince1970: 1_500_000_000)
    let photo = try temporary.add(
      .photo(named: "Bergen", date: date, place: .init(latitude: 60.5, longitude: 5.25), favorite: true, hidden: true))
    #expect(photo.extendedMetadata.originalFilename == "Bergen.JPG")
    #expect(photo.creationDate == date)
    #expect(photo.location?.coordinate.latitude == 60.5)
    #expect(photo.location?.coordinate.longitude == 5.25)
    #expect(photo.isFavorite)
    #expect(photo.isHidden)
  }

  @Test func samplesAreNumberedThroughoutALibrary() throws {
    let temporary = try TemporaryLibrary(photos: 2)
    let third = try temporary.add(.photo())
    #expect(third.extendedMetadata.originalFilename == "IMG_0003.JPG")
    #expect(third.creationDate == Date(timeIntervalSince1970: 1_600_000_000 + 2 * 86_400))
  }

  @Test func everySeededPhotoHasItsOwnBytes() throws {
    let temporary = try TemporaryLibrary()
    let bytes = try temporary.add(.photos(20)).map { photo in
      let reader = try PHAssetResourceManager.default().reader(for: PHAssetResource.assetResources(for: photo)[0])
      return try reader.data(in: 0..<reader.byteCount)
    }
    #expect(Set(bytes).count == 20)
  }

  @Test func aSampleOfEachKindIsWhatItSays() throws {
    let temporary = try TemporaryLibrary()
    let assets = try temporary.add([.photo(), .livePhoto(), .video(duration: 0.5)])
    #expect(assets.map(\.playbackStyle) == [.image, .livePhoto, .video])
    #expect(assets[2].duration == 0.5)
  }

  @Test func samplesWithoutFilesAreFetchedAndHaveNoResources() throws {
    let temporary = try TemporaryLibrary()
    let assets = try temporary.add([
      .photo(favorite: true).withoutFiles, .photo(), .livePhoto(hidden: true).withoutFiles,
      .video(duration: 7, place: .init(latitude: 1, longitude: 2, altitude: 3)).withoutFiles,
    ])
    #expect(
      assets.map(\.extendedMetadata.originalFilename) == [
        "IMG_0001.JPG", "IMG_0002.JPG", "IMG_0003.HEIC", "IMG_0004.MOV",
      ])
    #expect(assets.map { PHAssetResource.assetResources(for: $0).count } == [0, 1, 0, 0])
    #expect(assets.map(\.isFavorite) == [true, false, false, false])
    #expect(assets.map(\.isHidden) == [false, false, true, false])
    #expect(assets[2].mediaSubtypes == .photoLive)
    #expect(assets[3].duration == 7)
    #expect(assets[3].location?.altitude == 3)
  }

  @Test func anAlbumOfFavoritesIsMadeInALine() throws {
    let temporary = try TemporaryLibrary()
    let album = try temporary.addAlbum("The best", .photos(3, favorite: true))
    let assets = PHAsset.fetchAssets(in: album, options: nil)
    #expect((0..<assets.count).map { assets.object(at: $0).isFavorite } == [true, true, true])
    #expect(album.localizedTitle == "The best")
  }

  // MARK: After a change

  @Test func anAssetIsFetchedAgain() throws {
    let temporary = try TemporaryLibrary()
    let photo = try temporary.add(.photo())
    try temporary.library.performChangesAndWait { PHAssetChangeRequest(for: photo).isFavorite = true }
    #expect(!photo.isFavorite)
    #expect(try temporary.refetched(photo).isFavorite)
  }

  @Test func anAlbumIsFetchedAgain() throws {
    let temporary = try TemporaryLibrary()
    let album = try temporary.addAlbum("Norway")
    try temporary.library.performChangesAndWait { PHAssetCollectionChangeRequest(for: album)?.title = "Norge" }
    #expect(try temporary.refetched(album).localizedTitle == "Norge")
  }

  @Test func aDeletedAssetIsNotFetchedAgain() throws {
    let temporary = try TemporaryLibrary()
    let photo = try temporary.add(.photo())
    try temporary.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([photo] as NSArray) }
    let error = #expect(throws: PHPhotosError.self) { try temporary.refetched(photo) }
    #expect(error?.code == .identifierNotFound)
    #expect(error?.localizedDescription == "\(photo.localIdentifier) is not in the library any more")
  }

  // MARK: Reproducible values

  @Test func identifiersAreNumbers() throws {
    let temporary = try TemporaryLibrary(photos: 1, hasNumberedIdentifiers: true)
    let options = PHFetchOptions()
    options.photoLibrary = temporary.library
    let first = PHAsset.fetchAssets(with: options).firstObject
    let album = try temporary.addAlbum("Norway", [.photo().withoutFiles])
    #expect(first?.localIdentifier == "00000000-0000-4000-8000-000000000001/L0/001")
    let second = PHAsset.fetchAssets(in: album, options: nil).firstObject
    #expect(second?.localIdentifier == "00000000-0000-4000-8000-000000000002/L0/001")
    #expect(album.localIdentifier.hasPrefix("00000000-0000-4000-8000-000000000003/"))
  }

  @Test func identifiersAreRandomOtherwise() throws {
    let identifiers = try (0..<2).map { _ in try TemporaryLibrary().add(.photo()).localIdentifier }
    #expect(identifiers[0] != identifiers[1])
  }

  @Test func aSummarySaysWhatIsThere() throws {
    let temporary = try TemporaryLibrary(photos: 2)
    let place = SampleMetadata.Place(latitude: 60.5, longitude: 5.25)
    let album = try temporary.addAlbum("Norway", [.photo(place: place, favorite: true), .photo(hidden: true)])
    try temporary.add([.video(duration: 0.5), .livePhoto()])
    try temporary.addAlbum("Nothing")
    let first = PHAsset.fetchAssets(in: album, options: nil).object(at: 0)
    try temporary.library.performChangesAndWait {
      let folder = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "Travels")
      folder.addChildCollections([album] as NSArray)
    }
    let deleted = try temporary.add(.photo())
    try temporary.library.performChangesAndWait { PHAssetChangeRequest.deleteAssets([deleted] as NSArray) }
    #expect(first.isFavorite)
    #expect(
      temporary.summary == """
        IMG_0001.JPG: photo, 160 × 120, 2020-09-13T12:26:40Z
        IMG_0002.JPG: photo, 160 × 120, 2020-09-14T12:26:40Z
        IMG_0003.JPG: photo, 160 × 120, 2020-09-15T12:26:40Z, at 60.5 5.25, favorite
        IMG_0004.JPG: photo, 160 × 120, 2020-09-16T12:26:40Z, hidden
        IMG_0005.MOV: video of 0.5 s, 160 × 120, 2020-09-17T12:26:40Z
        IMG_0006.HEIC: Live Photo, 160 × 120, 2020-09-18T12:26:40Z
        album Nothing: empty
        folder Travels
        album Travels/Norway: IMG_0003.JPG, IMG_0004.JPG
        deleted IMG_0007.JPG
        """)
  }

  @Test func aCopyIsALibraryOfItsOwn() throws {
    let original = try TemporaryLibrary(photos: 2)
    let copy = try TemporaryLibrary(copying: original.url)
    #expect(copy.summary == original.summary)
    try copy.add(.photo(named: "New"))
    #expect(copy.summary != original.summary)
    let options = PHFetchOptions()
    options.photoLibrary = copy.library
    let photo = PHAsset.fetchAssets(with: options).object(at: 0)
    let resource = PHAssetResource.assetResources(for: photo)[0]
    try original.removeOriginals(of: original.refetched(photo))
    #expect(try PHAssetResourceManager.default().reader(for: resource).data(in: 0..<2) == Data([0xFF, 0xD8]))
  }

  @Test func nothingIsCopiedOfAFolderThatIsNotThere() {
    #expect(throws: (any Error).self) { try TemporaryLibrary(copying: URL(fileURLWithPath: "/nonexistent")) }
  }
}
