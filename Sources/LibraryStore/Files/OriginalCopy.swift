import Foundation

extension LibraryStore {
  /// Copies an original to a new file, and checks that the copy has the hash that the original came with.
  public func copyOriginal(of resource: ResourceRecord, to path: String) throws {
    let source = ByteSource.file(path: absolute(resource.path))
    let copied = try FileOperations.copy(source, to: path)
    defer { close(copied.descriptor) }
    source.copyModificationDate(to: copied.descriptor)
    guard copied.sha256 == resource.sha256 else {
      unlink(path)
      throw StoreError(.cannotRead, absolute(resource.path), reason: "its bytes have changed since it was imported")
    }
  }
}

extension ByteSource {
  /// Whether the source's bytes are those that the resource came with.
  public func holdsSameBytes(as resource: ResourceRecord) throws -> Bool {
    guard try byteCount() == resource.byteCount else { return false }
    return try sha256() == resource.sha256
  }
}
