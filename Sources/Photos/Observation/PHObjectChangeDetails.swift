import Foundation

/// What a change did to one object.
open class PHObjectChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
  // Immutable, like the model objects that it holds; subclasses in tests guard their own state.

  open var objectBeforeChanges: ObjectType { before }
  /// `nil` if it was deleted.
  open var objectAfterChanges: ObjectType? { after }
  /// The picture or the movie of an asset changed, not only what is known of it.
  open var assetContentChanged: Bool { isContent }
  private let before: ObjectType
  private let after: ObjectType?
  private let isContent: Bool

  /// Extension: makes details for a test, or for a subclass.
  public init(objectBeforeChanges: ObjectType, objectAfterChanges: ObjectType?, assetContentChanged: Bool) {
    before = objectBeforeChanges
    after = objectAfterChanges
    isContent = assetContentChanged
  }

  open var objectWasDeleted: Bool { objectAfterChanges == nil }
}
