import Foundation
import PhotosUI

/// A file in the library's folder that leads a browser to an owner link.
///
/// Other users of the machine can read the arguments of a browser, and so its address. They can't
/// read the file to which the address leads.
enum OwnerLinkFile {
  private static let name = "open.html"

  /// Opens a link in the person's browser. Does nothing if there is no browser, or if the folder
  /// can't be written.
  static func open(_ link: URL, ofLibraryAt folder: URL) {
    let file = folder.appendingPathComponent(name)
    guard write(link, to: file) else { return }
    Browser.open(file.absoluteString) { remove(fromLibraryAt: folder) }
  }

  static func remove(fromLibraryAt folder: URL) { unlink(folder.appendingPathComponent(name).path) }

  /// Replaces the file by a new one, which only this user can read.
  private static func write(_ link: URL, to file: URL) -> Bool {
    unlink(file.path)
    let descriptor = Glibc.open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return (try? handle.write(contentsOf: Data(page(link).text.utf8))) != nil
  }

  private static func page(_ link: URL) -> HTML {
    """
    <!doctype html>
    <meta charset="utf-8">
    <meta http-equiv="refresh" content="0; url=\(link.absoluteString)">
    <title>Calotype</title>
    <p><a href="\(link.absoluteString)">Open the library</a></p>
    """
  }
}
