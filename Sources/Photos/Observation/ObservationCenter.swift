import Foundation
internal import LibraryStore
import Synchronization

/// The observers of a library, and the watchers that notify them.
final class ObservationCenter: Sendable {
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "PHPhotoLibrary.observation")

  fileprivate struct State {
    var changeObservers: [Registration] = []
    var historyObservers: [Registration] = []
    var availabilityObservers: [Registration] = []
    /// The number of registrations so far.
    var registrationCount = 0
    var watcher: ChangeWatcher?
    var availabilityTimer: RepeatingTimer?
    var isAvailable = true
    var reopeningHandler: LibraryEngine.ReopeningHandler?
  }

  /// An observer's registration. The observer is not retained.
  ///
  /// `observer` must not be read while `state` is locked. If another thread releases the observer
  /// at that moment, it is deallocated here, and its `deinit` may call `unregister`, which locks
  /// again.
  fileprivate struct Registration: @unchecked Sendable {
    // The observer is only called, and chooses the thread of its own work.
    weak var observer: (any NSObjectProtocol)?
    /// The observer's identity. After its deallocation, another object may have the same.
    let id: ObjectIdentifier
    /// A number that no other registration has.
    let number: Int
    /// The latest transaction at the time of the registration. Earlier ones are not reported.
    var since: Int64
  }

  enum Kind { case change, history, availability }

  func register(_ observer: any NSObjectProtocol, _ kind: Kind, in library: PHPhotoLibrary) {
    // If the library can't be read now, the observer gets earlier changes too, and misses none.
    let since = latestTransaction(of: library) ?? 0
    let id = ObjectIdentifier(observer)
    removeReleased(kind)
    state.withLock { state in
      state.registrationCount += 1
      let registration = Registration(observer: observer, id: id, number: state.registrationCount, since: since)
      // The observer's earlier registration, or that of a deallocated one at the same address.
      state[kind].removeAll { $0.id == id }
      state[kind].append(registration)
    }
    if kind == .availability { startAvailabilityTimer(at: library) } else { startWatching(library, since: since) }
  }

  func unregister(_ observer: any NSObjectProtocol, _ kind: Kind) {
    let id = ObjectIdentifier(observer)
    removeReleased(kind)
    state.withLock { state in
      state[kind].removeAll { $0.id == id }
      if state.changeObservers.isEmpty && state.historyObservers.isEmpty { state.watcher = nil }
      if state.availabilityObservers.isEmpty { state.availabilityTimer = nil }
    }
  }

  /// Removes the registrations of observers that have been deallocated.
  private func removeReleased(_ kind: Kind) {
    let released = Set(state.withLock { $0[kind] }.filter { $0.observer == nil }.map(\.number))
    guard !released.isEmpty else { return }
    state.withLock { $0[kind].removeAll { released.contains($0.number) } }
  }

  /// Returns when the observers have been notified of everything that is committed.
  func flush() { state.withLock(\.watcher)?.flush() }

  private func startWatching(_ library: PHPhotoLibrary, since: Int64) {
    state.withLock { state in
      state.reopeningHandler =
        state.reopeningHandler
        ?? library.engine.whenReopened { [weak library, weak self] in if let library { self?.restartWatcher(library) } }
      state.watcher = state.watcher ?? watcher(of: library, since: since)
    }
  }

  private func watcher(of library: PHPhotoLibrary, since: Int64) -> ChangeWatcher {
    library.store.watch(since: since) { [weak library, weak self] change in
      guard let library, let self else { return }
      try notify(change, of: library)
    }
  }

  /// Starts a new watcher after the library was opened again, since the old one watches files that
  /// are gone.
  ///
  /// Observers are notified of transactions that were committed meanwhile. If an older backup has
  /// taken the library's place, they are notified of the backup's latest transaction, so that they
  /// replace results of transactions that it lacks.
  private func restartWatcher(_ library: PHPhotoLibrary) {
    // If the library can't be read now, the new watcher continues at the old one's position.
    let latest = latestTransaction(of: library) ?? .max
    state.withLock { state in
      guard let former = state.watcher else { return }
      let since = latest < former.position ? latest - 1 : former.position
      for kind in [Kind.change, .history] {
        state[kind] = state[kind].map { registration in
          var earlier = registration
          earlier.since = min(earlier.since, since)
          return earlier
        }
      }
      state.watcher = watcher(of: library, since: since)
    }
  }

  private func latestTransaction(of library: PHPhotoLibrary) -> Int64? {
    library.engine.damage.optional("the latest transaction could not be read") {
      try library.store.latestTransaction()
    }
  }

  /// Notifies the observers. Throws, before it has notified anybody, if the client's access can't
  /// be read.
  private func notify(_ storeChange: StoreChange, of library: PHPhotoLibrary) throws {
    let access = try library.access()
    guard access.isReading else { return }
    // A client must not learn that assets outside its selection have changed.
    if let client = access.selection, try !storeChange.isVisible(to: client) { return }
    let (change, until) = (PHChange(storeChange, library: library), storeChange.until)
    let (changeObservers, historyObservers) = state.withLock { ($0.changeObservers, $0.historyObservers) }
    if let failure = storeChange.failure { change.report(failure) }
    library.asShared {
      for registration in changeObservers where registration.since < until {
        (registration.observer as? any PHPhotoLibraryChangeObserver)?.photoLibraryDidChange(change)
      }
      for registration in historyObservers where registration.since < until {
        (registration.observer as? any PHPhotoLibraryPersistentChangesObserver)?
          .photoLibraryPersistentChangesDidUpdate(library)
      }
    }
  }

  /// The time between two checks that the library is in its place, in seconds.
  private static let availabilityInterval = 1.0

  private func startAvailabilityTimer(at library: PHPhotoLibrary) {
    guard state.withLock({ $0.availabilityTimer == nil }) else { return }
    let timer = RepeatingTimer(queue: queue, interval: Self.availabilityInterval) { [weak library, weak self] in
      if let library { self?.checkAvailability(of: library) }
    }
    state.withLock { $0.availabilityTimer = timer }
  }

  func checkAvailability(of library: PHPhotoLibrary) {
    library.engine.checkAvailability()
    let reason = library.engine.unavailability
    let (wasAvailable, observers) = state.withLock { state in
      let found = (state.isAvailable, state.availabilityObservers)
      state.isAvailable = reason == nil
      return found
    }
    guard wasAvailable != (reason == nil) else { return }
    library.asShared {
      for registration in observers {
        guard let observer = registration.observer as? any PHPhotoLibraryAvailabilityObserver else { continue }
        if reason == nil {
          observer.photoLibraryDidBecomeAvailable(library)
        } else {
          observer.photoLibraryDidBecomeUnavailable(library)
        }
      }
    }
  }
}

/// Calls a handler repeatedly, as long as the timer is retained.
private final class RepeatingTimer: @unchecked Sendable {
  // The source is made in `init`, canceled in `deinit`, and not used in between.

  private let source: any DispatchSourceTimer

  init(queue: DispatchQueue, interval: Double, _ handler: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(queue: queue)
    source.schedule(deadline: .now(), repeating: interval)
    source.setEventHandler(handler: handler)
    source.resume()
  }

  deinit { source.cancel() }
}

extension ObservationCenter.State {
  fileprivate subscript(kind: ObservationCenter.Kind) -> [ObservationCenter.Registration] {
    get {
      switch kind {
      case .change: changeObservers
      case .history: historyObservers
      case .availability: availabilityObservers
      }
    }
    set {
      switch kind {
      case .change: changeObservers = newValue
      case .history: historyObservers = newValue
      case .availability: availabilityObservers = newValue
      }
    }
  }
}

extension PHPhotoLibrary {
  /// The reason that the library can't be used now; `nil` if it can be.
  public var unavailabilityReason: (any Error)? {
    observation.checkAvailability(of: self)
    return engine.unavailability
  }
}
