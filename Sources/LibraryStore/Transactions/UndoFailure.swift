/// The reason that a transaction can't be undone or redone.
public struct UndoFailure: Error, Hashable, Sendable {
  public enum Code: Hashable, Sendable {
    case nothingToUndo, nothingToRedo
    /// The history has no such transaction, or the client may not know of it.
    case unknownTransaction
    case alreadyUndone, notUndone
    case permanentlyDeleted, filesAdded, detailsRemoved
    /// Objects have been changed since.
    case conflict
  }

  /// An object that was changed since.
  public struct Conflict: Hashable, Sendable {
    public var type: HistoryObjectType
    public var uuid: String
    /// The name; empty if the object was permanently deleted.
    public var name: String
  }

  public var code: Code
  public var transaction: Int64?
  public var conflicts: [Conflict]

  public init(_ code: Code, _ transaction: Int64? = nil, conflicts: [Conflict] = []) {
    self.code = code
    self.transaction = transaction
    self.conflicts = conflicts
  }
}
