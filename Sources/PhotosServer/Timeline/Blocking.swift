import NIOPosix

/// Runs blocking work on a thread pool, so that disk reads don't block the tasks of other requests.
enum Blocking {
  static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive(body)
  }
}
