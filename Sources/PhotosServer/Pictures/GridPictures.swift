import NIOCore
import Photos
import Synchronization

/// What the grid asked for lately: its pictures by their addresses, ready to be sent, and the assets whose pictures come next.
///
/// All are of one revision of the library, and are used for a moment after that revision was last confirmed: a deleted asset's
/// picture is gone a moment later, and in between nothing asks the library.
final class GridPictures: Sendable {
  private let state: Mutex<State>

  private struct State {
    var revision = ""
    var holdsUntil = NIODeadline.distantPast
    var pictures: LeastRecentlyUsed<String, PictureAnswer>
    var assets = LeastRecentlyUsed<String, PHAsset>(largestCost: windowsOfAssets * Window.largestLimit)
  }

  /// Some thousand pictures: what a person scrolls through in a few minutes.
  static let memoryForPictures = 64 * 1024 * 1024
  /// The windows that a fast scroll has asked for before the first of their pictures are.
  private static let windowsOfAssets = 16
  /// So short that nobody sees the difference, so long that a thousand pictures share one look at the library.
  private static let confirmationHolds = TimeAmount.seconds(1)

  init(largestCost: Int = memoryForPictures) {
    state = Mutex(State(pictures: LeastRecentlyUsed(largestCost: largestCost)))
  }

  static func address(id: Substring, version: Substring) -> String { "/renditions/\(id)/\(version)/grid" }

  func picture(at address: String, now: NIODeadline) -> PictureAnswer? {
    state.withLock { now < $0.holdsUntil ? $0.pictures.value(for: address) : nil }
  }

  func asset(id: Substring, revision: String) -> PHAsset? {
    state.withLock { $0.revision == revision ? $0.assets.value(for: String(id)) : nil }
  }

  /// The library's revision, if that was confirmed a moment ago.
  func revision(now: NIODeadline) -> String? { state.withLock { now < $0.holdsUntil ? $0.revision : nil } }

  /// Says which revision the library has now.
  func confirm(revision: String, now: NIODeadline) {
    state.withLock { state in
      if state.revision != revision {
        state.revision = revision
        state.pictures.removeAll()
        state.assets.removeAll()
      }
      state.holdsUntil = now + Self.confirmationHolds
    }
  }

  /// `revision`: the library's from before the picture's asset was read.
  func insert(_ answer: PictureAnswer, at address: String, revision: String) {
    state.withLock { state in
      if state.revision == revision { state.pictures.insert(answer, for: address, cost: answer.cost) }
    }
  }

  /// `revision`: the library's when the assets were read.
  func insert(_ assets: [PHAsset], revision: String) {
    state.withLock { state in
      guard state.revision == revision else { return }
      for asset in assets { state.assets.insert(asset, for: asset.uuid, cost: 1) }
    }
  }
}
