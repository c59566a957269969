extension PhotosPickerItem {
  /// Makes an item of a picker's result. SwiftUI has no such initializer.
  public init(_ result: PHPickerResult) {
    self.init(identifier: result.assetIdentifier, provider: result.itemProvider)
  }
}
