import Foundation
internal import LibraryStore

extension PHPhotoLibrary {
  /// Extension: returns the reason that a library's database can't be used; `nil` if the database
  /// is intact.
  ///
  /// Throws if there is no library, or if something other than damage keeps it from being opened.
  public static func damage(ofLibraryAt url: URL) throws -> String? {
    do {
      return try LibraryStore(path: url.standardizedFileURL.path, create: false).damage()
    } catch let error as StoreError where error.code == .damaged && error.file.hasSuffix("library.sqlite") {
      // Other damage, for example a link in the place of a file, is no reason to give up the
      // database.
      return error.description
    } catch { throw PHPhotosError(error) }
  }

  /// Extension: moves a library's database aside. Returns the database's new place; `nil` if there
  /// was none.
  ///
  /// Albums, edits, and everything else that only the database contains are lost to the library.
  /// The originals stay.
  public static func setDatabaseAside(ofLibraryAt url: URL) throws -> URL? {
    do {
      return try LibraryStore.setDatabaseAside(ofLibraryAt: url.standardizedFileURL.path, date: Date())
        .map { url.appendingPathComponent($0) }
    } catch { throw PHPhotosError(error) }
  }

  /// Extension: opens a library to make assets of originals in its folder that its database does
  /// not contain.
  ///
  /// A library without a database gets an empty one. Add the files by creation requests with the
  /// option `isInPlace`.
  public static func openForRepair(url: URL) throws -> PHPhotoLibrary {
    do {
      let engine = try LibraryEngine(
        path: url.standardizedFileURL.path, create: true, historyLimits: .standard, clock: nil, isRepairing: true)
      return PHPhotoLibrary(engine: engine)
    } catch { throw PHPhotosError(error) }
  }

  /// Extension: returns whether a file in the library's folder belongs to an asset.
  public func owns(_ file: URL) throws -> Bool {
    do { return try engine.available().names(FilePath(file)) } catch { throw PHPhotosError(error) }
  }
}
