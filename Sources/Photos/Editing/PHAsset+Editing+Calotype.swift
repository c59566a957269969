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
      do {
        let rendered = try await renderedEdit(from: input, progressHandler, change)
        try Task.checkCancellation()
        if rendered.action != .none { try await photoLibrary.performChanges { rendered.request() } }
        return rendered.edit
      } catch let error as PHPhotosError {
        let isLate = (error as NSError).userInfo[NSUnderlyingErrorKey] is ConcurrentEditError
        guard try isLate || isEdited(since: input.edit) else { throw error }
      }
    }
  }

  /// Renders an edit like `edit`, and doesn't commit it. The caller commits several in one change
  /// block.
  package func renderedEdit(
    progressHandler: (@Sendable (Double) -> Void)? = nil, _ change: (inout PhotoEdit) throws -> Void
  ) async throws -> RenderedEdit {
    let input = try await contentEditingInput(resuming: { (try? PhotoEdit($0)) != nil })
    return try await renderedEdit(from: input, progressHandler, change)
  }

  private func renderedEdit(
    from input: PHContentEditingInput, _ progressHandler: (@Sendable (Double) -> Void)?,
    _ change: (inout PhotoEdit) throws -> Void
  ) async throws -> RenderedEdit {
    var edit = try input.adjustmentData.map { try PhotoEdit($0) } ?? PhotoEdit()
    try change(&edit)
    // Another program's edit is kept if nothing is changed.
    if edit.isIdentity, input.adjustmentData == nil {
      return RenderedEdit(asset: self, edit: edit, startingFrom: input, .none)
    }
    if edit.isIdentity, input.bases.isEmpty {
      return RenderedEdit(asset: self, edit: edit, startingFrom: input, .revert)
    }
    let output = try await edit.rendered(from: input, progressHandler: photoLibrary.sharing(progressHandler))
    // The files are not used elsewhere, so the library may take them even if the output is still
    // retained.
    output.allowsLinking = true
    return RenderedEdit(asset: self, edit: edit, startingFrom: input, .replace, output)
  }

  /// Calotype's own edit of the asset; `nil` if there is none, or if the edit is another program's.
  /// If the file of the edit is remote, fetches it. Throws if the edit can't be read.
  public var photoEdit: PhotoEdit? {
    get throws { try withPhotosErrors { try readAdjustmentBytes().flatMap(PhotoEdit.init(propertyList:)) } }
  }

  /// The properties of an edit that its adjustment data contains.
  package struct EditDetails: Sendable {
    package var formatIdentifier: String?
    package var date: Date?
    /// The edit, if Calotype made it.
    package var photoEdit: PhotoEdit?
  }

  /// Reads the details of the edit; `nil` if there is none. Throws if the library can't be read, or
  /// if the client may not see the asset any more.
  package func editDetails() throws -> EditDetails? {
    try withPhotosErrors {
      guard hasAdjustments else { return nil }
      try checkAccess()
      let files = try pictures.files()
      // If the edit's file is missing, the details are empty, so that the rest of the asset is
      // shown.
      guard let bytes = try? adjustmentBytes(in: files) else { return EditDetails() }
      return EditDetails(
        formatIdentifier: PHAdjustmentData(propertyList: bytes)?.formatIdentifier,
        date: PHAdjustmentData.timestamp(inPropertyList: bytes), photoEdit: PhotoEdit(propertyList: bytes))
    }
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

extension PhotoEdit {
  /// Reads the property list of Calotype's own edit; `nil` for another program's.
  fileprivate init?(propertyList bytes: Data) {
    guard let data = PHAdjustmentData(propertyList: bytes), let edit = try? PhotoEdit(data) else { return nil }
    self = edit
  }
}
