import Foundation

extension PHAsset {
  /// Extension: edits the asset as `PhotoEdit` can, from the beginning to the commit.
  ///
  ///     try await asset.edit { $0.filter = .sepia }
  ///     try await asset.edit { $0.turn(byQuarters: 1) }          // the sepia stays
  ///
  /// - An edit of Calotype's is taken up again: it is changed, and made anew from the original. Another program's edit becomes what this
  ///   one is made of.
  /// - An edit that comes to nothing is a revert of Calotype's own, and leaves another program's. The edit that the asset has then is
  ///   returned.
  /// - Where somebody else edits the asset meanwhile, nothing of theirs is lost: `change` is called again, with their edit.
  /// - The handler is told 0 to 1, on any thread. Cancelling the task leaves the asset as it is, and throws a `CancellationError`.
  @discardableResult
  public func edit(
    progressHandler: (@Sendable (Double) -> Void)? = nil, _ change: (inout PhotoEdit) throws -> Void
  ) async throws -> PhotoEdit {
    while true {
      let input = try await contentEditingInput(resuming: { (try? PhotoEdit($0)) != nil })
      do { return try await edit(from: input, progressHandler, change) } catch let error as PHPhotosError {
        let isLate = (error as NSError).userInfo[NSUnderlyingErrorKey] is EditedMeanwhile
        guard try isLate || isEdited(since: input.edit) else { throw error }
      }
    }
  }

  private func edit(
    from input: PHContentEditingInput, _ progressHandler: (@Sendable (Double) -> Void)?,
    _ change: (inout PhotoEdit) throws -> Void
  ) async throws -> PhotoEdit {
    var edit = try input.adjustmentData.map { try PhotoEdit($0) } ?? PhotoEdit()
    try change(&edit)
    // Another program's edit stays as it is where nothing is done to it.
    if edit.changesNothing, input.adjustmentData == nil { return edit }
    if edit.changesNothing, input.bases.isEmpty {
      try await commit(startingFrom: input) { $0.revertAssetContentToOriginal() }
      return edit
    }
    let output = try await edit.rendered(from: input, progressHandler: photoLibrary.sharing(progressHandler))
    // Nobody else knows of these files, and who still has the output doesn't matter.
    output.givesFilesAway = true
    defer { output.removeFiles() }
    try await commit(startingFrom: input) { $0.contentEditingOutput = output }
    return edit
  }

  private func commit(
    startingFrom input: PHContentEditingInput, _ change: @escaping @Sendable (PHAssetChangeRequest) -> Void
  ) async throws {
    try Task.checkCancellation()
    try await photoLibrary.performChanges {
      let request = PHAssetChangeRequest(for: self)
      request.expectedEdit = input.edit
      change(request)
    }
  }

  /// Extension: what Calotype's own edit of the asset does; `nil` where there is none, and for another program's.
  public var photoEdit: PhotoEdit? {
    guard hasAdjustments, (try? checkAccess()) != nil, let files = try? files() else { return nil }
    return (try? adjustmentData(in: files)).flatMap { try? PhotoEdit($0) }
  }

  /// Without the main queue, which may wait for this.
  private func contentEditingInput(
    resuming canHandle: @escaping @Sendable (PHAdjustmentData) -> Bool
  ) async throws -> PHContentEditingInput {
    try await PhotoEdit.onAnotherThread { [self] cancellation in
      let options = PHContentEditingInputRequestOptions()
      options.canHandleAdjustmentData = canHandle
      options.skipsDisplaySizeImage = true
      options.isNetworkAccessAllowed = true
      return try editingInput(options, cancellation)
    }
  }
}
