import Foundation
internal import LibraryStore

/// A client that a library has recorded, with its access.
public struct ClientAuthorization: Hashable, Sendable {
  public var client: LibraryClient
  public var readWrite: PHAuthorizationStatus
  public var addOnly: PHAuthorizationStatus
  /// The number of assets that the client sees if its access is limited.
  public var selectedAssetCount: Int

  public init(
    client: LibraryClient, readWrite: PHAuthorizationStatus, addOnly: PHAuthorizationStatus, selectedAssetCount: Int = 0
  ) {
    self.client = client
    self.readWrite = readWrite
    self.addOnly = addOnly
    self.selectedAssetCount = selectedAssetCount
  }
}

/// Extensions for the owner of a library, to manage its clients. In a library that was opened for a
/// client they throw `accessUserDenied`.
extension PHPhotoLibrary {
  /// Returns the clients that have asked for access or were given it, by identifier.
  public func clients() throws -> [ClientAuthorization] {
    try asOwner { store in
      try store.clients().filter { !EnvironmentAnswers.isFromEnvironment($0) }.map { record in
        let grant = ClientGrant(record)
        return ClientAuthorization(
          client: LibraryClient(identifier: record.identifier, name: record.name), readWrite: grant.readWrite,
          addOnly: grant.status(for: .addOnly), selectedAssetCount: try store.selectionCount(of: record))
      }
    }
  }

  /// Sets a client's status for a level, whether or not the client has asked. `notDetermined` lets
  /// the client ask again.
  ///
  ///     try library.setAuthorization(.authorized, for: slideshow, accessLevel: .readWrite)
  ///
  /// The status takes effect at once, in every process. `addOnly` can't be `limited`.
  public func setAuthorization(
    _ status: PHAuthorizationStatus, for client: LibraryClient, accessLevel: PHAccessLevel
  ) throws {
    guard status != .limited || accessLevel == .readWrite else {
      throw PHPhotosError(.changeNotSupported, "access that only adds can't be limited")
    }
    try change(client, status: status, level: accessLevel)
  }

  /// Gives a client limited access to these assets and no others.
  public func setAuthorization(limitedTo assets: [PHAsset], for client: LibraryClient) throws {
    try change(client, status: .limited) { record, transaction in
      try transaction.deselect(transaction.selection(of: record), for: record)
      try transaction.select(rows(of: assets), for: record)
    }
  }

  /// Adds assets to the selection that a client with limited access sees.
  public func select(_ assets: [PHAsset], for client: LibraryClient) throws {
    try change(client) { record, transaction in try transaction.select(rows(of: assets), for: record) }
  }

  /// Removes assets from the selection that a client with limited access sees.
  public func deselect(_ assets: [PHAsset], for client: LibraryClient) throws {
    try change(client) { record, transaction in try transaction.deselect(rows(of: assets), for: record) }
  }

  /// Returns the selection that a client with limited access sees.
  public func selectedAssets(for client: LibraryClient) throws -> PHFetchResult<PHAsset> {
    guard let record = try asOwner({ try $0.client(identifier: client.identifier) }) else { return PHFetchResult() }
    var query = FetchQuery(.assets)
    query.limitedToClient = record.id
    query.includesHidden = true
    query.includesAllBurstAssets = true
    return fetch(query)
  }

  /// Deletes a client's record, with its access and its selection. The client may ask again.
  public func forget(_ client: LibraryClient) throws {
    try asOwner { store in
      try store.commit { transaction in
        guard let record = try transaction.client(identifier: client.identifier) else { return }
        try transaction.forget(record)
      }
    }
  }

  /// Returns the assets' rows. Throws for an asset of another library, since rows there have the
  /// same numbers.
  func rows(of assets: [PHAsset]) throws -> [Int64] {
    guard let foreignAsset = assets.first(where: { !$0.isOf(self) }) else {
      return assets.map(\.rowID)
    }
    let identifier = foreignAsset.localIdentifier
    throw PHPhotosError(.identifierNotFound, "\(identifier) belongs to another library", identifiers: [identifier])
  }

  func asOwner<Value>(_ work: (LibraryStore) throws -> Value) throws -> Value {
    try withPhotosErrors {
      guard client == nil else {
        throw PHPhotosError(.accessUserDenied, "only the library's owner decides who may use it, not \(clientName)")
      }
      return try work(engine.available())
    }
  }

  /// Commits one transaction: sets the client's status for a level, if there is one, and runs
  /// `work` on its record.
  private func change(
    _ client: LibraryClient, status: PHAuthorizationStatus? = nil, level: PHAccessLevel = .readWrite,
    _ work: (ClientRecord, StoreTransaction) throws -> Void = { _, _ in }
  ) throws {
    try asOwner { store in
      try store.commit { transaction in
        var record = try transaction.record(of: client, at: engine.clock())
        if let status { record.set(status, level) }
        try work(transaction.save(record), transaction)
      }
    }
  }
}
