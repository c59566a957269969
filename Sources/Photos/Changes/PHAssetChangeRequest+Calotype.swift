import Foundation

extension PHAssetChangeRequest {
  /// Restores assets from Recently Deleted, also to their albums.
  public class func restoreAssets(_ assets: any NSFastEnumeration) { _ = TrashRequest(.restore, assets) }

  /// Permanently deletes assets in Recently Deleted, with their files. The owner has to confirm a
  /// client's deletion.
  public class func expungeAssets(_ assets: any NSFastEnumeration) { _ = TrashRequest(.expunge, assets) }
}

extension PHAssetChangeRequest {
  /// The title. Assigning `nil` removes it.
  public var title: String? {
    get { changes.title ?? asset?.extendedMetadata.title }
    set { changes.title = .some(newValue) }
  }

  /// The keywords. An assignment replaces all of them.
  public var keywords: [String] {
    get { changes.keywords ?? asset?.extendedMetadata.keywords ?? [] }
    set {
      var seen: Set<String> = []
      changes.keywords = newValue.filter { keyword in
        keyword.contains { !$0.isWhitespace } && seen.insert(keyword).inserted
      }
      (changes.addedKeywords, changes.removedKeywords) = ([], [])
    }
  }

  /// The time zone of the place where the asset was taken, in seconds east of UTC. The creation
  /// date stays the same instant, so the clock time of the place changes.
  public var timeZoneOffset: Int {
    get { changes.timeZoneOffset ?? asset?.timeZoneOffset ?? 0 }
    set { changes.timeZoneOffset = newValue }
  }

  /// Whether the person has picked the frame of a burst, so that it is found like any other photo
  /// (`PHAssetBurstSelectionType.userPick`). It has no effect on an asset that is of no burst.
  public var isBurstPick: Bool {
    get { changes.isBurstPick ?? asset?.burstSelectionTypes.contains(.userPick) ?? false }
    set { changes.isBurstPick = newValue }
  }
}
