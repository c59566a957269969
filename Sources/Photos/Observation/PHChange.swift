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
/// It keeps a view of the library as it was after the change, so that its answers are the same whenever they are asked for.
public final class PHChange: NSObject, Sendable {
  private let change: StoreChange
  private let library: PHPhotoLibrary

  init(_ change: StoreChange, library: PHPhotoLibrary) {
    self.change = change
    self.library = library
  }

  /// What happened to an object that was fetched before; `nil` if nothing did.
  public func changeDetails<T: PHObject>(for object: T) -> PHObjectChangeDetails<T>? {
    guard object.rowID != 0, let objects = change.objects else { return nil }
    let isCollection = object is PHCollection
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

  /// What happened to a result; `nil` if nothing did. Keep using its `fetchResultAfterChanges`.
  public func changeDetails<T: PHObject>(for object: PHFetchResult<T>) -> PHFetchResultChangeDetails<T>? {
    let fetched = object.fetched
    guard let origin = fetched.library, origin.engine === library.engine else { return nil }
    do {
      let update = try change.update(
        of: fetched.ids, fetched.query, after: fetched.transaction,
        isIncremental: fetched.wantsIncrementalChangeDetails)
      guard let update else { return nil }
      let after = fetched.with(FetchedIDs(ids: update.after, transaction: change.until))
      return PHFetchResultChangeDetails(
        from: object, to: PHFetchResult<T>(after), difference: update.difference)
    } catch {
      // What can't be told in detail is told as a whole.
      return PHFetchResultChangeDetails(
        from: object, to: origin.fetch(fetched.query), difference: nil)
    }
  }
}
