import Foundation
internal import LibraryStore
import UniformTypeIdentifiers

/// Creates an asset from its files.
///
///     let request = PHAssetCreationRequest.forAsset()
///     request.addResource(with: .photo, fileURL: still, options: nil)
///     request.addResource(with: .pairedVideo, fileURL: movie, options: nil)
///
/// The files are read after the block and must stay until its completion; what is wrong with them is told there.
public final class PHAssetCreationRequest: PHAssetChangeRequest {
  private(set) var resources: [Resource] = []

  struct Resource: Sendable {
    var type: PHAssetResourceType
    var source: ByteSource
    var originalFilename: String
    /// The file to be removed once the library has its bytes.
    var movedFile: FilePath? = nil
    var sidecarDate: Date? = nil
    /// Nobody writes to the file any more: the library may make it its own.
    var isGivenAway = false
    /// The file is in the library's folder already and has no row.
    var isInPlace = false
    /// Of bytes that came without a name: it gets the ending of what they turn out to be.
    var isNameMadeUp = false
  }

  @discardableResult
  public class func forAsset() -> PHAssetCreationRequest {
    PHAssetCreationRequest(uuid: PHPhotoLibrary.newUUID(), isCreation: true)
  }

  /// Whether an asset can be made of files of these types, in any order: a photo or a video, what belongs to it – the
  /// RAW file of the same shot, a Live Photo's movie –, and an edit of it, which is a render and adjustment data at least. No asset takes
  /// `.audio`.
  public class func supportsAssetResourceTypes(_ types: [NSNumber]) -> Bool {
    let known = types.compactMap { PHAssetResourceType(rawValue: $0.intValue) }
    return known.count == types.count && ResourceSet.flaw(of: known) == nil
  }

  /// Which of a RAW file and a picture of one shot becomes the first original: the one added as `photo`, unless it is set.
  public var originalResourceChoice: PHAsset.OriginalResourceChoice {
    get { changes.originalResourceChoice ?? .compressed }
    set { changes.originalResourceChoice = newValue }
  }

  /// What the library takes in, for another thread.
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
        isNameMadeUp: options?.originalFilename == nil))
  }

  // MARK: Extensions of PhotoKit's API

  /// Whether files that belong to an asset of the library go there instead of making another one: bytes that the library has; a
  /// Live Photo's other half, by its content identifier; the RAW file or the JPEG of the same shot. PhotoKit's own
  /// requests never do, and neither does this one by default, or for a client that does not see the whole library.
  public var joinsExistingAsset = false

  /// What became of the request, once its change block has been committed.
  public internal(set) var outcome: Outcome?

  public enum Outcome: Hashable, Sendable {
    case created
    /// The files completed this asset.
    case joined(localIdentifier: String)
    /// The library had all of it.
    case existing(localIdentifier: String)
  }

  /// Whether an edit that was reverted is taken in again with its original.
  public var restoresRevertedEdit = false

  /// Why the edit among the resources was not taken in; `nil` if it was, or if there is none.
  public internal(set) var leftOutEdit: LeftOutEdit?

  public enum LeftOutEdit: Hashable, Sendable {
    /// The asset has another edit, and no edit takes the place of another so.
    case anotherEdit
    /// The asset had this edit before, and it was reverted.
    case reverted
  }

  /// The types of the files that took the place of the library's copies of them, which were damaged
  /// or missing.
  public internal(set) var replacedResourceTypes: Set<PHAssetResourceType> = []

  /// Why the created asset's picture can't be shown; the file is kept all the same.
  public internal(set) var unreadableReason: String?

  /// The damage of the created asset's picture, which can be shown in part; `nil` if there is none.
  public internal(set) var damage: String?
}

/// How a file joins the library with its asset.
public final class PHAssetResourceCreationOptions: NSObject, NSCopying {
  /// `nil`: the name that the file has.
  public var originalFilename: String?
  /// What the file is said to be; what is in it decides.
  public var uniformTypeIdentifier: String?
  public var contentType: UTType? {
    get { uniformTypeIdentifier.flatMap { UTType($0) } }
    set { uniformTypeIdentifier = newValue?.identifier }
  }
  /// Whether the file goes away once the library holds its bytes; it is copied otherwise. One that is open, or has other names, stays
  /// there for whoever has it so.
  public var shouldMoveFile = false

  /// Extension: whether the file is in the library's folder already, without an asset, and is not
  /// moved. For repairs.
  public var isInPlace = false

  /// Extension: the date that a file beside this one tells, by a clock on this machine's time. It
  /// counts if the file has no date itself.
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
