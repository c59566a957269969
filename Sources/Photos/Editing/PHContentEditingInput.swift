import AVFoundation
import CoreLocation
import Foundation
internal import LibraryStore
import UIKit
import UniformTypeIdentifiers

/// The input of an edit: a photo's file or a video's movie, and the adjustment data of an earlier
/// edit.
///
///     asset.requestContentEditingInput(with: nil) { input, info in
///       guard let input, let url = input.fullSizeImageURL else { return }
///       let image = CIImage(contentsOf: url)?
///         .oriented(forExifOrientation: input.fullSizeImageOrientation)
///     }
///
/// The files are the library's own. Read them, and write to a `PHContentEditingOutput`. An input is
/// immutable, and any thread may use it.
open class PHContentEditingInput: NSObject, @unchecked Sendable {
  // The properties are immutable. Subclasses in tests guard their own state.

  /// The asset's media type. Like the following properties, it is as it was at the request.
  open var mediaType: PHAssetMediaType { asset.mediaType }
  /// The asset's subtypes.
  open var mediaSubtypes: PHAssetMediaSubtype { asset.mediaSubtypes }
  /// The asset's date, which may differ from the one in the file.
  open var creationDate: Date? { asset.creationDate }
  /// The asset's place, which may differ from the one in the file.
  open var location: CLLocation? { asset.location }
  /// The way in which the asset is displayed.
  open var playbackStyle: PHAsset.PlaybackStyle { asset.playbackStyle }
  /// The type of the input's file. Deprecated by PhotoKit in favor of `contentType`.
  open var uniformTypeIdentifier: String? { known.uniformTypeIdentifier }
  open var contentType: UTType? { uniformTypeIdentifier.flatMap { UTType($0) } }

  /// The latest edit's data, if `canHandleAdjustmentData` returned true for it. The input's file is
  /// then the one that this edit was applied to, usually the original.
  open var adjustmentData: PHAdjustmentData? { known.adjustmentData }
  /// The upright picture, its longer side at most 2048 pixels; for a video, its poster.
  open var displaySizeImage: UIImage? { known.displaySizeImage }
  /// The file of the picture; `nil` for a video.
  open var fullSizeImageURL: URL? { known.fullSizeImageURL }
  /// The EXIF orientation of the picture in that file, 1 to 8.
  open var fullSizeImageOrientation: Int32 { known.fullSizeImageOrientation }
  /// The movie of a video; `nil` for a photo.
  open var audiovisualAsset: AVAsset? { known.audiovisualAsset }
  /// Deprecated by PhotoKit in favor of `audiovisualAsset`.
  open var avAsset: AVAsset? { audiovisualAsset }

  /// The Live Photo before the edit; `nil` for any other asset. `PHLivePhotoEditingContext` edits
  /// it.
  open var livePhoto: PHLivePhoto? { known.livePhoto }

  /// The movie of a Live Photo; `nil` if there is none.
  package var pairedVideoURL: URL? { known.pairedVideoURL }

  /// The renders of another program's edit that this edit is applied to. They are kept with the new
  /// edit.
  let bases: [EditBase]
  /// The edit that the asset had at the request.
  let edit: EditIdentity
  private let asset: PHAsset
  private let known: Known
  /// The folder in which renders are stored until the commit. It is on the library's own disk.
  let renderParent: URL

  /// The values of the properties, which a subclass may override.
  private struct Known {
    var uniformTypeIdentifier: String?
    var adjustmentData: PHAdjustmentData?
    var displaySizeImage: UIImage?
    var fullSizeImageURL: URL?
    var fullSizeImageOrientation: Int32 = 1
    var audiovisualAsset: AVAsset?
    var livePhoto: PHLivePhoto?
    var pairedVideoURL: URL?
    /// The folders of files that are removed with the input.
    var folders: [PrivateFolder] = []
  }

  /// Makes an input without an asset, for subclasses in tests. Renders go to the temporary folder.
  public override init() {
    asset = PHAsset()
    known = Known()
    bases = []
    edit = EditIdentity(AssetFiles([]))
    renderParent = FileManager.default.temporaryDirectory
  }

  init(
    _ asset: PHAsset, uniformTypeIdentifier: String?, adjustmentData: PHAdjustmentData?, displaySizeImage: UIImage?,
    file: ClientFile, fullSizeImageOrientation: Int32, livePhoto: PHLivePhoto?, pairedVideo: ClientFile?,
    bases: [EditBase], edit: EditIdentity
  ) {
    let isVideo = asset.mediaType == .video
    self.asset = asset
    known = Known(
      uniformTypeIdentifier: uniformTypeIdentifier, adjustmentData: adjustmentData, displaySizeImage: displaySizeImage,
      fullSizeImageURL: isVideo ? nil : file.url, fullSizeImageOrientation: fullSizeImageOrientation,
      audiovisualAsset: isVideo ? AVURLAsset(file) : nil, livePhoto: livePhoto, pairedVideoURL: pairedVideo?.url,
      folders: [file.folder, pairedVideo?.folder].compactMap(\.self))
    self.bases = bases
    self.edit = edit
    renderParent = asset.photoLibrary.store.incomingURL
  }
}

/// A render that another edit is applied to.
struct EditBase: Sendable {
  var type: PHAssetResourceType
  var file: ClientFile
  var originalFilename: String
}

/// The options of a request for an editing input.
///
///     let options = PHContentEditingInputRequestOptions()
///     options.canHandleAdjustmentData = {
///       $0.formatIdentifier == "com.example.filters" && $0.formatVersion == "1.0"
///     }
public final class PHContentEditingInputRequestOptions: NSObject {
  /// Returns whether the program can resume the asset's latest edit.
  ///
  /// If it returns true, the input contains the original and the edit's data; otherwise the latest
  /// render and no data. It is called on a queue of the request's own. By default it returns false.
  public var canHandleAdjustmentData: (PHAdjustmentData) -> Bool = { _ in false }
  /// Whether a remote original may be downloaded. All originals are in the library, unless a test
  /// sets others.
  public var isNetworkAccessAllowed = false
  /// Called with the progress from 0 to 1, and a flag that cancels the request, while an original
  /// is downloaded. Called on a queue of its own.
  public var progressHandler: ((Double, UnsafeMutablePointer<ObjCBool>) -> Void)?
  /// Whether to skip `displaySizeImage`, which takes time to make.
  public var skipsDisplaySizeImage = false
  /// The original to use if there are a RAW file and a picture of one shot; the asset's own choice
  /// unless it is set.
  public var originalResourceChoice: PHAsset.OriginalResourceChoice {
    get { chosenOriginal ?? .compressed }
    set { chosenOriginal = newValue }
  }

  private(set) var chosenOriginal: PHAsset.OriginalResourceChoice?

  public override init() {}
}
