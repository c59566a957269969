import Foundation
internal import LibraryStore

/// What happened to a library: asked by an observer for the objects and results that it shows.
///
///     func photoLibraryDidChange(_ change: PHChange) {
///       guard let details = change.changeDetails(for: result) else { return }
///       result = details.fetchResultAfterChanges
///       …
///     }
///
/// It has a view of the library as it was after the change, so that its answers fit together. Ask it soon: the view of one that is kept for
/// a minute, or while many more follow, is given up, and its details are then those of the present, and not incremental: ask kept changes no more once a later one was asked.
open class PHChange: NSObject, @unchecked Sendable {
  // Immutable; subclasses in tests guard their own state.

  /// `nil` for a subclass in a test.
  private let happened: (change: StoreChange, library: PHPhotoLibrary)?

  /// Makes an empty change, for subclasses in tests.
  public override init() { happened = nil }

  init(_ change: StoreChange, library: PHPhotoLibrary) {
    happened = (change, library)
  }

  /// What happened to an object that was fetched before; `nil` if nothing did.
  open func changeDetails<T: PHObject>(for object: T) -> PHObjectChangeDetails<T>? {
    guard let (change, library) = happened, object.rowID != 0, object.isOf(library), let objects = change.objects,
      let access = try? library.access()
    else { return nil }
    let isCollection = object is PHCollection
    guard isVisible(object, isCollection, access, in: change) else {
      // What the owner took out of the client's selection is gone for it; what happens to the rest it is not told.
      guard case .limited(let client) = access, objects.clients.contains(client.id) else { return nil }
      return PHObjectChangeDetails(
        objectBeforeChanges: object, objectAfterChanges: nil, assetContentChanged: false)
    }
    guard let found = (isCollection ? objects.collections : objects.assets)[object.rowID],
      PHObject.uuid(localIdentifier: object.localIdentifier) == found.uuid
    else { return nil }
    var after: PHObject?
    if found.kind != .deleted {
      after =
        isCollection
        ? (try? change.collection(id: object.rowID)).flatMap { $0 }.map { .collection($0, library) }
        : (try? change.asset(id: object.rowID)).flatMap { $0 }.map { PHAsset(record: $0, photoLibrary: library) }
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

  /// What happened to a result; `nil` if nothing did. Keep using its `fetchResultAfterChanges`.
  open func changeDetails<T: PHObject>(for object: PHFetchResult<T>) -> PHFetchResultChangeDetails<T>? {
    let fetched = object.fetched
    guard let (change, library) = happened, let origin = fetched.library, origin.engine === library.engine else {
      return nil
    }
    do {
      let query = fetched.asked.restricted(to: try origin.access())
      guard query == fetched.query else {
        // The client's access is not what it was when the objects were fetched: they are told anew.
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
      // What can't be told in detail is told as a whole.
      return PHFetchResultChangeDetails(
        from: object, to: origin.fetch(fetched.asked), difference: nil)
    }
  }
}
