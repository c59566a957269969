import Foundation

/// One thing that a transaction did, and to how many assets or collections.
public struct TransactionAction: Hashable, Sendable {
  /// The order of the cases is that in which a transaction tells them.
  public enum Kind: String, CaseIterable, Sendable {
    case imported, deleted, restored, favorited, unfavorited, hidden, unhidden, edited, reverted, dateChanged,
      placeChanged, described, changed
    case albumMade, folderMade, albumRestored, folderRestored, albumDeleted, folderDeleted, renamed, moved, reordered,
      addedToAlbum, removedFromAlbum, photosReordered, coverChanged

    /// Whether an album or a folder is told.
    var isOfCollections: Bool {
      switch self {
      case .imported, .deleted, .restored, .favorited, .unfavorited, .hidden, .unhidden, .edited, .reverted,
        .dateChanged, .placeChanged, .described, .changed:
        false
      case .albumMade, .folderMade, .albumRestored, .folderRestored, .albumDeleted, .folderDeleted, .renamed, .moved,
        .reordered, .addedToAlbum, .removedFromAlbum, .photosReordered, .coverChanged:
        true
      }
    }
  }

  public var kind: Kind
  /// The number of assets, or of collections if the kind is one of collections. Of albums that
  /// assets were added to or removed from, it is that of the assets.
  public var count: Int
  /// The title of the collection; `nil` if it has none, or if there are several.
  public var name: String?
  /// The title before a renaming.
  public var former: String?
}

/// Tells what a transaction did from its inverse.
struct ActionTeller {
  var inverse: Inverse
  /// The date of the transaction as it is stored.
  var date: Double
  /// Whether the transaction undid another one.
  var isReversal: Bool
  /// Whether albums and folders are told.
  var tellsCollections: Bool
  /// Returns whether an asset may be counted; `nil` if all may.
  var isSeen: ((Int64) -> Bool)?
  /// The titles of albums whose assets changed.
  var titles: [Int64: String] = [:]

  /// The largest number of collections that are told one by one.
  private static let namedCollections = 3

  var actions: [TransactionAction] {
    let actions = ofAssets + (tellsCollections ? ofCollections + ofMembers : [])
    let order = Dictionary(uniqueKeysWithValues: zip(TransactionAction.Kind.allCases, 0...))
    return actions.enumerated().sorted { one, other in
      (order[one.element.kind, default: 0], one.offset) < (order[other.element.kind, default: 0], other.offset)
    }.map(\.element)
  }

  private func seen(_ assets: some Collection<Int64>) -> Int {
    isSeen.map { assets.count(where: $0) } ?? assets.count
  }

  // MARK: Assets

  private var ofAssets: [TransactionAction] {
    var counts: [TransactionAction.Kind: Int] = [:]
    let withFiles = Set(inverse.files.map(\.asset))
    for change in inverse.assets where !change.isOfRepresentative {
      for kind in kinds(of: change.values) {
        // An edit also changes facts of the asset.
        let ids = kind == .changed ? change.ids.filter { !withFiles.contains($0) } : change.ids
        counts[kind, default: 0] += seen(ids)
      }
    }
    for change in inverse.files { counts[kind(of: change), default: 0] += seen([change.asset]) }
    return counts.filter { $0.value > 0 }.map { TransactionAction(kind: $0.key, count: $0.value) }
  }

  private func kinds(of values: [String: ValueChange]) -> Set<TransactionAction.Kind> {
    var kinds = Set(values.compactMap { kind(of: $0.key, $0.value) })
    // Another frame represents the burst of a deleted one.
    if !kinds.isDisjoint(with: [.deleted, .restored]) { kinds.remove(.changed) }
    return kinds
  }

  private func kind(of column: String, _ change: ValueChange) -> TransactionAction.Kind? {
    switch column {
    case Inverse.trashedDate where change.before == .null: .deleted
    case Inverse.trashedDate where change.after != .null: nil
    // The inverse of an import moves the assets to the trash at the date of the import.
    case Inverse.trashedDate: !isReversal && change.before == .real(date) ? .imported : .restored
    case "is_favorite": change.after == .integer(0) ? .unfavorited : .favorited
    case "is_hidden": change.after == .integer(0) ? .unhidden : .hidden
    case "traits" where isOfDate(change): .dateChanged
    case "creation_date", "time_zone_offset", "date_source", "time_zone_source": .dateChanged
    case "latitude", "longitude", "altitude": .placeChanged
    case "title", "caption", "keywords": .described
    default: .changed
    }
  }

  /// Whether a change of the traits is one of the date's precision alone.
  private func isOfDate(_ change: ValueChange) -> Bool {
    guard case .integer(let before) = change.before, case .integer(let after) = change.after else { return false }
    return AssetTraits(rawValue: before ^ after).isSubset(of: .ofDate)
  }

  private func kind(of change: Inverse.FilesChange) -> TransactionAction.Kind {
    func isEdited(_ files: [FileState]) -> Bool { files.contains { $0.record(of: change.asset).kind != .original } }
    return isEdited(change.after) ? .edited : isEdited(change.before) ? .reverted : .changed
  }

  /// The assets that were moved to the trash, or out of it.
  private func trashed(_ isIn: Bool) -> Set<Int64> {
    let changes = inverse.assets.filter { change in
      change.values[Inverse.trashedDate].map { (isIn ? $0.before : $0.after) == .null } ?? false
    }
    return Set(changes.flatMap(\.ids))
  }

  // MARK: Albums and folders

  private var made: Set<Int64> { Set(inverse.collections.filter { $0.before == nil }.map(\.id)) }
  private var deleted: Set<Int64> { Set(inverse.collections.filter { $0.after == nil }.map(\.id)) }

  private var ofCollections: [TransactionAction] {
    let (made, deleted) = (made, deleted)
    var actions: [TransactionAction] = []
    func tell(_ kind: TransactionAction.Kind, _ state: CollectionState, former: String? = nil) {
      actions.append(TransactionAction(kind: kind, count: 1, name: Self.name(state.title), former: former))
    }
    for change in inverse.collections {
      switch (change.before, change.after) {
      case (nil, let after?):
        let isFolder = after.kind == CollectionKind.folder.rawValue
        guard isReversal else {
          tell(isFolder ? .folderMade : .albumMade, after)
          continue
        }
        // A folder comes back with all that was in it.
        if !after.isIn(made) { tell(isFolder ? .folderRestored : .albumRestored, after) }
      case (let before?, nil):
        // A folder is deleted with all that is in it.
        if !before.isIn(deleted) {
          tell(before.kind == CollectionKind.folder.rawValue ? .folderDeleted : .albumDeleted, before)
        }
      case (let before?, let after?):
        if before.title != after.title { tell(.renamed, after, former: Self.name(before.title)) }
        if before.parent != after.parent { tell(.moved, after) }
        if before.keyAsset != after.keyAsset, !isCoverRemoved(change) { tell(.coverChanged, after) }
      case (nil, nil): continue
      }
    }
    return Self.gathered(actions + moves) { $0.reduce(0) { $0 + $1.count } }
  }

  /// Whether the cover changed only since the photo is not in the album any more.
  private func isCoverRemoved(_ change: Inverse.CollectionChange) -> Bool {
    guard let cover = change.before?.keyAsset, change.after?.keyAsset == nil else { return false }
    let members = inverse.members.first { $0.album == change.id }
    return members?.places.contains { $0.asset == cover && $0.after == nil } ?? false
  }

  /// The collections that were moved in their folders. Others have new ranks since one before them
  /// was moved, inserted or removed.
  private var moves: [TransactionAction] {
    let kept = inverse.collections.compactMap { change -> (before: CollectionState, after: CollectionState)? in
      guard let before = change.before, let after = change.after else { return nil }
      return before.parent == after.parent && before.rank != after.rank ? (before, after) : nil
    }
    return Dictionary(grouping: kept, by: \.after.parent).sorted { ($0.key ?? 0) < ($1.key ?? 0) }
      .compactMap { _, siblings -> TransactionAction? in
        let sorted = siblings.sorted { $0.before.rank < $1.before.rank }
        guard zip(sorted, sorted.dropFirst()).contains(where: { $0.after.rank > $1.after.rank }) else { return nil }
        // One that passes several others moves farther than they do.
        let steps = sorted.map { abs($0.after.rank - $0.before.rank) }
        if sorted.count > 2, let place = steps.firstIndex(of: sorted.count - 1),
          steps.enumerated().allSatisfy({ $0.offset == place || $0.element == 1 })
        {
          return TransactionAction(kind: .moved, count: 1, name: Self.name(sorted[place].after.title))
        }
        return TransactionAction(kind: .reordered, count: sorted.count)
      }
  }

  // MARK: Assets of albums

  private var ofMembers: [TransactionAction] {
    // The photos of a deleted album, or of one that came back, are told by its name.
    let known = deleted.union(isReversal ? made : [])
    let (trashed, restored) = (trashed(true), isReversal ? trashed(false) : [])
    var added = Set<Int64>()
    var removed = Set<Int64>()
    var actions: [TransactionAction] = []
    for change in inverse.members where !known.contains(change.album) {
      let places = change.places.filter { isSeen?($0.asset) ?? true }
      let came = places.filter { $0.before == nil && !restored.contains($0.asset) }.map(\.asset)
      let left = places.filter { $0.after == nil && !trashed.contains($0.asset) }.map(\.asset)
      added.formUnion(came)
      removed.formUnion(left)
      let name = titles[change.album].flatMap(Self.name)
      if !came.isEmpty { actions.append(TransactionAction(kind: .addedToAlbum, count: came.count, name: name)) }
      if !left.isEmpty { actions.append(TransactionAction(kind: .removedFromAlbum, count: left.count, name: name)) }
      if Self.isReordered(places) { actions.append(TransactionAction(kind: .photosReordered, count: 1, name: name)) }
    }
    return Self.gathered(actions) { actions in
      switch actions.first?.kind {
      case .addedToAlbum: added.count
      case .removedFromAlbum: removed.count
      default: actions.count
      }
    }
  }

  /// Returns whether assets were moved in an album. If others came or left, ranks may have been
  /// written anew without that.
  private static func isReordered(_ places: [Inverse.MembersChange.Place]) -> Bool {
    let kept = places.compactMap { place in place.before.flatMap { before in place.after.map { (before, $0) } } }
    guard kept.count == places.count else {
      let after = kept.sorted { $0.0 < $1.0 }.map(\.1)
      return zip(after, after.dropFirst()).contains { $0 > $1 }
    }
    return !kept.isEmpty
  }

  // MARK: Words

  private static func name(_ title: String) -> String? { title.isEmpty ? nil : title }

  /// Returns the actions, in which those of one kind are told as one if they are many.
  private static func gathered(
    _ actions: [TransactionAction], count: ([TransactionAction]) -> Int
  ) -> [TransactionAction] {
    Dictionary(grouping: actions, by: \.kind).flatMap { kind, actions in
      actions.count <= namedCollections ? actions : [TransactionAction(kind: kind, count: count(actions))]
    }
  }
}

extension Inverse.MembersChange {
  fileprivate struct Place {
    var asset: Int64
    var before: Int64?
    var after: Int64?
  }

  fileprivate var places: [Place] {
    assets.indices.map { Place(asset: assets[$0], before: Self.rank($0, before), after: Self.rank($0, after)) }
  }

  /// Damaged lists may be shorter than that of the assets.
  private static func rank(_ index: Int, _ ranks: [Int64?]?) -> Int64? {
    guard let ranks, ranks.indices.contains(index) else { return nil }
    return ranks[index]
  }
}

extension CollectionState {
  fileprivate func isIn(_ folders: Set<Int64>) -> Bool { parent.map(folders.contains) ?? false }
}

extension LibraryStore {
  /// The size of the steps, in characters, of the largest transaction whose actions are told.
  static let toldSteps = 1 << 20

  /// Returns what a transaction did, as far as a reader of the history may know it.
  static func actions(
    ofTransaction id: Int64, at date: Double, isReversal: Bool, _ query: TransactionQuery, _ db: any Session
  ) throws -> [TransactionAction] {
    let steps: String? = try db.value(
      "SELECT steps FROM history_inverse WHERE transaction_id = ? AND LENGTH(steps) <= ?", id, toldSteps)
    guard let inverse = Inverse(steps: steps) else { return [] }
    var teller = ActionTeller(
      inverse: inverse, date: date, isReversal: isReversal, tellsCollections: query.selection == nil)
    teller.isSeen = try isSeen(inverse, query, db)
    if teller.tellsCollections, !inverse.members.isEmpty {
      for row in try db.rows(
        "SELECT id, title FROM collection WHERE id IN \(BoundSQL.list)", inverse.members.map(\.album).jsonArray)
      {
        teller.titles[try row.value("id")] = try row.value("title")
      }
    }
    return teller.actions
  }

  private static func isSeen(
    _ inverse: Inverse, _ query: TransactionQuery, _ db: any Session
  ) throws -> ((Int64) -> Bool)? {
    guard query.selection != nil || query.concealsHidden else { return nil }
    let assets = inverse.assetsToSee
    let selected = try query.selection.map { try Self.selected(among: assets, for: $0, db) }
    let hidden = try query.concealsHidden ? Self.hidden(among: assets, db) : []
    return { selected?.contains($0) != false && !hidden.contains($0) }
  }
}
