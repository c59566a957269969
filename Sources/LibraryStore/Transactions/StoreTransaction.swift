import Foundation

/// The writes of one transaction, valid only inside the body to which it is passed. It also writes
/// the history.
///
/// Assets, collections and clients each have their own file.
public final class StoreTransaction {
  let db: any Session
  public let date: Date
  let trustsClock: Bool
  private var changes: [HistoryKey: HistoryChange] = [:]
  /// Files in the library that no row refers to any more. They are removed after the transaction.
  private(set) var abandonedFiles: [JournalNote.File] = []
  /// Originals that lost a resource.
  private var releasedOriginals: [(id: Int64, file: JournalNote.File)] = []
  /// The UUIDs of assets that show something else now.
  private(set) var changedAssets: [String] = []
  private(set) var goneAssets: [String] = []

  init(db: any Session, date: Date, trustsClock: Bool) {
    self.db = db
    self.date = date
    self.trustsClock = trustsClock
  }

  /// Records a change of an object for the history. An object that is inserted and deleted again
  /// leaves no record.
  func note(_ kind: HistoryChange.Kind, _ type: HistoryObjectType, id: Int64, uuid: String, isContent: Bool = false) {
    let key = HistoryKey(type: type, id: id)
    let change = HistoryChange(uuid: uuid, kind: kind, isContent: isContent)
    changes[key] = changes[key].map { $0.followed(by: change) } ?? change
  }

  /// Records that a resource was removed. At the end of the transaction its file is removed if no
  /// row refers to it; a later request may add one.
  func release(_ resource: ResourceRecord) {
    releasedOriginals.append((resource.originalID, JournalNote.File(path: resource.path, sha256: resource.sha256)))
  }

  /// Deletes the rows of originals without a resource.
  func dropUnusedOriginals() throws {
    for original in releasedOriginals {
      let dropped = try db.execute(
        """
        DELETE FROM original WHERE id = ?
        AND NOT EXISTS (SELECT 1 FROM resource WHERE resource.original_id = original.id)
        """, original.id)
      if dropped > 0 { abandonedFiles.append(original.file) }
    }
    releasedOriginals = []
  }

  func noteStaleRenditions(of uuid: String) { changedAssets.append(uuid) }
  func noteGone(_ uuid: String) { goneAssets.append(uuid) }

  /// Writes the history and returns its number, or `nil` if nothing was changed.
  func finish() throws -> Int64? {
    guard !changes.isEmpty else { return nil }
    let id = try db.insert([("date", date.timeIntervalSince1970)], into: "history_transaction")
    for (key, change) in changes.sorted(by: { $0.key < $1.key }) {
      try db.execute(
        "INSERT INTO history_change VALUES (?, ?, ?, ?, ?, ?)", id, key.type.rawValue, key.id, change.uuid,
        change.kind.rawValue, change.isContent)
    }
    try recordForClients(transaction: id, changes.keys)
    return id
  }
}
