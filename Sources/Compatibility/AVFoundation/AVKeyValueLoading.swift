internal import Imaging
import Synchronization

/// A place for the error of a function. Foundation has this type on Apple's platforms only.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The state of a property that takes time to read.
public enum AVKeyValueStatus: Int, Sendable {
  /// The property has neither been read nor asked for.
  case unknown
  /// A thread reads the property, or will read it.
  case loading
  /// The property is read: its getter doesn't block.
  case loaded
  /// The property can't be read.
  case failed
  /// `cancelLoading()` was called before the property was read.
  case cancelled
}

/// The state of a property, found without reading the file.
enum PropertyState {
  case notRead
  /// A thread reads it now.
  case reading
  case read((any Error)?)

  init<Value>(_ state: ReadOnce<Value>.State, error: (Value) -> (any Error)?) {
    self =
      switch state {
      case .notRead: .notRead
      case .reading: .reading
      case .read(let value): .read(error(value))
      }
  }
}

/// The properties that `loadValuesAsynchronously(forKeys:)` reads, and the canceled ones.
struct RequestedKeys {
  /// The number of unfinished calls that read a key.
  var counts: [String: Int] = [:]
  var cancelled: Set<String> = []
  /// The number of calls of `cancelLoading()`. Each call ends the requests before it.
  var cancelCount = 0

  mutating func begin(_ keys: Set<String>) -> Int {
    for key in keys { counts[key, default: 0] += 1 }
    cancelled.subtract(keys)
    return cancelCount
  }

  mutating func end(_ keys: Set<String>, _ request: Int) {
    guard request == cancelCount else { return }
    for key in keys {
      let count = (counts[key] ?? 0) - 1
      counts[key] = count > 0 ? count : nil
    }
  }

  mutating func cancel() {
    cancelled.formUnion(counts.keys)
    counts = [:]
    cancelCount += 1
  }
}

/// The names of an asset's properties.
enum AssetKey: String {
  case duration, tracks, metadata, commonMetadata, creationDate, playable, isPlayable

  func read(_ asset: AVAsset) {
    switch self {
    case .duration: _ = try? asset.readDuration()
    case .tracks: _ = try? asset.readTracks()
    case .metadata, .commonMetadata, .creationDate: _ = try? asset.readMetadataItems()
    case .playable, .isPlayable: _ = asset.isPlayable
    }
  }
}

extension AVAsset {
  /// Reads properties on a thread of its own, then calls the handler once, on that thread.
  ///
  ///     asset.loadValuesAsynchronously(forKeys: ["tracks", "duration"]) {
  ///       var error: NSError?
  ///       guard asset.statusOfValue(forKey: "tracks", error: &error) == .loaded else { return report(error) }
  ///       show(asset.tracks)
  ///     }
  ///
  /// The keys are `duration`, `tracks`, `metadata`, `commonMetadata`, `creationDate` and
  /// `playable`. The status of other keys is `failed`. `load(_:)` does the same for `async`
  /// functions.
  public func loadValuesAsynchronously(forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil)
  {
    let names = Set(keys)
    let request = requestedKeys.withLock { $0.begin(names) }
    let thread = Thread { [self] in
      for key in names.compactMap(AssetKey.init) where requestedKeys.withLock({ $0.cancelCount == request }) {
        key.read(self)
      }
      requestedKeys.withLock { $0.end(names, request) }
      handler?()
    }
    thread.start()
  }

  /// Like `loadValuesAsynchronously(forKeys:completionHandler:)`, and waits without blocking a
  /// thread.
  public func loadValues(forKeys keys: [String]) async {
    await withCheckedContinuation { done in loadValuesAsynchronously(forKeys: keys) { done.resume() } }
  }

  /// Returns whether a property has been read, by any way of reading it. Never blocks.
  ///
  /// If the status is `failed`, `outError` receives the error that `load(_:)` throws. Otherwise it
  /// receives `nil`. A key that names no property of this class fails, too.
  public func statusOfValue(forKey key: String, error outError: NSErrorPointer) -> AVKeyValueStatus {
    outError?.pointee = nil
    guard let property = AssetKey(rawValue: key) else {
      outError?.pointee = NSError(
        domain: AVFoundationErrorDomain, code: unknownError,
        userInfo: [NSLocalizedDescriptionKey: "an asset has no property \(key)"])
      return .failed
    }
    let requested = requestedKeys.withLock(\.self)
    switch state(of: property) {
    case .read(let error?):
      outError?.pointee = unreadable(error)
      return .failed
    case .read(nil): return .loaded
    case .notRead: break
    case .reading: if !requested.cancelled.contains(key) { return .loading }
    }
    if requested.counts[key] != nil { return .loading }
    return requested.cancelled.contains(key) ? .cancelled : .unknown
  }

  /// Ends the loading of all properties that no thread has begun to read. Each handler is still
  /// called.
  public func cancelLoading() { requestedKeys.withLock { $0.cancel() } }
}

/// `AVError.Code`'s number for any other error.
private let unknownError = -11800
