/// The owner or the client that requested a transaction.
public enum TransactionAuthor: Hashable, Sendable {
  case owner
  case client(identifier: String)

  var clientIdentifier: String? {
    switch self {
    case .owner: nil
    case .client(let identifier): identifier
    }
  }
}
