import AVFoundation
import CoreLocation
import Foundation
internal import LibraryStore
import UIKit
import UniformTypeIdentifiers

/// What an edit starts from: of a photo the file of its picture, of a video its movie, and what an earlier edit said of itself.
///
///     asset.requestContentEditingInput(with: nil) { input, info in
///       guard let input, let url = input.fullSizeImageURL else { return }
///       let image = CIImage(contentsOf: url)?.oriented(forExifOrientation: input.fullSizeImageOrientation)
///     }
///
/// The files are the library's own: read them, and write to a `PHContentEditingOutput`. Immutable, and any thread may use it.
open class PHContentEditingInput: NSObject, @unchecked Sendable {
  // Immutable; subclasses in tests guard their own state.

  /// The asset's, as the properties that follow: when the input was requested.
  open var mediaType: PHAssetMediaType { asset.mediaType }
  /// The asset's.
  open var mediaSubtypes: PHAssetMediaSubtype { asset.mediaSubtypes }
  /// The asset's, which may be another than its file's.
  open var creationDate: Date? { asset.creationDate }
  /// The asset's, which may be another than its file's.
  open var location: CLLocation? { asset.location }
  /// How the asset is shown.
  open var playbackStyle: PHAsset.PlaybackStyle { asset.playbackStyle }
  /// Of the file that is handed out. Deprecated by PhotoKit for `contentType`.
  open var uniformTypeIdentifier: String? { known.uniformTypeIdentifier }
  open var contentType: UTType? { uniformTypeIdentifier.flatMap { UTType($0) } }

  /// The latest edit's, where `canHandleAdjustmentData` said yes to it: the file is then what that edit was made of, mostly the
  /// original.
  open var adjustmentData: PHAdjustmentData? { known.adjustmentData }
  /// Upright, its longer side at most 2048 pixels; of a video its poster.
  open var displaySizeImage: UIImage? { known.displaySizeImage }
  /// `nil` for a video.
  open var fullSizeImageURL: URL? { known.fullSizeImageURL }
  /// EXIF's 1 to 8: how the picture of that file is to be turned.
  open var fullSizeImageOrientation: Int32 { known.fullSizeImageOrientation }
  /// `nil` for a photo.
  open var audiovisualAsset: AVAsset? { known.audiovisualAsset }
  /// Deprecated by PhotoKit for `audiovisualAsset`.
  open var avAsset: AVAsset? { audiovisualAsset }

  /// What a Live Photo is before the edit; `nil` for everything else. `PHLivePhotoEditingContext` edits it.
  open var livePhoto: PHLivePhoto? { known.livePhoto }

  /// The movie that belongs to the still of a Live Photo; `nil` where it has none.
  package var pairedVideoURL: URL? { known.pairedVideoURL }

  /// What the edit is made of, where that is the render of another program's edit: it is kept beside the new one.
  let bases: [EditBase]
  /// The edit that the asset had when the input was requested.
  let edit: EditIdentity
  private let asset: PHAsset
  private let known: Known
  /// Where what is rendered waits for its commit: on the library's own disk.
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
    file: HandedOutFile, fullSizeImageOrientation: Int32, livePhoto: PHLivePhoto?, pairedVideo: HandedOutFile?,
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

/// A render that another edit is made of.
struct EditBase: Sendable {
  var type: PHAssetResourceType
  var url: URL
  var originalFilename: String
}

/// How the input of an edit is requested.
///
///     let options = PHContentEditingInputRequestOptions()
///     options.canHandleAdjustmentData = { $0.formatIdentifier == "com.example.filters" && $0.formatVersion == "1.0" }
public final class PHContentEditingInputRequestOptions: NSObject {
  /// Whether the program can take up the asset's latest edit: it gets the original and the edit's data then, and else the latest
  /// render and no data. Asked on a queue of the request's own; it says no unless it is set.
  public var canHandleAdjustmentData: (PHAdjustmentData) -> Bool = { _ in false }
  /// Whether an original that is elsewhere may be fetched; all are in the library, unless a test says otherwise.
  public var isNetworkAccessAllowed = false
  /// Called with 0 to 1, and a flag that cancels the request, while an original is fetched, on a queue of its own.
  public var progressHandler: ((Double, UnsafeMutablePointer<ObjCBool>) -> Void)?
  /// Saves the time that `displaySizeImage` takes.
  public var skipsDisplaySizeImage = false
  /// Which original of a RAW file and a picture of one shot is handed out; the asset's own choice unless it is set.
  public var originalResourceChoice: PHAsset.OriginalResourceChoice {
    get { chosenOriginal ?? .compressed }
    set { chosenOriginal = newValue }
  }

  private(set) var chosenOriginal: PHAsset.OriginalResourceChoice?

  public override init() {}
}
