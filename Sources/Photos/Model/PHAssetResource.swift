import Foundation
internal import Imaging
internal import LibraryStore
import UniformTypeIdentifiers

/// One file of an asset.
///
///     for resource in PHAssetResource.assetResources(for: asset) {
///       print(resource.type, resource.originalFilename)
///     }
open class PHAssetResource: NSObject, @unchecked Sendable {
  // The properties are immutable. Subclasses in tests guard their own state.
  open var type: PHAssetResourceType { known.type }
  open var assetLocalIdentifier: String { known.assetLocalIdentifier }
  /// The name of the imported file.
  open var originalFilename: String { known.originalFilename }
  open var uniformTypeIdentifier: String { known.uniformTypeIdentifier }
  /// The width in pixels; 0 for the movie inside a motion photo.
  open var pixelWidth: Int { known.pixelWidth }
  /// The height in pixels; 0 for the movie inside a motion photo.
  open var pixelHeight: Int { known.pixelHeight }
  private let known: Known
  let record: ResourceRecord
  let asset: PHAsset
  /// The file's place if it belongs to no library: one of the files that a Live Photo was made of.
  let fileURL: URL?
  private let fileByteCount: Int
  /// The folder of that file, if it is removed with the resource.
  private let folder: PrivateFolder?

  var photoLibrary: PHPhotoLibrary { asset.photoLibrary }

  /// Makes a resource without a library, for subclasses in tests.
  public override init() {
    record = ResourceRecord(
      type: PHAssetResourceType.photo.rawValue, originalFilename: "", uniformTypeIdentifier: "", pixelWidth: 0,
      pixelHeight: 0)
    known = Known(record, as: .photo)
    asset = PHAsset()
    fileURL = nil
    fileByteCount = 0
    folder = nil
  }

  /// Makes the resource of an asset's file. `type` is the type for the caller, if it differs from
  /// the file's type within its asset.
  init(_ record: ResourceRecord, of asset: PHAsset, as type: PHAssetResourceType? = nil) {
    known = Known(record, as: type, assetLocalIdentifier: asset.localIdentifier)
    self.record = record
    self.asset = asset
    fileURL = nil
    fileByteCount = 0
    folder = nil
  }

  /// Makes the paired video of a motion photo, whose movie is inside the photo's own file; `nil`
  /// for a photo without one.
  init?(movieInside photo: ResourceRecord, of asset: PHAsset) {
    guard let range = photo.motionVideo else { return nil }
    var movie = photo
    movie.originalFilename = (photo.originalFilename as NSString).deletingPathExtension + ".MP4"
    movie.uniformTypeIdentifier = UTType.mpeg4Movie.identifier
    (movie.pixelWidth, movie.pixelHeight) = (0, 0)
    known = Known(movie, as: .pairedVideo, assetLocalIdentifier: asset.localIdentifier)
    record = photo
    self.asset = asset
    fileURL = nil
    fileByteCount = range.count
    folder = nil
  }

  /// Makes the resource of a file that belongs to no asset.
  init(
    _ type: PHAssetResourceType, of url: URL, file: MediaFile, metadata: MediaMetadata,
    in folder: PrivateFolder? = nil
  ) {
    record = ResourceRecord(
      type: type.rawValue, originalFilename: url.lastPathComponent,
      uniformTypeIdentifier: metadata.type.uniformTypeIdentifier, pixelWidth: metadata.pixelWidth,
      pixelHeight: metadata.pixelHeight)
    known = Known(record, as: type)
    asset = PHAsset()
    fileURL = url
    fileByteCount = file.byteCount
    self.folder = folder
  }

  /// The values of the properties, which a subclass may override.
  private struct Known: Sendable {
    let type: PHAssetResourceType
    let assetLocalIdentifier: String
    let originalFilename: String
    let uniformTypeIdentifier: String
    let pixelWidth: Int
    let pixelHeight: Int

    init(_ record: ResourceRecord, as type: PHAssetResourceType?, assetLocalIdentifier: String = "") {
      self.type = type ?? PHAssetResourceType(rawValue: record.type) ?? .photo
      self.assetLocalIdentifier = assetLocalIdentifier
      originalFilename = record.originalFilename
      uniformTypeIdentifier = record.uniformTypeIdentifier
      pixelWidth = record.pixelWidth
      pixelHeight = record.pixelHeight
    }
  }

  open var filename: String? { originalFilename }
  open var contentType: UTType { UTType(uniformTypeIdentifier) ?? .data }
  /// The file's size in bytes.
  open var dataSize: Int? { fileURL == nil && rangeInsidePhoto == nil ? record.byteCount : fileByteCount }

  /// Returns the asset's files: the originals, the primary one first, then an edit's renders, its
  /// bases and its data.
  ///
  /// For a motion photo, a `pairedVideo` comes last: the movie inside the photo's own file. The
  /// list is empty if the asset was deleted since, if the client may not see it any more, or if the
  /// library can't be read. `PHAsset.storedResources` throws the reason.
  open class func assetResources(for asset: PHAsset) -> [PHAssetResource] {
    // PhotoKit's signature can't throw.
    asset.photoLibrary.engine.damage.optional("the files of an asset could not be listed") {
      try asset.storedAndInnerResources
    } ?? []
  }

  /// Returns the still and the movie that are displayed, edited or not, as `photo` and
  /// `pairedVideo`. The list is empty for a degraded Live Photo.
  open class func assetResources(for livePhoto: PHLivePhoto) -> [PHAssetResource] { livePhoto.resources }

  /// Returns the file's URL in the library if the client may see the asset; `nil` if an original
  /// has no file of its own there.
  func libraryURL() throws -> URL? {
    let originals = try photoLibrary.store(reading: [asset.rowID]).originals
    return try movieInsidePhoto() ?? originals.url(of: record)
  }

  /// Returns a copy of the movie inside the photo's own file, if the resource is that movie. The
  /// copy is made once.
  func movieInsidePhoto() throws -> URL? {
    try rangeInsidePhoto.map { try asset.pictures.movie(inside: record, at: $0) }
  }

  /// The file's URL in the library; `nil` for a client with limited access, since the path could
  /// reveal an asset outside its selection.
  var urlForUnlimitedClients: URL? {
    photoLibrary.engine.damage.optional("the URL of a file could not be read") {
      try photoLibrary.access().seesEverything ? try libraryURL() : nil
    }
  }

  /// The range of the movie inside the photo's own file, if the resource is that movie.
  private var rangeInsidePhoto: Range<Int>? { type == .pairedVideo && fileURL == nil ? record.motionVideo : nil }

  /// Throws if the client may not see the asset any more.
  func checkAccess() throws { _ = try photoLibrary.store(reading: [record.assetID]) }
}
