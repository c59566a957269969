import Foundation
internal import LibraryStore

/// A change of a library. An observer asks it about the objects and fetch results that it shows.
///
///     func photoLibraryDidChange(_ change: PHChange) {
///       guard let details = change.changeDetails(for: result) else { return }
///       result = details.fetchResultAfterChanges
///       …
///     }
///
/// The details come from a snapshot of the library after the change, so they are consistent with
/// each other. Read them promptly: after a minute, or after many later changes, the snapshot is
/// released. Details are then those of the present and not incremental. Don't read them from a
/// change that you kept once you have read those of a later change.
open class PHChange: NSObject, @unchecked Sendable {
  // The properties are immutable. Subclasses in tests guard their own state.

  /// The change and its library; `nil` for a subclass in a test.
  private let changeAndLibrary: (change: StoreChange, library: PHPhotoLibrary)?

  /// Makes an empty change, for subclasses in tests.
  public override init() { changeAndLibrary = nil }

  init(_ change: StoreChange, library: PHPhotoLibrary) {
    changeAndLibrary = (change, library)
  }

  /// Returns the change of an object that was fetched before; `nil` if the object has not changed.
  open func changeDetails<T: PHObject>(for object: T) -> PHObjectChangeDetails<T>? {
    guard let (change, library) = changeAndLibrary, object.rowID != 0, object.isOf(library),
      let objects = change.objects,
      let access = try? library.access()
    else { return nil }
    let isCollection = object is PHCollection
    guard isVisible(object, isCollection, access, in: change) else {
      // An asset that the owner removed from the client's selection is reported as deleted. Changes
      // of other assets outside the selection are not reported.
      guard case .limited(let client) = access, objects.clients.contains(client.id) else { return nil }
      return PHObjectChangeDetails(
        objectBeforeChanges: object, objectAfterChanges: nil, assetContentChanged: false)
    }
    let client = access.selection?.id
    let changed = isCollection ? objects.collections : (try? change.assets(objects, limitedToClient: client)) ?? [:]
    guard let found = changed[object.rowID], PHObject.uuid(localIdentifier: object.localIdentifier) == found.uuid
    else { return nil }
    var after: PHObject?
    if found.kind != .deleted {
      after =
        isCollection
        ? (try? change.collection(id: object.rowID)).flatMap { $0 }.map { .collection($0, library) }
        : (try? change.asset(id: object.rowID, limitedToClient: client)).flatMap { $0 }
          .map { PHAsset(record: $0, photoLibrary: library) }
    }
    return PHObjectChangeDetails(
      objectBeforeChanges: object, objectAfterChanges: after as? T,
      assetContentChanged: !isCollection && found.kind == .updated && found.isContent)
  }

  private func isVisible(
    _ object: PHObject, _ isCollection: Bool, _ access: LibraryAccess, in change: StoreChange
  ) -> Bool {
    switch access {
    case .owner, .full: true
    case .limited(let client):
      isCollection
        ? (object as? PHAssetCollection)?.assetCollectionType == .smartAlbum
        : (try? change.isSelected(object.rowID, for: client)) == true
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
      let query = fetched.unrestrictedQuery.restricted(to: try origin.access())
      guard query == fetched.query else {
        // The client's access has changed since the fetch, so the whole list is replaced.
        let after = FetchedIDs(ids: try change.ids(query), transaction: change.until)
        if after.ids.isEmpty && fetched.ids.isEmpty { return nil }
        return PHFetchResultChangeDetails(
          from: object, to: PHFetchResult<T>(fetched.with(after, query)), difference: nil)
      }
      let update = try change.update(
        of: fetched.ids, fetched.query, after: fetched.transaction,
        isIncremental: fetched.wantsIncrementalChangeDetails)
      guard let update else { return nil }
      let after = fetched.with(FetchedIDs(ids: update.after, transaction: change.until), query)
      return PHFetchResultChangeDetails(
        from: object, to: PHFetchResult<T>(after), difference: update.difference)
    } catch {
      // If there are no details, the whole list is replaced.
      return PHFetchResultChangeDetails(
        from: object, to: origin.fetch(fetched.unrestrictedQuery), difference: nil)
    }
  }
}
