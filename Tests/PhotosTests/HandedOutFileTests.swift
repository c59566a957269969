import AVFoundation
import Foundation
import Imaging
import PhotosTesting
import Testing

@testable @_spi(Testing) import Photos

/// Tests a client with limited access that adds bytes under another name, although the library
/// already contains them.
@Suite struct HandedOutFileTests {
  let fixture: AccessFixture
  let library: PHPhotoLibrary

  init() throws {
    fixture = try AccessFixture()
    library = try fixture.limitedLibrary()
  }

  private func add(_ data: Data, _ type: PHAssetResourceType, named name: String) throws -> PHAsset {
    nonisolated(unsafe) var identifier = ""
    try library.performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      let options = PHAssetResourceCreationOptions()
      options.originalFilename = name
      request.addResource(with: type, data: data, options: options)
      identifier = request.placeholderForCreatedAsset?.localIdentifier ?? ""
    }
    return try #require(
      PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: library.options()).firstObject)
  }

  private func hiddenBytes() throws -> Data {
    try Data(contentsOf: PHAssetResource.assetResources(for: fixture.photos[0])[0].fileURLForTesting)
  }

  @Test func aPhotosFileHasTheNameThatTheClientGaveIt() throws {
    let bytes = try hiddenBytes()
    let asset = try add(bytes, .photo, named: "Mine.JPG")
    var input: PHContentEditingInput? = try asset.editingInput(.init(), Cancellation())
    let url = try #require(input?.fullSizeImageURL)
    #expect(url.lastPathComponent == "Mine.JPG")
    #expect(!url.path.contains("originals"))
    #expect(try Data(contentsOf: url) == bytes)
    input = nil
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func aVideosFileHasTheNameThatTheClientGaveIt() throws {
    let bytes = try SampleMedia.movie(duration: 1)
    _ = try fixture.temporary.add(SampleFile("Secret.MOV", bytes))
    let asset = try add(bytes, .video, named: "Mine.MOV")
    let request = AssetRequest<AVURLAsset>(in: RunningRequests(), of: nil) { _, _ in }
    var movie: AVURLAsset? = try asset.video(.current, for: request)
    let url = try #require(movie?.url)
    #expect(url.lastPathComponent == "Mine.MOV")
    #expect(try Data(contentsOf: url) == bytes)
    movie = nil
    #expect(!FileManager.default.fileExists(atPath: url.path))
    let edited = try #require(try asset.editingInput(.init(), Cancellation()).audiovisualAsset as? AVURLAsset)
    #expect(edited.url.lastPathComponent == "Mine.MOV")
    #expect(FileManager.default.fileExists(atPath: edited.url.path))
  }

  @Test func anErrorNamesTheClientsFileAndNotTheOneThatIsMissing() throws {
    let asset = try add(hiddenBytes(), .photo, named: "Mine.JPG")
    let resource = PHAssetResource.assetResources(for: asset)[0]
    let reader = try PHAssetResourceManager.default().reader(for: resource)
    try FileManager.default.removeItem(at: resource.fileURLForTesting)
    let target = fixture.temporary.url.appendingPathComponent("copy.jpg")
    let errors = [
      #expect(throws: PHPhotosError.self) {
        try PHAssetResourceManager.default().writeDataAndWait(for: resource, toFile: target)
      }, #expect(throws: PHPhotosError.self) { try reader.data(in: 0..<1) },
    ]
    for error in errors {
      #expect(error?.localizedDescription.hasPrefix("Mine.JPG: ") == true)
      #expect("\(error?.userInfo ?? [:])".contains("A.JPG") == false)
    }
  }

  @Test func theOwnerGetsTheLibrarysOwnFile() throws {
    let input = try fixture.photos[0].editingInput(.init(), Cancellation())
    #expect(
      input.fullSizeImageURL?.path == PHAssetResource.assetResources(for: fixture.photos[0])[0].fileURLForTesting.path)
  }
}

/// A client with limited access sees the same of an asset that it added, whether or not the library
/// has the bytes from another import.
@Suite struct AddedKnownBytesTests {
  struct Seen: Equatable {
    var creationDate: Date?
    var isUnreadable: Bool
    var isDamaged: Bool
    var reason: String?
    var replaced: Set<PHAssetResourceType>
    var hasGridPicture: Bool
  }

  static let earlier = Date(timeIntervalSince1970: 1_000_000_000)
  static let later = Date(timeIntervalSince1970: 1_100_000_000)

  /// Writes a file without a capture date.
  private func file(_ bytes: Data, date: Date, in temporary: TemporaryLibrary) throws -> URL {
    let url = temporary.folder.appendingPathComponent("\(UUID().uuidString).JPG")
    try bytes.write(to: url)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
    return url
  }

  private func add(_ url: URL, to library: PHPhotoLibrary) throws -> (asset: PHAsset, request: PHAssetCreationRequest) {
    nonisolated(unsafe) var request: PHAssetCreationRequest?
    try library.performChangesAndWait {
      request = PHAssetCreationRequest.forAsset()
      request?.addResource(with: .photo, fileURL: url, options: nil)
    }
    let made = try #require(request)
    let identifier = try #require(made.placeholderForCreatedAsset?.localIdentifier)
    let found = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: library.options())
    return (try #require(found.firstObject), made)
  }

  enum Sample: CaseIterable {
    case whole, cut, garbage

    var bytes: Data {
      get throws {
        switch self {
        case .whole: try SampleMedia.jpeg(seed: 1)
        case .cut: try BrokenFiles.truncatedJPEG()
        case .garbage: BrokenFiles.garbageJPEG()
        }
      }
    }
  }

  @Test(arguments: Sample.allCases, [false, true])
  func anAddedAssetDoesNotTellWhetherTheLibraryHadItsBytes(_ sample: Sample, isMissing: Bool) throws {
    let bytes = try sample.bytes
    let seen = try [false, true].map { isKnown in
      let fixture = try AccessFixture()
      if isKnown {
        let hidden = try add(file(bytes, date: Self.earlier, in: fixture.temporary), to: fixture.owner).asset
        if isMissing {
          try FileManager.default.removeItem(
            at: PHAssetResource.assetResources(for: hidden)[0].fileURLForTesting)
        }
      }
      let (asset, request) = try add(
        file(bytes, date: Self.later, in: fixture.temporary), to: fixture.limitedLibrary())
      return Seen(
        creationDate: asset.creationDate, isUnreadable: asset.isUnreadable, isDamaged: asset.isDamaged,
        reason: request.unreadableReason ?? request.damage, replaced: request.replacedResourceTypes,
        hasGridPicture: asset.pictures.storedRendition(.grid) != nil)
    }
    #expect(seen[0] == seen[1])
    #expect(seen[1].creationDate == Self.later)
  }

  @Test func theDateOfTheSourceCountsForTheOwnerToo() throws {
    let temporary = try TemporaryLibrary()
    let bytes = try SampleMedia.jpeg(seed: 1)
    for date in [Self.earlier, Self.later] {
      #expect(try add(file(bytes, date: date, in: temporary), to: temporary.library).asset.creationDate == date)
    }
  }

  @Test func aClientsFileSharesNeitherDateNorInodeWithTheLibrarys() throws {
    let fixture = try AccessFixture()
    let bytes = try SampleMedia.jpeg(seed: 1)
    _ = try add(file(bytes, date: Self.earlier, in: fixture.temporary), to: fixture.owner)
    let asset = try add(file(bytes, date: Self.later, in: fixture.temporary), to: fixture.limitedLibrary()).asset
    let input = try asset.editingInput(.init(), Cancellation())
    let resource = PHAssetResource.assetResources(for: asset)[0]
    let own = resource.fileURLForTesting
    let written = fixture.temporary.folder.appendingPathComponent("written.jpg")
    try PHAssetResourceManager.default().writeDataAndWait(for: resource, toFile: written)
    let stored = try status(of: own)
    #expect(stored.st_nlink == 1)
    for file in [try #require(input.fullSizeImageURL), written] {
      let copied = try status(of: file)
      #expect(copied.st_ino != stored.st_ino)
      #expect(copied.st_mtim.tv_sec != stored.st_mtim.tv_sec)
    }
  }

  private func status(of file: URL) throws -> stat {
    var status = stat()
    try #require(stat(file.path, &status) == 0)
    return status
  }
}
