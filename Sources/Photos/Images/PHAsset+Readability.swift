import Dispatch
import Foundation
internal import Imaging
internal import LibraryStore

// An asset can be read if its small renditions can be made. The import tries that; where it had no time, or the file has changed since, whoever
// makes them later finds it out. Larger pictures decide nothing: what is too large in full may be shown small.

extension PHAsset {
  /// Keeps in the library whether the renditions of a file could be made. Costs nothing where this is no news.
  ///
  /// It is written on a queue of its own, as the library's own finding and not as its client's change. What can't be written is found out again.
  func note(_ readability: Readability, of file: ResourceRecord) {
    guard !record.agrees(with: readability) else { return }
    Self.readabilityWrites.async { [self] in
      try? photoLibrary.engine.available().setReadability(readability, ofAsset: uuid, showing: file.sha256)
    }
  }

  /// Throws where nobody has decoded it yet, and it can't be: what an edit or a render decodes by itself is not noted.
  func checkIsDecodable() throws {
    guard !hasAdjustments, storedPicture(RenditionKind.grid.rawValue) == nil else { return }
    do { _ = try makeRendition(.grid) } catch let error as PHPhotosError where error.code == .invalidResource {
      Self.waitForReadability()
      throw error
    } catch {
      // Nothing is known about the file.
    }
  }

  /// Tries the small renditions again of what was known as unreadable, and has been decoded all the same.
  func reconsiderReadability(of file: ResourceRecord) {
    guard !hasAdjustments else { return }
    photoLibrary.store.renditions.forgetFailures(of: file.sha256)
    _ = try? makeRendition(.grid)
    Self.waitForReadability()
  }

  /// Returns when what was found out so far is written: a program may end then.
  static func waitForReadability() { readabilityWrites.sync {} }

  private static let readabilityWrites = DispatchQueue(label: "calotype.readability")
}

extension PHPhotosError {
  /// What is wrong with a file, without its name.
  func reason(ofFileNamed name: String) -> String {
    let (text, prefix) = (localizedDescription, "\(name): ")
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
  }
}
