import Foundation
internal import Imaging
internal import LibraryStore
import UniformTypeIdentifiers

/// One file of an asset.
///
///     for resource in PHAssetResource.assetResources(for: asset) { print(resource.type, resource.originalFilename) }
public final class PHAssetResource: NSObject, Sendable {
  public let type: PHAssetResourceType
  public let assetLocalIdentifier: String
  /// The name that the file came with.
  public let originalFilename: String
  public let uniformTypeIdentifier: String
  public let pixelWidth: Int
  public let pixelHeight: Int
  let record: ResourceRecord
  let asset: PHAsset
  /// Where it is, if no library has it: one of the files that a Live Photo was made of.
  let fileURL: URL?
  private let fileByteCount: Int
  /// Where that file lies, if it goes away with the resource.
  private let folder: PrivateFolder?

  var photoLibrary: PHPhotoLibrary { asset.photoLibrary }

  init(_ record: ResourceRecord, of asset: PHAsset) {
    type = PHAssetResourceType(rawValue: record.type) ?? .photo
    assetLocalIdentifier = asset.localIdentifier
    originalFilename = record.originalFilename
    uniformTypeIdentifier = record.uniformTypeIdentifier
    pixelWidth = record.pixelWidth
    pixelHeight = record.pixelHeight
    self.record = record
    self.asset = asset
    fileURL = nil
    fileByteCount = 0
    folder = nil
  }

  /// A file of no asset.
  init(
    _ type: PHAssetResourceType, of url: URL, _ file: MediaFile, _ metadata: MediaMetadata,
    in folder: PrivateFolder? = nil
  ) {
    self.type = type
    assetLocalIdentifier = ""
    originalFilename = url.lastPathComponent
    uniformTypeIdentifier = metadata.type.uniformTypeIdentifier
    pixelWidth = metadata.pixelWidth
    pixelHeight = metadata.pixelHeight
    record = ResourceRecord(
      type: type.rawValue, originalFilename: originalFilename, uniformTypeIdentifier: uniformTypeIdentifier,
      pixelWidth: pixelWidth, pixelHeight: pixelHeight)
    asset = PHAsset()
    fileURL = url
    fileByteCount = file.byteCount
    self.folder = folder
  }

  public var filename: String? { originalFilename }
  public var contentType: UTType { UTType(uniformTypeIdentifier) ?? .data }
  /// Bytes.
  public var dataSize: Int? { fileURL == nil ? record.byteCount : fileByteCount }

  /// The asset's files: the originals, the primary one first, then an edit's renders, its bases, its data; none if it was deleted since, or if the client may not see it any more.
  public class func assetResources(for asset: PHAsset) -> [PHAssetResource] {
    assetResources(for: [asset])[asset.localIdentifier] ?? []
  }

  /// The still and the movie of a Live Photo; none of one that is degraded.
  public class func assetResources(for livePhoto: PHLivePhoto) -> [PHAssetResource] { livePhoto.resources }

  /// Where the library has it, for a client that may see it.
  func libraryURL() throws -> URL { try photoLibrary.store(reading: [asset.rowID]).url(of: record) }

  // MARK: Extensions of PhotoKit's API

  /// SHA-256 of the original's bytes, in hexadecimal.
  public var sha256: String { record.sha256.map { String(format: "%02x", $0) }.joined() }

  /// Whether a file holds exactly this resource's bytes.
  public func hasBytes(ofFileAt fileURL: URL) throws -> Bool {
    do {
      try checkAccess()
      return try ByteSource.file(path: fileURL.path).holdsSameBytes(as: record)
    } catch {
      throw PHPhotosError(error)
    }
  }

  /// Throws where the client may not see the asset any more.
  func checkAccess() throws { _ = try photoLibrary.store(reading: [record.assetID]) }

  /// The files of many assets in one look, by the assets' identifiers; the primary file first.
  public class func assetResources(for assets: [PHAsset]) -> [String: [PHAssetResource]] {
    guard let library = assets.first?.photoLibrary else { return [:] }
    let records = (try? library.engine.available().resources(assetIDs: library.visible(assets.map(\.record.id)))) ?? [:]
    return Dictionary(
      assets.map { asset in
        let resources = AssetFiles(records[asset.record.id] ?? []).resources.map { PHAssetResource($0, of: asset) }
        return (asset.localIdentifier, resources)
      }, uniquingKeysWith: { first, _ in first })
  }
}
