import Synchronization

/// A value that takes time to read. The first caller reads it, and others wait for it.
final class ReadOnce<Value: Sendable>: Sendable {
  enum State {
    case notRead
    /// A thread reads it now.
    case reading
    case read(Value)
  }

  private let value = Mutex<Value?>(nil)
  /// Held while the value is read. `value` itself is never held for long, so that `state` can tell
  /// a value that is read from one that a thread still reads.
  private let reading = Mutex(())

  func get<Failure: Error>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
    if let known = value.withLock(\.self) { return known }
    return try reading.withLock { _ throws(Failure) in
      if let known = value.withLock(\.self) { return known }
      let found = try read()
      value.withLock { $0 = found }
      return found
    }
  }

  /// Never blocks.
  var state: State {
    // The order matters: a value that is being read now may be there a moment later.
    let isReading = reading.withLockIfAvailable { _ in } == nil
    if let known = value.withLock(\.self) { return .read(known) }
    return isReading ? .reading : .notRead
  }
}
