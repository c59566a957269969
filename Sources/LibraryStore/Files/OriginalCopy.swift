import Foundation

extension LibraryStore {
  /// Copies an original to a new file, and checks that the copy has the original's recorded hash.
  /// Errors name the resource, because the original's path may be that of another asset.
  ///
  /// `keepsDate` says whether the copy gets the original's modification date. That date may be the
  /// one at which another asset was imported. `sharesBlocks` permits that the copy shares its
  /// blocks with the original, if the disk can do that. Then it is not checked.
  public func copyOriginal(
    of resource: ResourceRecord, to path: String, keepsDate: Bool = true, sharesBlocks: Bool = false
  ) throws {
    let source = try openFile(of: resource)
    let copy = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard copy >= 0 else { throw FileOperations.error(errno, path) }
    defer { close(copy) }
    if sharesBlocks, source.clone(to: copy) { return }
    do {
      let copied = try FileOperations.copy(source, to: copy, path)
      guard copied.sha256 == resource.sha256 else {
        throw StoreError(.cannotRead, resource.originalFilename, reason: "its bytes have changed since it was imported")
      }
    } catch {
      unlink(path)
      throw error
    }
    if keepsDate { source.copyModificationDate(to: copy) }
  }

  func openFile(of resource: ResourceRecord) throws(StoreError) -> OpenFile {
    do throws(StoreError) {
      return OpenFile(descriptor: try originals.open(resource), name: resource.originalFilename)
    } catch {
      guard error.code == .cannotRead else { throw error }
      throw StoreError(.cannotRead, resource.originalFilename, reason: error.reason)
    }
  }
}

extension ByteSource {
  /// Returns whether the source has the resource's recorded size and hash.
  public func holdsSameBytes(as resource: ResourceRecord) throws -> Bool {
    guard try byteCount() == resource.byteCount else { return false }
    return try sha256() == resource.sha256
  }
}
