internal import Essentials
import Foundation
internal import LibraryStore

extension PHPhotoLibrary {
  /// Opens the library in a folder. Creates it if it does not exist, unless `create` is false.
  ///
  /// `client` is the program that uses the library, with the access that the owner granted. Without
  /// one, the owner uses the library and may do everything. `historyAge` is the age, in seconds, up
  /// to which the persistent history is kept. `clock` returns the time of changes and fetches, and
  /// is trusted. The computer's own clock may be wrong: a single reading of it never expires
  /// Recently Deleted.
  public convenience init(
    url: URL, create: Bool = true, client: LibraryClient? = nil, historyAge: TimeInterval = 30 * 86_400,
    clock: (@Sendable () -> Date)? = nil
  ) throws {
    var limits = HistoryLimits.standard
    limits.age = historyAge
    let engine = try withPhotosErrors {
      try LibraryEngine(path: url.standardizedFileURL.path, create: create, historyLimits: limits, clock: clock)
    }
    self.init(engine: engine, client: client)
  }

  /// Returns this library for another client. A server makes one for each of its clients.
  public func photoLibrary(for client: LibraryClient?) -> PHPhotoLibrary {
    PHPhotoLibrary(engine: engine, client: client, answerer: authorizationAnswerer)
  }

  /// The folder of the library that `shared()` opens.
  public static var defaultURL: URL {
    urlInEnvironment ?? picturesFolder.appendingPathComponent("Photos Library.calotype")
  }

  /// The user's pictures folder by the desktop's `user-dirs.dirs`, else `Pictures` in the home
  /// folder.
  private static var picturesFolder: URL {
    let home = AccountFolders.home
    // Without a desktop there is no such file.
    let lines = (try? String(contentsOfFile: "\(AccountFolders.settings)/user-dirs.dirs", encoding: .utf8)) ?? ""
    let named = lines.split(separator: "\n").compactMap { line in
      line.wholeMatch(of: /\s*XDG_PICTURES_DIR="(?:\$HOME)?(\/[^"$]*)"\s*/)
        .map { (line.contains("$HOME") ? home : "") + $0.1 }
    }.last
    return URL(fileURLWithPath: named ?? "\(home)/Pictures", isDirectory: true)
  }

  /// The folder that the environment names; `nil` if it names none.
  static var urlInEnvironment: URL? {
    ProcessInfo.processInfo.environment["CALOTYPE_LIBRARY"].flatMap {
      $0.isEmpty ? nil : URL(fileURLWithPath: AccountFolders.expandingHome(in: $0))
    }
  }

  /// The library's folder.
  public var url: URL { URL(fileURLWithPath: engine.path, isDirectory: true) }

  /// The reason that the library can't be changed (its disk is read-only or full, or its files
  /// belong to another user); `nil` if it can be.
  ///
  /// Such a library shows its contents as they were when it was opened, or with the changes of
  /// others who have it open.
  public var readOnlyReason: String? { store.readOnlyReason }
}
