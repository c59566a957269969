import Foundation
import Synchronization

/// Control-C asks a long command to stop at the next safe point. A second one ends the program at
/// once.
enum Interruption {
  private static let isRequested = Atomic<Bool>(false)

  static var isCancelled: Bool { isRequested.load(ordering: .relaxed) }

  /// Begins to watch the signals. A command that reads standard input or asks a question calls this
  /// afterward: the system continues a read that a signal has interrupted, so the first Control-C
  /// would have no effect.
  static func watch() {
    // The parent process may have blocked these signals, and the block is inherited.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        if Interruption.isRequested.exchange(true, ordering: .relaxed) {
          signal(number, SIG_DFL)
          raise(number)
        }
      }
    }
  }
}
