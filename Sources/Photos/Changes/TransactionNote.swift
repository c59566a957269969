import Foundation
internal import LibraryStore

/// A request that was carried out, or will be by a transaction. The owner or client that sent it
/// may repeat it.
package struct KnownRequest: Sendable {
  var record: CompletedRequest

  init(_ record: CompletedRequest) { self.record = record }

  /// Makes the description of a request by the owner or client of a library object, with the
  /// SHA-256 of its bytes and the answer to it. The sender has chosen the key.
  package init(in library: PHPhotoLibrary, key: String, sha256: Data, answer: String) {
    record = CompletedRequest(
      sender: CompletedRequest.sender(library.author), key: key, sha256: sha256, answer: answer)
  }

  package var sha256: Data { record.sha256 }
  package var answer: String { record.answer }
  /// The number of the transaction; `nil` if nothing was changed.
  package var transaction: Int64? { record.transaction }
}

/// The last request of a change block whose caller wants to know its transaction, and to repeat it
/// safely. It changes nothing itself.
package final class TransactionNote: PHChangeRequest {
  /// The error of a block whose request has already been carried out.
  package struct RepeatedRequest: Error {}

  private let request: KnownRequest?
  private let handler: (Int64?) -> Void

  /// Makes a note inside a change block, after all other requests. The handler gets the number of
  /// the transaction, or `nil` if nothing is changed. It is called before the commit is complete.
  package init(of request: KnownRequest?, _ handler: @escaping (Int64?) -> Void) {
    self.request = request
    self.handler = handler
    super.init()
  }

  override func apply(_ commit: ChangeCommit) throws {
    let number = try commit.transaction.number()
    if var request = request?.record {
      request.transaction = number
      guard try commit.transaction.record(request) else { throw RepeatedRequest() }
    }
    handler(number)
  }
}

extension PHPhotoLibrary {
  /// Returns the request that the owner or client of this object made with a key within a day.
  package func completedRequest(key: String) throws -> KnownRequest? {
    try withPhotosErrors {
      try engine.available().completedRequest(sender: CompletedRequest.sender(author), key: key)
        .map { KnownRequest($0) }
    }
  }
}
