import Crypto
import Essentials
import Foundation

extension LibraryStore {
  /// Returns the UUID of a client's history. It differs from the library's UUID. If a client's
  /// access becomes limited, its older tokens are refused instead of being read as positions.
  public func historyUUID(of client: ClientRecord) -> String {
    let hash = SHA256.hash(data: Data("\(uuid) \(client.id) \(client.identifier)".utf8))
    return uuid.prefix(Self.sharedLength) + hash.prefix(6).hexadecimal.uppercased()
  }

  /// The UUID of the history that clients without reading access see, the same in each library.
  public static let concealedHistoryUUID = "00000000-0000-0000-0000-000000000000"

  /// Returns whether a UUID belongs to the library's history, or to that of a client. The concealed
  /// one does too: a token of it has expired, and is not of another library.
  public func isOfHistory(_ other: String) -> Bool {
    other.prefix(Self.sharedLength) == uuid.prefix(Self.sharedLength) || other == Self.concealedHistoryUUID
  }

  /// The length of the prefix that the UUIDs of all histories of a library share.
  private static let sharedLength = "00000000-0000-0000-0000-".count
}
