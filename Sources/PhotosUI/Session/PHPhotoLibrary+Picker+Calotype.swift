import Synchronization

extension PHPhotoLibrary {
  /// Lets a function operate all pickers of this library in this process, instead of a person.
  /// `nil` restores the default.
  ///
  ///     library.answerPickers { picker in picker.pick([identifier]) }
  ///
  /// The function is called on a background thread for each picker that opens. It may keep the
  /// picker and go on later.
  public func answerPickers(_ operate: (@Sendable (OpenPicker) -> Void)?) {
    PickerSessions.scripts.withLock { $0[url.path] = operate }
  }
}

/// The choice of who operates a library's pickers.
enum PickerSessions {
  /// The functions of `answerPickers`, by the libraries' paths.
  static let scripts = Mutex<[String: @Sendable (OpenPicker) -> Void]>([:])

  private static let environment = EnvironmentPickers(ProcessInfo.processInfo.environment[EnvironmentPickers.variable])

  static func make(for library: PHPhotoLibrary) throws -> any PickerSession {
    if let operate = scripts.withLock({ $0[library.url.path] }) { return OpenPicker(library, operate) }
    if let environment { return OpenPicker(library, try environment.next().operate) }
    return SocketSession(ofLibraryAt: library.url)
  }
}
