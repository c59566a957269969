import Synchronization

/// The changes of demand that were announced, and the pools whose waiting calls learn of them.
enum DemandChanges {
  private struct Listener: Sendable {
    weak var pool: WorkerPool?
  }

  private static let count = Atomic(0)
  private static let listeners = Mutex<[ObjectIdentifier: Listener]>([:])

  /// The number of the latest change.
  static var latest: Int { count.load(ordering: .sequentiallyConsistent) }

  static func announce() {
    // The number changes before the locks are taken: a call that waits is woken, and one that is
    // about to wait sees the new number.
    count.add(1, ordering: .sequentiallyConsistent)
    let pools = listeners.withLock { $0.values.compactMap(\.pool) }
    for pool in pools { pool.demandHasChanged() }
  }

  static func add(_ pool: WorkerPool) { listeners.withLock { $0[ObjectIdentifier(pool)] = Listener(pool: pool) } }

  static func remove(_ pool: WorkerPool) { listeners.withLock { $0[ObjectIdentifier(pool)] = nil } }
}
