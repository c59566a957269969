import Foundation

/// The writes of one transaction, valid only inside the body to which it is passed. It also writes
/// the history.
///
/// Assets, collections and clients each have their own file.
public final class StoreTransaction {
  let db: any Session
  public let date: Date
  let trustsClock: Bool
  let limits: HistoryLimits
  /// Collects how to undo the transaction; `nil` if the library itself makes it.
  private(set) var recorder: InverseRecorder?
  private var changes: [HistoryKey: HistoryChange] = [:]
  /// The assets that are changed only because they represent their burst now, or no longer.
  private var representatives: Set<Int64> = []
  private var isChoosingRepresentative = false
  /// Files in the library that no row refers to any more. They are removed after the transaction.
  private(set) var abandonedFiles: [JournalNote.File] = []
  /// Originals that lost a resource.
  private var releasedOriginals: [(id: Int64, file: JournalNote.File)] = []
  /// The UUIDs of assets that show something else now.
  private(set) var changedAssets: [String] = []
  private(set) var goneAssets: [String] = []
  private(set) var assetsWithChangedEdits: Set<Int64> = []

  init(db: any Session, date: Date, trustsClock: Bool, limits: HistoryLimits) {
    self.db = db
    self.date = date
    self.trustsClock = trustsClock
    self.limits = limits
  }

  /// Makes what follows undoable, on behalf of `author`.
  func record(for author: TransactionAuthor) { recorder = InverseRecorder(author: author) }

  /// Records a change of an object for the history. An object that is inserted and deleted again
  /// leaves no record.
  func note(_ kind: HistoryChange.Kind, _ type: HistoryObjectType, id: Int64, uuid: String, isContent: Bool = false) {
    let key = HistoryKey(type: type, id: id)
    if type == .asset {
      if isChoosingRepresentative, changes[key] == nil {
        representatives.insert(id)
      } else if !isChoosingRepresentative, !representatives.isEmpty {
        representatives.remove(id)
      }
    }
    let change = HistoryChange(uuid: uuid, kind: kind, isContent: isContent)
    changes[key] = changes[key].map { $0.followed(by: change) } ?? change
  }

  /// Runs changes that only choose the frame that represents a burst.
  func choosingRepresentative(_ change: () throws -> Void) rethrows {
    isChoosingRepresentative = true
    defer { isChoosingRepresentative = false }
    try change()
  }

  /// Records that a resource was removed. At the end of the transaction its file is removed if no
  /// row refers to it; a later request may add one.
  func release(_ resource: ResourceRecord) {
    releasedOriginals.append((resource.originalID, JournalNote.File(path: resource.path, sha256: resource.sha256)))
  }

  /// Like `release`, for the files of former edits that an undo would have brought back.
  func releaseFormerFiles(where clause: String, _ argument: some Storable) throws {
    let rows = try db.rows(
      "SELECT DISTINCT original.id, path, sha256 FROM history_original JOIN original ON original.id = original_id WHERE "
        + clause, argument)
    releasedOriginals += try rows.map {
      (try $0.value("id"), JournalNote.File(path: try $0.value("path"), sha256: try $0.value("sha256")))
    }
    if !rows.isEmpty { try db.execute("DELETE FROM history_original WHERE " + clause, argument) }
  }

  /// Deletes the rows of originals that neither a resource nor an undo needs.
  func dropUnusedOriginals() throws {
    for original in releasedOriginals {
      let dropped = try db.execute(
        """
        DELETE FROM original WHERE id = ?
        AND NOT EXISTS (SELECT 1 FROM resource WHERE resource.original_id = original.id)
        AND NOT EXISTS (SELECT 1 FROM history_original WHERE history_original.original_id = original.id)
        """, original.id)
      if dropped > 0 { abandonedFiles.append(original.file) }
    }
    releasedOriginals = []
  }

  func noteStaleRenditions(of uuid: String) { changedAssets.append(uuid) }
  func noteGone(_ uuid: String) { goneAssets.append(uuid) }
  func noteChangedEdit(of asset: Int64) { assetsWithChangedEdits.insert(asset) }

  /// Returns the number that the transaction will have; `nil` if nothing has been changed so far.
  public func number() throws -> Int64? { changes.isEmpty ? nil : try LibraryStore.latestTransaction(db) + 1 }

  /// Writes the history and returns its number, or `nil` if nothing was changed.
  func finish() throws -> Int64? {
    guard !changes.isEmpty else { return nil }
    let id = try db.insert([("date", date.timeIntervalSince1970.value)], into: "history_transaction")
    try recordChanges(transaction: id)
    // For a client with a selection, one of the selected frames represents a burst. Another frame
    // that represents it for the owner is no change for the client.
    try recordForClients(
      transaction: id, changes.keys.filter { $0.type != .asset || !representatives.contains($0.id) })
    try recordInverse(transaction: id)
    return id
  }

  /// Writes what happened to each object, with one statement for all objects to which the same
  /// happened.
  private func recordChanges(transaction: Int64) throws {
    let groups = Dictionary(grouping: changes.sorted { $0.key < $1.key }) { key, change in
      HistoryGroup(type: key.type, kind: change.kind, isContent: change.isContent)
    }
    for (group, objects) in groups {
      try db.execute(
        "INSERT INTO history_change SELECT ?, ?, value, key, ?, ? FROM json_each(?)", transaction,
        group.type.rawValue, group.kind.rawValue, group.isContent,
        try JSONArgument.object(objects.map { ($0.value.uuid, $0.key.id) }))
    }
  }

  private struct HistoryGroup: Hashable {
    var type: HistoryObjectType
    var kind: HistoryChange.Kind
    var isContent: Bool
  }
}
