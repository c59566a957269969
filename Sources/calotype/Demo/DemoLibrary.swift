import Dispatch
import Foundation
import PhotosTesting
import Synchronization

/// A realistic camera roll for demos: about 200 photos and videos from twelve years and a dozen
/// places.
///
///     let summary = try DemoLibrary.write(to: folder) { print("\(Int($0 * 100)) %") }
///     summary.assetCount   // 210
///
/// - It contains Live Photos, videos, screenshots, a burst, panoramas, portraits, HDR, RAW with
///   JPEG, a motion photo, animated GIFs, other formats, and one truncated photo.
/// - The same seed and date give the same pictures and metadata. It needs `ffmpeg`.
/// - Files are drawn on all cores and written when they are ready. After an error, the folder keeps
///   the files that have been written.
enum DemoLibrary {
  struct Summary: Hashable, Sendable {
    var assetCount: Int
    var fileCount: Int
    var byteCount: Int
  }

  /// Draws and writes the files.
  ///
  /// - Parameters:
  ///   - now: the newest photos are from the days before this date.
  ///   - progress: called with numbers from 0 to 1, by several threads, but never by two at once.
  @discardableResult static func write(
    to folder: URL, seed: UInt64 = 1, now: Date = Date(), progress: (@Sendable (Double) -> Void)? = nil
  ) throws(SampleError) -> Summary {
    let items = DemoPlan(seed: seed, now: now).items
    let state = Mutex(State())
    DispatchQueue.concurrentPerform(iterations: items.count) { index in
      guard state.withLock({ $0.failure == nil }) else { return }
      let result = Result { () throws(SampleError) in try write(items[index], to: folder) }
      state.withLock { state in
        switch result {
        case .success(let files):
          state.summary.assetCount += items[index].kind.assetCount
          state.summary.fileCount += files.count
          state.summary.byteCount += files.reduce(0) { $0 + $1.data.count }
          state.done += 1
          progress?(Double(state.done) / Double(items.count))
        case .failure(let error): state.failure = state.failure ?? error
        }
      }
    }
    return try state.withLock { state throws(SampleError) in
      if let failure = state.failure { throw failure }
      return state.summary
    }
  }

  private struct State {
    var summary = Summary(assetCount: 0, fileCount: 0, byteCount: 0)
    var done = 0
    var failure: SampleError?
  }

  /// Writes the files of an item. Their modification date is the date of the photo.
  private static func write(_ item: DemoItem, to folder: URL) throws(SampleError) -> [SampleFile] {
    let files = try item.files()
    for file in files {
      let url = folder.appendingPathComponent(file.name)
      do {
        let manager = FileManager.default
        try manager.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try file.data.write(to: url)
        try manager.setAttributes([.modificationDate: item.date], ofItemAtPath: url.path)
      } catch {
        throw SampleError(.cannotWrite, url.path, reason: error.localizedDescription)
      }
    }
    return files
  }
}
