import Foundation

/// An edit of an asset that was rendered and not committed yet. Its files are removed with it.
package final class RenderedEdit: Sendable {
  package let asset: PHAsset
  package let edit: PhotoEdit
  /// The change that the edit makes.
  let action: Action
  private let expectedEdit: EditIdentity?
  private let output: PHContentEditingOutput?

  enum Action { case none, revert, replace }

  init(
    asset: PHAsset, edit: PhotoEdit, startingFrom input: PHContentEditingInput, _ action: Action,
    _ output: PHContentEditingOutput? = nil
  ) {
    self.asset = asset
    self.edit = edit
    self.action = action
    expectedEdit = input.edit
    self.output = output
  }

  deinit { output?.removeFiles() }

  /// Requests the change. Called inside a change block, which fails if the asset was edited since.
  package func request() {
    guard action != .none else { return }
    let request = PHAssetChangeRequest(for: asset)
    request.expectedEdit = expectedEdit
    if let output { request.contentEditingOutput = output } else { request.revertAssetContentToOriginal() }
  }
}
