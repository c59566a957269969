import Foundation
import Photos

/// A file below a path that the user named.
struct FoundFile: Hashable, Sendable {
  var path: SourcePath
  var byteCount: Int
  /// The identity of the bytes: hard links to the same bytes have the same one.
  var identity: Identity

  struct Identity: Hashable, Sendable {
    var device: UInt64
    var number: UInt64
  }

  var folder: ArraySlice<UInt8> { path.folder }

  var pathExtension: String { path.pathExtension }

  /// The part of the name that IMG_1.HEIC and img_1.mov share.
  var stem: [UInt8] { path.stem }

  /// The key that adjacent files of one shot share: folder and stem.
  var nameKey: [UInt8] { folder + [UInt8(ascii: "/")] + stem }

  /// Folder, stem and extension. Takeout stores a copy of the movie inside `PXL_1.MP.jpg` as
  /// `PXL_1.MP`.
  var wholeNameKey: [UInt8] { pathExtension.isEmpty ? nameKey : nameKey + Array(".\(pathExtension)".utf8) }

  /// The keys that the name of this movie's photo may have. Takeout numbers files of one name
  /// before the last dot: the movie of `PXL_1.MP(1).jpg` is `PXL_1(1).MP`.
  var photoNameKeys: [[UInt8]] {
    guard hasMotionPartExtension, !pathExtension.isEmpty, stem.last == UInt8(ascii: ")"),
      let number = stem.lastIndex(of: UInt8(ascii: "(")),
      stem[number...].dropFirst().dropLast().allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    else { return [wholeNameKey] }
    let name = stem[..<number] + Array(".\(pathExtension)".utf8) + stem[number...]
    return [wholeNameKey, folder + [UInt8(ascii: "/")] + name]
  }

  /// Whether the extension is one that Takeout gives to the movie of a motion photo.
  var hasMotionPartExtension: Bool { ["", "mp", "mv"].contains(pathExtension) }

  /// Whether the name is one that Google gives to the archives of Takeout:
  /// `takeout-20190304T172011Z-001.zip`.
  var isTakeoutArchive: Bool {
    ["zip", "tgz"].contains(pathExtension) && stem.starts(with: Array("takeout-".utf8))
  }
}

extension Int {
  /// Returns the sum of two sizes, at most `Int.max`. File systems report sizes up to `Int.max`,
  /// for example of sparse files.
  func addingSize(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

/// All files below some folders, in the order of their names, and the entries that could not be
/// read.
struct FolderScan {
  private(set) var files: [FoundFile] = []
  private(set) var leftAlone: [Left] = []
  private(set) var failures: [(path: SourcePath, reason: String)] = []
  /// Every entry that was named or found, except folders that were read. The report has to account
  /// for each.
  var found: [SourcePath] = []
  /// The files and folders that the user named.
  let roots: [SourcePath]
  /// The folders among `roots` that are empty.
  private(set) var emptyRoots: [SourcePath] = []
  private var seen: Set<SourcePath> = []
  /// The folder of the library that the files are for.
  private let library: SourcePath?
  private let includesHidden: Bool

  struct Left {
    var path: SourcePath
    var reason: ImportReport.LeftAlone.Reason
    /// The number of files; it can differ from one for a folder of another program or a hidden one.
    var fileCount = 1
    /// Whether a part of that folder can't be read.
    var isPartlyUnread = false
    /// The photos and videos, if they are left out because they are hidden.
    var hiddenMedia: [SourcePath] = []
  }

  init(
    paths: [SourcePath], for library: SourcePath? = nil, includesHidden: Bool = false, isCancelled: () -> Bool
  ) {
    self.library = library?.resolvingLinks()
    self.includesHidden = includesHidden
    // The user may name a link; links below a folder are left alone, so that no folder is walked
    // twice or endlessly.
    roots = paths.map { $0.resolvingLinks() }
    for root in roots { visit(root, isCancelled) }
  }

  private mutating func visit(_ path: SourcePath, _ isCancelled: () -> Bool) {
    guard !isCancelled() else { return }
    var status = stat()
    guard lstat(path.cString, &status) == 0 else {
      let reason = String(cString: strerror(errno))
      found.append(path)
      failures.append((path, reason))
      return
    }
    if status.st_mode & S_IFMT == S_IFDIR { return visitFolder(path, isCancelled) }
    found.append(path)
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      guard seen.insert(path).inserted else { return }
      if status.st_size == 0 {
        leftAlone.append(Left(path: path, reason: path.isNamedLikeMedia ? .emptyMedia : .empty))
      } else {
        files.append(
          FoundFile(
            path: path, byteCount: Int(status.st_size),
            identity: .init(device: UInt64(status.st_dev), number: UInt64(status.st_ino))))
      }
    case S_IFLNK: leftAlone.append(Left(path: path, reason: .link))
    default: leftAlone.append(Left(path: path, reason: .notAFile))
    }
  }

  private mutating func visitFolder(_ path: SourcePath, _ isCancelled: () -> Bool) {
    let reason = reasonToLeaveFolder(path)
    if let reason {
      found.append(path)
      leftAlone.append(Left(path: path, reason: reason))
      // A person may have put photos beside another library's own files.
      guard reason == .otherLibrary else { return }
    }
    let listing = FolderListing(path)
    if let failure = listing.failure {
      found.append(path)
      failures.append((path, Self.reason(unreadable: failure)))
    }
    if listing.isEmpty, roots.contains(path) { emptyRoots.append(path) }
    for name in listing.names {
      let child = path.appending(name)
      if reason == .otherLibrary, PHPhotoLibrary.isOwnName(String(decoding: name, as: UTF8.self)) { continue }
      if let reason = ForeignFolder.reason(toLeave: name[...], in: path.name), child.isFolder {
        let content = content(of: child, isForeign: reason == .foreign, isCancelled)
        let left = Left(
          path: child, reason: reason, fileCount: content.fileCount, isPartlyUnread: !content.unread.isEmpty)
        guard left.fileCount > 0 || left.isPartlyUnread else { continue }
        found.append(child)
        leftAlone.append(left)
      } else if child.isJunk || (child.isHidden && !includesHidden) {
        found.append(child)
        leaveHidden(child, isCancelled)
      } else {
        visit(child, isCancelled)
      }
    }
  }

  /// Leaves out a hidden file or folder. Photos and videos in it are counted, since a person may
  /// miss them. For the same reason, a part that can't be read is a failure.
  private mutating func leaveHidden(_ path: SourcePath, _ isCancelled: () -> Bool) {
    guard path.isFolder else {
      let isMedia = path.isHiddenMedia
      leftAlone.append(
        Left(path: path, reason: isMedia ? .hiddenMedia : .hidden, hiddenMedia: isMedia ? [path] : []))
      return
    }
    let content = content(of: path, isForeign: false, isCancelled)
    for (folder, number) in content.unread {
      found.append(folder)
      failures.append((folder, Self.reason(unreadable: number)))
    }
    if content.fileCount > 0 {
      leftAlone.append(
        Left(path: path, reason: .hiddenMedia, fileCount: content.fileCount, hiddenMedia: content.hiddenMedia))
    } else {
      leftAlone.append(Left(path: path, reason: .hidden))
    }
  }

  private func reasonToLeaveFolder(_ path: SourcePath) -> ImportReport.LeftAlone.Reason? {
    if path == library { return .library }
    if PHPhotoLibrary.isLibrary(at: path.url) { return .otherLibrary }
    return path.description.lowercased().hasSuffix(".photoslibrary") ? .applePhotosLibrary : nil
  }
}

extension FolderScan {
  private static func reason(unreadable number: Int32) -> String {
    let cause = String(cString: strerror(number))
    return switch number {
    case EACCES, EPERM:
      "you have no permission to read this folder (\(cause)); what is in it was not imported; "
        + "give yourself access and import again"
    default:
      "this folder can't be read to its end (\(cause)); what was found is imported; check its disk and import again"
    }
  }

  /// The content of a folder that is left out.
  private struct Content {
    var fileCount = 0
    /// The photos and videos of a hidden folder.
    var hiddenMedia: [SourcePath] = []
    /// The folders that can't be read to their end, with the system's error numbers.
    var unread: [(folder: SourcePath, number: Int32)] = []
  }

  /// Returns the content of a folder that is left out: all files of another program's folder, and
  /// elsewhere only photos and videos.
  private func content(of folder: SourcePath, isForeign: Bool, _ isCancelled: () -> Bool) -> Content {
    var content = Content()
    var folders = [folder]
    while let folder = folders.popLast(), !isCancelled() {
      let listing = FolderListing(folder)
      var failure = listing.failure
      for child in listing.names.map(folder.appending) {
        var status = stat()
        if lstat(child.cString, &status) != 0 {
          // Another program may have removed it.
          if errno != ENOENT { failure = failure ?? errno }
        } else if status.st_mode & S_IFMT == S_IFDIR {
          folders.append(child)
        } else if isForeign {
          content.fileCount += 1
        } else if child.isHiddenMedia {
          content.fileCount += 1
          content.hiddenMedia.append(child)
        }
      }
      if let failure { content.unread.append((folder, failure)) }
    }
    return content
  }
}

extension SourcePath {
  fileprivate var isHidden: Bool { name.first == UInt8(ascii: ".") }

  /// Whether the name is one of those that systems give to what is no photo, or is in the trash:
  /// `._IMG_1.HEIC` has what macOS says of the file beside it, `.trashed-1700000000-IMG_1.jpg` is a
  /// photo in the trash of Android. A folder is never junk.
  fileprivate var isJunk: Bool {
    ["._", ".trashed-"].contains { name.starts(with: Array($0.utf8)) } && !isFolder
  }

  /// Whether a hidden file is a photo or a video, by its name, or by its content if the name says
  /// nothing.
  fileprivate var isHiddenMedia: Bool {
    guard !isJunk else { return false }
    return isNamedLikeMedia || (pathExtension.isEmpty && FileInspection.isPhotoOrVideo(url))
  }

  /// Whether the path is a folder and not a link to one.
  fileprivate var isFolder: Bool {
    var status = stat()
    return lstat(cString, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// The names in a folder, sorted by their bytes. If they could not be read to the end, `failure` is
/// the system's error number.
struct FolderListing {
  private(set) var names: [[UInt8]] = []
  private(set) var failure: Int32?

  var isEmpty: Bool { names.isEmpty && failure == nil }

  init(_ folder: SourcePath) {
    guard let stream = opendir(folder.cString) else {
      failure = errno
      return
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: UInt8.self, capacity: 256) {
          Array(UnsafeBufferPointer(start: $0, count: 256).prefix { $0 != 0 })
        }
      }
      if name != [UInt8(ascii: ".")], name != Array("..".utf8) { names.append(name) }
    }
    // If the disk is unplugged, the listing ends as it does after the last name.
    if errno != 0 { failure = errno }
    names.sort { $0.lexicographicallyPrecedes($1) }
  }
}
