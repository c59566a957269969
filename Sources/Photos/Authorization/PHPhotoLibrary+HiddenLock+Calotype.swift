import Foundation
internal import LibraryStore

/// The lock of the hidden assets. While it is set, no client sees them, and the server shows them
/// to the owner only after the password.
extension PHPhotoLibrary {
  /// Returns whether the lock is set.
  package func locksHidden() throws -> Bool { try withPhotosErrors { try engine.available().locksHidden() } }

  /// Sets the lock, or removes it.
  package func setLocksHidden(_ locksHidden: Bool) throws { try asOwner { try $0.setLocksHidden(locksHidden) } }

  /// Returns this library without its hidden assets.
  package var withoutHidden: PHPhotoLibrary {
    PHPhotoLibrary(engine: engine, client: client, isWithoutHidden: true, answerer: authorizationAnswerer)
  }

  /// Whether hidden assets are kept from this object's user. Reads the library, since another
  /// process may have changed it.
  package func concealsHidden() throws -> Bool {
    if isWithoutHidden { return true }
    return try client != nil && locksHidden()
  }

  /// Returns whether this object's user would see more without the lock. A client whose selection
  /// has no hidden asset does not notice the lock.
  package func lacksHidden() throws -> Bool { try withPhotosErrors { try lacksHidden(access()) } }

  func lacksHidden(_ access: LibraryAccess) throws -> Bool {
    guard try concealsHidden() else { return false }
    return try access.selection.map { try engine.available().hasHiddenSelection($0) } ?? true
  }

  /// Returns the query restricted to what this object's user may see. Recently Deleted is the
  /// owner's alone.
  func restricted(_ query: FetchQuery, to access: LibraryAccess) throws -> FetchQuery {
    var query = query.restricted(to: access)
    // A query of assets is restricted by the lock alone, since an asset may be hidden meanwhile.
    query.concealsHidden = try query.isOfCollections ? lacksHidden(access) : concealsHidden()
    query.concealsTrash = client != nil
    return query
  }
}

/// Something can't be done because it is about hidden assets, and they are locked.
package struct HiddenIsLocked: Error {
  package init() {}
}
