import Foundation

/// A file that was found below what the user named.
struct FoundFile: Hashable, Sendable {
  var path: String
  var byteCount: Int
  /// Names of one identity are hard links to the same bytes.
  var identity: Identity

  struct Identity: Hashable, Sendable {
    var device: UInt64
    var number: UInt64
  }

  var folder: Substring { path[..<(slash ?? path.startIndex)] }
  var name: Substring { path[(slash.map(path.utf8.index(after:)) ?? path.startIndex)...] }
  var pathExtension: String { dot.map { name[name.utf8.index(after: $0)...].lowercased() } ?? "" }
  /// What IMG_1.HEIC and img_1.mov share.
  var stem: String { name[..<(dot ?? name.endIndex)].lowercased() }
  /// What the files of one shot share that lie side by side.
  var nameKey: String { "\(folder)/\(stem)" }

  // Paths are split a million times: Foundation's way takes as long as reading the files' headers.
  private var slash: String.Index? { path.utf8.lastIndex(of: UInt8(ascii: "/")) }
  /// Where the extension begins, if there is one: `.profile` has none.
  private var dot: String.Index? {
    let name = name
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
      name.utf8.index(after: dot) < name.endIndex
    else { return nil }
    return dot
  }
}

/// All files below some folders, in the order of their names, and what could not be looked at.
struct FolderScan {
  private(set) var files: [FoundFile] = []
  private(set) var leftAlone: [ImportReport.LeftAlone] = []
  private(set) var failures: [ImportReport.Failure] = []
  private var seen: Set<String> = []

  init(paths: [String], isCancelled: () -> Bool) {
    for path in paths {
      // The user may name a link; links below a folder are left alone, so that no folder is walked twice or for ever.
      let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      visit(resolved, isCancelled)
    }
  }

  private mutating func visit(_ path: String, _ isCancelled: () -> Bool) {
    guard !isCancelled() else { return }
    var status = stat()
    guard lstat(path, &status) == 0 else {
      failures.append(.init(path: path, reason: String(cString: strerror(errno))))
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: visitFolder(path, isCancelled)
    case S_IFREG:
      guard seen.insert(path).inserted else { return }
      if status.st_size == 0 {
        leftAlone.append(.init(path: path, reason: .empty))
      } else {
        files.append(
          FoundFile(
            path: path, byteCount: Int(status.st_size),
            identity: .init(device: UInt64(status.st_dev), number: UInt64(status.st_ino))))
      }
    case S_IFLNK: leftAlone.append(.init(path: path, reason: .link))
    default: leftAlone.append(.init(path: path, reason: .notAFile))
    }
  }

  private mutating func visitFolder(_ path: String, _ isCancelled: () -> Bool) {
    if let reason = Self.reasonToLeaveFolder(path) {
      leftAlone.append(.init(path: path, reason: reason))
      return
    }
    switch Self.names(in: path) {
    case .failure(let reason): failures.append(.init(path: path, reason: reason.text))
    case .success(let names):
      for name in names.sorted() {
        if name.hasPrefix(".") {
          leftAlone.append(.init(path: "\(path)/\(name)", reason: .hidden))
        } else {
          visit("\(path)/\(name)", isCancelled)
        }
      }
    }
  }

  private static func reasonToLeaveFolder(_ path: String) -> ImportReport.LeftAlone.Reason? {
    if access("\(path)/library.sqlite", F_OK) == 0 { return .library }
    return path.lowercased().hasSuffix(".photoslibrary") ? .applePhotosLibrary : nil
  }

  private struct Reason: Error { let text: String }

  /// The names as the disk has them. One that is no UTF-8 can't be spoken of, and comes out as one that does not exist.
  private static func names(in folder: String) -> Result<[String], Reason> {
    guard let stream = opendir(folder) else { return .failure(Reason(text: String(cString: strerror(errno)))) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return .success(names)
  }
}
