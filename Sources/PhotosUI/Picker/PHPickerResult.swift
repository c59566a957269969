/// An item that a person picked.
public struct PHPickerResult: Hashable {
  /// The provider of the item's picture or movie. It has no types if the item was preselected and
  /// stayed selected: keep the first result of an item.
  public let itemProvider: NSItemProvider
  /// The identifier of the asset; `nil` unless the configuration has a photo library. The program
  /// can fetch the asset only if it has access to it.
  public let assetIdentifier: String?
}

/// An object that gets the results of a picker.
@preconcurrency @MainActor public protocol PHPickerViewControllerDelegate: AnyObject {
  /// Receives the picked items. If the person canceled, these are the preselected items, or none.
  ///
  /// It is called once, and with a continuous selection at each change. Dismiss the picker here: it
  /// does not do so itself.
  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult])
}
