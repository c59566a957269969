import Foundation
import Synchronization

/// Signals commits to all processes that have the library open. Each commit writes to a file that
/// they watch.
final class CommitSignal: Sendable {
  fileprivate static let file = "incoming/commits"

  private let descriptor: Int32

  init(in folder: LibraryFolder) throws(StoreError) { descriptor = try folder.open(Self.file, O_WRONLY | O_CREAT) }

  deinit { close(descriptor) }

  /// Signals a commit. A process that misses the signal sees the commit a second later: see
  /// `CommitWatch`.
  func post() {
    var byte: UInt8 = 0
    _ = pwrite(descriptor, &byte, 1, 0)
  }
}

/// A watch of the file to which commits write.
///
/// Some file systems don't report writes of other machines, and a process can be killed between its
/// commit and its signal. A timer covers these cases.
final class CommitWatch: @unchecked Sendable {
  // The sources are created in init and canceled in deinit, and not used between.

  private let timer: any DispatchSourceTimer
  private let source: (any DispatchSourceRead)?

  /// Calls `handler` on `queue` soon after each commit, and once a second, until the watch is
  /// released.
  init(of folder: LibraryFolder, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(100))
    timer.setEventHandler(handler: handler)
    timer.resume()
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0, inotify_add_watch(descriptor, folder.absolute(CommitSignal.file), UInt32(IN_MODIFY)) >= 0
    else {
      if descriptor >= 0 { close(descriptor) }
      source = nil
      return
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler {
      var events = [UInt8](repeating: 0, count: 4096)
      while read(descriptor, &events, events.count) > 0 {}
      handler()
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
    self.source = source
  }

  deinit {
    timer.cancel()
    source?.cancel()
  }
}
