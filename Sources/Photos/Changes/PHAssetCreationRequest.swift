import Foundation
internal import LibraryStore
import UniformTypeIdentifiers

/// A request that creates an asset from its files.
///
///     let request = PHAssetCreationRequest.forAsset()
///     request.addResource(with: .photo, fileURL: still, options: nil)
///     request.addResource(with: .pairedVideo, fileURL: movie, options: nil)
///
/// The files are read after the block has returned, so keep them until its completion. Errors in
/// them fail the change block.
public final class PHAssetCreationRequest: PHAssetChangeRequest {
  private(set) var resources: [Resource] = []

  struct Resource: Sendable {
    var type: PHAssetResourceType
    var source: ByteSource
    var originalFilename: String
    /// The file to remove once the library contains its bytes.
    var movedFile: FilePath? = nil
    var sidecarDate: Date? = nil
    /// Whether the file is never written again, so that the library may link it instead of copying
    /// it.
    var allowsLinking = false
    /// Whether the file is already in the library's folder and has no row.
    var isInPlace = false
    /// Whether the bytes had no name. The name then gets the extension of their type.
    var hasDefaultFilename = false
  }

  @discardableResult
  public class func forAsset() -> PHAssetCreationRequest {
    PHAssetCreationRequest(uuid: PHPhotoLibrary.newUUID(), isCreation: true)
  }

  /// Returns whether an asset can be made of files of these types, in any order.
  ///
  /// These are a photo or a video, the files that belong to it (the RAW file of the same shot, a
  /// Live Photo's movie), and an edit of it, which needs a render and adjustment data. `.audio` is
  /// not supported.
  public class func supportsAssetResourceTypes(_ types: [NSNumber]) -> Bool {
    let known = types.compactMap { PHAssetResourceType(rawValue: $0.intValue) }
    return known.count == types.count && ResourceSet.error(of: known) == nil
  }

  /// The file that counts as the original if there are a RAW file and a picture of one shot. The
  /// default is the file that was added as `photo`.
  public var originalResourceChoice: PHAsset.OriginalResourceChoice {
    get { changes.originalResourceChoice ?? .compressed }
    set { changes.originalResourceChoice = newValue }
  }

  /// The files of the request, as a value for another thread.
  struct Files: Sendable {
    var uuid: String
    var resources: [Resource]
    var originalResourceChoice: PHAsset.OriginalResourceChoice?
    var contentEditingOutput: PHContentEditingOutput?
  }

  var files: Files {
    Files(
      uuid: uuid, resources: resources, originalResourceChoice: changes.originalResourceChoice,
      contentEditingOutput: contentEditingOutput)
  }

  public func addResource(
    with type: PHAssetResourceType, fileURL: URL, options: PHAssetResourceCreationOptions?
  ) {
    let path = FilePath(fileURL, followsLinks: options?.followsLinks ?? true)
    resources.append(
      Resource(
        type: type, source: .file(path), originalFilename: options?.originalFilename ?? path.name,
        movedFile: options?.shouldMoveFile == true ? path : nil, sidecarDate: options?.sidecarDate,
        allowsLinking: options?.allowsLinking == true, isInPlace: options?.isInPlace == true))
  }

  public func addResource(with type: PHAssetResourceType, data: Data, options: PHAssetResourceCreationOptions?) {
    resources.append(
      Resource(
        type: type, source: .data(data),
        originalFilename: options?.originalFilename ?? type.filenameOfEdit ?? "Untitled",
        hasDefaultFilename: options?.originalFilename == nil))
  }

  var rules = ImportRules()

  /// The results of the request; `nil` until its change block has been committed.
  var result: CreationResult?
}

/// The options of one file of a creation request.
public final class PHAssetResourceCreationOptions: NSObject, NSCopying {
  /// The original filename; `nil` for the name of the file.
  public var originalFilename: String?
  /// The declared type. The contents of the file decide, not this.
  public var uniformTypeIdentifier: String?
  public var contentType: UTType? {
    get { uniformTypeIdentifier.flatMap { UTType($0) } }
    set { uniformTypeIdentifier = newValue?.identifier }
  }
  /// Whether the file is removed once the library contains its bytes. Otherwise it is copied.
  /// Programs that have it open, and other hard links to it, keep it.
  public var shouldMoveFile = false

  var additions = Additions()

  public override init() {}

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = PHAssetResourceCreationOptions()
    copy.originalFilename = originalFilename
    copy.uniformTypeIdentifier = uniformTypeIdentifier
    copy.shouldMoveFile = shouldMoveFile
    copy.additions = additions
    return copy
  }
}
