import Foundation
internal import LibraryStore

/// A client as the library's owner manages it.
package struct RecordedClient: Hashable, Sendable {
  /// The number of the client in this library.
  package var id: Int64
  package var client: LibraryClient
  package var readWrite: PHAuthorizationStatus
  package var addOnly: PHAuthorizationStatus
  /// The date of its latest request; `nil` if it has never asked.
  package var askedDate: Date?
  /// The level that it asked for, if the owner has not decided yet.
  package var waitingLevel: PHAccessLevel?
  package var usageDescription: String?

  init(_ record: ClientRecord) {
    let grant = ClientGrant(record)
    id = record.id
    client = LibraryClient(identifier: record.identifier, name: record.name)
    readWrite = grant.readWrite
    addOnly = grant.status(for: .addOnly)
    askedDate = record.askedDate
    waitingLevel = record.askedLevel.flatMap(PHAccessLevel.init).flatMap {
      grant.status(for: $0) == .notDetermined ? $0 : nil
    }
    usageDescription = record.usageDescription
  }
}

/// The owner's decision about a client.
package struct ClientDecision: Sendable {
  /// The levels that are decided.
  package var statuses: [PHAccessLevel: PHAuthorizationStatus]
  /// The new selection; `nil` keeps the one before.
  package var selection: [PHAsset]?
  /// The request that the decision answers; `nil` if the owner decides unasked.
  package var request: Request?
  /// The level that the client must still be waiting for. If it is `nil`, the decision is always
  /// recorded.
  package var expectedLevel: PHAccessLevel?

  /// The error if the client no longer waits for the expected level.
  package struct IsDecided: Error {}

  package struct Request: Sendable {
    package var level: PHAccessLevel
    package var usageDescription: String
    package var date: Date

    package init(level: PHAccessLevel, usageDescription: String, date: Date) {
      self.level = level
      self.usageDescription = usageDescription
      self.date = date
    }
  }

  package init(
    _ statuses: [PHAccessLevel: PHAuthorizationStatus], selection: [PHAsset]? = nil, request: Request? = nil,
    expectedLevel: PHAccessLevel? = nil
  ) {
    self.statuses = statuses
    self.selection = selection
    self.request = request
    self.expectedLevel = expectedLevel
  }
}

extension PHPhotoLibrary {
  /// Returns the clients that have asked for access or were given it, by identifier.
  package func recordedClients() throws -> [RecordedClient] {
    try asOwner { store in
      try store.clients().filter { !EnvironmentAnswers.isFromEnvironment($0) }.map(RecordedClient.init)
    }
  }

  /// Returns a client, or `nil` if the library has not recorded it.
  package func recordedClient(_ client: LibraryClient) throws -> RecordedClient? {
    try asOwner { try $0.client(identifier: client.identifier).map(RecordedClient.init) }
  }

  /// Returns the number of assets that a client sees if its access is limited, without those that
  /// are concealed from this object's user.
  package func selectedAssetCount(of client: LibraryClient) throws -> Int {
    try asOwner { store in
      guard let record = try store.client(identifier: client.identifier) else { return 0 }
      return try store.selectionCount(of: record, concealsHidden: concealsHidden())
    }
  }

  /// Returns the UUIDs of the assets in a client's selection that are concealed from this object's
  /// user.
  package func concealedSelection(of client: LibraryClient) throws -> Set<String> {
    try asOwner { store in
      guard try concealsHidden(), let record = try store.client(identifier: client.identifier) else { return [] }
      return Set(try store.hiddenSelection(of: record))
    }
  }

  /// Commits a decision about a client in one transaction. Returns the client. A selection is set
  /// as by `setSelection`. Throws `IsDecided`, and changes nothing, if the client does not wait for
  /// the level that the decision expects: another process may have decided.
  @discardableResult
  package func decide(_ decision: ClientDecision, about client: LibraryClient) throws -> RecordedClient {
    guard decision.statuses[.addOnly] != .limited else {
      throw PHPhotosError(.changeNotSupported, "access that only adds can't be limited")
    }
    let selection = try decision.selection.map { try rows(of: $0) }
    let decided: RecordedClient? = try asOwner { store in
      try store.commit { transaction in
        var record = try transaction.record(of: client, at: engine.clock())
        if let level = decision.expectedLevel, RecordedClient(record).waitingLevel != level { return nil }
        for (level, status) in decision.statuses { record.set(status, level) }
        if let request = decision.request { record.note(request) }
        record = try transaction.save(record)
        if let selection { try setSelection(selection, of: record, in: transaction) }
        return RecordedClient(record)
      }
    }
    guard let decided else { throw ClientDecision.IsDecided() }
    return decided
  }

  /// Replaces the selection of a client, as far as this object's user sees it: concealed assets
  /// stay selected. Returns the assets that it did not have before.
  package func setSelection(_ assets: [PHAsset], of client: LibraryClient) throws -> [PHAsset] {
    let selection = try rows(of: assets)
    return try asOwner { store in
      try store.commit { transaction in
        guard let record = try transaction.client(identifier: client.identifier) else { return [] }
        let added = try setSelection(selection, of: record, in: transaction)
        return zip(assets, selection).filter { added.contains($0.1) }.map(\.0)
      }
    }
  }

  @discardableResult
  private func setSelection(
    _ assets: [Int64], of client: ClientRecord, in transaction: StoreTransaction
  ) throws -> Set<Int64> {
    let concealed = try concealsHidden() ? transaction.hidden(among: transaction.selection(of: client)) : []
    return try transaction.setSelection(assets + concealed, of: client)
  }
}

extension ClientRecord {
  mutating func note(_ request: ClientDecision.Request) {
    askedDate = request.date
    askedLevel = request.level.rawValue
    usageDescription = request.usageDescription
  }
}

extension StoreTransaction {
  /// Replaces a selection. Returns the assets that were added. A selection that is the same already
  /// is no change.
  fileprivate func setSelection(_ assets: [Int64], of client: ClientRecord) throws -> Set<Int64> {
    let (old, new) = (Set(try selection(of: client)), Set(assets))
    let (added, removed) = (new.subtracting(old), old.subtracting(new))
    if !removed.isEmpty { try deselect(removed.sorted(), for: client) }
    if !added.isEmpty { try select(added.sorted(), for: client) }
    return added
  }
}
