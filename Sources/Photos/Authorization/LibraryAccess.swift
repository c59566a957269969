import Foundation
internal import LibraryStore

/// The access that a library's client has now, as the library records it.
enum LibraryAccess: Hashable {
  case owner
  case full
  /// The client sees its selection: the assets of this row of `client`.
  case limited(ClientRecord)
  case addOnly
  /// The client can't read; the value is its status for `readWrite`.
  case none(PHAuthorizationStatus)

  /// Whether anything can be read.
  var isReading: Bool {
    switch self {
    case .owner, .full, .limited: true
    case .addOnly, .none: false
    }
  }

  /// The client, if only its selection can be read.
  var selection: ClientRecord? {
    if case .limited(let client) = self { client } else { nil }
  }

  /// Whether everything can be read.
  var seesEverything: Bool { self == .owner || self == .full }
}

/// The statuses of a client's two levels.
struct ClientGrant: Hashable {
  var readWrite = PHAuthorizationStatus.notDetermined
  /// The recorded status. `status(for:)` returns the effective one.
  var addOnly = PHAuthorizationStatus.notDetermined

  init(readWrite: PHAuthorizationStatus = .notDetermined, addOnly: PHAuthorizationStatus = .notDetermined) {
    self.readWrite = readWrite
    self.addOnly = addOnly
  }

  init(_ record: ClientRecord?) {
    readWrite = record.flatMap { PHAuthorizationStatus(rawValue: $0.readWrite) } ?? .notDetermined
    addOnly = record.flatMap { PHAuthorizationStatus(rawValue: $0.addOnly) } ?? .notDetermined
  }

  /// Returns the owner's decisions. Levels that the owner has not decided are taken from the
  /// environment's answers.
  func completed(by environment: ClientGrant) -> ClientGrant {
    ClientGrant(
      readWrite: readWrite == .notDetermined ? environment.readWrite : readWrite,
      addOnly: addOnly == .notDetermined ? environment.addOnly : addOnly)
  }

  /// Returns the effective status: a client that may read and change the library may also add to
  /// it.
  func status(for level: PHAccessLevel) -> PHAuthorizationStatus {
    switch level {
    case .readWrite: readWrite
    case .addOnly: readWrite == .authorized || readWrite == .limited ? .authorized : addOnly
    }
  }
}

extension LibraryAccess {
  /// Makes the access from a client's statuses. `record` is the row whose selection counts if the
  /// access is limited.
  init(_ grant: ClientGrant, _ record: ClientRecord?) {
    self =
      switch (grant.readWrite, record) {
      case (.authorized, _): .full
      case (.limited, let record?): .limited(record)
      case (let status, _): grant.addOnly == .authorized ? .addOnly : .none(status)
      }
  }
}

extension PHPhotoLibrary {
  /// Returns the client's access. Reads the library each time, since another process may have
  /// changed it.
  func access() throws -> LibraryAccess {
    guard client != nil else { return .owner }
    return try access(engine.available().client(identifier:))
  }

  /// Returns whether this library's client sees anything.
  package func isReadable() throws -> Bool { try withPhotosErrors { try access().isReading } }

  private func access(_ row: (String) throws -> ClientRecord?) throws -> LibraryAccess {
    guard let client else { return .owner }
    let owners = try row(client.identifier)
    let grant = grant(owners)
    let isOwners = ClientGrant(owners).readWrite != .notDetermined
    return LibraryAccess(
      grant, isOwners || grant.readWrite != .limited ? owners : try row(EnvironmentAnswers.identifier(of: client)))
  }

  /// Returns the access of this library's client: the owner's decisions in `record`, completed by
  /// the environment's answers.
  func grant(_ record: ClientRecord?) -> ClientGrant {
    ClientGrant(record).completed(by: engine.environmentAnswers.grant(of: client))
  }

  /// Like `access()`, for a fetch. If the client has never asked and no person answers, asks first;
  /// this may block.
  func accessForFetching() throws -> LibraryAccess {
    let access = try access()
    guard access == .none(.notDetermined), !authorizationAnswerer.asksPerson, authorizationProblem == nil else {
      return access
    }
    _ = waitForAuthorization(for: .readWrite)
    return try self.access()
  }

  /// Like `access()`, inside a transaction.
  func access(in transaction: StoreTransaction) throws -> LibraryAccess {
    try access(transaction.client(identifier:))
  }

  /// Returns the store, to read from assets that were fetched earlier. Throws if the client may not
  /// see them any more.
  func store(reading assets: [Int64]) throws -> LibraryStore {
    let store = try engine.available()
    guard client != nil || isWithoutHidden else { return store }
    let access = try access()
    guard try visible(assets, to: access, in: store).count == assets.count else {
      throw PHPhotosError(
        access == .none(.restricted) ? .accessRestricted : .accessUserDenied,
        access.isReading
          ? "\(clientName) has limited access to the library, which does not show it this asset"
          : "\(clientName) may not see the library's assets")
    }
    return store
  }

  /// Returns the assets that the client may see now.
  func visible(_ assets: [Int64]) throws -> [Int64] {
    guard client != nil || isWithoutHidden else { return assets }
    return try visible(assets, to: access(), in: engine.available())
  }

  private func visible(_ assets: [Int64], to access: LibraryAccess, in store: LibraryStore) throws -> [Int64] {
    let seen: [Int64]
    switch access {
    case .owner, .full: seen = assets
    case .limited(let client):
      let selected = try store.selected(among: assets, for: client)
      seen = assets.filter(selected.contains)
    case .addOnly, .none: return []
    }
    guard try concealsHidden() else { return seen }
    let hidden = try store.hidden(among: seen)
    return seen.filter { !hidden.contains($0) }
  }

  var clientName: String { client.map { "“\($0.name)”" } ?? "the owner" }
}

extension FetchQuery {
  /// Returns the query restricted to what the client may see: its selection, or nothing.
  func restricted(to access: LibraryAccess) -> FetchQuery {
    switch access {
    case .owner, .full: return self
    case .limited(let client):
      var query = self
      query.limitedToClient = client.id
      switch source {
      // Albums and folders of the user would reveal assets outside the selection.
      case .assetsInAlbum, .assetsInFolder, .children, .albumsContaining, .parent: return FetchQuery(.nothing)
      case .collections(let kind, _) where kind != .smartAlbum: return FetchQuery(.nothing)
      case .collectionsOfKinds(let kinds): query.source = .collectionsOfKinds(kinds.intersection([.smartAlbum]))
      default: break
      }
      return query
    case .addOnly, .none: return FetchQuery(.nothing)
    }
  }
}
