import Foundation
import Synchronization

/// Watches commits of this and other processes, and delivers them in order and without gaps.
/// Commits in quick succession are coalesced.
public final class ChangeWatcher: Sendable {
  private let store: LibraryStore
  private let queue = DispatchQueue(label: "LibraryStore.ChangeWatcher")
  private let state: Mutex<State>
  private let handler: Handler

  /// Receives a change. If it throws, the change is delivered again with the next check.
  public typealias Handler = @Sendable (StoreChange) throws -> Void

  private struct State {
    var last: Int64
    var watch: CommitWatch?
    /// The connection with the transaction that is open while the handler runs. It is made for the
    /// first change.
    var shared: SharedSnapshot?
  }

  /// Starts with the commits after a transaction. `handler` is called on the watcher's own queue,
  /// one call at a time. While it runs, all answers of changes are of the same state.
  init(_ store: LibraryStore, since transaction: Int64, _ handler: @escaping Handler) {
    self.store = store
    self.handler = handler
    state = Mutex(State(last: transaction))
    let watch = store.isLive ? CommitWatch(of: store.folder, on: queue) { [weak self] in self?.look() } : nil
    state.withLock { $0.watch = watch }
    poke()
  }

  /// The last transaction that has been delivered.
  public var position: Int64 { state.withLock(\.last) }

  /// Checks now; returns when all commits have been delivered. The handler must not call it.
  public func flush() { queue.sync { look() } }

  /// Checks soon.
  func poke() { queue.async { [weak self] in self?.look() } }

  private func look() {
    let last = state.withLock(\.last)
    // If the library can't be read now, the next check is a second later.
    guard let latest = try? store.latestTransaction(), latest > last, let shared = try? sharedRead() else { return }
    try? shared.hold {
      guard let change = try change(since: last, in: shared) else { return }
      state.withLock { $0.last = change.until }
      do { try handler(change) } catch { state.withLock { $0.last = last } }
    }
  }

  /// Returns the commits after a transaction. If the history is damaged, returns a change without
  /// details: with the next check, the damage would be the same.
  private func change(since last: Int64, in shared: SharedSnapshot) throws -> StoreChange? {
    do {
      return try store.change(since: last, in: shared)
    } catch let error as StoreError where error.code != .busy {
      return try store.change(since: last, in: shared, after: error)
    }
  }

  private func sharedRead() throws -> SharedSnapshot {
    if let shared = state.withLock(\.shared) { return shared }
    let shared = try SharedSnapshot(of: store.database)
    state.withLock { $0.shared = shared }
    return shared
  }
}

extension LibraryStore {
  /// Returns the commits after a transaction; `nil` if there are none.
  public func change(since transaction: Int64) throws -> StoreChange? { try change(since: transaction, in: nil) }

  func change(
    since transaction: Int64, in shared: SharedSnapshot?, after failure: StoreError? = nil
  ) throws -> StoreChange? {
    try StoreError.mapping(databasePath) {
      try StoreChange(database, at: databasePath, since: transaction, in: shared, after: failure)
    }
  }

  /// Watches the commits after a transaction, until the watcher is released.
  public func watch(
    since transaction: Int64, _ handler: @escaping ChangeWatcher.Handler
  ) -> ChangeWatcher {
    let watcher = ChangeWatcher(self, since: transaction, handler)
    watchers.withLock { watchers in
      watchers.removeAll { $0.watcher == nil }
      watchers.append(WeakWatcher(watcher: watcher))
    }
    return watcher
  }

  /// Called after each commit: notifies this process's watchers directly, and other processes by
  /// the signal.
  func didCommit() {
    for watcher in watchers.withLock({ $0.compactMap(\.watcher) }) { watcher.poke() }
    writing?.signal.post()
  }
}

struct WeakWatcher {
  weak var watcher: ChangeWatcher?
}
