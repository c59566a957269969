import Foundation
import Photos

/// A path of a source as bytes, as in the file system, compared byte by byte.
///
///     let report = try importer.importFiles(at: [SourcePath("/home/me/Pictures")])
///
/// Names from old disks may not be UTF-8, and the two ways to write `é` are two names.
public struct SourcePath: Hashable, Comparable, Sendable, CustomStringConvertible {
  let bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }
  public init(_ path: String) { bytes = Array(path.utf8) }

  /// The path for messages, with replacement characters for bytes that are not UTF-8.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes with the final zero that C functions require.
  public var cString: [CChar] { bytes.map { CChar(truncatingIfNeeded: $0) } + [0] }

  /// The URL, percent-encoded except for letters, digits and other unreserved characters, so that
  /// it can carry any bytes. The path has to be absolute.
  var url: URL {
    var text = "file://"
    for byte in bytes {
      if Self.plainBytes.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return URL(string: text) ?? URL(fileURLWithPath: description, isDirectory: false)
  }

  private static let plainBytes = Set(
    "/-._~ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  var folder: ArraySlice<UInt8> { bytes[..<(slash ?? 0)] }
  var name: ArraySlice<UInt8> { bytes[(slash.map { $0 + 1 } ?? 0)...] }
  private var slash: Int? { bytes.lastIndex(of: UInt8(ascii: "/")) }

  /// The extension in lowercase, without the dot.
  var pathExtension: String {
    dot.map { String(decoding: name[($0 + 1)...], as: UTF8.self).lowercased() } ?? ""
  }

  /// The name without its extension, in lowercase.
  var stem: [UInt8] {
    let stem = name[..<(dot ?? name.endIndex)]
    // Most names are ASCII. Bytes that are not UTF-8 have no lowercase.
    guard stem.contains(where: { $0 >= 0x80 }), let text = String(validating: stem, as: UTF8.self) else {
      return stem.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
    return Array(text.lowercased().utf8)
  }

  /// The index of the dot before the extension, if there is one: `.profile` has none.
  private var dot: Int? {
    let name = name
    return name.lastIndex(of: UInt8(ascii: ".")).flatMap {
      $0 > name.startIndex && $0 + 1 < name.endIndex ? $0 : nil
    }
  }

  /// Whether the name is that of a photo or a video, even of one that Calotype can't read. Drawings
  /// are excluded, and so are `.ts` and `.mod`, which are more often source code than movies.
  var isNamedLikeMedia: Bool {
    if Self.unreadMovies.contains(pathExtension) { return true }
    guard let type = UTType(filenameExtension: pathExtension), type != .svg,
      !["ts", "mod"].contains(pathExtension)
    else {
      return false
    }
    return type.conforms(to: .image) || type.conforms(to: .movie)
  }

  /// The extensions of movies that have no type here: recordings of television, streams without a
  /// container, films of games and of old programs.
  private static let unreadMovies: Set = [
    "dvr-ms", "pva", "gxf", "nsv", "obu", "y4m", "bik", "smk", "fli", "flc", "amv", "viv",
  ]

  func appending(_ name: [UInt8]) -> SourcePath {
    SourcePath(bytes: bytes + (bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + name)
  }

  /// Whether the path is that folder or below it.
  func isInside(_ folder: SourcePath) -> Bool {
    bytes.starts(with: folder.bytes)
      && (bytes.count == folder.bytes.count || folder.bytes.last == UInt8(ascii: "/")
        || bytes[folder.bytes.count] == UInt8(ascii: "/"))
  }

  /// Returns the folders that contain the path, from `root` down.
  func folders(from root: SourcePath) -> [SourcePath] {
    bytes.indices.filter { $0 >= root.bytes.count && bytes[$0] == UInt8(ascii: "/") }
      .map { SourcePath(bytes: Array(bytes[..<$0])) }
  }

  /// Returns the path with all links resolved; the path itself if nothing is there.
  func resolvingLinks() -> SourcePath {
    guard let resolved = realpath(cString, nil) else { return self }
    defer { free(resolved) }
    return SourcePath(
      bytes: UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map { UInt8(truncatingIfNeeded: $0) })
  }

  public static func < (one: SourcePath, other: SourcePath) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }
}
