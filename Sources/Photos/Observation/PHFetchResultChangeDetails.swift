import Foundation
internal import LibraryStore

/// What a change did to a fetch result: from the old list to the new one in four steps.
///
///     if details.hasIncrementalChanges {
///       // Take out removedIndexes, put in insertedIndexes, draw changedIndexes again, then do the moves.
///     } else {
///       // Show fetchResultAfterChanges anew.
///     }
///
/// The steps are applied in that order, each to what the one before left: removed indexes count in the result before, inserted ones
/// after the removals, changed ones after the insertions, and each move in the list that the move before left.
public final class PHFetchResultChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
  // Immutable, as the results that it holds.

  public let fetchResultBeforeChanges: PHFetchResult<ObjectType>
  /// The same fetch after the change; as good without incremental details.
  public let fetchResultAfterChanges: PHFetchResult<ObjectType>
  private let difference: ListDifference?

  init(
    from before: PHFetchResult<ObjectType>, to after: PHFetchResult<ObjectType>, difference: ListDifference?
  ) {
    fetchResultBeforeChanges = before
    fetchResultAfterChanges = after
    self.difference = difference
  }

  /// Compares two results of one library; what changed besides its place is only known from the caller.
  public convenience init(
    from fromResult: PHFetchResult<ObjectType>, to toResult: PHFetchResult<ObjectType>, changedObjects: [ObjectType]
  ) {
    self.init(
      from: fromResult, to: toResult,
      difference: ListDifference(
        from: fromResult.fetched.ids, to: toResult.fetched.ids, changed: Set(changedObjects.map(\.rowID))))
  }

  /// `false` where too much changed, where the fetch did not want details, or where a client's selection of assets was changed: then the
  /// index sets are `nil`.
  public var hasIncrementalChanges: Bool { difference != nil }

  public var removedIndexes: IndexSet? { difference.map { IndexSet($0.removed) } }
  public var removedObjects: [ObjectType] { difference?.removed.map { fetchResultBeforeChanges.object(at: $0) } ?? [] }

  public var insertedIndexes: IndexSet? { difference.map { IndexSet($0.inserted) } }
  public var insertedObjects: [ObjectType] {
    // What is inserted does not move afterwards, but other moves may shift it.
    objects(difference?.inserted ?? [])
  }

  public var changedIndexes: IndexSet? { difference.map { IndexSet($0.changed) } }
  /// In the order of `changedIndexes`, as they are after the change.
  public var changedObjects: [ObjectType] { objects(difference?.changed ?? []) }

  public var hasMoves: Bool { !(difference?.moves.isEmpty ?? true) }

  /// Calls the handler with the place of an object and its new one, counted after it was taken out.
  public func enumerateMoves(_ handler: @escaping (Int, Int) -> Void) {
    for move in difference?.moves ?? [] { handler(move.from, move.to) }
  }

  /// The objects at these places of the list before its moves.
  private func objects(_ places: [Int]) -> [ObjectType] {
    guard let difference, !places.isEmpty else { return [] }
    let final = difference.placesAfterMoves(places)
    return final.map { fetchResultAfterChanges.object(at: $0) }
  }
}
