import Foundation

/// A file that a transaction is about to add: its bytes, its name and its folder.
public struct Placement: Sendable {
  public var staged: StagedOriginal
  let originalPath: OriginalPath

  /// Creates the placement of an original in the folder of its month. The month is by the clock of
  /// the place where the photo was taken.
  public init(staged: StagedOriginal, originalFilename: String, creationDate: Date, timeZoneOffset: Int) {
    self.staged = staged
    originalPath = OriginalPath(
      originalFilename: originalFilename,
      localDate: creationDate.timeIntervalSince1970 + Double(timeZoneOffset))
  }

  /// Creates the placement of a file of an edit in the folder of its asset.
  public init(staged: StagedOriginal, adjustmentFilename: String, assetUUID: String) {
    self.staged = staged
    originalPath = OriginalPath(adjustmentFilename: adjustmentFilename, assetUUID: assetUUID)
  }
}

extension LibraryStore {
  /// Adds originals and runs one transaction: both, or nothing.
  ///
  /// The files get their names first, durably. Then `body` writes the rows. Files without a row
  /// after that are deleted again. If `body` removes the last row of a file, the row is deleted
  /// before the file. Fails with `.staged` if bytes that the library had when they were staged are
  /// gone, and with `.replaced` if another file is in the database's place. The staged files stay.
  /// `isDeletion` says that the transaction only deletes, and may therefore use the reserve of
  /// space on a full disk. Other changes would use the reserve up. Unless it `mayWait`, it fails
  /// with `.busy` while another commit goes on. `author` is the owner or the client that requested
  /// the transaction; `nil` if the library itself makes it, which can't be undone.
  public func commit<Value>(
    placing placements: [Placement] = [], isDeletion: Bool = false, by author: TransactionAuthor? = nil,
    mayWait: Bool = true, _ body: (StoreTransaction) throws -> Value
  ) throws -> Value {
    let writing = try requireWriting()
    // A slow disk makes others wait for the lock no longer than it must.
    for placement in placements where placement.staged.needsPlace { try placement.staged.waitUntilDurable() }
    if mayWait { try writing.commits.lock() } else { try writing.commits.lock(patience: 0) }
    defer { writing.commits.unlock() }
    try checkDatabaseIsInPlace(writing)
    let reserve = SpaceReserve(folder: folder)
    guard isDeletion, reserve.isNeeded else { return try commitInsideLock(placing: placements, by: author, body) }
    return try reserve.released { try commitInsideLock(placing: placements, by: author, body) }
  }

  private func commitInsideLock<Value>(
    placing placements: [Placement], by author: TransactionAuthor?, _ body: (StoreTransaction) throws -> Value
  ) throws -> Value {
    let inPlace = try placements.map(\.staged).filter { try $0.isInPlace && !replaceDamaged($0) }
      .map { PlacedOriginal($0, path: $0.relativePath) }
    let placed = try place(placements)
    var named: Set<Data> = []
    defer { if !placed.isEmpty { removeUnreferenced(placed.filter { !named.contains($0.sha256) }.map(\.path)) } }
    let committed = try StoreError.mapping(databasePath) {
      try database.write { db in
        let transaction = StoreTransaction(db: db, date: clock(), trustsClock: trustsClock, limits: historyLimits)
        try transaction.checkOriginals(of: placements)
        try transaction.insert(originals: placed + inPlace)
        for placement in placements where placement.staged.isReplacement {
          try transaction.noteWhole(placement.staged.sha256)
        }
        // Files that replace damaged ones are not the change that was requested.
        if let author { transaction.record(for: author) }
        let value = try body(transaction)
        let number = try transaction.finish()
        if let number { try transaction.prune(after: number) }
        try transaction.dropUnusedOriginals()
        let names = try transaction.named(placed + inPlace)
        let former = try transaction.formerEdits()
        // A repair must never take the photo's edit for a former one, so names leave the lists
        // before the commit.
        for (uuid, names) in former { try folder.keepFormerEdits(only: names, of: uuid) }
        for file in transaction.abandonedFiles { try folder.checkIsOriginal(file.path) }
        // If the process exits between the transaction and the removal, the next opening finds them
        // in the journal.
        if !transaction.abandonedFiles.isEmpty {
          let latest = try number.map { $0 - 1 } ?? Self.latestTransaction(db)
          try note(transaction.abandonedFiles, latest: latest, areRemoved: true)
        }
        return (value: value, names: names, transaction: transaction, number: number, former: former)
      }
    }
    named = committed.names
    if !committed.transaction.abandonedFiles.isEmpty {
      removeUnreferenced(committed.transaction.abandonedFiles.map(\.path))
    }
    // The names of former files are added to the lists after the commit. Without a list, a repair
    // would find two edits in a folder, and report the folder.
    for (uuid, names) in committed.former { try? folder.setFormerEdits(names, of: uuid) }
    renditions.remove(committed.transaction.changedAssets, keepsCopies: true)
    renditions.remove(committed.transaction.goneAssets)
    if committed.number != nil { didCommit() }
    return committed.value
  }

  /// Reads the library as a transaction sees it; `body` must not write.
  public func inspect<Value>(_ body: (StoreTransaction) throws -> Value) throws -> Value {
    try read {
      try body(StoreTransaction(db: $0, date: clock(), trustsClock: trustsClock, limits: historyLimits))
    }
  }

  /// Moves the files to their names, which are written to the journal first.
  private func place(_ placements: [Placement]) throws -> [PlacedOriginal] {
    var placed: [PlacedOriginal] = []
    do {
      var seen: Set<Data> = []
      var new = placements.filter { $0.staged.needsPlace && seen.insert($0.staged.sha256).inserted }
      guard !new.isEmpty else { return [] }
      new = try new.filter { try !replaceDamaged($0.staged) }
      guard !new.isEmpty else { return [] }
      var taken: Set<String> = []
      let chosen = try new.map { try choosePath($0.originalPath, avoiding: &taken) }
      // No other process changes this number, since the commit lock is held.
      let latest = try latestTransaction()
      try note(zip(chosen, new).map { .init(path: $0, sha256: $1.staged.sha256) }, latest: latest)
      let folders = Set(new.map(\.originalPath.folder))
      for name in folders { try folder.makeFolder(name) }
      for (placement, path) in zip(new, chosen) {
        var path = path
        while try !folder.move(placement.staged.relativePath, to: path) {
          // Another program has put a file there since the name was chosen.
          path = try choosePath(placement.originalPath, avoiding: &taken)
          try note([.init(path: path, sha256: placement.staged.sha256)], latest: latest)
        }
        placed.append(PlacedOriginal(placement.staged, path: path))
      }
      // The folders of months and of edited assets, and the folders that contain the names of
      // months, years and assets.
      let parents = Set(folders.map { ($0 as NSString).deletingLastPathComponent })
      for name in folders.union(parents).union(["originals"]) { try folder.synchronize(name) }
      // If the library is older than edits, their folder is new.
      if parents.contains("adjustments") { try folder.synchronize("") }
      return placed
    } catch {
      removeUnreferenced(placed.map(\.path))
      throw error
    }
  }

  /// Writes files durably to the journal, with the number of the latest transaction so far.
  private func note(_ files: [JournalNote.File], latest: Int64, areRemoved: Bool = false) throws {
    let moment = JournalNote.Moment(library: uuid, transaction: latest)
    let former = areRemoved ? folder : nil
    try incomingInsideCommit.recordPaths(files.map { JournalNote($0, at: moment, removedFrom: former) })
  }

  /// Replaces a damaged or missing copy with staged bytes. Returns false if the library has no copy
  /// to replace.
  private func replaceDamaged(_ staged: StagedOriginal) throws -> Bool {
    guard staged.isReplacement, let known = try original(sha256: staged.sha256) else { return false }
    try folder.checkIsOriginal(known.path)
    let parent = (known.path as NSString).deletingLastPathComponent
    try folder.makeFolder(parent)
    try folder.replace(known.path, with: staged.relativePath)
    try folder.synchronize(parent)
    renditions.forgetFailures(of: staged.sha256)
    return true
  }

  private func choosePath(_ original: OriginalPath, avoiding taken: inout Set<String>) throws -> String {
    // Names are compared without case, so that the library can be moved to a disk that ignores
    // case. The file of a row may be missing: if another file got its path, the row's asset would
    // show that file.
    let path = try original.freeCandidate { path in
      try taken.contains(path.lowercased()) || folder.status(path) != nil || read { try Self.isNamed(path, $0) }
    }
    taken.insert(path.lowercased())
    return path
  }

  /// Removes the files that no row refers to, and clears the journal.
  private func removeUnreferenced(_ unnamed: [String]) {
    // A file that can't be removed only takes space; verification reports it.
    for file in unnamed { try? folder.removeOriginal(file) }
    // A journal that can't be truncated only makes the next opening check paths that are in order.
    try? incomingInsideCommit.clearJournal()
  }
}

/// A new original that has its final name.
struct PlacedOriginal {
  let sha256: Data
  let byteCount: Int
  let path: String

  init(_ staged: StagedOriginal, path: String) {
    sha256 = staged.sha256
    byteCount = staged.byteCount
    self.path = path
  }
}
