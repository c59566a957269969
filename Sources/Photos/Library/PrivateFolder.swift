import Foundation

/// A folder for files on their way to somewhere else, that nobody else may read; it goes away with its last user.
///
///     let folder = PrivateFolder("calotype-edit")
///     try data.write(to: folder.url.appendingPathComponent("FullSizeRender.jpg"))
///
/// Where it can't be made, writing a file into it tells.
final class PrivateFolder: Sendable {
  let url: URL

  init(_ name: String) {
    let template = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-XXXXXX").path
    var bytes = Array(template.utf8CString)
    let path = mkdtemp(&bytes).map { String(cString: $0) } ?? template
    url = URL(fileURLWithPath: path, isDirectory: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
