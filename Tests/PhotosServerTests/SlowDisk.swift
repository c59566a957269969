import Dispatch
import LibraryStore
@_spi(Testing) import Photos
import Synchronization
import TestSupport
import Testing

/// A disk that delivers a file late.
final class SlowDisk: Sendable {
  private enum State { case fast, slow, reading }

  private let state = Mutex(State.fast)
  private let goesOn = DispatchSemaphore(value: 0)

  var isReading: Bool { state.withLock { $0 == .reading } }

  /// Makes the next opening of a file wait until `goOn` is called.
  func hold() { state.withLock { $0 = .slow } }

  func goOn() {
    let isReading = state.withLock { state in
      defer { state = .fast }
      return state == .reading
    }
    if isReading { goesOn.signal() }
  }

  func open() {
    let isSlow = state.withLock { state in
      guard state == .slow else { return false }
      state = .reading
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
