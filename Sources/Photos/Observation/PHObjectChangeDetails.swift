import Foundation

/// The change of one object.
open class PHObjectChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
  // The properties are immutable, like the objects among them. Subclasses in tests guard their own
  // state.

  open var objectBeforeChanges: ObjectType { before }
  /// The object after the change; `nil` if it was deleted.
  open var objectAfterChanges: ObjectType? { after }
  /// Whether the asset's picture or movie changed, and not only its properties.
  open var assetContentChanged: Bool { isContent }
  private let before: ObjectType
  private let after: ObjectType?
  private let isContent: Bool

  /// Makes details for a test or for a subclass.
  public init(objectBeforeChanges: ObjectType, objectAfterChanges: ObjectType?, assetContentChanged: Bool) {
    before = objectBeforeChanges
    after = objectAfterChanges
    isContent = assetContentChanged
  }

  open var objectWasDeleted: Bool { objectAfterChanges == nil }
}
