import Foundation

extension PHAssetCreationRequest {
  /// Whether files that belong to an asset of the library are added to it instead of making another
  /// one.
  ///
  /// Files belong to an asset if it contains their bytes, if a content identifier makes them the
  /// other half of its Live Photo, or if they are the RAW file or the JPEG of its shot. It is false
  /// by default, as in PhotoKit. It has no effect for a client that does not see the whole library.
  public var joinsExistingAsset: Bool {
    get { rules.joinsExistingAsset }
    set { rules.joinsExistingAsset = newValue }
  }

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
  public var restoresRevertedEdit: Bool {
    get { rules.restoresRevertedEdit }
    set { rules.restoresRevertedEdit = newValue }
  }

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

  /// The reason that the created asset's pictures could not be made yet, for example a program that
  /// is not installed; `nil` if there is none. Each request for a picture tries again.
  public var missingPictures: String? { result?.missingPictures }

  /// The values of `joinsExistingAsset` and `restoresRevertedEdit`.
  struct ImportRules {
    var joinsExistingAsset = false
    var restoresRevertedEdit = false
  }
}
