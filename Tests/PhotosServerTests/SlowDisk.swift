import Dispatch
import LibraryStore
@_spi(Testing) import Photos
import Synchronization
import TestSupport
import Testing

/// A disk that delivers a file late.
final class SlowDisk: Sendable {
  private struct State {
    /// The number of openings that are going to wait, and of those that do.
    var slow = 0
    var reading = 0
  }

  private let state = Mutex(State())
  private let goesOn = DispatchSemaphore(value: 0)

  var isReading: Bool { state.withLock { $0.reading > 0 } }

  /// Makes the next openings of files wait until `goOn` is called.
  func hold(_ count: Int = 1) { state.withLock { $0 = State(slow: count) } }

  func goOn() {
    let reading = state.withLock { state in
      defer { state = State() }
      return state.reading
    }
    for _ in 0..<reading { goesOn.signal() }
  }

  func open() {
    let isSlow = state.withLock { state in
      guard state.slow > 0 else { return false }
      state.slow -= 1
      state.reading += 1
      return true
    }
    if isSlow { goesOn.waits(for: "the test") }
  }
}

/// The originals of a library on a slow disk.
struct SlowOriginals: Originals {
  let base: any Originals
  let disk: SlowDisk

  var areAllLocal: Bool { base.areAllLocal }

  func isLocal(_ resource: ResourceRecord) -> Bool { base.isLocal(resource) }

  func open(_ resource: ResourceRecord) throws(StoreError) -> Int32 {
    disk.open()
    return try base.open(resource)
  }

  func url(of resource: ResourceRecord) throws(StoreError) -> URL? { try base.url(of: resource) }

  func fetch(_ resource: ResourceRecord, progress: (Double) throws -> Void) throws {
    try base.fetch(resource, progress: progress)
  }
}
