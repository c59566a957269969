import Foundation
internal import LibraryStore

/// Extension: a client that a library knows, and what its owner allows it.
public struct PHClientGrant: Hashable, Sendable {
  public var client: PHClient
  public var readWrite: PHAuthorizationStatus
  public var addOnly: PHAuthorizationStatus
  /// How many assets a client with limited access sees.
  public var selectedAssetCount: Int
}

// Extensions of PhotoKit's API for the library's owner: another client's library throws accessUserDenied.
extension PHPhotoLibrary {
  /// The clients that have asked for access or were given it, by identifier.
  public func clients() throws -> [PHClientGrant] {
    do {
      let store = try ownersStore()
      return try store.clients().map { record in
        PHClientGrant(
          client: PHClient(identifier: record.identifier, name: record.name),
          readWrite: PHAuthorizationStatus(rawValue: record.readWrite) ?? .notDetermined,
          addOnly: PHAuthorizationStatus(rawValue: record.addOnly) ?? .notDetermined,
          selectedAssetCount: try store.selection(of: record).count)
      }
    } catch { throw PHPhotosError(error) }
  }

  /// Allows a client something, or takes it back; one that the library does not know becomes known.
  public func setAuthorizationStatus(
    _ status: PHAuthorizationStatus, for client: PHClient, accessLevel: PHAccessLevel
  ) throws {
    guard accessLevel == .readWrite || status != .limited else {
      throw PHPhotosError(.changeNotSupported, "access to add only can't be limited")
    }
    try changeClient(client) { record, transaction in
      if accessLevel == .readWrite { record.readWrite = status.rawValue } else { record.addOnly = status.rawValue }
      record = try transaction.save(record)
    }
  }

  /// Adds assets, by identifiers, to those that a client with limited access sees.
  public func select(_ identifiers: [String], for client: PHClient) throws {
    try changeClient(client) { record, transaction in
      record = try transaction.save(record)
      try transaction.select(try rows(identifiers, transaction), for: record)
    }
  }

  /// Takes assets out of those that a client with limited access sees.
  public func deselect(_ identifiers: [String], for client: PHClient) throws {
    try changeClient(client) { record, transaction in
      record = try transaction.save(record)
      try transaction.deselect(try rows(identifiers, transaction), for: record)
    }
  }

  /// Takes every asset out of those that a client with limited access sees.
  public func deselectAll(for client: PHClient) throws {
    do {
      let store = try ownersStore()
      let selection = try store.client(identifier: client.identifier).map { try store.selection(of: $0) } ?? []
      try changeClient(client) { record, transaction in
        record = try transaction.save(record)
        try transaction.deselect(selection, for: record)
      }
    } catch { throw PHPhotosError(error) }
  }

  /// Forgets a client with all that it was allowed.
  public func forget(_ client: PHClient) throws {
    try changeClient(client) { record, transaction in try transaction.forget(record) }
  }

  private func changeClient(
    _ client: PHClient, _ body: (inout ClientRecord, StoreTransaction) throws -> Void
  ) throws {
    do {
      try ownersStore().commit { transaction in
        var record =
          try transaction.client(identifier: client.identifier)
          ?? ClientRecord(identifier: client.identifier, name: client.name, creationDate: transaction.date)
        try body(&record, transaction)
      }
    } catch { throw PHPhotosError(error) }
  }

  private func rows(_ identifiers: [String], _ transaction: StoreTransaction) throws -> [Int64] {
    try identifiers.map { identifier in
      guard let asset = try transaction.asset(uuid: PHObject.uuid(localIdentifier: identifier)) else {
        throw PHPhotosError(.identifierNotFound, "there is no asset \(identifier)", identifiers: [identifier])
      }
      return asset.id
    }
  }

  private func ownersStore() throws -> LibraryStore {
    guard client == nil else {
      throw PHPhotosError(.accessUserDenied, "only the library's owner may see and change what its clients are allowed")
    }
    return try engine.available()
  }
}
