internal import AVFoundation

/// A picker of one photo or video from the library, as older programs use it.
///
///     let picker = UIImagePickerController()
///     picker.mediaTypes = UIImagePickerController.availableMediaTypes(for: .photoLibrary) ?? []
///     picker.delegate = self
///     present(picker, animated: true)
///
/// It shows the same picker as `PHPickerViewController`. There is no editing and no camera. Without
/// a result, the delegate’s `imagePickerControllerDidCancel` is called. If that is because of an
/// error, `pickerProblem` and a line on standard error say so.
///
/// UIKit declares it on Apple’s platforms. Here, PhotosUI does.
@preconcurrency @MainActor open class UIImagePickerController: UINavigationController {
  public enum SourceType: Int, Sendable {
    case photoLibrary
    case camera
    case savedPhotosAlbum
  }

  public enum ImageURLExportPreset: Int, Sendable {
    case compatible
    case current
  }

  /// The quality to which a movie is reduced.
  public enum QualityType: Int, Sendable {
    /// The movie as it is.
    case typeHigh
    case typeMedium
    case typeLow
    case type640x480
    case typeIFrame1280x720
    case typeIFrame960x540
  }

  /// A key of what a delegate gets.
  public struct InfoKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The identifier of the item's type: `public.image`, `public.movie` or `com.apple.live-photo`.
    public static let mediaType = InfoKey(rawValue: "UIImagePickerControllerMediaType")
    /// The picture, a `UIImage`.
    public static let originalImage = InfoKey(rawValue: "UIImagePickerControllerOriginalImage")
    /// Never there, since nothing is edited.
    public static let editedImage = InfoKey(rawValue: "UIImagePickerControllerEditedImage")
    /// Never there, since nothing is cropped.
    public static let cropRect = InfoKey(rawValue: "UIImagePickerControllerCropRect")
    /// The movie's file. It is kept until the program ends.
    public static let mediaURL = InfoKey(rawValue: "UIImagePickerControllerMediaURL")
    /// The picture's file. It is kept until the program ends.
    public static let imageURL = InfoKey(rawValue: "UIImagePickerControllerImageURL")
    /// The Live Photo, if `mediaTypes` has its type.
    public static let livePhoto = InfoKey(rawValue: "UIImagePickerControllerLivePhoto")
    /// The asset, if the program may see it.
    public static let phAsset = InfoKey(rawValue: "UIImagePickerControllerPHAsset")
    /// The address of the asset in older programs, if the program may see the asset.
    /// `PHAsset.fetchAssets(withALAssetURLs:options:)` takes it.
    public static let referenceURL = InfoKey(rawValue: "UIImagePickerControllerReferenceURL")
    /// Never set: only pictures of a camera have it.
    public static let mediaMetadata = InfoKey(rawValue: "UIImagePickerControllerMediaMetadata")
  }

  open var sourceType = SourceType.photoLibrary
  /// The types that can be picked. A Live Photo is delivered as a picture, unless `mediaTypes`
  /// contains `com.apple.live-photo`.
  open var mediaTypes = [UTType.image.identifier]
  /// Has no effect: nothing is edited.
  open var allowsEditing = false
  /// The form of a picture’s file. With `current`, a picker of pictures and movies also delivers
  /// movies as they are stored. Otherwise movies are converted to play elsewhere.
  open var imageExportPreset = ImageURLExportPreset.compatible
  /// The preset with which a movie is exported, such as `AVAssetExportPreset640x480`. With `nil`,
  /// `videoQuality` decides.
  open var videoExportPreset: String!
  /// The quality of a movie. Until it is set, a movie stays as it is.
  open var videoQuality = QualityType.typeMedium { didSet { isQualitySet = true } }
  private var isQualitySet = false
  /// The longest movie that a camera records, in seconds. It has no effect, since there is no
  /// camera and nothing is trimmed.
  open var videoMaximumDuration: TimeInterval = 600
  open weak var delegate: (any UIImagePickerControllerDelegate & UINavigationControllerDelegate)?
  private var presentation: PickerPresentation?
  private var loaded: LoadedItem?
  var problem: PHPhotosError?

  /// Returns whether the source is the library: there is no camera.
  open class func isSourceTypeAvailable(_ sourceType: SourceType) -> Bool { sourceType != .camera }

  /// Returns the types of pictures and movies; `nil` for the camera. As on Apple’s platforms, the
  /// type of Live Photos is not among them.
  open class func availableMediaTypes(for sourceType: SourceType) -> [String]? {
    guard isSourceTypeAvailable(sourceType) else { return nil }
    return [UTType.image.identifier, UTType.movie.identifier]
  }

  open override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    problem = nil
    let library = PHPhotoLibrary.shared()
    let presentation = PickerPresentation(request, of: library)
    self.presentation = presentation
    presentation.begin(unless: obstacle) { [weak self, weak presentation] answer in
      guard let self else { return }
      problem = presentation?.problem
      guard let item = answer.items.first, let delivery = presentation?.delivery else {
        delegate?.imagePickerControllerDidCancel(self)
        return
      }
      load(item, from: delivery, of: library)
    }
  }

  open override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    presentation?.end()
    presentation = nil
    loaded?.cancel()
    loaded = nil
  }

  /// The reason that no picker can be shown; `nil` if there is none.
  private var obstacle: PHPhotosError? {
    guard !Self.isSourceTypeAvailable(sourceType) else { return nil }
    return PHPhotosError(
      .changeNotSupported,
      picking: "sourceType: there is no camera; ask isSourceTypeAvailable(_:) first, or use .photoLibrary")
  }

  private var wantsLivePhotos: Bool { mediaTypes.contains(UTType.livePhoto.identifier) }

  private var request: PickerRequest {
    let types = mediaTypes.compactMap { UTType($0) }
    var filters: [PHPickerFilter] = []
    if types.contains(where: { $0.conforms(to: .image) }) { filters.append(.images) }
    if wantsLivePhotos { filters.append(.livePhotos) }
    if types.contains(where: { $0.conforms(to: .movie) }) { filters.append(.videos) }
    var request = PickerRequest()
    request.filter = .any(of: filters)
    request.identifiers = true
    let wantsImages = filters.contains { $0 != .videos }
    request.representation = wantsImages && imageExportPreset == .current ? .current : .compatible
    return request
  }

  /// The preset with which a movie is exported; `nil` to leave it as it is.
  private var moviePreset: String? {
    if let videoExportPreset { return videoExportPreset }
    guard isQualitySet else { return nil }
    return switch videoQuality {
    case .typeHigh: nil
    case .typeMedium: AVAssetExportPresetMediumQuality
    case .typeLow: AVAssetExportPresetLowQuality
    case .type640x480: AVAssetExportPreset640x480
    case .typeIFrame1280x720: AVAssetExportPreset1280x720
    case .typeIFrame960x540: AVAssetExportPreset960x540
    }
  }

  /// Loads the item, and notifies the delegate on the main queue.
  private func load(_ item: PickedItem, from delivery: PickedDelivery, of library: PHPhotoLibrary) {
    let loaded = LoadedItem(item, from: delivery, wantsLivePhoto: wantsLivePhotos, exportPreset: moviePreset)
    self.loaded = loaded
    loaded.begin { [weak self] in
      guard let self else { return }
      self.loaded = nil
      problem = loaded.problem
      guard let delegate else { return }
      let info = loaded.info(asset: Self.asset(item.identifier, of: library))
      library.asShared {
        if info.isEmpty {
          delegate.imagePickerControllerDidCancel(self)
        } else {
          delegate.imagePickerController(self, didFinishPickingMediaWithInfo: info)
        }
      }
    }
  }

  /// Returns the asset, without asking for access to it.
  private static func asset(_ identifier: String?, of library: PHPhotoLibrary) -> PHAsset? {
    let status = library.authorizationStatus(for: .readWrite)
    guard let identifier, status == .authorized || status == .limited else { return nil }
    let options = PHFetchOptions()
    options.photoLibrary = library
    return PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: options).firstObject
  }
}

/// An object that gets what was picked.
@preconcurrency @MainActor public protocol UIImagePickerControllerDelegate: AnyObject {
  /// Receives the picked item. Dismiss the picker here.
  func imagePickerController(
    _ picker: UIImagePickerController,
    didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any])

  /// The person canceled, or the item could not be loaded. Dismiss the picker here.
  func imagePickerControllerDidCancel(_ picker: UIImagePickerController)
}

extension UIImagePickerControllerDelegate {
  public func imagePickerController(
    _ picker: UIImagePickerController,
    didFinishPickingMediaWithInfo info: [UIImagePickerController.InfoKey: Any]
  ) {}

  /// Dismisses the picker.
  public func imagePickerControllerDidCancel(_ picker: UIImagePickerController) { picker.dismiss(animated: true) }
}
