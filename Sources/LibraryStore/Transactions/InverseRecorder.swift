import Foundation

/// Collects the inverse of a transaction while the transaction writes. Each value is recorded as it
/// was before the first write and after the last one.
final class InverseRecorder {
  let author: TransactionAuthor
  /// The transaction that this one undoes, and whether it had made a change or redone one.
  var reversed: (number: Int64, isUndo: Bool)?
  /// The reason that the transaction can't be undone.
  private(set) var obstacle: UndoObstacle?
  private var insertedAssets: Set<Int64> = []
  private var values = ValueChanges()
  private var files: [Int64: [FileState]] = [:]
  private var collections: [Int64: Inverse.CollectionChange] = [:]
  private var members: [Int64: [Int64: RankChange]] = [:]

  private struct RankChange {
    var before: Int64?
    var after: Int64?
  }

  init(author: TransactionAuthor) { self.author = author }

  func note(_ obstacle: UndoObstacle) { self.obstacle = self.obstacle ?? obstacle }

  // MARK: Assets

  /// Records that an asset is new. Its undo moves the asset to the trash, whatever else the
  /// transaction does with it.
  func noteInserted(_ asset: Int64) { insertedAssets.insert(asset) }

  func hasInserted(_ asset: Int64) -> Bool { insertedAssets.contains(asset) }

  /// Records the same change of several assets.
  func note(_ assets: [Int64], _ changes: [ColumnChange]) {
    guard obstacle == nil else { return }
    var differences: [String: ValueChange] = [:]
    for change in changes {
      guard let before = change.before.map({ Inverse.part($0, of: change.name) }) else { continue }
      let after = Inverse.part(change.after, of: change.name)
      if before != after { differences[change.name] = ValueChange(before: before, after: after) }
    }
    if !differences.isEmpty { values.add(differences, to: assets.filter { !hasInserted($0) }) }
  }

  /// Records the files of an asset before they change for the first time.
  func noteFiles(of asset: Int64, before resources: [ResourceRecord]) {
    guard obstacle == nil, !hasInserted(asset), files[asset] == nil else { return }
    files[asset] = resources.map(FileState.init)
  }

  // MARK: Collections

  func noteCollection(_ id: Int64, from before: CollectionRecord?, to after: CollectionRecord?) {
    guard obstacle == nil else { return }
    let first = collections[id].map(\.before) ?? before.map(CollectionState.init)
    collections[id] = Inverse.CollectionChange(id: id, before: first, after: after.map(CollectionState.init))
  }

  func noteMember(_ asset: Int64, of album: Int64, from before: Int64?, to after: Int64?) {
    guard obstacle == nil else { return }
    let first = members[album]?[asset].map(\.before) ?? before
    members[album, default: [:]][asset] = RankChange(before: first, after: after)
  }

  // MARK: The result

  /// Returns the inverse of a transaction at `date`; `filesOf` reads an asset's files as they are
  /// now.
  func inverse(at date: Date, filesOf: (Int64) throws -> [FileState]) rethrows -> Inverse {
    var inverse = Inverse()
    inverse.assets = values.all
    if !insertedAssets.isEmpty {
      let trashed = ValueChange(before: date.timeIntervalSince1970.value, after: .null)
      inverse.assets.append(
        Inverse.AssetsChange(values: [Inverse.trashedDate: trashed], ids: insertedAssets.sorted()))
    }
    inverse.files = try files.sorted { $0.key < $1.key }.compactMap { asset, before in
      let after = try filesOf(asset)
      return Set(before) == Set(after) ? nil : Inverse.FilesChange(asset: asset, before: before, after: after)
    }
    inverse.collections = collections.values.filter { $0.before != $0.after }.sorted { $0.id < $1.id }
    inverse.members = members.sorted { $0.key < $1.key }.compactMap { album, changes in
      let changes = changes.filter { $0.value.before != $0.value.after }.sorted { $0.key < $1.key }
      guard !changes.isEmpty else { return nil }
      func list(_ ranks: [Int64?]) -> [Int64?]? { ranks.allSatisfy { $0 == nil } ? nil : ranks }
      return Inverse.MembersChange(
        album: album, assets: changes.map(\.key), before: list(changes.map(\.value.before)),
        after: list(changes.map(\.value.after)))
    }
    return inverse
  }
}

/// The reason that a transaction can't be undone. The raw values are stored in the database.
enum UndoObstacle: Int {
  /// Something was deleted with its files.
  case permanentlyDeleted = 1
  /// Files were added to an asset that existed.
  case filesAdded
}

/// The combined changes of assets. Equal ones are stored once, since a transaction may change many
/// assets alike.
private struct ValueChanges {
  /// The distinct changes. The first one is empty.
  private var distinct: [[String: ValueChange]] = [[:]]
  private var indexes: [[String: ValueChange]: Int] = [[:]: 0]
  /// The index of each asset's change.
  private var ofAssets: [Int64: Int] = [:]

  /// Adds a later change to what is known of these assets.
  mutating func add(_ later: [String: ValueChange], to assets: [Int64]) {
    var combined: [Int: Int] = [:]
    for asset in assets {
      let before = ofAssets[asset] ?? 0
      let after = combined[before] ?? index(of: Self.combine(distinct[before], later))
      combined[before] = after
      ofAssets[asset] = after
    }
  }

  private static func combine(_ change: [String: ValueChange], _ later: [String: ValueChange]) -> [String: ValueChange]
  {
    var combined = change
    for (column, value) in later {
      let first = change[column]?.before ?? value.before
      combined[column] = first == value.after ? nil : ValueChange(before: first, after: value.after)
    }
    return combined
  }

  private mutating func index(of change: [String: ValueChange]) -> Int {
    if let known = indexes[change] { return known }
    distinct.append(change)
    indexes[change] = distinct.count - 1
    return distinct.count - 1
  }

  /// The changes with their assets, in the order of the first asset of each.
  var all: [Inverse.AssetsChange] {
    var assets: [[Int64]] = distinct.map { _ in [] }
    for (asset, index) in ofAssets where index != 0 { assets[index].append(asset) }
    return zip(distinct, assets).filter { !$1.isEmpty }.map { Inverse.AssetsChange(values: $0, ids: $1.sorted()) }
      .sorted { ($0.ids.first ?? 0) < ($1.ids.first ?? 0) }
  }
}
