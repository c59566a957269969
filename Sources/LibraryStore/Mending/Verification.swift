import Foundation
import Synchronization

/// A problem in a library. Contains the file's path relative to the library's folder.
public enum VerificationFinding: Hashable, Sendable {
  /// SQLite's message about the library's database.
  case database(file: String, message: String)
  /// SQLite's message about the renditions' database, which is rebuilt when it is needed.
  case renditions(file: String, message: String)
  case missing(path: String)
  case cannotRead(path: String, reason: String)
  /// The file's bytes are not the imported ones.
  case changed(path: String)
  /// A file that belongs to no asset.
  case stray(path: String)
  /// A file that belongs to no asset, and has the bytes of an intact original of an asset.
  case copy(path: String, original: String, uuid: String)
  /// An asset without a single resource.
  case emptyAsset(uuid: String)
}

extension VerificationFinding {
  /// Whether pictures of the file may be wrong. `nil` for a missing file, which proves nothing.
  fileprivate var isOfDamage: Bool? {
    switch self {
    case .changed, .cannotRead: true
    case .missing: nil
    case .database, .renditions, .stray, .copy, .emptyAsset: false
    }
  }
}

/// The progress of a long task.
public struct ByteProgress: Sendable {
  public var files = 0
  public var totalFiles = 0
  public var bytes = 0
  public var totalBytes = 0

  public init() {}
}

extension LibraryStore {
  /// Checks the database's integrity, compares every original and every file of an edit with its
  /// SHA-256, and checks that each file has a row.
  ///
  /// Records which files are damaged, so that `stage` does not take them for whole, and which are
  /// intact again. A read-only library is not changed.
  ///
  /// `found` and `progress` are called on several threads, one call at a time. Stops early if
  /// `isCancelled` returns true.
  public func verify(
    isCancelled: @escaping @Sendable () -> Bool, progress: @escaping @Sendable (ByteProgress) -> Void,
    found: @escaping @Sendable (VerificationFinding) -> Void
  ) throws {
    for finding in try databaseFindings(isCancelled: isCancelled) { found(finding) }
    for message in try renditions.findings(isCancelled: isCancelled) {
      found(.renditions(file: RenditionStore.file, message: message))
    }
    var named: Set<FilePath> = []
    var state = ByteProgress()
    // Files that are imported during the check are left to the next one.
    let newestID: Int64
    (state.totalFiles, state.totalBytes, newestID) = try read { db in
      guard let row = try db.row("SELECT COUNT(*), TOTAL(byte_count), MAX(id) FROM original") else {
        return (0, 0, 0)
      }
      let bytes: Double = try row.value(at: 1)
      return (try row.value(at: 0), Int(exactly: bytes.rounded()) ?? Int.max, try row.value(at: 2) ?? 0)
    }
    let shared = Mutex(state)
    var lastID: Int64 = 0
    while !isCancelled() {
      let page = try originals(after: lastID, through: newestID)
      guard let last = page.last else { break }
      lastID = last.id
      // The files whose recorded state is no longer true, by their hashes.
      let changed = Mutex<[Data: Bool]>([:])
      named.formUnion(page.map { FilePath(absolute($0.path)) })
      DispatchQueue.concurrentPerform(iterations: page.count) { index in
        guard !isCancelled() else { return }
        let finding = check(page[index])
        // The stored pictures of a damaged file that is missing now may be the last ones. If it
        // counted as whole, they would be removed.
        let isDamaged: Bool? = if let finding { finding.isOfDamage } else { false }
        if let isDamaged, isDamaged != page[index].isDamaged { changed.withLock { $0[page[index].sha256] = isDamaged } }
        shared.withLock { state in
          state.files += 1
          state.bytes += page[index].byteCount
          progress(state)
          if let finding { found(finding) }
        }
      }
      if let reason = record(changed.withLock(\.self)) { found(.database(file: Self.databaseName, message: reason)) }
    }
    if !isCancelled() {
      for path in try strayFiles(named: named, found) where !isCancelled() { found(try finding(aboutStray: path)) }
    }
  }

  /// Returns the finding about a file without a row. No import or repair makes an asset of a copy,
  /// so a person has to know that it may be deleted.
  private func finding(aboutStray path: String) throws -> VerificationFinding {
    let stray = VerificationFinding.stray(path: path)
    // A file that can't be opened, or whose name is not UTF-8, is compared with nothing.
    guard path.hasPrefix("originals/"), let descriptor = try? folder.openOriginal(path) else { return stray }
    let file = OpenFile(descriptor: descriptor, name: absolute(path))
    guard try hasOriginal(byteCount: file.byteCount()), let sha256 = try? file.digest() else { return stray }
    // The render of an edit is removed with the edit, and a deleted photo with the trash.
    let original = try inspect { records -> (path: String, uuid: String)? in
      for asset in try records.assets(holdingAnyOf: [sha256]) where asset.trashedDate == nil {
        let files = AssetFiles(try records.resources(of: asset)).originals
        if let file = files.first(where: { $0.sha256 == sha256 }) { return (file.path, asset.uuid) }
      }
      return nil
    }
    // Two names may lead to one file, for example if the disk ignores case. It must not be deleted.
    guard let original, FileIdentity(in: folder, original.path) != FileIdentity(in: folder, path),
      let whole = try? folder.openOriginal(original.path),
      (try? OpenFile(descriptor: whole, name: absolute(original.path)).digest()) == sha256
    else { return stray }
    return .copy(path: path, original: original.path, uuid: original.uuid)
  }

  private struct Original {
    var id: Int64
    var path: String
    var byteCount: Int
    var sha256: Data
    /// Whether the last verification found it damaged.
    var isDamaged: Bool
  }

  /// Records which originals are damaged and which are intact again, by hash. Returns the reason if
  /// that fails, because the findings matter more than the record.
  private func record(_ isDamaged: [Data: Bool]) -> String? {
    guard writing != nil, !isDamaged.isEmpty else { return nil }
    do {
      try commit { transaction in
        for (sha256, isDamaged) in isDamaged {
          if isDamaged { try transaction.noteDamaged(sha256) } else { try transaction.noteWhole(sha256) }
        }
      }
      return nil
    } catch { return "the damage found could not be recorded: \((error as? StoreError)?.reason ?? "\(error)")" }
  }

  private func databaseFindings(isCancelled: @escaping @Sendable () -> Bool) throws -> [VerificationFinding] {
    try read { db in try db.work(until: isCancelled, cancelled: []) { try Self.findings(db) } }
  }

  private static func findings(_ db: any Session) throws -> [VerificationFinding] {
    // SQLite's check fails at some values that can't be read.
    let integrity =
      try unreadableValues(db).isEmpty
      ? try (db.values("PRAGMA integrity_check") as [String]).filter { $0 != "ok" } : []
    let empty: [String] = try db.values(
      "SELECT uuid FROM asset WHERE NOT EXISTS (SELECT 1 FROM resource WHERE asset_id = asset.id)")
    let unnamed: [String] = try db.values("SELECT path FROM \(unusedOriginals)")
    return try (integrity + damagedRows(db)).map { .database(file: Self.databaseName, message: $0) }
      + empty.map { .emptyAsset(uuid: $0) }
      + unnamed.map { .stray(path: $0) }
  }

  private func originals(after id: Int64, through newestID: Int64) throws -> [Original] {
    try read { db in
      try db.rows(
        """
        SELECT id, path, byte_count, sha256, is_damaged FROM original
        WHERE id > ? AND id <= ? AND byte_count <= ? ORDER BY id LIMIT 512
        """, id, newestID, StoreRow.byteCounts.upperBound
      ).map {
        Original(
          id: try $0.value("id"), path: try $0.value("path"), byteCount: try $0.byteCount("byte_count"),
          sha256: try $0.value("sha256"), isDamaged: try $0.value("is_damaged"))
      }
    }
  }

  private func check(_ original: Original) -> VerificationFinding? {
    do throws(StoreError) {
      guard try folder.status(original.path) != nil else { return .missing(path: original.path) }
      let file = OpenFile(descriptor: try folder.openOriginal(original.path), name: absolute(original.path))
      guard try file.byteCount() == original.byteCount else { return .changed(path: original.path) }
      return try file.digest() == original.sha256 ? nil : .changed(path: original.path)
    } catch { return .cannotRead(path: original.path, reason: error.reason) }
  }

  private func strayFiles(
    named: Set<FilePath>, _ found: (VerificationFinding) -> Void
  ) throws -> [String] {
    let root = FilePath(path)
    let files = ["originals", "adjustments"].flatMap { name in
      FilePath(absolute(name)).filesBelow { unreadable, number in
        let folder = unreadable.relative(to: root).description
        found(.cannotRead(path: folder, reason: FileOperations.error(number, folder, code: .cannotRead).reason))
      }
    }
    let unnamed = files.filter { !named.contains($0) }
    guard !unnamed.isEmpty else { return [] }
    // Files imported meanwhile have their rows by now: files get their names under this lock.
    let commits = writing?.commits
    try commits?.lock()
    defer { commits?.unlock() }
    return try read { db in
      try unnamed.map { $0.relative(to: FilePath(path)) }.filter { file in
        // Names in rows are always UTF-8.
        guard let path = file.string else { return true }
        // After a repair, files of reverted or replaced edits have no rows.
        if try isOfFormerEdit(path) { return false }
        return try db.isTrue("SELECT EXISTS (SELECT 1 FROM original WHERE path = ?)", path) == false
      }
    }.map(\.description).sorted()
  }
}
