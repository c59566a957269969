import Foundation
internal import LibraryStore
import Synchronization

/// An open library, which the `PHPhotoLibrary`s of different clients share.
///
/// A library becomes unavailable if its disk is removed, and is opened again when the disk is back.
/// A missing file says nothing about the library's contents.
final class LibraryEngine: Sendable {
  let path: String
  let uuid: String
  private let databasePath: String
  let clock: @Sendable () -> Date
  let trustsClock: Bool
  let situations = LibrarySituations()
  let damage = DamageReports()
  private let historyLimits: HistoryLimits
  /// Receives the folder's originals and returns those to use.
  private let originals: @Sendable (any Originals) -> any Originals
  private let state: Mutex<State>
  let questions = AuthorizationQuestions()
  let environmentAnswers = EnvironmentAnswers()

  private struct State {
    var store: LibraryStore
    /// The identity of the open database. A different file at its path belongs to another disk, or
    /// replaced it.
    var file: FileIdentity?
    var unavailability: PHPhotosError?
    /// Whether another library was at the path at the latest check.
    var isReplaced = false
    /// The file at the path when `isReplaced` was last asked for.
    var seen: FileIdentity?
    var trashWasEmptied: Date
  }

  init(
    path: String, create: Bool, historyLimits: HistoryLimits, clock given: (@Sendable () -> Date)?,
    isRepairing: Bool = false, originals: @escaping @Sendable (any Originals) -> any Originals = { $0 }
  ) throws {
    self.path = path
    clock = given ?? { Date() }
    trustsClock = given != nil
    self.historyLimits = historyLimits
    self.originals = originals
    let store = try LibraryStore(
      path: path, create: create, historyLimits: historyLimits, clock: clock, trustsClock: trustsClock,
      isRepairing: isRepairing, originals: originals)
    uuid = store.uuid
    databasePath = store.databasePath
    state = Mutex(State(store: store, file: FileIdentity(path: databasePath), trashWasEmptied: clock()))
    // A library that can't be written can still be read. Later changes and the next opening try
    // again.
    emptyExpiredTrash()
    PrivateFolder.clearAbandoned(in: store.incomingURL)
  }

  /// Expires Recently Deleted after a change, once an hour at most, since a library may stay open
  /// for weeks.
  func emptyExpiredTrashIfDue() {
    let now = clock()
    let isDue = state.withLock { state in
      guard abs(now.timeIntervalSince(state.trashWasEmptied)) > 3600 else { return false }
      state.trashWasEmptied = now
      return true
    }
    // The change is committed. If this fails, it is tried again later.
    if isDue { emptyExpiredTrash() }
  }

  private func emptyExpiredTrash() {
    _ = damage.optional("Recently Deleted could not be emptied") { try store.emptyExpiredTrash() }
  }

  /// The store, even if the library is unavailable, for work that needs no disk.
  var store: LibraryStore { state.withLock(\.store) }

  /// Returns the store. Throws the reason if the library is unavailable.
  ///
  /// Checks the file each time: a change must not go to a file that was replaced, and a disk that
  /// is back is to be used at once.
  func available() throws -> LibraryStore {
    let found = FileIdentity(path: databasePath)
    if state.withLock({ $0.unavailability != nil || $0.file != found }) { checkAvailability() }
    return try state.withLock { state in
      if let reason = state.unavailability { throw reason }
      return state.store
    }
  }

  /// The reason that the library was unavailable at the latest check; `nil` if it was available.
  var unavailability: PHPhotosError? { state.withLock(\.unavailability) }

  /// Whether another library is at the path, as after a repair. Looks at the disk, and opens a file
  /// that it has not seen there before.
  var isReplaced: Bool {
    let found = FileIdentity(path: databasePath)
    let isNews = state.withLock { state in
      defer { state.seen = found }
      return found != nil && found != state.file && found != state.seen
    }
    if isNews { checkAvailability() }
    return state.withLock(\.isReplaced)
  }

  private let reopeningHandlers = Mutex<[WeakHandler]>([])

  /// Calls the handler whenever the library was opened again from a different file, as long as the
  /// returned object is retained.
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

  /// Checks that the library's file is in its place, and opens the library again if the file has
  /// changed.
  func checkAvailability() {
    let isReopened = state.withLock { state in
      state.isReplaced = false
      guard let found = FileIdentity(path: databasePath) else {
        state.unavailability = PHPhotosError(
          .libraryVolumeOffline, "\(path): the library's disk or folder is not there any more")
        return false
      }
      guard found != state.file else {
        state.unavailability = nil
        return false
      }
      // If another library, or half of a copy, is at this path, this library stays unavailable.
      let reopened: LibraryStore
      do {
        reopened = try LibraryStore(
          path: path, create: false, historyLimits: historyLimits, clock: clock, trustsClock: trustsClock,
          originals: originals)
      } catch {
        state.unavailability = PHPhotosError(
          .libraryVolumeOffline,
          "\(path): the library can’t be opened again: \(PHPhotosError(error).localizedDescription)",
          cause: error)
        return false
      }
      guard reopened.uuid == uuid else {
        state.isReplaced = true
        state.unavailability = PHPhotosError(
          .libraryVolumeOffline,
          "\(path): another library is at this path now, or `calotype repair` made its database anew; open it again")
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
