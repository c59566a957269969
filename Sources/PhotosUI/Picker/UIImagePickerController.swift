/// A picker of one photo or video from the library, as older programs use it.
///
///     let picker = UIImagePickerController()
///     picker.mediaTypes = UIImagePickerController.availableMediaTypes(for: .photoLibrary) ?? []
///     picker.delegate = self
///     present(picker, animated: true)
///
/// It shows the same picker as `PHPickerViewController`. There is no camera and no editing.
///
/// UIKit declares it on Apple’s platforms. Here, PhotosUI does.
open class UIImagePickerController: UINavigationController {
  public enum SourceType: Int, Sendable {
    case photoLibrary
    case camera
    case savedPhotosAlbum
  }

  public enum ImageURLExportPreset: Int, Sendable {
    case compatible
    case current
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
  }

  open var sourceType = SourceType.photoLibrary
  /// The types that can be picked.
  open var mediaTypes = [UTType.image.identifier]
  /// Has no effect: nothing is edited.
  open var allowsEditing = false
  open var imageExportPreset = ImageURLExportPreset.compatible
  open weak var delegate: (any UIImagePickerControllerDelegate & UINavigationControllerDelegate)?
  private var presentation: PickerPresentation?

  /// Returns whether the source is the library: there is no camera.
  open class func isSourceTypeAvailable(_ sourceType: SourceType) -> Bool { sourceType != .camera }

  open class func availableMediaTypes(for sourceType: SourceType) -> [String]? {
    guard isSourceTypeAvailable(sourceType) else { return nil }
    return [UTType.image.identifier, UTType.movie.identifier, UTType.livePhoto.identifier]
  }

  open override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    let library = PHPhotoLibrary.shared()
    let presentation = PickerPresentation(request, of: library)
    self.presentation = presentation
    presentation.begin { [weak self, weak presentation] answer in
      guard let self else { return }
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
    request.representation = imageExportPreset == .current ? .current : .compatible
    return request
  }

  /// Loads the item, and notifies the delegate on the main queue.
  private func load(_ item: PickedItem, from delivery: PickedDelivery, of library: PHPhotoLibrary) {
    let provider = delivery.provider(for: item)
    let loaded = LoadedItem()
    let group = DispatchGroup()
    let isImage = provider.hasItemConformingToTypeIdentifier(UTType.image.identifier)
    group.enter()
    provider.loadFileRepresentation(
      forTypeIdentifier: isImage ? UTType.image.identifier : UTType.movie.identifier
    ) { url, error in
      loaded.keep(url, error)
      group.leave()
    }
    if wantsLivePhotos, item.isLivePhoto {
      group.enter()
      provider.loadObject(ofClass: PHLivePhoto.self) { object, _ in
        loaded.keep(object as? PHLivePhoto)
        group.leave()
      }
    }
    group.notify(queue: .main) { [weak self] in
      MainActor.assumeIsolated {
        guard let self, let delegate = self.delegate else { return }
        let info = loaded.info(isImage: isImage, asset: Self.asset(item.identifier, of: library))
        library.asShared {
          if info.isEmpty {
            delegate.imagePickerControllerDidCancel(self)
          } else {
            delegate.imagePickerController(self, didFinishPickingMediaWithInfo: info)
          }
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
@MainActor public protocol UIImagePickerControllerDelegate: AnyObject {
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
