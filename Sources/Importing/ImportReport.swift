import Foundation

/// The result of an import, or with `isDryRun` the expected result.
public struct ImportReport: Sendable {
  public var isDryRun: Bool
  public var photos = 0
  public var videos = 0
  public var livePhotos = 0
  /// Assets that were in the library and that a file of this import completed: with the other half
  /// of a Live Photo, or the JPEG of a RAW file.
  public var completed = 0
  /// Files whose bytes were in the library.
  public var alreadyThere = 0
  /// Files that replaced damaged or missing files of the library with the same bytes.
  public var replaced = 0
  /// Files with the same bytes as another file of this import.
  public var copies = 0
  public var leftAlone: [LeftAlone] = []
  public var failures: [Failure] = []
  /// Files that were imported, but whose picture can't be shown.
  public var unreadable: [Failure] = []
  /// Files that were imported, but whose pictures could not be made yet. They are made on request.
  public var notShownYet: [Failure] = []
  /// Files that were imported, but are damaged: only a part of the picture can be shown.
  public var damaged: [Damaged] = []
  /// Whether the user stopped the import. Another run continues it.
  public var wasInterrupted = false
  /// The empty folders among those that the user named. If a disk belongs there, it is not mounted.
  public var emptyFolders: [String] = []
  private(set) var accounted: Set<SourcePath> = []
  /// The identifiers of the assets that this import created.
  var createdIdentifiers: Set<String> = []
  /// The number of edits of this import that the library has.
  var edits = 0
  /// The last transaction of this import; `nil` if it changed nothing.
  var latestTransaction: Int64?

  public var added: Int { photos + videos + livePhotos }

  /// Whether a file was left out that may be a photo or a video.
  public var leftOutMedia: Bool { !failures.isEmpty || leftAlone.contains { $0.reason.mayBeLostMedia } }

  public struct LeftAlone: Hashable, Sendable {
    public enum Reason: String, Sendable, CaseIterable {
      /// The reasons:
      /// - `unrecognized`: named like a photo or a video, but with content that is neither.
      /// - `emptyMedia`: named like a photo or a video, but empty.
      /// - `keptOriginal`: a photo before another program edited it.
      /// - `proxy`: a small copy of the movie beside it.
      /// - `deleted`: its bytes were deleted from the library.
      /// - `revertedEdit`: the user reverted the edit that it belongs to.
      /// - `hiddenMedia`: the name of the file, or of a folder above it, begins with a dot.
      /// - `library`: the library that the import is for.
      /// - `otherLibrary`: another library's own files; photos beside them are imported.
      case unrecognized, emptyMedia, hiddenMedia, otherLibrary, sidecar, proxy, sound, unknownType, empty, hidden, link,
        notAFile, library,
        applePhotosLibrary, takeoutArchive, otherEdit, foreign, keptOriginal, deleted, revertedEdit

      /// Whether a photo or a video may be missing from the library for this reason.
      public var mayBeLostMedia: Bool {
        [.unrecognized, .emptyMedia, .hiddenMedia, .otherLibrary, .applePhotosLibrary, .takeoutArchive].contains(self)
      }

      /// Whether the user discarded the file. The import can bring it back.
      public var isByChoice: Bool { [.deleted, .revertedEdit].contains(self) }
    }
    public var path: String
    public var reason: Reason
    /// The number of files; it can differ from one for a folder of another program or a hidden one.
    public var fileCount = 1
    /// Whether a part of that folder can't be read and is not counted.
    public var isPartlyUnread = false
  }

  public struct Damaged: Hashable, Sendable {
    public var path: String
    public var reason: String
    public var localIdentifier: String
    /// A whole photo of the same shot in the library.
    public var wholeCopy: WholeCopy?

    public struct WholeCopy: Hashable, Sendable {
      public var filename: String
      public var localIdentifier: String
    }
  }

  public struct Failure: Hashable, Sendable {
    let source: SourcePath
    public var reason: String
    /// The number of files; more than one for a folder that disappeared.
    public var fileCount = 1

    public var path: String { source.description }

    init(source: SourcePath, reason: String) {
      self.source = source
      self.reason = reason
    }

    fileprivate init(missingFolder folder: SourcePath, fileCount: Int) {
      source = folder
      reason =
        "this folder can't be read any more or is empty now, as when a disk is pulled out; \(fileCount) files in it were "
        + "not imported; what was imported is safe; bring the disk back and import again"
      self.fileCount = fileCount
    }
  }

  /// The number of files that failed, including those in folders that failed.
  public var failureCount: Int { failures.reduce(0) { $0 + $1.fileCount } }

  /// Replaces the failures in a folder that can't be read any more, or is empty now, with a single
  /// one. Its disk was probably unplugged.
  mutating func combineFailures(below roots: [SourcePath]) {
    var isMissing: [SourcePath: Bool] = [:]
    func isMissingNow(_ folder: SourcePath) -> Bool {
      if let known = isMissing[folder] { return known }
      let listing = FolderListing(folder)
      let isMissingNow = listing.isEmpty || listing.failure != nil
      isMissing[folder] = isMissingNow
      return isMissingNow
    }
    let byFolder = Dictionary(grouping: failures) { failure in
      roots.first(where: failure.source.isInside).flatMap {
        failure.source.folders(from: $0).first(where: isMissingNow)
      }
    }
    failures = byFolder[nil] ?? []
    for case (let folder?, let lost) in byFolder.sorted(by: { $0.value[0].path < $1.value[0].path }) {
      failures += lost.count > 1 ? [Failure(missingFolder: folder, fileCount: lost.count)] : lost
    }
  }

  /// Records that the report accounts for this file, by name or in a count.
  mutating func account(for path: SourcePath) { accounted.insert(path) }

  /// Returns the files that the report does not account for. There are none, unless Calotype has a
  /// defect.
  func unaccounted(of found: [SourcePath]) -> [SourcePath] { found.filter { !accounted.contains($0) } }
}

extension ImportReport.LeftAlone.Reason {
  /// Returns the text after the number of files: `sidecars of photos` in `3 sidecars of photos`.
  public func description(count: Int) -> String {
    let one = count == 1
    return switch self {
    case .sidecar:
      one
        ? "sidecar of a photo, whose date and caption are not read yet (AAE, XMP, JSON…)"
        : "sidecars of photos, whose dates and captions are not read yet (AAE, XMP, JSON…)"
    case .unrecognized:
      one
        ? "file named like a photo or a video, with content that is neither"
        : "files named like photos or videos, with content that is neither"
    case .emptyMedia:
      one ? "empty file named like a photo or a video" : "empty files named like photos or videos"
    case .proxy:
      one ? "small copy of a movie beside it (LRV, LRF)" : "small copies of movies beside them (LRV, LRF)"
    case .sound: one ? "sound recording" : "sound recordings"
    case .unknownType: one ? "file of a type that is no photo or video" : "files of types that are no photos or videos"
    case .empty: one ? "empty file" : "empty files"
    case .hidden: one ? "hidden file" : "hidden files"
    case .link: one ? "symbolic link" : "symbolic links"
    case .notAFile: one ? "thing that is no file" : "things that are no files"
    case .hiddenMedia:
      one
        ? "hidden photo or video (--hidden imports it)"
        : "hidden photos and videos (--hidden imports them)"
    case .library: one ? "library that the import is for" : "libraries that the import is for"
    case .otherLibrary:
      one
        ? "Calotype library, which can't be imported as a whole; open it with --library, or import its folder "
          + "“originals”, without its albums and edits"
        : "Calotype libraries, which can't be imported as a whole; open them with --library, or import their folders "
          + "“originals”, without their albums and edits"
    case .otherEdit:
      one
        ? "file of an edit, of a photo that has another edit in the library"
        : "files of edits, of photos that have other edits in the library"
    case .foreign:
      one
        ? "file of another program: a thumbnail, a preview or trash"
        : "files of other programs: thumbnails, previews, trash"
    case .keptOriginal:
      one
        ? "unedited original that Picasa keeps; import it by its folder’s own path"
        : "unedited originals that Picasa keeps; import them by their folders’ own paths"
    case .revertedEdit: one ? "file of an edit that you reverted" : "files of edits that you reverted"
    case .deleted: one ? "file of a photo that you deleted" : "files of photos that you deleted"
    case .applePhotosLibrary:
      one
        ? "Apple Photos library, which can't be imported as a whole yet; import its folder “originals”"
        : "Apple Photos libraries, which can't be imported as a whole yet; import their folders “originals”"
    case .takeoutArchive:
      one
        ? "archive of Google Takeout, which can't be read yet; unpack it, and import the folder that it makes"
        : "archives of Google Takeout, which can't be read yet; unpack them, and import the folders that they make"
    }
  }
}

/// The progress of an import.
public struct ImportProgress: Sendable {
  public enum Phase: String, Sendable { case scanning, inspecting, comparing, lookingUp, importing }
  public var phase: Phase
  public var files = 0
  public var totalFiles = 0
  public var bytes = 0
  public var totalBytes = 0
}

/// The outcome of one file, sent as soon as it is known.
public struct ImportEvent: Sendable {
  public enum Outcome: String, Sendable {
    case added, completed, alreadyThere, replaced, copy, leftAlone, leftOut, failed
  }
  public var path: String
  public var outcome: Outcome
  public var localIdentifier: String?
  /// The reason that the file was left alone or failed, or that it can't be shown.
  public var reason: String?
}
