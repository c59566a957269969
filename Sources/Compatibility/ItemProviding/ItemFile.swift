import Synchronization

/// The file of a load. A copy is removed with the last reference.
package final class ItemFile: Sendable {
  package let url: URL
  package let isInPlace: Bool
  private let folder: ItemFolder?

  init(_ url: URL, in folder: ItemFolder) {
    self.url = url
    self.folder = folder
    isInPlace = false
  }

  init(inPlace url: URL) {
    self.url = url
    folder = nil
    isInPlace = true
  }

  /// Names a file that is yet to be written, in a folder of its own.
  package convenience init(named name: String) throws {
    let folder = try ItemFolder()
    self.init(folder.url.appendingPathComponent(name), in: folder)
  }

  /// The files that exist until the program ends.
  private static let kept = Mutex<[ItemFile]>([])
  private static let removalAtExit: Int32 = atexit { ItemFile.kept.withLock { $0.removeAll() } }

  /// Keeps a copy until the program ends. Returns the file's address.
  package func keptUntilExit() -> URL {
    guard !isInPlace else { return url }
    _ = Self.removalAtExit
    Self.kept.withLock { $0.append(self) }
    return url
  }
}

/// A temporary folder that no other user can read. It is removed with the last reference.
package final class ItemFolder: Sendable {
  package let url: URL

  package init() throws {
    var template = Array(
      FileManager.default.temporaryDirectory.appendingPathComponent("calotype-item-XXXXXX").path.utf8CString)
    guard let path = mkdtemp(&template).map({ String(cString: $0) }) else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: FileManager.default.temporaryDirectory.path])
    }
    url = URL(fileURLWithPath: path, isDirectory: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Returns a name that is one component of a path, and leaves room for an extension.
  package static func safeName(_ name: String) -> String {
    var safe = String(
      String.UnicodeScalarView(name.unicodeScalars.filter { $0 != "/" && $0.properties.generalCategory != .control }))
    while safe.hasPrefix(".") { safe.removeFirst() }
    while safe.utf8.count > 200 { safe.removeLast() }
    return safe.isEmpty ? "Item" : safe
  }
}
