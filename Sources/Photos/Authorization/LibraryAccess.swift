import Foundation
internal import LibraryStore

/// What a library's client may do now, as the library has it written down.
enum LibraryAccess: Hashable {
  case owner
  case full
  /// The client sees its selection: the assets of this row of `client`.
  case limited(ClientRecord)
  case addOnly
  case none(PHAuthorizationStatus)
}

extension PHPhotoLibrary {
  /// Read from the library each time: another process may have changed it.
  func access() throws -> LibraryAccess {
    guard let client else { return .owner }
    guard let record = try engine.available().client(identifier: client.identifier) else {
      return .none(.notDetermined)
    }
    return switch PHAuthorizationStatus(rawValue: record.readWrite) ?? .notDetermined {
    case .authorized: .full
    case .limited: .limited(record)
    case let status: record.addOnly == PHAuthorizationStatus.authorized.rawValue ? .addOnly : .none(status)
    }
  }
}

extension PHPhotoLibrary {
  /// The store for a client that may see this asset, which it got hold of when it might have been allowed more.
  func store(showing asset: PHObject) throws -> LibraryStore {
    let store = try engine.available()
    switch try access() {
    case .owner, .full: return store
    case .limited(let client):
      if try store.inspect({ try $0.isSelected(asset.rowID, for: client) }) { return store }
    case .addOnly, .none: break
    }
    throw PHPhotosError(
      .accessUserDenied, "\(client?.name ?? "the client") may not see \(asset.localIdentifier) any more")
  }
}

extension FetchQuery {
  /// The query as far as a client may see what it finds: the selection alone, or nothing.
  func restricted(to access: LibraryAccess) -> FetchQuery {
    switch access {
    case .owner, .full: return self
    case .limited(let client):
      var query = self
      query.limitedToClient = client.id
      switch source {
      // Not the user's albums and folders: they tell of what is not in the selection.
      case .assetsInAlbum, .children, .albumsContaining, .parent: query.source = .nothing
      case .collections(let kind, _) where kind != .smartAlbum: query.source = .nothing
      case .collectionsOfKinds(let kinds): query.source = .collectionsOfKinds(kinds.intersection([.smartAlbum]))
      default: break
      }
      return query
    case .addOnly, .none: return FetchQuery(.nothing)
    }
  }
}
