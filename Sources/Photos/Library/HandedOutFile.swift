import Foundation
internal import LibraryStore

/// A file of the library, as a client gets its path: the library's own, or a link under the name that the client knows.
///
/// An original that several assets share is stored under the name and the date of the first of them. A client with limited access may not
/// see that one, so it always gets a link, which tells nothing.
struct HandedOutFile: Sendable {
  let url: URL
  /// Where the link is; it goes away with its last user.
  let folder: PrivateFolder?

  /// A file whose path tells nothing.
  init(url: URL) {
    self.url = url
    folder = nil
  }

  init(_ record: ResourceRecord, of library: PHPhotoLibrary) throws {
    let original = try library.store.url(of: record)
    guard try library.access().selection != nil else {
      self.init(url: original)
      return
    }
    let link = PrivateFolder(in: library.store.incomingURL)
    if Foundation.link(original.path, link.url(of: record).path) == 0 {
      self.init(record, in: link)
      return
    }
    // The library can only be read, or the system lets others make no links to its files.
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
