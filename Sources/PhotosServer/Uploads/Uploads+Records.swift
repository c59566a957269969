import Foundation
import Photos

// The records of uploads, and their end.

extension Uploads {
  /// Returns an upload's record. Throws 404 for another requester's upload, too.
  func record(of id: String, by asker: String) throws -> UploadRecord {
    guard let record = try record(of: id, in: library.uploads), record.asker == asker,
      clock() < record.creationDate + Self.lifetime
    else {
      throw Failure(.notFound, "there is no upload \(id)")
    }
    return record
  }

  /// Returns `nil` for a record that is damaged, too.
  func record(of id: String, in folder: PHPhotoLibrary.Uploads) throws -> UploadRecord? {
    try folder.record(of: id).flatMap { try? JSONDecoder().decode(UploadRecord.self, from: $0) }
  }

  func save(_ record: UploadRecord, _ id: String, in folder: PHPhotoLibrary.Uploads) throws {
    try folder.setRecord(JSONEncoder().encode(record), of: id)
  }

  /// Records the outcome of an import, and removes the bytes.
  func finish(_ id: String, record: UploadRecord, outcome: UploadRecord.Outcome) throws {
    let folder = try library.uploads
    var record = record
    record.outcome = outcome
    try save(record, id, in: folder)
    try folder.removeFile(of: id)
    space.release(id)
    finished.withLock { $0[record.asker, default: []].append(id) }
    removeSurplus(of: record.asker, in: folder)
  }

  /// Removes the oldest outcomes of a sender until it has no more than the limit.
  private func removeSurplus(of asker: String, in folder: PHPhotoLibrary.Uploads) {
    let surplus = finished.withLock { finished in
      let count = max(0, (finished[asker]?.count ?? 0) - limits.finishedUploadsOfAsker)
      defer { finished[asker]?.removeFirst(count) }
      return finished[asker]?.prefix(count) ?? []
    }
    for id in surplus {
      // An upload that another request has claimed is left to `removeUseless`.
      guard (try? claim([id])) != nil else { continue }
      defer { release([id]) }
      try? remove(id, in: folder)
    }
  }

  func remove(_ id: String, in folder: PHPhotoLibrary.Uploads) throws {
    try folder.remove(id)
    space.release(id)
    _ = hashes.withLock { $0.removeValue(forKey: id) }
  }

  /// Removes old uploads, and those of clients that may not add any more. Counts the bytes of the
  /// others.
  func removeUseless() throws {
    let folder = try library.uploads
    let now = clock()
    let clients = Set(try library.recordedClients().filter { $0.has(.addOnly) }.map { Asker.name(of: $0.client) })
    var reserved: [String: UploadSpace.Part] = [:]
    var imported: [(id: String, record: UploadRecord)] = []
    for id in try folder.identifiers() {
      let record = try record(of: id, in: folder)
      if let record, now < record.creationDate + Self.lifetime,
        Asker.isPerson(record.asker) || clients.contains(record.asker)
      {
        if record.outcome == nil {
          let byteCount = try max(record.length ?? 0, folder.byteCount(of: id))
          reserved[id] = .init(byteCount: byteCount, asker: record.asker)
        } else {
          imported.append((id, record))
        }
      } else if let transfer = transfers.withLock({ $0[id] }) {
        // The rest of it is removed the next time.
        transfer.end()
      } else if (try? claim([id])) != nil {
        // One that is being imported is removed the next time, too.
        defer { release([id]) }
        try remove(id, in: folder)
      }
    }
    try folder.removeLeftovers(unchangedFor: Self.leftoverAge, now: now)
    space.count(reserved)
    imported.sort { $0.record.creationDate < $1.record.creationDate }
    finished.withLock { finished in
      finished = Dictionary(grouping: imported, by: \.record.asker).mapValues { $0.map(\.id) }
    }
    for asker in Set(imported.map(\.record.asker)) { removeSurplus(of: asker, in: folder) }
  }

  /// The age in seconds from which a file without a record counts as a leftover.
  private static let leftoverAge: TimeInterval = 86_400

  /// Removes what a server that was killed has left: uploads that nobody knows, the bytes of
  /// imported ones, and files without a record. Called before the server answers requests.
  func removeLeftovers() throws {
    let folder = try library.uploads
    // While another server of the library is making an upload, they stay until the next start.
    guard let cleaning = try folder.lockForCleaning() else { return }
    defer { cleaning.release() }
    for id in try folder.identifiers() {
      guard let record = try record(of: id, in: folder) else { continue }
      // Another server of the library may be receiving a new upload. Then its file is locked.
      if record.isNew == true, try folder.openFile(of: id) != nil { try folder.remove(id) }
      if record.outcome != nil { try folder.removeFile(of: id) }
    }
    try folder.removeLeftovers(unchangedFor: 0, now: clock())
  }
}
