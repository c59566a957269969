import Foundation
internal import LibraryStore
import Synchronization

/// A library of photos and videos. `shared()` is the process's own.
///
///     let folder = URL(fileURLWithPath: "/photos/Photos Library.calotype")
///     let library = try PHPhotoLibrary(url: folder)
///     try library.performChangesAndWait {
///       PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: photo)
///     }
///
/// Any thread may use it. `performChangesAndWait` waits for the disk, so don't call it on the main
/// thread.
open class PHPhotoLibrary: NSObject, @unchecked Sendable {
  // The properties are immutable and Sendable. Subclasses in tests guard their own state.

  /// The open library; `nil` for a subclass that stands for a library in a test.
  private let opened: LibraryEngine?
  /// The client whose access counts; `nil` for the owner.
  package let client: LibraryClient?
  /// Whether this object shows no hidden assets, to the owner either.
  package let isWithoutHidden: Bool
  let changeQueue = DispatchQueue(label: "PHPhotoLibrary.changes")
  private let completionQueue = DispatchQueue(label: "PHPhotoLibrary.completions")
  let observation = ObservationCenter()
  let authorization: LibraryAuthorization

  /// Returns the library at `$CALOTYPE_LIBRARY`, else `Photos Library.calotype` in the user's
  /// pictures folder, which is created if it does not exist. Its client is this program.
  ///
  /// - Traps if it can't be opened, or if the variable names a path without a library: the path may
  ///   be mistyped, or its disk not mounted. Open it by `init(url:)` to handle that.
  /// - Traps in tests unless `asShared`, `asSharedEverywhere` or `useAsShared` names a library, so
  ///   that a test never opens the library of the person who runs it.
  open class func shared() -> PHPhotoLibrary { current ?? SharedLibrary.ofProcess }

  /// Makes an object without a library, for subclasses in tests. Members that are not overridden
  /// trap.
  public override init() {
    opened = nil
    client = nil
    isWithoutHidden = false
    authorization = LibraryAuthorization()
    super.init()
    precondition(
      type(of: self) != PHPhotoLibrary.self, "PHPhotoLibrary() can't be made directly: use shared() or init(url:)")
  }

  var engine: LibraryEngine {
    guard let opened else {
      preconditionFailure(
        "\(type(of: self)) doesn't override the member that was called; a test's library has to override each member that is used"
      )
    }
    return opened
  }

  init(
    engine: LibraryEngine, client: LibraryClient? = nil, isWithoutHidden: Bool = false,
    answerer: any AuthorizationAnswerer = StandardAnswerer.current
  ) {
    opened = engine
    self.client = client
    self.isWithoutHidden = isWithoutHidden
    authorization = LibraryAuthorization(answerer: answerer)
  }

  var store: LibraryStore { engine.store }

  /// Runs the block later on the library's own queue, and commits all requests that it makes or
  /// none of them.
  open func performChanges(
    _ changeBlock: @escaping () -> Void, completionHandler: ((Bool, (any Error)?) -> Void)? = nil
  ) {
    let work = ChangeWork(block: changeBlock, completion: completionHandler)
    changeQueue.async { [self] in
      let result = Result { try commitChanges(of: work.block) }
      // The handler has a queue of its own, since it may wait for further changes.
      completionQueue.async { [self] in
        Self.$current.withValue(self) {
          switch result {
          case .success: work.completion?(true, nil)
          case .failure(let error): work.completion?(false, error)
          }
        }
      }
    }
  }

  open nonisolated(nonsending) func performChanges(_ changeBlock: @escaping () -> Void) async throws {
    let work = ChangeWork(block: changeBlock, completion: nil)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      changeQueue.async { [self] in continuation.resume(with: Result { try commitChanges(of: work.block) }) }
    }
  }

  /// Runs the block and commits its requests before it returns. Traps inside a change block.
  open func performChangesAndWait(_ changeBlock: @escaping () -> Void) throws {
    precondition(ChangeCollector.current == nil, "performChangesAndWait can't be called inside a change block")
    try changeQueue.sync { try commitChanges(of: changeBlock) }
  }

  // MARK: This program and the shared library

  /// Returns this program's access to `shared()`, without asking. Makes no library: without one,
  /// nothing has been decided.
  open class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
    (current ?? SharedLibrary.ofProcessIfMade)?.authorizationStatus(for: accessLevel) ?? .notDetermined
  }

  /// Asks for access if it has not been decided yet, and returns the resulting status.
  ///
  ///     let status = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
  ///     guard status == .authorized || status == .limited else { return showWhyNot() }
  ///
  /// A program that asks a person has to say why: without a usage description it traps, as PhotoKit
  /// does. If nobody can answer, with or without a description, the status stays `notDetermined`,
  /// and `shared().authorizationProblem` and a line on standard error say why.
  open class func requestAuthorization(for accessLevel: PHAccessLevel) async -> PHAuthorizationStatus {
    await shared().requestAuthorization(for: accessLevel)
  }

  /// Calls the handler on a queue of its own.
  open class func requestAuthorization(
    for accessLevel: PHAccessLevel, handler: @escaping (PHAuthorizationStatus) -> Void
  ) { shared().requestAuthorization(for: accessLevel, handler: handler) }

  /// Deprecated by PhotoKit: the status for `readWrite`, with `authorized` for `limited`.
  open class func authorizationStatus() -> PHAuthorizationStatus {
    authorizationStatus(for: .readWrite).beforeLimited
  }

  /// Deprecated by PhotoKit: a request for `readWrite`, with `authorized` for `limited`.
  open class func requestAuthorization(_ handler: @escaping (PHAuthorizationStatus) -> Void) {
    requestAuthorization(for: .readWrite) { handler($0.beforeLimited) }
  }

  open class func requestAuthorization() async -> PHAuthorizationStatus {
    await requestAuthorization(for: .readWrite).beforeLimited
  }

  // MARK: Observers

  /// Notifies an observer of changes from now on. The observer is not retained.
  open func register(_ observer: any PHPhotoLibraryChangeObserver) {
    observation.register(observer, .change, in: self)
  }

  open func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
    observation.unregister(observer, .change)
  }

  /// Notifies an observer within a second or two after the library's disk is removed. The observer
  /// is not retained.
  open func register(_ observer: any PHPhotoLibraryAvailabilityObserver) {
    observation.register(observer, .availability, in: self)
  }

  open func unregisterAvailabilityObserver(_ observer: any PHPhotoLibraryAvailabilityObserver) {
    observation.unregister(observer, .availability)
  }

  /// Notifies an observer of each addition to the persistent history. The observer is not retained.
  open func register(_ observer: any PHPhotoLibraryPersistentChangesObserver) {
    observation.register(observer, .history, in: self)
  }

  open func unregisterPersistentChangesObserver(_ observer: any PHPhotoLibraryPersistentChangesObserver) {
    observation.unregister(observer, .history)
  }

  private struct ChangeWork: @unchecked Sendable {
    // Each value is handed from one queue to the next and never used by two at once.
    let block: () -> Void
    let completion: ((Bool, (any Error)?) -> Void)?
  }
}
