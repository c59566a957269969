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
  private let historyLimits: HistoryLimits
  private let state: Mutex<State>
  let questions = AuthorizationQuestions()

  private struct State {
    var store: LibraryStore
    /// The file that the store has open: another one at its path is another disk's, or came back in a new guise.
    var file: FileIdentity?
    var unavailability: PHPhotosError?
  }

  init(path: String, create: Bool, historyLimits: HistoryLimits, clock: @escaping @Sendable () -> Date) throws {
    self.path = path
    self.clock = clock
    self.historyLimits = historyLimits
    let store = try LibraryStore(path: path, create: create, historyLimits: historyLimits, clock: clock)
    uuid = store.uuid
    state = Mutex(State(store: store, file: FileIdentity(path: "\(path)/library.sqlite")))
    try store.emptyExpiredTrash()
  }

  /// The store, also while the library is unavailable: for what needs no disk.
  var store: LibraryStore { state.withLock(\.store) }

  /// The store of a library that is there; throws why it isn't.
  func available() throws -> LibraryStore {
    try state.withLock { state in
      if let reason = state.unavailability { throw reason }
      return state.store
    }
  }

  var unavailabilityReason: PHPhotosError? { state.withLock(\.unavailability) }

  /// Looks whether the library's file is where it was; answers what became of its availability since the last look.
  func checkAvailability() -> AvailabilityChange {
    let found = FileIdentity(path: "\(path)/library.sqlite")
    return state.withLock { state in
      guard let found else {
        guard state.unavailability == nil else { return .none }
        state.unavailability = PHPhotosError(
          .libraryVolumeOffline, "\(path): the library's disk or folder is not there any more")
        return .becameUnavailable
      }
      if found != state.file {
        // What lies there now is opened; if it is another library, or not whole yet, this one stays unavailable.
        guard
          let reopened = try? LibraryStore(path: path, create: false, historyLimits: historyLimits, clock: clock),
          reopened.uuid == uuid
        else {
          guard state.unavailability == nil else { return .none }
          state.unavailability = PHPhotosError(.libraryVolumeOffline, "\(path): another library lies there now")
          return .becameUnavailable
        }
        state.store = reopened
        state.file = found
        state.unavailability = nil
        return .wasReopened
      }
      guard state.unavailability != nil else { return .none }
      state.unavailability = nil
      return .becameAvailable
    }
  }

  enum AvailabilityChange { case none, becameUnavailable, becameAvailable, wasReopened }
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
