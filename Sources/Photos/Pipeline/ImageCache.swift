import Foundation
internal import Imaging
import Synchronization
import UIKit

/// The images that a caching image manager prepares. Each asset has one until it is stopped, and a
/// memory limit bounds all of them.
final class ImageCache: Sendable {
  /// In bytes.
  private let limit: Int
  private let pipeline: ImagePipeline
  private let state = Mutex(State())

  private struct State {
    var entries: [Key: Entry] = [:]
    /// The entries that wait for memory, in order.
    var waiting = FIFOQueue<Key>()
    /// The bytes of images that are kept or being made.
    var used = 0
    var latest = 0
  }

  private struct Key: Hashable {
    var library: ObjectIdentifier
    var uuid: String

    init(_ pictures: AssetPictures) {
      library = ObjectIdentifier(pictures.library)
      uuid = pictures.record.uuid
    }
  }

  private struct Entry {
    /// Distinguishes the entry from an earlier or later one of the same asset.
    var number: Int
    var pictures: AssetPictures
    var specification: ImageSpecification
    /// Whether the image is kept. If not, only the library's small renditions are made and stored.
    var isKept: Bool
    var bytes: Int
    var progress: Progress
  }

  private enum Progress {
    case waiting
    case begun(Coalescer<ImagePipeline.ImageKey, UIImage>.Request?)
    case done(UIImage)
    /// There is no image to keep. It is in the library, could not be made, or is larger than the
    /// limit. A request makes it, or reports why it can't.
    case over
  }

  init(limit: Int, pipeline: ImagePipeline = .shared) {
    self.limit = limit
    self.pipeline = pipeline
  }

  /// The bytes of images that are kept or being made.
  var used: Int { state.withLock(\.used) }

  /// Returns the image if it was prepared for the same specification, and the asset has not been
  /// edited since.
  func image(of pictures: AssetPictures, _ specification: ImageSpecification) -> UIImage? {
    state.withLock { state in
      guard let entry = state.entries[Key(pictures)], entry.specification == specification,
        entry.pictures.key == pictures.key, case .done(let image) = entry.progress
      else { return nil }
      return image
    }
  }

  /// Starts preparing images. An asset that has an entry keeps it, with its first specification,
  /// unless it has been edited since.
  func start(_ assets: [AssetPictures], _ specification: ImageSpecification, isKept: Bool = true) {
    let work = isKept ? specification : specification.forSmallRenditions
    state.withLock { state in
      for pictures in assets where !pictures.record.isUnreadable {
        let key = Key(pictures)
        if let entry = state.entries[key] {
          guard entry.pictures.key != pictures.key else { continue }
          remove(key, from: &state)
          state.waiting.removeAll { $0 == key }
        }
        let bytes = work.byteCount(of: pictures.pixelSize)
        let isTooLarge = bytes > limit
        state.latest += 1
        state.entries[key] = Entry(
          number: state.latest, pictures: pictures, specification: specification, isKept: isKept, bytes: bytes,
          progress: isTooLarge ? .over : .waiting)
        if !isTooLarge { state.waiting.append(key) }
      }
    }
    startFittingEntries()
  }

  func stop(_ assets: [AssetPictures], _ specification: ImageSpecification) {
    state.withLock { state in
      for pictures in assets where state.entries[Key(pictures)]?.specification == specification {
        remove(Key(pictures), from: &state)
      }
      state.waiting.removeAll { state.entries[$0] == nil }
    }
    startFittingEntries()
  }

  func stopAll() {
    state.withLock { state in
      for key in Array(state.entries.keys) { remove(key, from: &state) }
      state.waiting = FIFOQueue()
    }
  }

  private func remove(_ key: Key, from state: inout State) {
    guard let entry = state.entries.removeValue(forKey: key) else { return }
    switch entry.progress {
    case .waiting, .over: return
    case .begun(let request): request.map { _ = pipeline.images.cancel($0) }
    case .done: break
    }
    state.used -= entry.bytes
  }

  /// Starts the entries for which there is room. Smaller entries may pass one that is too large.
  /// That one is tried again first, whenever memory may have been released.
  private func startFittingEntries() {
    let starting = state.withLock { state in
      var starting: [(Key, Entry)] = []
      var tooLarge: [Key] = []
      while tooLarge.count < Self.skipLimit, state.used < limit, let key = state.waiting.popFirst() {
        guard let entry = state.entries[key] else { continue }
        guard entry.bytes <= limit - state.used else {
          tooLarge.append(key)
          continue
        }
        state.used += entry.bytes
        state.entries[key]?.progress = .begun(nil)
        starting.append((key, entry))
      }
      state.waiting.putBack(tooLarge)
      return starting
    }
    for (key, entry) in starting { prepare(key, entry) }
  }

  /// Limits the entries that are passed over at a time. Otherwise each finished picture would cost
  /// a search through thousands of waiting entries.
  private static let skipLimit = 16

  private func prepare(_ key: Key, _ entry: Entry) {
    let pictures = entry.pictures
    let specification = entry.isKept ? entry.specification : entry.specification.forSmallRenditions
    // Preheating does not fetch an original that is stored elsewhere. Only a request does.
    if pictures.isElsewhere({ try pictures.resource(for: specification.version) }),
      (try? pictures.storedImage(specification))?.isSufficient != true
    {
      return finish(key, number: entry.number, .failure(CancellationError()))
    }
    let request = pipeline.images.request(
      ImagePipeline.ImageKey(pictures, specification), .preheated
    ) {
      try pictures.checkAccess()
      return try pictures.makeImage(specification)
    } completion: { [weak self] result, releaseMemory in
      self?.finish(key, number: entry.number, result)
      releaseMemory()
    }
    let isWanted = state.withLock { state in
      guard let current = state.entries[key], current.number == entry.number else { return false }
      if case .begun(nil) = current.progress { state.entries[key]?.progress = .begun(request) }
      return true
    }
    if !isWanted { pipeline.images.cancel(request) }
  }

  private func finish(_ key: Key, number: Int, _ result: Result<UIImage, any Error>) {
    state.withLock { state in
      guard let entry = state.entries[key], entry.number == number, case .begun = entry.progress else { return }
      state.used -= entry.bytes
      state.entries[key]?.bytes = 0
      state.entries[key]?.progress = .over
      // The reserved size was a guess. An image that is too large after all is not kept: its file
      // declared a wrong size.
      guard entry.isKept, let image = try? result.get(), image.heldByteCount <= limit - state.used else { return }
      state.used += image.heldByteCount
      state.entries[key]?.bytes = image.heldByteCount
      state.entries[key]?.progress = .done(image)
    }
    startFittingEntries()
  }
}
