/// The effect of one or several transactions on an object.
public struct HistoryChange: Hashable, Sendable {
  /// The raw values are stored in the database.
  public enum Kind: Int, Sendable {
    case inserted = 1
    case updated, deleted
  }

  public var uuid: String
  public var kind: Kind
  /// Whether an asset's picture changed, or an album's assets or their order.
  public var isContent: Bool

  public init(uuid: String, kind: Kind, isContent: Bool) {
    self.uuid = uuid
    self.kind = kind
    self.isContent = isContent
  }
}

/// The types of objects in the history. The raw values are those of `PHObjectType`, and one for
/// Calotype alone.
public enum HistoryObjectType: Int, Sendable {
  case asset = 1
  case album, folder
  /// A client's access, or the assets that it sees.
  case client
}

extension HistoryObjectType {
  init(_ kind: CollectionKind) { self = kind == .folder ? .folder : .album }
}

struct HistoryKey: Hashable, Comparable {
  var type: HistoryObjectType
  var id: Int64

  static func < (one: HistoryKey, other: HistoryKey) -> Bool {
    (one.type.rawValue, one.id) < (other.type.rawValue, other.id)
  }
}

extension HistoryChange {
  /// Returns this change and a later one combined; `nil` if the object was inserted and then
  /// deleted.
  func followed(by later: HistoryChange) -> HistoryChange? {
    let isContent = isContent || later.isContent
    return switch (kind, later.kind) {
    case (.inserted, .deleted): nil
    case (.inserted, _): HistoryChange(uuid: uuid, kind: .inserted, isContent: isContent)
    case (.deleted, .inserted): HistoryChange(uuid: uuid, kind: .updated, isContent: true)
    default: HistoryChange(uuid: uuid, kind: later.kind, isContent: isContent)
    }
  }
}
