import Foundation
internal import LibraryStore

/// The reason that a transaction can't be undone or redone. Nothing was changed.
///
///     do { try await library.undo() } catch let error as UndoError where error.code == .conflict {
///       print(error.conflicts.map(\.name))
///     }
public struct UndoError: Error, Hashable, Sendable {
  public enum Code: String, Hashable, Sendable {
    case nothingToUndo, nothingToRedo
    /// The history does not contain the transaction, or contains it no longer. A client gets this
    /// for the transactions of others too.
    case unknownTransaction
    case alreadyUndone, notUndone
    /// The transaction deleted something together with its files.
    case permanentlyDeleted
    /// The transaction added files to an asset that existed.
    case filesAdded
    /// The history does not know what the transaction changed, or no longer.
    case detailsRemoved
    /// Objects have been changed since, and the undo would change them again.
    case conflict
  }

  /// An object that has been changed since the transaction.
  public struct Conflict: Hashable, Sendable {
    public var objectType: PHObjectType
    public var localIdentifier: String
    /// The title or the file name; empty if the object was permanently deleted.
    public var name: String
  }

  public var code: Code
  /// The transaction that was to be undone; `nil` if there is none.
  public var transaction: Int64?
  /// The objects that have been changed, if the code is `conflict`.
  public var conflicts: [Conflict]
  /// Whether a redo was requested.
  public var isRedo: Bool

  init(_ failure: UndoFailure, isRedo: Bool) {
    code =
      switch failure.code {
      case .nothingToUndo: .nothingToUndo
      case .nothingToRedo: .nothingToRedo
      case .unknownTransaction: .unknownTransaction
      case .alreadyUndone: .alreadyUndone
      case .notUndone: .notUndone
      case .permanentlyDeleted: .permanentlyDeleted
      case .filesAdded: .filesAdded
      case .detailsRemoved: .detailsRemoved
      case .conflict: .conflict
      }
    transaction = failure.transaction
    conflicts = failure.conflicts.compactMap(Conflict.init)
    self.isRedo = isRedo
  }
}

extension UndoError.Conflict {
  fileprivate init?(_ conflict: UndoFailure.Conflict) {
    guard let type = PHObjectType(rawValue: conflict.type.rawValue) else { return nil }
    self.init(objectType: type, localIdentifier: type.localIdentifier(uuid: conflict.uuid), name: conflict.name)
  }
}

extension UndoError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    let verb = isRedo ? "redo" : "undo"
    let subject = transaction.map { "transaction \($0)" } ?? "it"
    return switch code {
    case .nothingToUndo, .nothingToRedo: "There is nothing to \(verb)"
    case .unknownTransaction: "Can’t \(verb) \(subject): the history does not contain it"
    case .alreadyUndone: "Can’t undo \(subject): it has been undone already"
    case .notUndone: "Can’t redo \(subject): it has not been undone"
    case .permanentlyDeleted: "Can’t \(verb) \(subject): it deleted something for good"
    case .filesAdded: "Can’t \(verb) \(subject): it added files to a photo that was there before"
    case .detailsRemoved: "Can’t \(verb) \(subject): the history does not know its details"
    case .conflict: "Can’t \(verb): \(Self.sentence(conflicts))"
    }
  }

  private static func sentence(_ conflicts: [Conflict]) -> String {
    guard let first = conflicts.first(where: { !$0.name.isEmpty }) else {
      return "\(conflicts.count == 1 ? "an item has" : "\(conflicts.count) items have") been deleted for good since"
    }
    switch conflicts.count {
    case 1: return "\(first.name) has been changed since"
    case 2: return "\(first.name) and another have been changed since"
    default: return "\(first.name) and \(conflicts.count - 1) others have been changed since"
    }
  }
}
