/// A picker in another process, from its opening to the last byte that it hands over.
///
/// The program sees nothing else of the library. Methods may be called on any thread.
package protocol PickerSession: Sendable {
  /// Shows the picker. The handler is called on any thread, one call at a time, until the picker is
  /// finished.
  func open(_ request: PickerRequest, _ handler: @escaping @Sendable (PickerEvent) -> Void)

  func send(_ command: PickerCommand)

  /// Writes a file of a picked item, and fills the progress. Blocks the thread, and throws
  /// `CancellationError` soon after the progress is canceled.
  func write(_ kind: PickedItem.Kind, of item: PickedItem, to file: URL, _ progress: Progress) throws

  /// Closes the picker's window. What was picked can still be loaded.
  func close()
}

package enum PickerEvent: Sendable {
  /// A continuous selection changed.
  case changed([PickedItem])
  case picked([PickedItem])
  /// The person canceled. The items are the preselected ones.
  case cancelled([PickedItem])
  /// The picker could not be shown, or its process ended.
  case failed(PHPhotosError)
}

package enum PickerCommand: Hashable, Sendable {
  case update(selectionLimit: Int?, edgesWithoutContentMargins: NSDirectionalRectEdge?, searchText: String?)
  case deselect([String])
  case move(String, after: String?)
  case scrollToInitialPosition
  case zoomIn
  case zoomOut
}

extension PHPhotosError {
  package init(_ code: Code, picking description: String) {
    self.init(code, userInfo: [NSLocalizedDescriptionKey: description])
  }
}
