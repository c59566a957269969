import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Photos
import PhotosJSON
import Synchronization

/// Carries out one batch of changes, in one transaction.
struct Changes: Sendable {
  /// The key of a request that may be repeated, with the hash of its body.
  struct Repeatable: Sendable {
    var key: String
    var sha256: Data
  }

  /// The answer to a batch, to an undo and to a redo.
  struct Answer: Codable, Hashable, Sendable {
    /// The identifiers of the collections that were made, by their names in the batch.
    var created: [String: String] = [:]
    var isUndoable = false
    /// The position that the transaction has made. Others may have committed since.
    var revision: String
    /// The transaction; `nil` if nothing was changed.
    @NullIfUnknown var transaction: Int64?
  }

  /// The library as the requester may see it.
  let library: PHPhotoLibrary
  let repeatable: Repeatable?
  let confirmations: Confirmations
  let edits: RunningEdits
  /// Throws if the session or the token of the request has ended. The wait for the owner, or for a
  /// rendering, can outlast it.
  let checkAsker: @Sendable () async throws -> Void

  /// Checks a batch and looks up what it names; `nil` if the same request was carried out before.
  /// Throws if any part of it can't be done. `willDeletePermanently` is called before anything is
  /// looked up, if the batch deletes assets permanently.
  func plan(
    _ body: JSONPlace, willDeletePermanently: () async throws -> Void
  ) async throws -> BatchPlan? {
    if try await Blocking.run({ try known() }) != nil { return nil }
    let changes = try BatchChange.all(body)
    if changes.contains(where: \.isPermanent) { try await willDeletePermanently() }
    return try await PatternQueue.shared.run(changes.map(\.selection?.predicate), for: library.client) {
      try BatchResolver.plan(changes, in: library)
    }
  }

  /// Carries a batch out, or repeats the answer to it. Throws, and changes nothing, if any part of
  /// it can't be done.
  func commit(_ plan: BatchPlan?) async throws -> Answer {
    guard let plan else { return try await repeatedAnswer() }
    let answer: Answer
    do { answer = try await carryOut(plan) } catch {
      try await checkAsker()
      guard let error = error as? PHPhotosError else { throw error }
      // The same request was carried out while this one was prepared.
      if error.isRepetition { return try await repeatedAnswer() }
      throw failure(of: error)
    }
    try await checkAsker()
    return answer
  }

  private func carryOut(_ plan: BatchPlan) async throws -> Answer {
    let rendered = try await edits.render(plan.edits, for: library.client)
    try await checkAsker()
    guard plan.isDeleting, let client = library.client else { return try await commit(plan, rendered, in: library) }
    return try await confirmations.asking(for: client, of: library, checkAsker) {
      try await commit(plan, rendered, in: $0)
    }
  }

  private func failure(of error: PHPhotosError) -> Failure {
    var failure = Failure(error)
    switch error.code {
    // The object was deleted after `plan` had found it.
    case .identifierNotFound: (failure.status, failure.problem) = (.unprocessableContent, .invalid)
    // Another program has edited an asset while this edit was rendered.
    case .operationInterrupted: (failure.status, failure.problem) = (.conflict, .conflict)
    default: break
    }
    return failure
  }

  private func commit(
    _ plan: BatchPlan, _ edits: [RenderedEdit], in library: PHPhotoLibrary
  ) async throws -> Answer {
    let result = Mutex((made: [String: String](), changes: [Int](), transaction: Int64?.none))
    let before = try await Blocking.run { [library] in library.currentChangeToken }
    do {
      try await library.performChanges { [repeatable] in
        let requests = BatchRequests(plan, in: library, edits: edits)
        result.withLock { ($0.made, $0.changes) = (requests.madeIDs, requests.changes) }
        _ = TransactionNote(of: repeatable?.completed(requests.madeIDs, in: library)) { number in
          result.withLock { $0.transaction = number }
        }
      }
    } catch let error as PHPhotosError {
      let changes = result.withLock(\.changes)
      guard let request = error.failedRequest, changes.indices.contains(request) else { throw error }
      throw failure(of: error).inChange(changes[request])
    }
    let (made, _, transaction) = result.withLock { $0 }
    return try await Blocking.run { try answer(created: made, transaction: transaction, before: before) }
  }

  /// Returns the answer to a request. If it has changed nothing, its revision is that of `before`.
  /// `transaction` is the number in the whole library.
  private func answer(
    created: [String: String], transaction: Int64?, before: PHPersistentChangeToken
  ) throws -> Answer {
    let after = try transaction.flatMap { try library.changeToken(after: $0) }
    return Answer(
      created: created, isUndoable: try after.flatMap { try library.transaction($0.number) }?.isUndoable ?? false,
      revision: (after ?? before).stringValue, transaction: after?.number)
  }

  /// Undoes or redoes a transaction, or repeats the answer to it. The owner has to confirm it if a
  /// client deletes something by it.
  func reverse(
    _ work: @escaping @Sendable (PHPhotoLibrary, KnownRequest?) async throws -> LibraryTransaction
  ) async throws -> Answer {
    if let answer = try await Blocking.run({ try known() }) { return answer }
    try await checkAsker()
    do {
      let transaction =
        if let client = library.client {
          try await confirmations.asking(for: client, of: library, checkAsker) {
            try await work($0, repeatable?.completed([:], in: $0))
          }
        } else {
          try await work(library, repeatable?.completed([:], in: library))
        }
      try await checkAsker()
      return Answer(
        isUndoable: transaction.isUndoable, revision: transaction.changeToken.stringValue,
        transaction: transaction.number)
    } catch {
      try await checkAsker()
      // The same request was carried out meanwhile, so that it can't be carried out again.
      if let answer = try await Blocking.run({ try known() }) { return answer }
      throw error
    }
  }

  // MARK: Repeated requests

  /// Returns the answer to the same request if it was carried out before. Throws 422 for another
  /// request with the same key.
  private func known() throws -> Answer? {
    guard let repeatable,
      let found = try library.completedRequest(key: repeatable.key)
    else { return nil }
    // A client whose access was taken away does not learn what it has made before.
    try library.require(.reading)
    guard found.sha256 == repeatable.sha256 else {
      throw Failure(
        .unprocessableContent, "Idempotency-Key: another request had this key; use a new one for each request")
    }
    return try answer(
      created: JSONDecoder().decode([String: String].self, from: Data(found.answer.utf8)),
      transaction: found.transaction, before: library.currentChangeToken)
  }

  private func repeatedAnswer() async throws -> Answer {
    let answer = try await Blocking.run { try known() }
    guard let answer else { throw Failure(.conflict, "the same request is being carried out; send it again") }
    return answer
  }
}

extension Changes.Repeatable {
  private static let keyLimit = 200

  /// Reads the key of a request; `nil` if it has none. Requests of different paths are different.
  init?(_ request: Request, body: ByteBuffer) throws {
    guard let key = request.headers[.idempotencyKey] else { return nil }
    guard (1...Self.keyLimit).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Failure(.badRequest, "Idempotency-Key has to be 1 to \(Self.keyLimit) visible ASCII characters")
    }
    self.init(
      key: key,
      sha256: Data(SHA256.hash(data: Data(request.uri.path.utf8) + body.readableBytesView)))
  }

  fileprivate func completed(_ created: [String: String], in library: PHPhotoLibrary) -> KnownRequest {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let answer = (try? encoder.encode(created)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    return KnownRequest(in: library, key: key, sha256: sha256, answer: answer)
  }
}

extension PHPhotosError {
  fileprivate var isRepetition: Bool {
    (self as NSError).userInfo[NSUnderlyingErrorKey] is TransactionNote.RepeatedRequest
  }
}

extension HTTPField.Name {
  static let idempotencyKey = known("Idempotency-Key")
}
