import Foundation

/// A path as bytes, as in the file system, compared byte by byte.
///
///     let file = FilePath(url)
///     let descriptor = open(file.bytes, O_RDONLY)
///
/// Names from old disks may not be UTF-8, and the two ways to write `é` are two names.
public struct FilePath: Hashable, Sendable, CustomStringConvertible {
  /// The bytes, with the final zero that C functions require.
  public let bytes: [CChar]
  /// Whether links on the way to the file are followed.
  private let followsLinks: Bool

  public init(_ path: String) {
    bytes = Array(path.utf8CString)
    followsLinks = true
  }

  /// Creates the path of a file URL from its percent-encoded form. No other form of a URL can
  /// contain bytes that are not UTF-8.
  public init(_ url: URL, followsLinks: Bool = true) {
    var encoded = url.absoluteURL.path(percentEncoded: true).utf8[...]
    while encoded.count > 1, encoded.last == UInt8(ascii: "/") { encoded.removeLast() }
    var bytes: [CChar] = []
    bytes.reserveCapacity(encoded.count + 1)
    while let byte = encoded.popFirst() {
      if byte == UInt8(ascii: "%"), let escaped = Self.byte(ofDigits: encoded.prefix(2)) {
        bytes.append(CChar(truncatingIfNeeded: escaped))
        encoded = encoded.dropFirst(2)
      } else {
        bytes.append(CChar(truncatingIfNeeded: byte))
      }
    }
    self.bytes = bytes + [0]
    self.followsLinks = followsLinks
  }

  /// Opens the file for reading; the caller closes it. A pipe keeps nobody waiting.
  func open() throws(StoreError) -> Int32 {
    let (flags, folderFlags) = (O_RDONLY | O_CLOEXEC | O_NONBLOCK, Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
    var descriptor = followsLinks ? Glibc.open(bytes, flags) : Glibc.open("/", folderFlags)
    if !followsLinks {
      let names = bytes.dropLast().split(separator: CChar(UInt8(ascii: "/"))).map { Array($0) + [0] }
      for (index, name) in names.enumerated() where descriptor >= 0 {
        let isFolder = index < names.count - 1
        let next = openat(descriptor, name, (isFolder ? folderFlags : flags) | O_NOFOLLOW)
        let number = errno
        close(descriptor)
        (descriptor, errno) = (next, number)
      }
    }
    guard descriptor < 0 else { return descriptor }
    guard followsLinks || (errno != ELOOP && errno != ENOTDIR) else {
      throw StoreError(
        .cannotRead, description, reason: "a link or another file took its place meanwhile, and was not read")
    }
    throw FileOperations.error(errno, description, code: .cannotRead)
  }

  private static func byte(ofDigits digits: Substring.UTF8View) -> UInt8? {
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    return values.count == 2 ? UInt8(values[0] << 4 | values[1]) : nil
  }

  /// `O_PATH`, which Swift does not import. It opens folders that may not be listed.
  private static let pathOnly: Int32 = 0o10_000_000

  /// The path for messages, with replacement characters for bytes that are not UTF-8.
  public var description: String { Self.text(bytes.dropLast()) }

  /// The last component, for messages.
  public var name: String { Self.text(bytes.dropLast().split(separator: CChar(UInt8(ascii: "/"))).last ?? []) }

  /// The exact path; `nil` if it is not UTF-8.
  var string: String? { String(validating: bytes.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self) }

  /// The bytes of the path without links; `nil` if nothing is there.
  var withoutLinks: Data? {
    guard let path = realpath(bytes, nil) else { return nil }
    defer { free(path) }
    return Data(bytes: path, count: strlen(path))
  }

  private static func text(_ bytes: ArraySlice<CChar>) -> String {
    String(decoding: bytes.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
  }

  /// Returns the paths of everything below this folder that is not a folder.
  ///
  /// `unreadable` is called for each folder that can't be read to its end, with the system's error
  /// number. A missing one is empty.
  func filesBelow(unreadable: (FilePath, Int32) -> Void) -> [FilePath] {
    guard let stream = opendir(bytes) else {
      if errno != ENOENT { unreadable(self, errno) }
      return []
    }
    var children: [FilePath] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          guard strcmp(name, ".") != 0, strcmp(name, "..") != 0 else { return }
          children.append(appending(UnsafeBufferPointer(start: name, count: strlen(name))))
        }
      }
    }
    if errno != 0 { unreadable(self, errno) }
    closedir(stream)
    return children.flatMap { child in
      var status = stat()
      guard lstat(child.bytes, &status) == 0 else {
        if errno != ENOENT { unreadable(child, errno) }
        return [FilePath]()
      }
      return status.st_mode & S_IFMT == S_IFDIR ? child.filesBelow(unreadable: unreadable) : [child]
    }
  }

  /// Whether there is nothing in this folder, or no such folder, or none that can be read.
  var isEmptyFolder: Bool {
    guard let stream = opendir(bytes) else { return true }
    defer { closedir(stream) }
    // The first two entries are the folder itself and the one above it.
    return readdir(stream) == nil || readdir(stream) == nil || readdir(stream) == nil
  }

  func appending(_ name: String) -> FilePath {
    FilePath(bytes: Array(bytes.dropLast()) + [CChar(UInt8(ascii: "/"))] + name.utf8CString)
  }

  private func appending(_ name: UnsafeBufferPointer<CChar>) -> FilePath {
    FilePath(bytes: Array(bytes.dropLast()) + [CChar(UInt8(ascii: "/"))] + name + [0])
  }

  /// Returns the path relative to a folder above it.
  func relative(to folder: FilePath) -> FilePath { FilePath(bytes: Array(bytes.dropFirst(folder.bytes.count))) }

  private init(bytes: [CChar]) {
    self.bytes = bytes
    followsLinks = true
  }
}
