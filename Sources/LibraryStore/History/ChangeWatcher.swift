import Foundation
import Synchronization

/// Watches commits of this and other processes, and delivers them in order and without gaps.
/// Commits in quick succession are coalesced.
public final class ChangeWatcher: Sendable {
  private let store: LibraryStore
  private let queue = DispatchQueue(label: "LibraryStore.ChangeWatcher")
  private let state: Mutex<State>
  private let handler: @Sendable (StoreChange) -> Void

  private struct State {
    var last: Int64
    var watch: CommitWatch?
    var views: [WeakChange] = []
  }

  /// Starts with the commits after a transaction. `handler` is called on the watcher's own queue,
  /// one call at a time.
  init(_ store: LibraryStore, since transaction: Int64, _ handler: @escaping @Sendable (StoreChange) -> Void) {
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
    guard let latest = try? store.latestTransaction(), latest > last, let change = try? store.change(since: last) else {
      return
    }
    let surplus = state.withLock { state in
      state.last = change.until
      state.views.removeAll { $0.change == nil }
      state.views.append(WeakChange(change: change))
      return state.views.count > Self.mostViews ? state.views.removeFirst().change : nil
    }
    surplus?.releaseView()
    queue.asyncAfter(deadline: .now() + Self.viewSeconds) { [weak change] in change?.releaseView() }
    handler(change)
  }

  /// The limits of open views, each of which holds a connection: their number, and their age in
  /// seconds.
  private static let mostViews = 8
  private static let viewSeconds = 60.0
}

private struct WeakChange {
  weak var change: StoreChange?
}

extension LibraryStore {
  /// Returns the commits after a transaction, with a view of the library as it is now; `nil` if
  /// there are none.
  public func change(since transaction: Int64) throws -> StoreChange? {
    let file = "\(path)/library.sqlite"
    return try StoreError.mapping(file) { try StoreChange(database, at: file, since: transaction) }
  }

  /// Watches the commits after a transaction, until the watcher is released.
  public func watch(
    since transaction: Int64, _ handler: @escaping @Sendable (StoreChange) -> Void
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
