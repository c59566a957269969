import Foundation

/// The place of a library's originals: its folder, or a remote store.
///
///     if !originals.isLocal(resource) { try originals.fetch(resource) { print($0) } }
///     let descriptor = try originals.open(resource)
///
/// Any thread may use it.
public protocol Originals: Sendable {
  /// Whether all originals are local. If so, callers need not look up an asset's files first.
  var areAllLocal: Bool { get }

  /// Returns whether an original can be opened without a fetch. The file of a local
  /// original may still be missing.
  func isLocal(_ resource: ResourceRecord) -> Bool

  /// Opens a local original for reading; the caller closes the descriptor. Throws `.elsewhere` if
  /// the original is not local.
  func open(_ resource: ResourceRecord) throws(StoreError) -> Int32

  /// Returns the URL of a local original's own file; `nil` if the file may be removed at any time.
  /// Throws if the file is outside of the library.
  func url(of resource: ResourceRecord) throws(StoreError) -> URL?

  /// Makes an original local. Blocks the thread until it is.
  ///
  /// `progress` receives growing shares up to 1. If it throws, the fetch ends with that error.
  func fetch(_ resource: ResourceRecord, progress: (Double) throws -> Void) throws
}

/// The originals in a library's own folder, all of which are local.
struct FolderOriginals: Originals {
  let folder: LibraryFolder

  var areAllLocal: Bool { true }

  func isLocal(_ resource: ResourceRecord) -> Bool { true }

  func open(_ resource: ResourceRecord) throws(StoreError) -> Int32 { try folder.openOriginal(resource.path) }

  func url(of resource: ResourceRecord) throws(StoreError) -> URL? {
    try folder.checkIsOriginal(resource.path)
    try folder.checkIsFile(resource.path)
    return URL(fileURLWithPath: folder.absolute(resource.path))
  }

  func fetch(_ resource: ResourceRecord, progress: (Double) throws -> Void) {}
}
