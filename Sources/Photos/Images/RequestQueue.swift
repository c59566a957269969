import Dispatch

extension DispatchQueue {
  /// For one request that waits, reads a file or calls a program's handler: a serial queue, which gets a thread at once.
  ///
  /// The global queues have about as many threads as there are processors, and Swift's tasks run on them: who waits there holds up a
  /// whole program.
  static func ofRequest() -> DispatchQueue { DispatchQueue(label: "calotype.request") }
}
