import Foundation

/// A file that was found below what the user named.
struct FoundFile: Hashable, Sendable {
  var path: SourcePath
  var byteCount: Int
  /// Names of one identity are hard links to the same bytes.
  var identity: Identity

  struct Identity: Hashable, Sendable {
    var device: UInt64
    var number: UInt64
  }

  var folder: ArraySlice<UInt8> { path.folder }

  var pathExtension: String {
    let name = path.name
    return Self.dot(in: name).map { String(decoding: name[($0 + 1)...], as: UTF8.self).lowercased() } ?? ""
  }

  /// What IMG_1.HEIC and img_1.mov share.
  var stem: [UInt8] {
    let name = path.name
    let stem = name[..<(Self.dot(in: name) ?? name.endIndex)]
    // Most names are ASCII. Of bytes that are not UTF-8 nobody knows the small letters.
    guard stem.contains(where: { $0 >= 0x80 }), let text = String(validating: stem, as: UTF8.self) else {
      return stem.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
    return Array(text.lowercased().utf8)
  }

  /// What the files of one shot share that lie side by side.
  var nameKey: [UInt8] { folder + [UInt8(ascii: "/")] + stem }

  /// Where the extension begins, if there is one: `.profile` has none.
  private static func dot(in name: ArraySlice<UInt8>) -> Int? {
    name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name.startIndex && $0 + 1 < name.endIndex ? $0 : nil }
  }
}

/// All files below some folders, in the order of their names, and what could not be looked at.
struct FolderScan {
  private(set) var files: [FoundFile] = []
  private(set) var leftAlone: [(path: SourcePath, reason: ImportReport.LeftAlone.Reason)] = []
  private(set) var failures: [(path: SourcePath, reason: String)] = []
  /// Everything that was named or is in a folder, but for folders that were read: each has to be accounted for.
  private(set) var found: [SourcePath] = []
  private var seen: Set<SourcePath> = []

  init(paths: [SourcePath], isCancelled: () -> Bool) {
    // The user may name a link; links below a folder are left alone, so that no folder is walked twice or for ever.
    for path in paths { visit(path.resolvingLinks(), isCancelled) }
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
        leftAlone.append((path, .empty))
      } else {
        files.append(
          FoundFile(
            path: path, byteCount: Int(status.st_size),
            identity: .init(device: UInt64(status.st_dev), number: UInt64(status.st_ino))))
      }
    case S_IFLNK: leftAlone.append((path, .link))
    default: leftAlone.append((path, .notAFile))
    }
  }

  private mutating func visitFolder(_ path: SourcePath, _ isCancelled: () -> Bool) {
    if let reason = Self.reasonToLeaveFolder(path) {
      found.append(path)
      leftAlone.append((path, reason))
      return
    }
    let listing = FolderListing(path)
    if let failure = listing.failure {
      found.append(path)
      failures.append((path, String(cString: strerror(failure))))
    }
    for name in listing.names {
      let child = path.appending(name)
      if name.first == UInt8(ascii: ".") {
        found.append(child)
        leftAlone.append((child, .hidden))
      } else {
        visit(child, isCancelled)
      }
    }
  }

  private static func reasonToLeaveFolder(_ path: SourcePath) -> ImportReport.LeftAlone.Reason? {
    if access(path.appending(Array("library.sqlite".utf8)).cString, F_OK) == 0 { return .library }
    return path.description.lowercased().hasSuffix(".photoslibrary") ? .applePhotosLibrary : nil
  }
}

/// The names in a folder, sorted by their bytes, and the system's error number if they could not be read to the end.
struct FolderListing {
  private(set) var names: [[UInt8]] = []
  private(set) var failure: Int32?

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
    // A disk that was pulled out ends a listing like its last name does.
    if errno != 0 { failure = errno }
    names.sort { $0.lexicographicallyPrecedes($1) }
  }
}
