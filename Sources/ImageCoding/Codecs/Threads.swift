import Foundation

/// Runs `body` with each index below `count`, each in a thread of its own, and waits for all.
///
///     runInThreads(4) { band in encode(band) }
///
/// A confined worker calls this. `DispatchQueue.concurrentPerform` would end the worker: threads of
/// libdispatch make system calls that the worker's filter refuses, and libdispatch then traps.
///
/// The calling thread runs the first index. It also runs an index whose thread can't be started.
func runInThreads(_ count: Int, _ body: @Sendable (Int) -> Void) {
  guard count > 0 else { return }
  withoutActuallyEscaping(body) { body in
    var threads: [pthread_t] = []
    for index in 1..<count {
      let job = Unmanaged.passRetained(ThreadJob { body(index) })
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil,
        { job in
          job.map { Unmanaged<ThreadJob>.fromOpaque($0).takeRetainedValue().run() }
          return nil
        }, job.toOpaque())
      if status == 0 { threads.append(thread) } else { job.takeRetainedValue().run() }
    }
    body(0)
    for thread in threads { pthread_join(thread, nil) }
  }
}

/// The work of one thread, which `pthread_create` takes as a pointer.
private final class ThreadJob: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
