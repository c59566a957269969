import Foundation

extension PHAssetChangeRequest {
  /// Restores assets from Recently Deleted, also to their albums.
  public class func restoreAssets(_ assets: any NSFastEnumeration) { _ = TrashRequest(.restore, assets) }

  /// Permanently deletes assets in Recently Deleted, with their files. The owner has to confirm a
  /// client's deletion.
  public class func expungeAssets(_ assets: any NSFastEnumeration) { _ = TrashRequest(.expunge, assets) }
}
