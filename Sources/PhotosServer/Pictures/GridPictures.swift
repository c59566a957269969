import Photos
import Synchronization

/// A cache for the grid: recent pictures by their paths, ready to be sent, and the assets whose
/// pictures will be requested next.
///
/// All entries belong to one revision of the library. They are used for a second after that
/// revision was last confirmed, so the library is not asked for each picture. A deleted asset's
/// picture may therefore be answered for up to a second.
final class GridPictures: Sendable {
  private let state: Mutex<State>
  private let time: @Sendable () -> ContinuousClock.Instant

  private struct State {
    var revision = ""
    /// `nil` before the first revision.
    var validUntil: ContinuousClock.Instant?
    var pictures: LeastRecentlyUsed<String, PictureAnswer>
    var assets = LeastRecentlyUsed<String, PHAsset>(costLimit: cachedRanges * ListPart.largestLimit)

    func isValid(at now: ContinuousClock.Instant) -> Bool { validUntil.map { now < $0 } ?? false }
  }

  /// Space for some thousand pictures, as many as a person scrolls through in a few minutes.
  static let pictureByteLimit = 64 * 1024 * 1024
  /// The number of windows that a fast scroll requests before it requests their first pictures.
  private static let cachedRanges = 16
  /// Short enough to go unnoticed, and long enough for a thousand pictures to share one query.
  private static let revisionLifetime = Duration.seconds(1)

  init(costLimit: Int = pictureByteLimit, time: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.time = time
    state = Mutex(State(pictures: LeastRecentlyUsed(costLimit: costLimit)))
  }

  static func address(id: Substring, version: Substring) -> String { "/api/v1/renditions/\(id)/\(version)/grid" }

  func picture(at address: String) -> PictureAnswer? {
    let now = time()
    return state.withLock { $0.isValid(at: now) ? $0.pictures.value(for: address) : nil }
  }

  func asset(id: Substring, revision: String) -> PHAsset? {
    state.withLock { $0.revision == revision ? $0.assets.value(for: String(id)) : nil }
  }

  /// The library's revision if it was confirmed within the last second.
  var revision: String? {
    let now = time()
    return state.withLock { $0.isValid(at: now) ? $0.revision : nil }
  }

  /// Confirms the library's current revision. If it is a new one, empties the cache.
  func confirm(revision: String) {
    let now = time()
    state.withLock { state in
      if state.revision != revision {
        state.revision = revision
        state.pictures.removeAll()
        state.assets.removeAll()
      }
      state.validUntil = now + Self.revisionLifetime
    }
  }

  /// Adds a picture. `revision` is the library's from before the picture's asset was read.
  func insert(_ answer: PictureAnswer, at address: String, revision: String) {
    state.withLock { state in
      if state.revision == revision { state.pictures.insert(answer, for: address, cost: answer.cost) }
    }
  }

  /// Adds assets, except for hidden ones, whose pictures not every session of the owner sees.
  /// `revision` is the library's when they were read.
  func insert(_ assets: [PHAsset], revision: String) {
    state.withLock { state in
      guard state.revision == revision else { return }
      for asset in assets where !asset.isHidden { state.assets.insert(asset, for: asset.uuid, cost: 1) }
    }
  }
}
