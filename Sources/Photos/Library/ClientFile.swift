import Foundation
internal import LibraryStore

/// An original with a path for a client: the library's own path, or a copy under the name
/// that the client knows.
///
/// An original that several assets share is stored under the name and the date of the first of
/// them. A client with limited access may not see that asset, so it always gets a copy. A link
/// would have the original's date.
struct ClientFile: Sendable {
  let url: URL
  /// The folder of the copy, which is removed with the last reference to it.
  let folder: PrivateFolder?

  /// Makes a file whose own path the client may see.
  init(url: URL) {
    self.url = url
    folder = nil
  }

  init(_ record: ResourceRecord, of library: PHPhotoLibrary) throws {
    if try library.access().selection == nil, let original = try library.store.originals.url(of: record) {
      self.init(url: original)
      return
    }
    self.init(record, in: PrivateFolder(in: library.store.incomingURL))
    try library.store.copyOriginal(of: record, to: url.path, keepsDate: false, sharesBlocks: true)
  }

  private init(_ record: ResourceRecord, in folder: PrivateFolder) {
    url = folder.url.appendingPathComponent(record.storableFilename)
    self.folder = folder
  }
}
