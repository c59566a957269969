extension PHPhotoLibrary {
  /// Lets the owner choose which assets this program sees, if its access is limited.
  public func presentLimitedLibraryPicker(from controller: UIViewController) {
    presentLimitedLibraryPicker(from: controller) { _ in }
  }

  /// Lets the owner choose which assets this program sees, if its access is limited. Calls the
  /// handler once, on the main queue, with the newly chosen assets.
  ///
  /// The picker shows the whole library, and the assets that the program sees are selected. If the
  /// owner cancels, nothing changes.
  public func presentLimitedLibraryPicker(
    from controller: UIViewController, completionHandler: @escaping @Sendable ([String]) -> Void
  ) {
    let library = self
    DispatchQueue.main.async {
      MainActor.assumeIsolated { LimitedLibraryPicker.show(for: library, completionHandler) }
    }
  }

  public func presentLimitedLibraryPicker(from controller: UIViewController) async -> [String] {
    await withCheckedContinuation { continuation in
      presentLimitedLibraryPicker(from: controller) { continuation.resume(returning: $0) }
    }
  }
}

@MainActor private enum LimitedLibraryPicker {
  /// The shown pickers, which no controller keeps.
  private static var shown: [ObjectIdentifier: PickerPresentation] = [:]

  static func show(for library: PHPhotoLibrary, _ completionHandler: @escaping @Sendable ([String]) -> Void) {
    guard let selection = logging({ try library.limitedSelection() }).flatMap(\.self) else {
      return library.asShared { completionHandler([]) }
    }
    var request = PickerRequest()
    request.selectionLimit = 0
    request.preselected = selection
    request.identifiers = true
    // Nothing is handed over.
    request.representation = .current
    request.choosesAccess = true
    let presentation = PickerPresentation(request, of: library)
    shown[ObjectIdentifier(presentation)] = presentation
    presentation.begin { answer in
      let identifiers = answer.items.compactMap(\.identifier)
      let added = answer.isCancelled ? [] : logging { try library.setLimitedSelection(identifiers) } ?? []
      presentation.end()
      shown[ObjectIdentifier(presentation)] = nil
      completionHandler(added)
    }
  }

  /// Returns `nil` after an error, and writes it, since the handler has no room for it.
  private static func logging<Value>(_ work: () throws -> Value) -> Value? {
    do { return try work() } catch {
      StandardError.write("The selection was not changed: \(error.localizedDescription)\n")
      return nil
    }
  }
}
