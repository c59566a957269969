import Foundation

extension LibraryStore {
  /// How long a deleted asset can be restored: thirty days.
  public static let trashDays = 30.0

  /// Expunges what has been in the trash for longer than that.
  ///
  /// A library that is read-only keeps it.
  public func emptyExpiredTrash() throws {
    guard writing != nil else { return }
    let limit = clock().addingTimeInterval(-Self.trashDays * 86_400)
    guard try !inspect({ try $0.assetsTrashed(before: limit).isEmpty }) else { return }
    try commit { transaction in
      for asset in try transaction.assetsTrashed(before: limit) { try transaction.expunge(asset) }
    }
  }
}
