import Photos

/// The rights of a client, checked before its changes are looked up. Otherwise a client without
/// access would be told that its assets and albums don't exist.
///
/// The engine checks them again when the changes are committed.
enum ClientRights {
  static func check(_ changes: [BatchChange], in library: PHPhotoLibrary) throws {
    guard let client = library.client else { return }
    switch try library.readAuthorizationStatus(for: .readWrite) {
    case .authorized: break
    case .limited:
      guard let index = changes.firstIndex(where: \.isOfCollections) else { return }
      throw refusal("“\(client.name)” has limited access to the library, which shows it no albums").inChange(index)
    case .restricted: throw refusal(of: client, .restricted)
    case let status:
      guard try library.readAuthorizationStatus(for: .addOnly) == .authorized else { throw refusal(of: client, status) }
      throw refusal("“\(client.name)” may only add to the library")
    }
  }

  /// Returns the refusal of a client without access, by its status for `readWrite`.
  static func refusal(of client: LibraryClient, _ status: PHAuthorizationStatus) -> Failure {
    guard status == .restricted else { return refusal("“\(client.name)” has no access to the library") }
    return Failure(
      .forbidden, "“\(client.name)” is not allowed to use the library", problem: .accessRestricted,
      code: .accessRestricted)
  }

  private static func refusal(_ message: String) -> Failure {
    Failure(
      .forbidden, message, problem: .accessUserDenied, code: .accessUserDenied)
  }
}
