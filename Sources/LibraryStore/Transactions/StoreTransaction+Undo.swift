import Foundation

/// A transaction to undo, with its inverse.
public struct Reversal: Sendable {
  /// The transaction that is undone. If a change was undone and redone, this is the redo.
  public let number: Int64
  /// The number that the author of the undo sees. For a client with a selection, it is the
  /// position in the client's history.
  public fileprivate(set) var shownNumber: Int64
  /// Whether it is itself an undo, so that undoing it is a redo.
  let isUndo: Bool
  let date: Date
  let inverse: Inverse

  /// Every asset that the undo reads or writes.
  public var assets: Set<Int64> {
    Set(inverse.assets.flatMap(\.ids)).union(inverse.files.map(\.asset)).union(inverse.members.flatMap(\.assets))
  }

  /// The assets that a client has to see to undo the transaction. Frames that only begin or cease
  /// to represent their burst don't count: the client has a representative of its own.
  public var assetsToSee: Set<Int64> { inverse.assetsToSee }

  /// The assets that the undo moves to the trash.
  fileprivate var trashedAssets: [Int64] {
    inverse.assets.filter { $0.values[Inverse.trashedDate].map { $0.before != .null } ?? false }.flatMap(\.ids)
  }

  /// The albums and folders that the undo deletes.
  public var deletedCollections: [(kind: CollectionKind, uuid: String)] {
    inverse.collections.compactMap { change in
      guard change.before == nil, let state = change.after else { return nil }
      return (CollectionKind(rawValue: state.kind) ?? .album, state.uuid)
    }
  }

  /// Whether the undo changes albums or folders.
  public var changesCollections: Bool { !inverse.collections.isEmpty || !inverse.members.isEmpty }
}

/// The reason that a client can't undo a transaction: it does not see all of its assets any more.
public struct UnseenAssets: Error {}

/// The two directions of a history.
public enum UndoDirection: Sendable { case undo, redo }

extension StoreTransaction {
  /// Writes who made the transaction, and how to undo it.
  func recordInverse(transaction: Int64) throws {
    guard let recorder else { return }
    var steps: String?
    if recorder.obstacle == nil {
      let inverse = try recorder.inverse(at: date) { try files(of: $0) }
      if !inverse.isEmpty { steps = String(decoding: try JSONEncoder().encode(inverse), as: UTF8.self) }
      if (steps?.utf8.count ?? 0) > limits.inverseBytes { steps = nil }
      if steps != nil { try keepFormerFiles(inverse.files, transaction) }
    }
    try db.execute(
      "INSERT INTO history_inverse VALUES (?, ?, ?, ?, ?, ?)", transaction, recorder.author.clientIdentifier,
      recorder.reversed?.number, recorder.reversed.map { !$0.isUndo } ?? false, steps, recorder.obstacle?.rawValue)
  }

  private func keepFormerFiles(_ changes: [Inverse.FilesChange], _ transaction: Int64) throws {
    for change in changes {
      let kept = Set(change.before.filter { $0.record(of: change.asset).kind != .original }.map(\.original))
      for original in kept {
        try db.execute("INSERT INTO history_original VALUES (?, ?, ?)", transaction, change.asset, original)
      }
    }
  }

  func files(of asset: Int64) throws -> [FileState] {
    try db.rows(ResourceRecord.selection + " WHERE resource.asset_id = ? ORDER BY resource.type", asset)
      .map { FileState(try ResourceRecord(row: $0)) }
  }

  // MARK: Finding what to undo

  /// Returns what undoing or redoing a transaction takes, or the author's newest one if `number` is
  /// `nil`. The owner may undo every transaction, and a client its own.
  ///
  /// For a client with a selection, numbers are positions in its history. If the client no longer
  /// sees all assets of the transaction, throws `UnseenAssets` before it checks whether the
  /// transaction was undone. Another error would reveal that.
  public func reversal(
    _ direction: UndoDirection, of number: Int64?, by author: TransactionAuthor, limitedTo client: ClientRecord? = nil
  ) throws -> Reversal {
    guard let client else { return try findReversal(direction, of: number, by: author, seenBy: nil) }
    let wanted = try number.map { position in
      guard let found = try LibraryStore.transaction(at: position, of: client, db) else {
        throw UndoFailure(.unknownTransaction, position)
      }
      return found
    }
    func position(_ number: Int64) throws -> Int64? {
      try LibraryStore.position(ofTransaction: number, for: client, db)
    }
    do {
      var found = try findReversal(direction, of: wanted, by: author, seenBy: client)
      guard let position = try position(found.number) else { throw UndoFailure(.unknownTransaction, found.number) }
      found.shownNumber = position
      return found
    } catch var failure as UndoFailure {
      failure.transaction = try failure.transaction.flatMap(position)
      throw failure
    }
  }

  private func findReversal(
    _ direction: UndoDirection, of number: Int64?, by author: TransactionAuthor, seenBy client: ClientRecord?
  ) throws -> Reversal {
    let target: Int64
    if let number {
      target = try self.target(direction, of: number, by: author, seenBy: client)
    } else {
      guard let newest = try newest(direction, by: author, seenBy: client) else {
        throw UndoFailure(direction == .undo ? .nothingToUndo : .nothingToRedo)
      }
      target = newest
    }
    let row = try db.row(
      """
      SELECT date, is_undo, steps, obstacle FROM history_inverse JOIN history_transaction ON id = transaction_id
      WHERE id = ?
      """, target)
    guard let row else { throw UndoFailure(.unknownTransaction, number) }
    guard let steps: String = try row.value("steps") else {
      switch UndoObstacle(rawValue: try row.value("obstacle") ?? 0) {
      case .permanentlyDeleted: throw UndoFailure(.permanentlyDeleted, target)
      case .filesAdded: throw UndoFailure(.filesAdded, target)
      case nil: throw UndoFailure(.detailsRemoved, target)
      }
    }
    guard let inverse = Inverse(steps: steps) else {
      throw StoreError.damagedValue(of: "steps")
    }
    return Reversal(
      number: target, shownNumber: target, isUndo: try row.value("is_undo"), date: try row.date("date"),
      inverse: inverse)
  }

  /// Returns the transaction whose inverse undoes or redoes a given one: the latest of those that
  /// undid and redid it.
  private func target(
    _ direction: UndoDirection, of number: Int64, by author: TransactionAuthor, seenBy viewer: ClientRecord?
  ) throws -> Int64 {
    let known = try db.row("SELECT date, has_details FROM history_transaction WHERE id = ?", number)
    guard let known, try known.finite("date") >= limits.oldest(at: self.date) else {
      throw UndoFailure(.unknownTransaction, number)
    }
    let row = try db.row("SELECT client, is_undo, steps FROM history_inverse WHERE transaction_id = ?", number)
    guard let row else { throw UndoFailure(author == .owner ? .detailsRemoved : .unknownTransaction, number) }
    let isUndo: Bool = try row.value("is_undo")
    let client: String? = try row.value("client")
    if let own = author.clientIdentifier, client != own { throw UndoFailure(.unknownTransaction, number) }
    if let viewer {
      guard try known.value("has_details") else { throw UndoFailure(.detailsRemoved, number) }
      let inverse = Inverse(steps: try row.value("steps"))
      guard try isSeen(number, by: viewer), try inverse?.isSeen(by: viewer, db) ?? true else {
        throw UnseenAssets()
      }
    }
    let head = try LibraryStore.head(of: number, isUndo: isUndo, client: client, db)
    if let own = author.clientIdentifier, head.client != own { throw UndoFailure(.unknownTransaction, number) }
    switch direction {
    case .undo where head.isUndo != isUndo: throw UndoFailure(.alreadyUndone, number)
    case .redo where !head.isUndo: throw UndoFailure(.notUndone, number)
    case .undo, .redo: return head.number
    }
  }

  /// Returns whether a client sees all assets of a transaction.
  private func isSeen(_ number: Int64, by client: ClientRecord) throws -> Bool {
    var statement = BoundSQL("SELECT 1 FROM history_transaction WHERE id = ? AND ", number)
    statement.append(LibraryStore.isSeen("history_transaction.id", by: client, inWhole: true))
    return try !db.rows(statement).isEmpty
  }

  /// Returns the author's newest transaction that is in effect and can be undone or redone. A redo
  /// is not offered after another change.
  private func newest(
    _ direction: UndoDirection, by author: TransactionAuthor, seenBy client: ClientRecord?
  ) throws -> Int64? {
    var found = try newest(direction, by: author, seenBy: client, before: .max)
    // A transaction that can't be undone must not be in the way of those before it.
    while let (number, inverse) = found, let inverse,
      try !inverse.isSeen(by: client, db) || (direction == .undo && isPastUndoing(inverse))
    {
      found = try newest(direction, by: author, seenBy: client, before: number)
    }
    guard direction == .redo else { return found?.number }
    guard let number = found?.number else { return nil }
    let isPast = try db.isTrue(
      "SELECT EXISTS (SELECT 1 FROM history_inverse WHERE transaction_id > ? AND client IS ? AND reverses IS NULL)",
      number, author.clientIdentifier)
    return isPast ? nil : number
  }

  /// Returns the author's newest transaction in effect before another one. The inverse is `nil` if
  /// it can't be decoded; `reversal` reports that damage. A client with a selection gets only what
  /// its history contains.
  private func newest(
    _ direction: UndoDirection, by author: TransactionAuthor, seenBy client: ClientRecord?, before number: Int64
  ) throws -> (number: Int64, inverse: Inverse?)? {
    var statement = BoundSQL(
      """
      SELECT transaction_id, steps FROM history_inverse AS own JOIN history_transaction ON id = transaction_id
      WHERE client IS ? AND is_undo = ? AND steps IS NOT NULL AND date >= ? AND transaction_id < ?
        AND NOT EXISTS (SELECT 1 FROM history_inverse WHERE reverses = own.transaction_id)
      """, author.clientIdentifier, direction == .redo, limits.oldest(at: date), number)
    if let client {
      statement.append(
        """
         AND EXISTS (SELECT 1 FROM client_position
          WHERE client_position.transaction_id = own.transaction_id AND client_id = ?) AND
        """, client.id)
      statement.append(" ")
      statement.append(LibraryStore.isSeen("own.transaction_id", by: client, inWhole: true))
    }
    statement.append(" ORDER BY transaction_id DESC LIMIT 1")
    guard let row = try db.rows(statement).first else { return nil }
    return (try row.value("transaction_id"), Inverse(steps: try row.value("steps")))
  }

  /// Returns whether an undo can never succeed any more, because assets that it restores were
  /// permanently deleted. In albums, an undo leaves such assets out.
  private func isPastUndoing(_ inverse: Inverse) throws -> Bool {
    let restored = Set(inverse.assets.flatMap(\.ids)).union(inverse.files.map(\.asset))
    if !restored.isEmpty || !inverse.collections.isEmpty { return try existing(restored) < restored.count }
    return try existing(Set(inverse.members.flatMap(\.assets))) == 0
  }

  /// Returns the number of those assets that exist, in the trash or not.
  private func existing(_ assets: Set<Int64>) throws -> Int {
    try db.value("SELECT COUNT(*) FROM asset WHERE id IN \(BoundSQL.list)", assets.jsonArray) ?? 0
  }

  /// Returns the identifiers of the assets that an undo moves to the trash.
  public func assetsTrashed(by reversal: Reversal) throws -> [String] {
    try db.values(
      "SELECT uuid FROM asset WHERE id IN \(BoundSQL.list)", reversal.trashedAssets.jsonArray)
  }

  // MARK: Undoing

  /// Restores what was before a transaction. Throws if something that it would restore has been
  /// changed since; the caller's transaction is then rolled back.
  public func apply(_ reversal: Reversal) throws {
    recorder?.reversed = (reversal.number, reversal.isUndo)
    try UndoRun(reversal, in: self).run()
  }
}

extension LibraryStore {
  /// Returns the last transaction of a chain in which each one undid the one before.
  static func head(
    of number: Int64, isUndo: Bool, client: String?, _ db: any Session
  ) throws -> (number: Int64, isUndo: Bool, client: String?) {
    var head = (number: number, isUndo: isUndo, client: client)
    while let row = try db.row(
      "SELECT transaction_id, is_undo, client FROM history_inverse WHERE reverses = ? AND transaction_id > ?",
      head.number, head.number)
    {
      head = (try row.value("transaction_id"), try row.value("is_undo"), try row.value("client"))
    }
    return head
  }

  /// Returns the transaction that undid another one directly; `nil` if there is none.
  public func reverser(of number: Int64) throws -> Int64? {
    try read { try $0.value("SELECT transaction_id FROM history_inverse WHERE reverses = ?", number) }
  }
}
