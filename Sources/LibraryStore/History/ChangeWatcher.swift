import Foundation
import Synchronization

/// Looks at what is committed, by this process or another one, and hands it on: in order, none left out, commits that follow each other
/// quickly as one.
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

  /// Starts with what is committed after a transaction; `handler` is called on a queue of the watcher's own, one call at a time.
  init(_ store: LibraryStore, since transaction: Int64, _ handler: @escaping @Sendable (StoreChange) -> Void) {
    self.store = store
    self.handler = handler
    state = Mutex(State(last: transaction))
    let watch = store.isLive ? CommitWatch(of: store.folder, on: queue) { [weak self] in self?.look() } : nil
    state.withLock { $0.watch = watch }
    poke()
  }

  /// The transaction up to which everything has been handed on.
  public var position: Int64 { state.withLock(\.last) }

  /// Looks now; returns when everything that is committed has been handed on. Not to be called by the handler.
  public func flush() { queue.sync { look() } }

  /// Looks soon.
  func poke() { queue.async { [weak self] in self?.look() } }

  private func look() {
    let last = state.withLock(\.last)
    // A library that can't be read now is looked at again in a second.
    guard let latest = try? store.latestTransaction(), latest > last, let change = try? store.change(since: last) else {
      return
    }
    let surplus = state.withLock { state in
      state.last = change.until
      state.views.removeAll { $0.change == nil }
      state.views.append(WeakChange(change: change))
      return state.views.count > Self.mostViews ? state.views.removeFirst().change : nil
    }
    surplus?.giveUpView()
    queue.asyncAfter(deadline: .now() + Self.viewSeconds) { [weak change] in change?.giveUpView() }
    handler(change)
  }

  /// Whoever keeps changes without asking them keeps no more connections than this, and no longer than this.
  private static let mostViews = 8
  private static let viewSeconds = 60.0
}

private struct WeakChange {
  weak var change: StoreChange?
}

extension LibraryStore {
  /// What was committed after a transaction, with a view of the library as it is now; `nil` if nothing was.
  public func change(since transaction: Int64) throws -> StoreChange? {
    let file = "\(path)/library.sqlite"
    return try StoreError.mapping(file) { try StoreChange(database, at: file, since: transaction) }
  }

  /// Watches what is committed after a transaction, as long as the watcher is kept.
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

  /// After each commit: this process's watchers know at once, the others' by the signal.
  func didCommit() {
    for watcher in watchers.withLock({ $0.compactMap(\.watcher) }) { watcher.poke() }
    writing?.signal.post()
  }
}

struct WeakWatcher {
  weak var watcher: ChangeWatcher?
}
