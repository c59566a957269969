import Foundation
internal import LibraryStore
import Synchronization

/// A change of a library. An observer asks it about the objects and fetch results that it shows.
///
///     func photoLibraryDidChange(_ change: PHChange) {
///       guard let details = change.changeDetails(for: result) else { return }
///       result = details.fetchResultAfterChanges
///       …
///     }
///
/// While an observer is called, all details are of one state of the library, so they are consistent
/// with each other. A change can be kept, and asked later. Its details then cover all changes up to
/// the present. The later changes, when they are delivered, return `nil` for the result that these
/// details contain.
///
/// If the library can't be read, the details are not incremental, and the reason is written to
/// standard error.
open class PHChange: NSObject, @unchecked Sendable {
  // The properties are immutable. Subclasses in tests guard their own state.

  /// The change and its library; `nil` for a subclass in a test.
  private let changeAndLibrary: (change: StoreChange, library: PHPhotoLibrary)?

  private let hasReported = Mutex(false)

  /// Makes an empty change, for subclasses in tests.
  public override init() { changeAndLibrary = nil }

  init(_ change: StoreChange, library: PHPhotoLibrary) {
    changeAndLibrary = (change, library)
  }

  /// Returns the change of an object that was fetched before; `nil` if the object has not changed.
  open func changeDetails<T: PHObject>(for object: T) -> PHObjectChangeDetails<T>? {
    guard let (change, library) = changeAndLibrary, object.rowID != 0, object.isOf(library) else { return nil }
    do { return try changeDetails(for: object, change, library) } catch {
      report(error)
      // Any change is possible, so the program is to show the object again.
      return PHObjectChangeDetails(
        objectBeforeChanges: object, objectAfterChanges: object, assetContentChanged: object is PHAsset)
    }
  }

  private func changeDetails<T: PHObject>(
    for object: T, _ change: StoreChange, _ library: PHPhotoLibrary
  ) throws -> PHObjectChangeDetails<T>? {
    let access = try library.access()
    let isCollection = object is PHCollection
    guard try isVisible(object, isCollection: isCollection, to: access, in: change) else {
      // An asset that the owner removed from the client's selection is reported as deleted. Changes
      // of other assets outside the selection are not reported.
      guard case .limited(let client) = access, change.objects?.clients.contains(client.id) ?? true else { return nil }
      return PHObjectChangeDetails(
        objectBeforeChanges: object, objectAfterChanges: nil, assetContentChanged: false)
    }
    let client = access.selection?.id
    guard let found = try historyChange(of: object, in: change, limitedToClient: client) else { return nil }
    var after: PHObject?
    if found.kind != .deleted {
      after =
        isCollection
        ? try change.collection(id: object.rowID).map { .collection($0, library) }
        : try change.asset(id: object.rowID, limitedToClient: client)
          .map { PHAsset(record: $0, photoLibrary: library) }
    }
    return PHObjectChangeDetails(
      objectBeforeChanges: object, objectAfterChanges: after as? T,
      assetContentChanged: !isCollection && found.kind == .updated && found.isContent)
  }

  private func historyChange(
    of object: PHObject, in change: StoreChange, limitedToClient client: Int64?
  ) throws -> HistoryChange? {
    let uuid = PHObject.uuid(localIdentifier: object.localIdentifier)
    // If the history no longer contains the details, any object may have changed.
    guard let objects = change.objects else { return HistoryChange(uuid: uuid, kind: .updated, isContent: true) }
    let changed =
      object is PHCollection ? objects.collections : try change.assets(objects, limitedToClient: client)
    return changed[object.rowID].flatMap { $0.uuid == uuid ? $0 : nil }
  }

  private func isVisible(
    _ object: PHObject, isCollection: Bool, to access: LibraryAccess, in change: StoreChange
  ) throws -> Bool {
    switch access {
    case .owner, .full: true
    case .limited(let client):
      isCollection
        ? (object as? PHAssetCollection)?.assetCollectionType == .smartAlbum
        : try change.isSelected(object.rowID, for: client)
    case .addOnly, .none: false
    }
  }

  /// Returns the change of a fetch result; `nil` if the result has not changed. Use its
  /// `fetchResultAfterChanges` from then on.
  open func changeDetails<T: PHObject>(for object: PHFetchResult<T>) -> PHFetchResultChangeDetails<T>? {
    let fetched = object.fetched
    guard let (change, library) = changeAndLibrary, let origin = fetched.library, origin.engine === library.engine
    else {
      return nil
    }
    do {
      let query = try origin.restricted(fetched.unrestrictedQuery, to: origin.access())
      guard query == fetched.query else {
        // The client's access has changed since the fetch, so the whole list is replaced.
        let after = try change.fetch(query)
        if after.ids.isEmpty && fetched.ids.isEmpty { return nil }
        return PHFetchResultChangeDetails(
          from: object, to: PHFetchResult<T>(fetched.with(after, query)), difference: nil)
      }
      // The store knows no transient collections, and would count indexes without them.
      let isIncremental = fetched.wantsIncrementalChangeDetails && fetched.transientChildren == nil
      let update = try change.update(
        of: fetched.storedIDs, fetched.query, after: fetched.transaction,
        isIncremental: isIncremental, remember: fetched.remember(unchangedAfter:))
      guard let update else { return nil }
      let after = fetched.with(FetchedIDs(ids: update.after, transaction: update.transaction), query)
      return PHFetchResultChangeDetails(
        from: object, to: PHFetchResult<T>(after), difference: update.difference)
    } catch {
      report(error)
      // If there are no details, the whole list is replaced.
      return PHFetchResultChangeDetails(
        from: object, to: origin.fetch(fetched.unrestrictedQuery), difference: nil)
    }
  }

  /// Writes the reason that details are missing to standard error, once for a change. The
  /// signatures of PhotoKit can't throw it.
  func report(_ error: any Error) {
    let isFirst = hasReported.withLock { hasReported in
      defer { hasReported = true }
      return !hasReported
    }
    guard isFirst else { return }
    StandardError.write("photos: the details of a change could not be read: \(error)\n")
  }
}
