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

  /// The original if there are a RAW file and a picture of one shot: the one added as `photo`,
  /// unless it is set.
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
    let path = FilePath(fileURL)
    resources.append(
      Resource(
        type: type, source: .file(path), originalFilename: options?.originalFilename ?? path.name,
        movedFile: options?.shouldMoveFile == true ? path : nil, sidecarDate: options?.sidecarDate,
        isInPlace: options?.isInPlace == true))
  }

  public func addResource(with type: PHAssetResourceType, data: Data, options: PHAssetResourceCreationOptions?) {
    resources.append(
      Resource(
        type: type, source: .data(data),
        originalFilename: options?.originalFilename ?? type.filenameOfEdit ?? "Untitled",
        hasDefaultFilename: options?.originalFilename == nil))
  }

  // MARK: Extensions of PhotoKit's API

  /// Whether files that belong to an asset of the library are added to it instead of making another
  /// one.
  ///
  /// They belong to an asset if the library contains their bytes, if they are a Live Photo's other
  /// half by the content identifier, or if they are the RAW file or the JPEG of the same shot. It
  /// is false by default, as in PhotoKit. It has no effect for a client that does not see the whole
  /// library.
  public var joinsExistingAsset = false

  /// The results of the request; `nil` until its change block has been committed.
  var result: CreationResult?

  /// The result of the request, once its change block has been committed.
  public var outcome: Outcome? { result?.outcome }

  public enum Outcome: Hashable, Sendable {
    case created
    /// The files were added to this asset.
    case joined(localIdentifier: String)
    /// This asset already contains the files.
    case existing(localIdentifier: String)
  }

  /// Whether an edit that was reverted is imported again with its original.
  public var restoresRevertedEdit = false

  /// The reason that the edit among the resources was left out; `nil` if it was not, or if there is
  /// none.
  public var leftOutEdit: LeftOutEdit? { result?.leftOutEdit }

  public enum LeftOutEdit: Hashable, Sendable {
    /// The asset has another edit, which an import does not replace.
    case anotherEdit
    /// The asset had this edit before, and the edit was reverted.
    case reverted
  }

  /// The types of the files that replaced the library's copies, which were damaged or missing.
  public var replacedResourceTypes: Set<PHAssetResourceType> { result?.replacedResourceTypes ?? [] }

  /// The reason that the created asset's picture can't be shown; `nil` if it can be. The file is
  /// kept in any case.
  public var unreadableReason: String? { result?.unreadableReason }

  /// The damage of the created asset's picture, which can be shown in part; `nil` if there is none.
  public var damage: String? { result?.damage }
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

  /// Extension: whether the file is already in the library's folder, without an asset, and stays in
  /// its place. For repairs.
  public var isInPlace = false

  /// Extension: the date from a file beside this one, in the time zone of this machine. It is used
  /// if the file itself has no date.
  public var sidecarDate: Date?

  public override init() {}

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = PHAssetResourceCreationOptions()
    copy.originalFilename = originalFilename
    copy.uniformTypeIdentifier = uniformTypeIdentifier
    copy.shouldMoveFile = shouldMoveFile
    copy.isInPlace = isInPlace
    copy.sidecarDate = sidecarDate
    return copy
  }
}
