import Synchronization

/// A reading that everybody who needs it shares. It begins when it is first needed.
final class SharedReading<Value: Sendable>: Sendable {
  private let read: @Sendable () async throws -> Value
  private let reading = Mutex<Task<Value, any Error>?>(nil)

  init(_ read: @escaping @Sendable () async throws -> Value) { self.read = read }

  /// Returns the value. A failed reading is forgotten, so that the next request tries again.
  func value() async throws -> Value {
    let task = reading.withLock { reading in
      if let reading { return reading }
      let task = Task { [read] in try await read() }
      reading = task
      return task
    }
    do { return try await task.value } catch {
      reading.withLock { $0 = nil }
      throw error
    }
  }
}
