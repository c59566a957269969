import NIOPosix

/// Runs blocking work on a thread pool, so that disk reads don't block the tasks of other requests.
enum Blocking {
  static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive(body)
  }

  /// Runs work that commits a change. Commits wait for other processes that change the library, and
  /// nothing that only reads may wait with them.
  static func commit<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await writers.runIfActive(body)
  }

  /// Runs work that draws a picture. That takes seconds, and nothing that only reads may wait with
  /// it.
  static func draw<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await drawers.runIfActive(body)
  }

  private static let writers = pool()
  private static let drawers = pool()

  private static func pool() -> NIOThreadPool {
    let pool = NIOThreadPool(numberOfThreads: 2)
    pool.start()
    return pool
  }
}
