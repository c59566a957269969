import NIOPosix

/// Runs what waits for the disk on threads that are there for it, so that no request waits behind another's reading.
enum Blocking {
  static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive(body)
  }
}
