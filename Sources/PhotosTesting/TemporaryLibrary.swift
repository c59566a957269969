import Foundation
@_spi(Testing) import Photos

/// A library in a new folder that goes away with this object.
///
///     let temporary = try TemporaryLibrary()
///     let photo = SampleFile("IMG_0001.JPG", try SampleMedia.jpeg(seed: 1))
///     let asset = try temporary.add(photo)[0]
///
/// Keep the object as long as the library is used: its folder is removed in `deinit`, even if something still has the library.
/// Once there has been one in a process, `PHPhotoLibrary.shared()` no longer opens the library at the default place: it traps unless
/// `asShared`, `asSharedEverywhere` or `useAsShared` names a library.
/// `add` waits for the disk, and is not to be called inside a change block.
public final class TemporaryLibrary: Sendable {
  public let library: PHPhotoLibrary
  /// The library's own folder.
  public let url: URL
  /// Where a test may put more files; removed with the library.
  public let folder: URL

  /// `isInMemory` puts it where files are kept in memory (`/dev/shm`) instead of the temporary folder; `clock` tells the time of changes and
  /// fetches.
  public init(isInMemory: Bool = false, clock: TestClock? = nil) throws {
    PHPhotoLibrary.requireNamedSharedLibrary()
    let parent =
      isInMemory ? URL(fileURLWithPath: "/dev/shm", isDirectory: true) : FileManager.default.temporaryDirectory
    folder = parent.appendingPathComponent("library-\(UUID().uuidString)")
    url = folder.appendingPathComponent("Photos Library.calotype")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      library = try PHPhotoLibrary(url: url) { clock?.now ?? Date() }
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  /// A library with this many made-up photos and videos, each taken a day after the one before, the first on 13 September 2020.
  ///
  ///     let temporary = try TemporaryLibrary(photos: 12, videos: 1)
  public convenience init(photos: Int, videos: Int = 0, isInMemory: Bool = false, clock: TestClock? = nil) throws {
    try self.init(isInMemory: isInMemory, clock: clock)
    func metadata(_ day: Int) -> SampleMetadata {
      SampleMetadata(captureDate: Date(timeIntervalSince1970: 1_600_000_000 + Double(day) * 86_400), offset: 0)
    }
    let stills = try (0..<photos).map { number in
      SampleFile(
        String(format: "IMG_%04d.JPG", number + 1),
        try SampleMedia.jpeg(size: Self.seedSize, seed: UInt64(number), metadata: metadata(number)))
    }
    let movies = try (0..<videos).map { number in
      SampleFile(
        String(format: "IMG_%04d.MOV", photos + number + 1),
        try SampleMedia.movie(
          duration: 1, size: Self.seedSize, seed: UInt64(number), metadata: metadata(photos + number)))
    }
    if photos + videos > 0 { try add(stills + movies) }
  }

  /// Small: what seeds a test is made in a moment.
  private static let seedSize = PictureSize(width: 160, height: 120)

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Each file becomes an asset of its own; all in one transaction. The assets are in the files' order.
  @discardableResult public func add(_ files: SampleFile...) throws -> [PHAsset] { try add(files) }

  @discardableResult public func add(_ files: [SampleFile]) throws -> [PHAsset] {
    try create(files.map { [($0.isMovie ? .video : .photo, $0)] })
  }

  /// Files on disk, which are copied.
  @discardableResult public func add(contentsOf urls: [URL]) throws -> [PHAsset] {
    try add(urls.map { try SampleFile($0.lastPathComponent, Data(contentsOf: $0)) })
  }

  /// One asset of two files.
  @discardableResult public func add(_ live: LivePhotoPair, named name: String = "IMG_0001") throws -> PHAsset {
    try create([
      [
        (.photo, SampleFile("\(name).\(live.stillType.rawValue)", live.still)),
        (.pairedVideo, SampleFile("\(name).MOV", live.video)),
      ]
    ])[0]
  }

  private func create(_ assets: [[(type: PHAssetResourceType, file: SampleFile)]]) throws -> [PHAsset] {
    let created = Identifiers()
    try library.performChangesAndWait {
      for files in assets {
        let request = PHAssetCreationRequest.forAsset()
        for (type, file) in files {
          let options = PHAssetResourceCreationOptions()
          options.originalFilename = file.name
          request.addResource(with: type, data: file.data, options: options)
        }
        if let placeholder = request.placeholderForCreatedAsset { created.all.append(placeholder.localIdentifier) }
      }
    }
    let options = PHFetchOptions()
    options.photoLibrary = library
    let found = PHAsset.fetchAssets(withLocalIdentifiers: created.all, options: options)
    let byIdentifier = Dictionary(
      (0..<found.count).map { (found.object(at: $0).localIdentifier, found.object(at: $0)) },
      uniquingKeysWith: { first, _ in first })
    return created.all.compactMap { byIdentifier[$0] }
  }

  /// What the change block, which runs once before `create` goes on, brings out.
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
