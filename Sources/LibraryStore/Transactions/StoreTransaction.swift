import Foundation
internal import GRDB

/// The writes of one transaction, valid inside the body that it was handed to; it writes the history by itself.
///
/// Assets, collections and clients each have their own file.
public final class StoreTransaction {
  let db: Database
  public let date: Date
  let trustsClock: Bool
  private var changes: [HistoryKey: HistoryChange] = [:]
  /// Files below the library that no row names any more, to be removed once the transaction is through.
  private(set) var abandonedFiles: [String] = []
  /// Originals that lost a resource.
  private var looseOriginals: [(id: Int64, path: String)] = []
  /// Assets that show something else now.
  private(set) var changedAssets: [String] = []
  private(set) var goneAssets: [String] = []

  init(db: Database, date: Date, trustsClock: Bool) {
    self.db = db
    self.date = date
    self.trustsClock = trustsClock
  }

  /// Keeps in mind for the history what was done to an object; what was inserted and is deleted again leaves no trace.
  func note(_ kind: HistoryChange.Kind, _ type: HistoryObjectType, id: Int64, uuid: String, isContent: Bool = false) {
    let key = HistoryKey(type: type, id: id)
    let change = HistoryChange(uuid: uuid, kind: kind, isContent: isContent)
    changes[key] = changes[key].map { $0.followed(by: change) } ?? change
  }

  /// A file of an asset is dropped: its bytes go at the transaction's end, if nothing names them then. A later request may.
  func loosen(_ resource: ResourceRecord) { looseOriginals.append((resource.originalID, resource.path)) }

  /// Deletes the rows of originals that no resource names any more.
  func dropUnusedOriginals() throws {
    for original in looseOriginals {
      try db.cachedStatement(
        sql: """
          DELETE FROM original WHERE id = ?
          AND NOT EXISTS (SELECT 1 FROM resource WHERE resource.original_id = original.id)
          """
      ).execute(arguments: [original.id])
      if db.changesCount > 0 { abandonedFiles.append(original.path) }
    }
    looseOriginals = []
  }

  func noteStaleRenditions(of uuid: String) { changedAssets.append(uuid) }
  func noteGone(_ uuid: String) { goneAssets.append(uuid) }

  /// Writes the history; its number, or `nil` where nothing was changed.
  func finish() throws -> Int64? {
    guard !changes.isEmpty else { return nil }
    let id = try db.insert([("date", date.timeIntervalSince1970)], into: "history_transaction")
    let statement = try db.cachedStatement(sql: "INSERT INTO history_change VALUES (?, ?, ?, ?, ?, ?)")
    for (key, change) in changes.sorted(by: { $0.key < $1.key }) {
      try statement.execute(arguments: [
        id, key.type.rawValue, key.id, change.uuid, change.kind.rawValue, change.isContent,
      ])
    }
    try recordForClients(transaction: id, changes.keys)
    return id
  }
}
