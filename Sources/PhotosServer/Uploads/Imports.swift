import Foundation
import Importing
import Photos
import Synchronization

/// Makes assets of complete uploads, by the importer's rules.
///
/// The imports of one sender run one after another. Those of several run side by side, so that
/// nobody waits for another's long import. The library decides in each transaction which asset gets
/// a file: the halves of a Live Photo in two requests become one asset. A request that is repeated
/// gets the same outcomes.
final class Imports: Sendable {
  struct Order: Sendable {
    var uploads: [String]
    var album: PHAssetCollection?
    var bringsBackDeleted: Bool
  }

  /// The outcomes of an import.
  struct Answer: Sendable {
    /// The uploads with their outcomes, in their order.
    var files: [(name: String, outcome: UploadRecord.Outcome)]
    /// The position after the import's last transaction, or that before the import if it changed
    /// nothing. Others may have committed since.
    var revision: PHPersistentChangeToken
  }

  /// The queue of one sender's imports. An import may take minutes, and would block a thread that
  /// other requests need.
  private struct ImportQueue {
    let queue = DispatchQueue(label: "calotype.imports")
    /// The number of imports that run or wait.
    var count = 0
  }

  private let uploads: Uploads
  private let queues = Mutex<[String: ImportQueue]>([:])

  init(_ uploads: Uploads) { self.uploads = uploads }

  /// Imports uploads. Throws if the library itself fails, for example because its disk is full. The
  /// uploads that were not imported stay.
  func run(_ order: Order, by asker: String, in library: PHPhotoLibrary) async throws -> Answer {
    let queue = queues.withLock { queues in
      var own = queues[asker] ?? ImportQueue()
      own.count += 1
      queues[asker] = own
      return own.queue
    }
    defer {
      queues.withLock { queues in
        queues[asker]?.count -= 1
        if queues[asker]?.count == 0 { queues[asker] = nil }
      }
    }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(with: Result { try runNow(order, by: asker, in: library) })
      }
    }
  }

  private func runNow(_ order: Order, by asker: String, in library: PHPhotoLibrary) throws -> Answer {
    try uploads.claim(order.uploads)
    defer { uploads.release(order.uploads) }
    var records: [(id: String, record: UploadRecord)] = []
    for id in order.uploads {
      let record = try uploads.record(of: id, by: asker)
      guard record.isComplete else { throw Failure(.conflict, "upload \(id) is not complete") }
      records.append((id, record))
    }
    let folder = try library.uploads
    let new = records.filter { $0.record.outcome == nil }
    let files = try withPhotosErrors {
      try folder.nameFiles(of: new.map { ($0.id, $0.record.name, $0.record.fileDate) })
    }
    defer { folder.remove(files) }
    let before = library.currentChangeToken
    let result = FolderImporter.importFiles(
      at: files.paths, to: library, album: order.album, bringsBackDeleted: order.bringsBackDeleted)
    var outcomes: [String: UploadRecord.Outcome] = [:]
    for ((id, record), (event, path)) in zip(new, zip(result.events, files.paths)) {
      guard let event else { continue }
      let outcome = UploadRecord.Outcome(event, path: path)
      outcomes[id] = outcome
      try withPhotosErrors { try uploads.finish(id, record: record, outcome: outcome) }
    }
    if let failure = result.failure { throw failure }
    let finished = try records.map { id, record in
      guard let outcome = record.outcome ?? outcomes[id] else {
        throw Failure(
          .internalServerError,
          "the import skipped upload \(id), a defect of Calotype; the upload is unchanged; import it again")
      }
      return (name: record.name, outcome: outcome)
    }
    return Answer(
      files: finished, revision: try result.transaction.flatMap { try library.changeToken(after: $0) } ?? before)
  }
}

extension UploadRecord.Outcome {
  init(_ event: ImportEvent, path: String) {
    kind =
      switch event.outcome {
      case .added: .added
      case .completed: .joined
      case .alreadyThere, .copy, .replaced: .known
      case .leftAlone, .leftOut, .failed: .refused
      }
    asset = event.localIdentifier.map { String($0.prefix { $0 != "/" }) }
    // The folder in the path is the server's own.
    let folders = [path, event.path].map { ($0 as NSString).deletingLastPathComponent + "/" }
    reason = event.reason.map { reason in folders.reduce(reason) { $0.replacing($1, with: "") } }
  }
}
