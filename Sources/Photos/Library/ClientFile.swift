import Foundation
internal import LibraryStore

/// An original with a path for a client: the library's own path, or a link or a copy under the name
/// that the client knows.
///
/// An original that several assets share is stored under the name and the date of the first of
/// them. A client with limited access may not see that asset, so it always gets a link, which
/// reveals nothing.
struct ClientFile: Sendable {
  let url: URL
  /// The folder of the link or copy, which is removed with the last reference to it.
  let folder: PrivateFolder?

  /// Makes a file whose own path the client may see.
  init(url: URL) {
    self.url = url
    folder = nil
  }

  init(_ record: ResourceRecord, of library: PHPhotoLibrary) throws {
    if let original = try library.store.originals.url(of: record) {
      guard try library.access().selection != nil else {
        self.init(url: original)
        return
      }
      let link = PrivateFolder(in: library.store.incomingURL)
      if Foundation.link(original.path, link.url(of: record).path) == 0 {
        self.init(record, in: link)
        return
      }
    }
    // The original has no path, the library is read-only, or the system does not allow other users
    // to link its files.
    let copy = PrivateFolder()
    try library.store.copyOriginal(of: record, to: copy.url(of: record).path)
    self.init(record, in: copy)
  }

  private init(_ record: ResourceRecord, in folder: PrivateFolder) {
    url = folder.url(of: record)
    self.folder = folder
  }
}

extension PrivateFolder {
  fileprivate func url(of record: ResourceRecord) -> URL { url.appendingPathComponent(record.storableFilename) }
}
