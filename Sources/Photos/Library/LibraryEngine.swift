import Foundation
internal import LibraryStore
import Synchronization

/// A library that is open: what the `PHPhotoLibrary`s of different clients share.
///
/// A library whose disk goes away becomes unavailable, and is opened again when it is back. Nothing is concluded from its absence.
final class LibraryEngine: Sendable {
  let path: String
  let uuid: String
  let clock: @Sendable () -> Date
  private let trustsClock: Bool
  let situations = LibrarySituations()
  private let historyLimits: HistoryLimits
  private let state: Mutex<State>
  let questions = AuthorizationQuestions()
  let environmentAnswers = EnvironmentAnswers()

  private struct State {
    var store: LibraryStore
    /// The file that the store has open: another one at its path is another disk's, or came back in a new guise.
    var file: FileIdentity?
    var unavailability: PHPhotosError?
    var trashWasEmptied: Date
  }

  init(
    path: String, create: Bool, historyLimits: HistoryLimits, clock given: (@Sendable () -> Date)?,
    isRepairing: Bool = false
  ) throws {
    self.path = path
    clock = given ?? { Date() }
    trustsClock = given != nil
    self.historyLimits = historyLimits
    let store = try LibraryStore(
      path: path, create: create, historyLimits: historyLimits, clock: clock, trustsClock: trustsClock,
      isRepairing: isRepairing)
    uuid = store.uuid
    state = Mutex(State(store: store, file: FileIdentity(path: "\(path)/library.sqlite"), trashWasEmptied: clock()))
    // A library that can't be written can still be read. This is tried again later.
    try? store.emptyExpiredTrash()
    PrivateFolder.clearAbandoned(in: store.incomingURL)
  }

  /// A library may stay open for weeks: once an hour, with a change, the trash is looked through again.
  func emptyExpiredTrashNowAndThen() {
    let now = clock()
    let isDue = state.withLock { state in
      guard abs(now.timeIntervalSince(state.trashWasEmptied)) > 3600 else { return false }
      state.trashWasEmptied = now
      return true
    }
    // The change that was asked for is through; what fails here is tried again at the next opening.
    if isDue { try? store.emptyExpiredTrash() }
  }

  /// The store, also while the library is unavailable: for what needs no disk.
  var store: LibraryStore { state.withLock(\.store) }

  /// The store of a library that is there; throws why it isn't.
  ///
  /// Looked for each time: a change must not go to a file that lies there no more, and a disk that is back is to be used at once.
  func available() throws -> LibraryStore {
    let found = FileIdentity(path: "\(path)/library.sqlite")
    if state.withLock({ $0.unavailability != nil || $0.file != found }) { checkAvailability() }
    return try state.withLock { state in
      if let reason = state.unavailability { throw reason }
      return state.store
    }
  }

  /// Why the library is not there, as far as it was looked; `nil` while it is.
  var unavailability: PHPhotosError? { state.withLock(\.unavailability) }

  private let reopeningHandlers = Mutex<[WeakHandler]>([])

  /// Calls the handler whenever the library was opened again as another file, as long as what it answers is kept.
  func whenReopened(_ handler: @escaping @Sendable () -> Void) -> ReopeningHandler {
    let handler = ReopeningHandler(call: handler)
    reopeningHandlers.withLock { handlers in
      handlers.removeAll { $0.value == nil }
      handlers.append(WeakHandler(value: handler))
    }
    return handler
  }

  final class ReopeningHandler: Sendable {
    fileprivate let call: @Sendable () -> Void
    fileprivate init(call: @escaping @Sendable () -> Void) { self.call = call }
  }

  private struct WeakHandler {
    weak var value: ReopeningHandler?
  }

  /// Looks whether the library's file is where it was, and opens it again if it came back as another one.
  func checkAvailability() {
    let isReopened = state.withLock { state in
      guard let found = FileIdentity(path: "\(path)/library.sqlite") else {
        state.unavailability = PHPhotosError(
          .libraryVolumeOffline, "\(path): the library's disk or folder is not there any more")
        return false
      }
      guard found != state.file else {
        state.unavailability = nil
        return false
      }
      // What lies there now is opened; if it is another library, or not whole yet, this one stays unavailable.
      let reopened = try? LibraryStore(
        path: path, create: false, historyLimits: historyLimits, clock: clock, trustsClock: trustsClock)
      guard let reopened, reopened.uuid == uuid else {
        state.unavailability = PHPhotosError(.libraryVolumeOffline, "\(path): another library lies there now")
        return false
      }
      state.store = reopened
      state.file = found
      state.unavailability = nil
      return true
    }
    if isReopened { for handler in reopeningHandlers.withLock(\.self) { handler.value?.call() } }
  }
}

/// Which file lies at a path.
private struct FileIdentity: Equatable {
  let device: UInt64
  let inode: UInt64

  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }
}
