import Foundation
internal import LibraryStore

extension PHPhotoLibrary {
  /// Returns whether a folder is a photo library.
  ///
  /// Throws if that can't be determined, and if the library has lost its database.
  public static func exists(at url: URL) throws -> Bool {
    try withPhotosErrors { try LibraryStore.exists(at: FilePath(url)) }
  }

  /// Returns whether a folder is a photo library, even a damaged one. Another program's folder with
  /// a database of the same name is not.
  package static func isLibrary(at url: URL) -> Bool { LibraryStore.isLibrary(at: FilePath(url)) }

  /// Returns whether one of a library's own files or folders has this name.
  package static func isOwnName(_ name: String) -> Bool { LibraryStore.isOwnName(name) }

  /// Returns the reason that a library's database can't be used; `nil` if the database is intact.
  ///
  /// Throws if there is no library, or if something other than damage keeps it from being opened.
  package static func damage(ofLibraryAt url: URL) throws -> String? {
    try withPhotosErrors {
      do {
        return try LibraryStore(path: url.standardizedFileURL.path, create: false).damage()
      } catch let error as StoreError where error.code == .damaged && error.isAboutDatabase {
        // Other damage, for example a link in the place of a file, is no reason to give up the
        // database.
        return error.description
      }
    }
  }

  /// Mends rows that can't be read or shown, in a database that is intact otherwise. Returns the
  /// number of problems.
  ///
  /// Keywords and names of places come from the search index, if it has them. The camera and notes
  /// are dropped.
  package func mendRows() throws -> Int {
    do { return try engine.available().mendRows() } catch { throw PHPhotosError(error) }
  }

  /// Opens a library whose database is lost or damaged, to make assets of the originals in its
  /// folder again.
  ///
  /// The library gets a new database beside its own one, or continues with the one that an
  /// interrupted repair of this account began. Add the files by creation requests with the option
  /// `isInPlace`, then call `finishRepair()`.
  package static func openForRepair(url: URL) throws -> PHPhotoLibrary {
    try withPhotosErrors {
      let engine = try LibraryEngine(
        path: url.standardizedFileURL.path, create: false, historyLimits: .standard, clock: nil, isRepairing: true)
      return PHPhotoLibrary(engine: engine)
    }
  }

  /// Replaces the database of a library that was opened for repair by the new one. Returns the
  /// place to which the former database was moved; `nil` if there was none.
  ///
  /// Albums and everything else that only the former database contained are lost to the library.
  /// Open the library again afterward.
  package func finishRepair() throws -> URL? {
    try withPhotosErrors {
      try engine.store.finishRepair().map { URL(fileURLWithPath: engine.path).appendingPathComponent($0) }
    }
  }

  /// Whether another library is at this one's place, as after a repair. This one stays unavailable:
  /// open the other one. Looks at the disk.
  package var isReplaced: Bool { engine.isReplaced }

  /// Returns whether a file in the library's folder belongs to an asset.
  package func owns(_ file: URL) throws -> Bool {
    try withPhotosErrors { try engine.available().names(FilePath(file)) }
  }

  /// Returns whether a file in the library's folder belongs to an edit that was reverted or
  /// replaced.
  package func isOfFormerEdit(_ file: URL) throws -> Bool {
    try withPhotosErrors { try engine.available().isOfFormerEdit(FilePath(file)) }
  }
}
