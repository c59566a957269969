import Dispatch
import Foundation
internal import Imaging
internal import LibraryStore

// An asset counts as readable if its small renditions can be made. The import tries that. If it had
// no time, or if the file has changed since, the next call that makes the renditions finds out.
// Larger pictures decide nothing: a picture that is too large in full may be shown small.

extension AssetPictures {
  /// Records in the library whether the renditions of a file could be made. Does nothing if the
  /// library's record agrees.
  ///
  /// The finding is written on a queue of its own, as the library's own and not as a change by the
  /// client. If it can't be written, it is found out again.
  func note(_ readability: Readability, of file: ResourceRecord) {
    if case .unreadable = readability { store.renditions.noteUnreadable(file.sha256) }
    guard !record.agrees(with: readability) else { return }
    Self.readabilityWrites.async { [self] in
      try? library.engine.available().setReadability(readability, ofAsset: record.uuid, showing: file.sha256)
    }
  }

  /// Makes the grid picture, and throws if the file can't be decoded. Does nothing if the asset has
  /// an edit, or a stored grid picture. Edits and renders call this first, since their own decodes
  /// are not recorded.
  func checkIsDecodable() throws {
    guard !record.hasAdjustments, storedRendition(.grid) == nil else { return }
    do { _ = try makeRendition(.grid) } catch let error as PHPhotosError where error.code == .invalidResource {
      Self.waitForReadabilityWrites()
      throw error
    } catch {
      // Other errors say nothing about the file.
    }
  }

  /// Makes the small renditions of an asset that was known to be unreadable and has just been
  /// decoded. The success or failure is recorded. Does nothing if the asset has an edit.
  func retryReadability(of file: ResourceRecord) {
    guard !record.hasAdjustments else { return }
    store.renditions.forgetFailures(of: file.sha256)
    _ = try? makeRendition(.grid)
    Self.waitForReadabilityWrites()
  }

  /// Whether a file that counts as unreadable is to be decoded once more. What one build of the
  /// decoders can't read, another one may. Each build fails once a day.
  var isDueForAnotherAttempt: Bool {
    guard record.isUnreadable, !record.hasAdjustments, let file = try? resource(for: .current) else { return false }
    return !store.renditions.isKnownAsUnreadable(file.sha256)
  }

  /// Waits until all findings are written, so that the program may exit.
  static func waitForReadabilityWrites() { readabilityWrites.sync {} }

  private static let readabilityWrites = DispatchQueue(label: "calotype.readability")
}

extension PHPhotosError {
  /// Returns the description without the file's name in front.
  func reason(ofFileNamed name: String) -> String {
    let (text, prefix) = (localizedDescription, "\(name): ")
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
  }
}
