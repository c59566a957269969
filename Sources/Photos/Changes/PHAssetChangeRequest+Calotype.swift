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

  /// Moves the creation date by seconds, which may be negative.
  ///
  ///     PHAssetChangeRequest(for: photo).moveCreationDate(by: 3600)
  ///
  /// A partial date keeps its precision and moves from its middle: 1993 moved by a day stays 1993,
  /// and moved by 365 days it becomes 1994. If the request also sets `creationDate`, only the move
  /// counts.
  public func moveCreationDate(by seconds: TimeInterval) { changes.dateMoveInSeconds = seconds }

  /// The time zone of the place where the asset was taken, in seconds east of UTC. An exact date
  /// stays the same instant, so its clock time changes. A partial date stays at 12:00 on the same
  /// day, so its instant changes.
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
