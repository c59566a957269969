import Foundation

/// What a change did to one object.
public final class PHObjectChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
  // Immutable, as the model objects that it holds.

  public let objectBeforeChanges: ObjectType
  /// `nil` if it was deleted.
  public let objectAfterChanges: ObjectType?
  /// The picture or the movie of an asset changed, not only what is known of it.
  public let assetContentChanged: Bool

  init(objectBeforeChanges: ObjectType, objectAfterChanges: ObjectType?, assetContentChanged: Bool) {
    self.objectBeforeChanges = objectBeforeChanges
    self.objectAfterChanges = objectAfterChanges
    self.assetContentChanged = assetContentChanged
  }

  public var objectWasDeleted: Bool { objectAfterChanges == nil }
}
