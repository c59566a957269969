import Foundation
internal import Imaging
import Synchronization
import UIKit

/// The images that a caching image manager prepares: of each asset one, until it is stopped, and as many as its memory holds.
final class ImageCache: Sendable {
  /// Bytes.
  private let limit: Int
  private let state = Mutex(State())
  private let pipeline = ImagePipeline.shared

  private struct State {
    var entries: [Key: Entry] = [:]
    /// Those that found no memory, in order.
    var waiting: [Key] = []
    /// Bytes of what is there and of what is being made.
    var used = 0
  }

  private struct Key: Hashable {
    var library: ObjectIdentifier
    var uuid: String

    init(_ asset: PHAsset) {
      library = ObjectIdentifier(asset.photoLibrary)
      uuid = asset.uuid
    }
  }

  private struct Entry {
    var asset: PHAsset
    var specification: ImageSpecification
    var bytes: Int
    var progress: Progress
  }

  private enum Progress {
    case waiting
    case begun(Coalescer<ImagePipeline.ImageKey, UIImage>.Request?)
    case done(UIImage)
    /// It could not be made, or is larger than the memory; a request will make it, or say why not.
    case failed
  }

  init(limit: Int) { self.limit = limit }

  /// The image that was asked for, if it was prepared just so and the asset still looks like that.
  func image(of asset: PHAsset, _ specification: ImageSpecification) -> UIImage? {
    state.withLock { state in
      guard let entry = state.entries[Key(asset)], entry.specification == specification,
        entry.asset.renditionVersion == asset.renditionVersion, case .done(let image) = entry.progress
      else { return nil }
      return image
    }
  }

  /// An asset that is there already keeps what it was first asked for with.
  func start(_ assets: [PHAsset], _ specification: ImageSpecification) {
    state.withLock { state in
      for asset in assets {
        let key = Key(asset)
        guard state.entries[key] == nil, !asset.isUnreadable else { continue }
        let bytes = specification.byteCount(of: asset.pixelSize)
        let isTooLarge = bytes > limit
        state.entries[key] = Entry(
          asset: asset, specification: specification, bytes: bytes, progress: isTooLarge ? .failed : .waiting)
        if !isTooLarge { state.waiting.append(key) }
      }
    }
    prepareWhatFits()
  }

  func stop(_ assets: [PHAsset], _ specification: ImageSpecification) {
    state.withLock { state in
      for asset in assets where state.entries[Key(asset)]?.specification == specification {
        remove(Key(asset), from: &state)
      }
      state.waiting.removeAll { state.entries[$0] == nil }
    }
    prepareWhatFits()
  }

  func stopAll() {
    state.withLock { state in
      for key in Array(state.entries.keys) { remove(key, from: &state) }
      state.waiting = []
    }
  }

  private func remove(_ key: Key, from state: inout State) {
    guard let entry = state.entries.removeValue(forKey: key) else { return }
    switch entry.progress {
    case .waiting, .failed: return
    case .begun(let request): request.map(pipeline.images.cancel)
    case .done: break
    }
    state.used -= entry.bytes
  }

  private func prepareWhatFits() {
    let starting = state.withLock { state in
      var starting: [Key] = []
      while let key = state.waiting.first, let entry = state.entries[key], entry.bytes <= limit - state.used {
        state.waiting.removeFirst()
        state.used += entry.bytes
        state.entries[key]?.progress = .begun(nil)
        starting.append(key)
      }
      return starting
    }
    for key in starting { prepare(key) }
  }

  private func prepare(_ key: Key) {
    guard let entry = state.withLock({ $0.entries[key] }) else { return }
    let asset = entry.asset
    let specification = entry.specification
    let request = pipeline.images.request(
      ImagePipeline.ImageKey(asset: .init(asset), specification: specification), .preheated
    ) {
      try asset.checkAccess()
      return try asset.makeImage(specification)
    } completion: { [self] result in
      finish(key, specification, result)
    }
    let isWanted = state.withLock { state in
      guard let current = state.entries[key], current.specification == specification else { return false }
      if case .begun(nil) = current.progress { state.entries[key]?.progress = .begun(request) }
      return true
    }
    if !isWanted { pipeline.images.cancel(request) }
  }

  private func finish(_ key: Key, _ specification: ImageSpecification, _ result: Result<UIImage, any Error>) {
    state.withLock { state in
      guard let entry = state.entries[key], entry.specification == specification, case .begun = entry.progress else {
        return
      }
      guard let image = try? result.get() else {
        state.entries[key]?.progress = .failed
        state.used -= entry.bytes
        return
      }
      // What was reserved was a guess.
      let bytes = Int(image.size.width * image.size.height) * 3
      state.used += bytes - entry.bytes
      state.entries[key]?.bytes = bytes
      state.entries[key]?.progress = .done(image)
    }
    prepareWhatFits()
  }
}
