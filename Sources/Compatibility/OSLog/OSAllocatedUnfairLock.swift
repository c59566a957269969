/// A lock, with the value that it guards.
///
///     let count = OSAllocatedUnfairLock(initialState: 0)
///     count.withLock { $0 += 1 }
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  // The state is only accessed under the lock.

  private final class Guarded {
    let lock = NSLock()
    var state: State

    init(_ state: State) { self.state = state }
  }

  private let guarded: Guarded

  public init(uncheckedState initialState: State) { guarded = Guarded(initialState) }

  public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    guarded.lock.lock()
    defer { guarded.lock.unlock() }
    return try body(&guarded.state)
  }

  public func withLock<Result: Sendable>(_ body: @Sendable (inout State) throws -> Result) rethrows -> Result {
    try withLockUnchecked(body)
  }
}

extension OSAllocatedUnfairLock where State: Sendable {
  public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
  public init() { self.init(uncheckedState: ()) }

  public func lock() { guarded.lock.lock() }
  public func unlock() { guarded.lock.unlock() }
  public func lockIfAvailable() -> Bool { guarded.lock.try() }

  public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
    try withLockUnchecked { _ in try body() }
  }
}
