import Foundation

extension PHAsset {
  /// Edits the asset with `PhotoEdit`, from the request of the input to the commit.
  ///
  ///     try await asset.edit { $0.filter = .sepia }
  ///     try await asset.edit { $0.turn(byQuarters: 1) }          // the sepia stays
  ///
  /// - An edit of Calotype's own is resumed: it is changed, and rendered again from the original.
  ///   Another program's edit becomes the base of this one.
  /// - An edit that changes nothing reverts Calotype's own edit, and keeps another program's.
  ///   Returns the resulting edit.
  /// - If another program edits the asset meanwhile, `change` is called again with that program's
  ///   edit, so that none is lost.
  /// - The handler gets values from 0 to 1, on any thread. Canceling the task leaves the asset as
  ///   it is, and throws a `CancellationError`.
  @discardableResult
  public func edit(
    progressHandler: (@Sendable (Double) -> Void)? = nil, _ change: (inout PhotoEdit) throws -> Void
  ) async throws -> PhotoEdit {
    while true {
      let input = try await contentEditingInput(resuming: { (try? PhotoEdit($0)) != nil })
      do { return try await edit(from: input, progressHandler, change) } catch let error as PHPhotosError {
        let isLate = (error as NSError).userInfo[NSUnderlyingErrorKey] is ConcurrentEditError
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
    // Another program's edit is kept if nothing is changed.
    if edit.isIdentity, input.adjustmentData == nil { return edit }
    if edit.isIdentity, input.bases.isEmpty {
      try await commit(startingFrom: input) { $0.revertAssetContentToOriginal() }
      return edit
    }
    let output = try await edit.rendered(from: input, progressHandler: photoLibrary.sharing(progressHandler))
    // The files are not used elsewhere, so the library may take them even if the output is still
    // retained.
    output.allowsLinking = true
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

  /// Calotype's own edit of the asset; `nil` if there is none, or if the edit is another program's.
  /// If the file of the edit is remote, fetches it.
  public var photoEdit: PhotoEdit? {
    guard hasAdjustments, (try? checkAccess()) != nil, let files = try? pictures.files() else { return nil }
    return (try? adjustmentData(in: files)).flatMap { try? PhotoEdit($0) }
  }

  /// Requests an input without the main queue, which may be waiting for it.
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
