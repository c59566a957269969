import Foundation
package import LibraryStore

package typealias KnownRequest = CompletedRequest

/// The last request of a change block whose caller wants to know its transaction, and to repeat it
/// safely. It changes nothing itself.
package final class TransactionNote: PHChangeRequest {
  /// The error of a block whose request has already been carried out.
  package struct RepeatedRequest: Error {}

  private let request: CompletedRequest?
  private let handler: (Int64?) -> Void

  /// Makes a note inside a change block, after all other requests. The handler gets the number of
  /// the transaction, or `nil` if nothing is changed. It is called before the commit is complete.
  package init(of request: CompletedRequest?, _ handler: @escaping (Int64?) -> Void) {
    self.request = request
    self.handler = handler
    super.init()
  }

  override func apply(_ commit: ChangeCommit) throws {
    let number = try commit.transaction.number()
    if var request {
      request.transaction = number
      guard try commit.transaction.record(request) else { throw RepeatedRequest() }
    }
    handler(number)
  }
}

extension PHPhotoLibrary {
  /// Returns the request that a sender made with a key within the last day.
  package func completedRequest(sender: String, key: String) throws -> CompletedRequest? {
    try withPhotosErrors { try engine.available().completedRequest(sender: sender, key: key) }
  }
}
