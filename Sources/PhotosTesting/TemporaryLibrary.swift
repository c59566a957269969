import Foundation
@_spi(Testing) import Photos
import Synchronization

/// A library in a new folder, which is removed with the last reference to this object or the
/// library.
///
///     let temporary = try TemporaryLibrary()
///     let photo = SampleFile("IMG_0001.JPG", try SampleMedia.jpeg(seed: 1))
///     let asset = try temporary.add(photo)[0]
///
/// - The folder exists as long as this object or any object of the library is retained. If a
///   process traps, the next process that makes a `TemporaryLibrary` removes its folders.
/// - After the first one in a process, `PHPhotoLibrary.shared()` no longer opens the library at the
///   default location. It traps unless `asShared`, `asSharedEverywhere` or `useAsShared` sets a
///   library.
/// - `add` blocks for disk access. Don't call it inside a change block.
public final class TemporaryLibrary: Sendable {
  public let library: PHPhotoLibrary
  /// The library's own folder.
  public let url: URL
  /// A folder for more files of a test. It is removed with the library.
  public var folder: URL { testFolder.url }

  private let testFolder: TestFolder
  let remoteAssets: RemoteAssets
  /// The number of sample assets made so far.
  private let sampleCount = Mutex(0)

  /// Makes an empty library.
  ///
  /// - Parameters:
  ///   - isInMemory: keeps the library in memory (`/dev/shm`) instead of the temporary folder.
  ///   - hasNumberedIdentifiers: gives new objects the identifiers 1, 2, 3 …, in the form of UUIDs,
  ///     so that they are the same in each run.
  ///   - clock: returns the time of changes and fetches, and the date of files without one.
  public convenience init(
    isInMemory: Bool = false, hasNumberedIdentifiers: Bool = false, clock: TestClock? = nil
  ) throws {
    try self.init(isInMemory, clock) { _ in }
    if hasNumberedIdentifiers { library.situations.numberIdentifiers() }
  }

  /// Makes a library with this many photos and videos, each taken a day after the one before, the
  /// first on September 13, 2020.
  ///
  ///     let temporary = try TemporaryLibrary(photos: 12, videos: 1)
  public convenience init(
    photos: Int, videos: Int = 0, isInMemory: Bool = false, hasNumberedIdentifiers: Bool = false,
    clock: TestClock? = nil
  ) throws {
    try self.init(isInMemory: isInMemory, hasNumberedIdentifiers: hasNumberedIdentifiers, clock: clock)
    if photos + videos > 0 { try add([SampleAsset].photos(photos) + [SampleAsset].videos(videos)) }
  }

  /// Makes a copy of a library, with the same identifiers. No process may change the original
  /// meanwhile.
  ///
  ///     let temporary = try TemporaryLibrary(copying: Bundle.module.resourceURL!.appendingPathComponent("Norway.calotype"))
  public convenience init(copying original: URL, isInMemory: Bool = false, clock: TestClock? = nil) throws {
    try self.init(isInMemory, clock) { try FileManager.default.copyItem(at: original, to: $0) }
  }

  private init(_ isInMemory: Bool, _ clock: TestClock?, fill: (URL) throws -> Void) throws {
    PHPhotoLibrary.requireNamedSharedLibrary()
    testFolder = TestFolder(
      in: isInMemory ? URL(fileURLWithPath: "/dev/shm", isDirectory: true) : FileManager.default.temporaryDirectory)
    url = testFolder.url.appendingPathComponent("Photos Library.calotype")
    try fill(url)
    let assets = RemoteAssets()
    remoteAssets = assets
    library = try PHPhotoLibrary(
      url: url, clock: { clock?.now ?? Date() }, originals: { RemoteOriginals(base: $0, assets: assets) })
    library.situations.keep(testFolder)
  }

  /// The library of the running test, if it has the trait `photoLibrary` of `PhotosTestingTraits`.
  @TaskLocal public static var current: TemporaryLibrary?

  // MARK: Adding

  /// Adds an asset for each file in one transaction. Returns the assets in the files' order.
  @discardableResult public func add(_ files: SampleFile...) throws -> [PHAsset] { try add(files) }

  @discardableResult public func add(_ files: [SampleFile]) throws -> [PHAsset] {
    try assets(create(files.map { NewAsset(files: [($0.isMovie ? .video : .photo, $0)]) }))
  }

  /// Adds copies of files on the disk.
  @discardableResult public func add(contentsOf urls: [URL]) throws -> [PHAsset] {
    try add(urls.map { try SampleFile($0.lastPathComponent, Data(contentsOf: $0)) })
  }

  /// Adds a Live Photo as one asset with two files.
  @discardableResult public func add(_ live: LivePhotoPair, named name: String = "IMG_0001") throws -> PHAsset {
    try assets(create([NewAsset(files: live.files(named: name))]))[0]
  }

  /// Makes a sample and adds it.
  ///
  ///     let photo = try temporary.add(.photo(favorite: true))
  @discardableResult public func add(_ asset: SampleAsset) throws -> PHAsset { try add([asset])[0] }

  /// Makes samples and adds them in their order.
  ///
  ///     let photos = try temporary.add(.photos(1000))
  @discardableResult public func add(_ samples: [SampleAsset]) throws -> [PHAsset] {
    let first = sampleCount.withLock { count in
      defer { count += samples.count }
      return count
    }
    let numbered = samples.enumerated().map { NumberedSampleAsset(asset: $1, number: first + $0) }
    var withFiles = try create(numbered.filter(\.asset.hasFiles).map { try $0.newAsset() })[...]
    var withoutFiles = try library.create(numbered.filter { !$0.asset.hasFiles }.map(\.withoutFiles))[...]
    return try assets(
      samples.compactMap { $0.hasFiles ? withFiles.popFirst() : withoutFiles.popFirst() })
  }

  /// Makes samples, adds them, and makes an album of them.
  ///
  ///     let album = try temporary.addAlbum("The best", .photos(3, favorite: true))
  @discardableResult public func addAlbum(_ title: String, _ samples: [SampleAsset] = []) throws -> PHAssetCollection {
    try addAlbum(title, of: add(samples))
  }

  /// Makes an album of the library's assets at the top level.
  @discardableResult public func addAlbum(_ title: String, of assets: [PHAsset]) throws -> PHAssetCollection {
    let created = Identifiers()
    try library.arrange {
      let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
      request.addAssets(assets)
      created.all.append(request.placeholderForCreatedAssetCollection.localIdentifier)
    }
    return try album(created.all[0])
  }

  // MARK: Fetching again

  /// Returns the current state of the asset, since fetched objects don't change.
  ///
  ///     #expect(try temporary.refetched(photo).isFavorite)
  ///
  /// Throws `identifierNotFound` if the asset was deleted.
  public func refetched(_ asset: PHAsset) throws -> PHAsset { try assets([asset.localIdentifier])[0] }

  /// Returns the current state of the album.
  public func refetched(_ album: PHAssetCollection) throws -> PHAssetCollection {
    try self.album(album.localIdentifier)
  }

  /// Options for a fetch of everything in the library that is not deleted.
  var everything: PHFetchOptions {
    let options = PHFetchOptions()
    options.photoLibrary = library
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    return options
  }

  private func assets(_ identifiers: [String]) throws -> [PHAsset] {
    let found = PHAsset.fetchAssets(withLocalIdentifiers: identifiers, options: everything)
    let byIdentifier = Dictionary(
      (0..<found.count).map { (found.object(at: $0).localIdentifier, found.object(at: $0)) },
      uniquingKeysWith: { first, _ in first })
    return try identifiers.map { identifier in
      guard let asset = byIdentifier[identifier] else { throw notFound(identifier) }
      return asset
    }
  }

  private func album(_ identifier: String) throws -> PHAssetCollection {
    let found = PHAssetCollection.fetchAssetCollections(withLocalIdentifiers: [identifier], options: everything)
    guard let album = found.firstObject else { throw notFound(identifier) }
    return album
  }

  private func notFound(_ identifier: String) -> PHPhotosError {
    PHPhotosError(
      .identifierNotFound, userInfo: [NSLocalizedDescriptionKey: "\(identifier) is not in the library any more"])
  }

  private func create(_ assets: [NewAsset]) throws -> [String] {
    guard !assets.isEmpty else { return [] }
    let created = Identifiers()
    try library.arrange {
      for asset in assets {
        let request = PHAssetCreationRequest.forAsset()
        request.isFavorite = asset.isFavorite
        request.isHidden = asset.isHidden
        for (type, file) in asset.files {
          let options = PHAssetResourceCreationOptions()
          options.originalFilename = file.name
          request.addResource(with: type, data: file.data, options: options)
        }
        if let placeholder = request.placeholderForCreatedAsset { created.all.append(placeholder.localIdentifier) }
      }
    }
    return created.all
  }

  /// The identifiers that a change block collects. The block runs once, before `arrange` returns.
  private final class Identifiers { var all: [String] = [] }
}

/// A file's name and its bytes.
///
///     SampleFile("IMG_0001.JPG", try SampleMedia.jpeg(seed: 1))
public struct SampleFile: Hashable, Sendable {
  public var name: String
  public var data: Data

  public init(_ name: String, _ data: Data) {
    self.name = name
    self.data = data
  }

  var isMovie: Bool {
    ["mov", "mp4", "m4v", "mkv", "avi", "webm", "3gp"].contains((name as NSString).pathExtension.lowercased())
  }
}
