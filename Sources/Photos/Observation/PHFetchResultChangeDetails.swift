import Foundation
internal import LibraryStore

/// The difference between a fetch result and the same fetch after a change, in four steps.
///
///     if details.hasIncrementalChanges {
///       // Remove removedIndexes, insert insertedIndexes, redraw changedIndexes, then do the moves.
///     } else {
///       // Replace all objects by those of fetchResultAfterChanges.
///     }
///
/// Apply the steps in that order, each to the list that the step before produced. Removed indexes
/// refer to the result before the change, inserted ones to the list after the removals, and changed
/// ones to the list after the insertions. Each move refers to the list that the move before it
/// produced.
public final class PHFetchResultChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
  // The properties are immutable, like the results among them.

  public let fetchResultBeforeChanges: PHFetchResult<ObjectType>
  /// The same fetch after the change. It is complete even without incremental details.
  public let fetchResultAfterChanges: PHFetchResult<ObjectType>
  private let difference: ListDifference?

  init(
    from before: PHFetchResult<ObjectType>, to after: PHFetchResult<ObjectType>, difference: ListDifference?
  ) {
    fetchResultBeforeChanges = before
    fetchResultAfterChanges = after
    self.difference = difference
  }

  /// Compares two results of one library. A comparison finds no objects that changed in place: the
  /// caller passes these as `changedObjects`.
  public convenience init(
    from fromResult: PHFetchResult<ObjectType>, to toResult: PHFetchResult<ObjectType>, changedObjects: [ObjectType]
  ) {
    self.init(
      from: fromResult, to: toResult,
      difference: ListDifference(
        from: fromResult.fetched.ids, to: toResult.fetched.ids, changed: Set(changedObjects.map(\.rowID))))
  }

  /// Whether the index sets are known; if not, they are `nil`.
  ///
  /// It is `false` if too much changed, if the fetch did not want details, or if a client's
  /// selection of assets was changed.
  public var hasIncrementalChanges: Bool { difference != nil }

  public var removedIndexes: IndexSet? { difference.map { IndexSet($0.removed) } }
  public var removedObjects: [ObjectType] { difference?.removed.map { fetchResultBeforeChanges.object(at: $0) } ?? [] }

  public var insertedIndexes: IndexSet? { difference.map { IndexSet($0.inserted) } }
  public var insertedObjects: [ObjectType] {
    // The inserted objects do not move afterwards, but moves of others may shift them.
    objects(difference?.inserted ?? [])
  }

  public var changedIndexes: IndexSet? { difference.map { IndexSet($0.changed) } }
  /// The changed objects as they are after the change, in the order of `changedIndexes`.
  public var changedObjects: [ObjectType] { objects(difference?.changed ?? []) }

  public var hasMoves: Bool { !(difference?.moves.isEmpty ?? true) }

  /// Calls the handler with each object's index before its move, and its new index, counted after
  /// the object was taken out.
  public func enumerateMoves(_ handler: @escaping (Int, Int) -> Void) {
    for move in difference?.moves ?? [] { handler(move.from, move.to) }
  }

  /// Returns the objects at these indexes of the list before its moves.
  private func objects(_ places: [Int]) -> [ObjectType] {
    guard let difference, !places.isEmpty else { return [] }
    let final = difference.placesAfterMoves(places)
    return final.map { fetchResultAfterChanges.object(at: $0) }
  }
}
