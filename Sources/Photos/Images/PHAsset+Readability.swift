import Dispatch
import Foundation
internal import Imaging
internal import LibraryStore

// An asset can be read if its small renditions can be made. The import tries that; where it had no time, or the file has changed since, whoever
// makes them later finds it out. Larger pictures decide nothing: what is too large in full may be shown small.

extension PHAsset {
  /// Keeps in the library that the renditions of a file could not be made, or (`nil`) that they could. Costs nothing where this is no news.
  ///
  /// It is written on a queue of its own, as the library's own finding and not as its client's change. What can't be written is found out again.
  func noteReadability(of file: ResourceRecord, unreadableReason reason: String?) {
    guard isUnreadable != (reason != nil) else { return }
    ReadabilityWork.writes.async(group: ReadabilityWork.group) { [self] in
      try? photoLibrary.engine.available().setUnreadableReason(reason, ofAsset: uuid, showing: file.sha256)
    }
  }

  /// Tries to make the small renditions, after something else has made it doubtful whether the asset can be read, or that it can't.
  func reconsiderReadability() {
    guard !hasAdjustments else { return }
    ReadabilityWork.attempts.async(group: ReadabilityWork.group) { [self] in
      // Of many who asked the first has found it out.
      guard let known = try? photoLibrary.engine.available().assets(ids: [rowID]).first,
        known.isUnreadable == isUnreadable
      else { return }
      _ = try? DecodingDemand.following({ .background }) { try makeRendition(.grid) }
    }
  }

  /// Throws where nobody has decoded it yet, and it can't be: what an edit decodes by itself is not remembered.
  func checkIsDecodable() throws {
    guard !hasAdjustments, storedPicture(RenditionKind.grid.rawValue) == nil else { return }
    do { _ = try makeRendition(.grid) } catch let error as PHPhotosError where error.code == .invalidResource {
      Self.waitForReadability()
      throw error
    } catch {
      // Nothing is known about the file.
    }
  }

  /// Returns when what was found out so far is written, and in half a minute at the latest: for programs that end then.
  static func waitForReadability() { _ = ReadabilityWork.group.wait(timeout: .now() + .seconds(30)) }
}

private enum ReadabilityWork {
  static let attempts = DispatchQueue(label: "calotype.readability.attempts")
  static let writes = DispatchQueue(label: "calotype.readability.writes")
  static let group = DispatchGroup()
}

extension PHPhotosError {
  /// What is wrong with a file, without its name.
  func reason(ofFileNamed name: String) -> String {
    let (text, prefix) = (localizedDescription, "\(name): ")
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
  }
}
