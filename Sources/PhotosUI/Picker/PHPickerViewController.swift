/// A picker of photos and videos that runs in another process. It needs no access to the library.
///
///     let picker = PHPickerViewController(configuration: configuration)
///     picker.delegate = self
///     present(picker, animated: true)
///
/// The person picks in the browser, from the library of the configuration, else from
/// `PHPhotoLibrary.shared()`. The program sees nothing of the library but what was picked.
///
/// The variable `CALOTYPE_PICKER` answers instead of a person: `newest:3`,
/// `picked:IDENTIFIER,IDENTIFIER` or `cancelled`. `PHPhotoLibrary.answerPickers` lets a function do
/// so.
@preconcurrency @MainActor open class PHPickerViewController: UIViewController {
  public let configuration: PHPickerConfiguration
  open weak var delegate: (any PHPickerViewControllerDelegate)?
  private var presentation: PickerPresentation?
  /// The results that were given, so that an item keeps its provider.
  private var results: [String: PHPickerResult] = [:]
  /// The UUIDs of the preselected assets: a program may name an asset by its UUID alone.
  private lazy var preselected = Set(configuration.preselectedAssetIdentifiers.map(PHObject.uuid))
  var problem: PHPhotosError?

  public init(configuration: PHPickerConfiguration) {
    self.configuration = configuration
    super.init(nibName: nil, bundle: nil)
  }

  /// Returns `nil`, since a configuration can't be archived.
  public required init?(coder: NSCoder) { nil }

  open override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    problem = nil
    let library = configuration.photoLibrary ?? .shared()
    let presentation = PickerPresentation(PickerRequest(configuration), of: library)
    self.presentation = presentation
    presentation.begin(unless: configuration.problem) { [weak self, weak presentation] answer in
      guard let self, let presentation else { return }
      problem = presentation.problem
      delegate?.picker(self, didFinishPicking: answer.items.map { result(for: $0, from: presentation.delivery) })
    }
  }

  open override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    presentation?.end()
    presentation = nil
  }

  private func result(for item: PickedItem, from delivery: PickedDelivery?) -> PHPickerResult {
    if let known = results[item.item] { return known }
    let identifier = configuration.photoLibrary == nil ? nil : item.identifier
    let isKept = identifier.map { preselected.contains(PHObject.uuid(localIdentifier: $0)) } ?? false
    let provider = isKept ? nil : delivery?.provider(for: item)
    let result = PHPickerResult(itemProvider: provider ?? NSItemProvider(), assetIdentifier: identifier)
    results[item.item] = result
    return result
  }

  // MARK: While the picker is shown

  /// Changes settings of the picker while it is shown.
  open func updatePicker(using configuration: PHPickerConfiguration.Update) {
    presentation?.send(
      .update(
        selectionLimit: configuration.selectionLimit.map(PickerRequest.limit),
        edgesWithoutContentMargins: configuration.edgesWithoutContentMargins,
        searchText: configuration.searchText?.text))
  }

  /// Deselects assets. The delegate is not called. Does nothing for assets that are not selected,
  /// and without a photo library in the configuration.
  open func deselectAssets(withIdentifiers identifiers: [String]) {
    guard configuration.photoLibrary != nil else { return }
    presentation?.send(.deselect(identifiers))
  }

  /// Moves a selected asset behind another one; `nil` moves it to the front.
  open func moveAsset(withIdentifier identifier: String, afterAssetWithIdentifier afterIdentifier: String?) {
    guard configuration.photoLibrary != nil else { return }
    presentation?.send(.move(identifier, after: afterIdentifier))
  }

  /// Scrolls to the newest asset, or to the first preselected one.
  open func scrollToInitialPosition() { presentation?.send(.scrollToInitialPosition) }

  /// Shows fewer and larger assets.
  open func zoomIn() { presentation?.send(.zoomIn) }

  /// Shows more and smaller assets.
  open func zoomOut() { presentation?.send(.zoomOut) }
}

extension PHPickerConfiguration {
  /// The reason that no picker can be shown; `nil` if there is none.
  var problem: PHPhotosError? {
    guard photoLibrary == nil, !preselectedAssetIdentifiers.isEmpty else { return nil }
    return PHPhotosError(
      .changeNotSupported,
      picking: "preselectedAssetIdentifiers need PHPickerConfiguration(photoLibrary:): "
        + "results without a photo library have no identifiers")
  }
}
