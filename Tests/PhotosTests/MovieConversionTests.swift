import Foundation
import PhotosTesting
import Synchronization
import Testing

@testable import Photos

/// Who waits for a movie that is made playable, without a movie.
@Suite struct MovieConversionTests {
  private let conversions = MovieConversions()
  private let reader = PHFileReader(
    byteCount: 1, uniformTypeIdentifier: "public.mpeg-4", url: URL(fileURLWithPath: "/dev/null"))
  private let library: TemporaryLibrary
  private let key: MovieConversions.Key

  init() throws {
    library = try TemporaryLibrary(photos: 0, videos: 1)
    let asset = library.library.asShared { PHAsset.fetchAssets(with: .video, options: nil).object(at: 0) }
    key = MovieConversions.Key(asset)
  }

  /// A conversion that goes on until it is let go or cancelled.
  private final class Work: Sendable {
    let isReleased = Mutex(false)
    let runs = Mutex(0)
    let wasCancelled = Mutex(false)

    func make(
      _ reader: PHFileReader, _ isCancelled: () -> Bool, _ progress: (Double) -> Void
    ) throws -> PHFileReader {
      runs.withLock { $0 += 1 }
      progress(0.5)
      while !isReleased.withLock(\.self) {
        guard !isCancelled() else {
          wasCancelled.withLock { $0 = true }
          throw PHPhotosError(.internalError, "it was cancelled")
        }
        usleep(2000)
      }
      return reader
    }
  }

  private func movie(_ work: Work, _ progress: MovieConversions.Progress? = nil) -> Task<PHFileReader, any Error> {
    Task { [conversions, key, reader] in
      try await conversions.movie(key, progress: progress) { isCancelled, progress in
        try work.make(reader, isCancelled, progress)
      }
    }
  }

  private func wait(until isSo: () -> Bool) async throws {
    for _ in 0..<2000 where !isSo() { try await Task.sleep(for: .milliseconds(5)) }
    #expect(isSo())
  }

  @Test func equalAsksShareOneConversion() async throws {
    let work = Work()
    let told = Mutex<[Double]>([])
    let first = movie(work) { value in told.withLock { $0.append(value) } }
    try await wait { told.withLock { $0 } == [0.5] }
    // Who comes later is told how far it is.
    let second = movie(work) { value in told.withLock { $0.append(value + 1) } }
    try await wait { told.withLock { $0 } == [0.5, 1.5] }
    work.isReleased.withLock { $0 = true }
    #expect(try await first.value.byteCount == 1)
    #expect(try await second.value.byteCount == 1)
    #expect(work.runs.withLock { $0 } == 1)
  }

  @Test func oneThatGoesLeavesItToTheOthers() async throws {
    let work = Work()
    let isThere = Mutex(false)
    let first = movie(work)
    let second = movie(work) { _ in isThere.withLock { $0 = true } }
    try await wait { isThere.withLock(\.self) }
    first.cancel()
    await #expect(throws: PHPhotosError.self) { try await first.value }
    work.isReleased.withLock { $0 = true }
    #expect(try await second.value.byteCount == 1)
    #expect(!work.wasCancelled.withLock { $0 })
  }

  @Test func whenAllHaveGoneItEnds() async throws {
    let work = Work()
    let (first, second) = (movie(work), movie(work))
    try await wait { work.runs.withLock { $0 } == 1 }
    first.cancel()
    second.cancel()
    for task in [first, second] {
      let error = await #expect(throws: PHPhotosError.self) { try await task.value }
      #expect(error?.code == .userCancelled)
    }
    try await wait { work.wasCancelled.withLock { $0 } }
    // And is begun anew for who asks then.
    let again = Work()
    again.isReleased.withLock { $0 = true }
    #expect(try await movie(again).value.byteCount == 1)
  }

  @Test func oneThatIsCancelledBeforeItBeginsNeverDoes() async throws {
    let (busy, work) = (Work(), Work())
    let other = try #require(
      library.library.asShared { try? library.add(SampleFile("IMG_9.MOV", SampleMedia.movie()))[0] })
    let first = Task { [conversions, reader] in
      try await conversions.movie(.init(other), progress: nil) { try busy.make(reader, $0, $1) }
    }
    try await wait { busy.runs.withLock { $0 } == 1 }
    let second = movie(work)
    try await Task.sleep(for: .milliseconds(50))
    second.cancel()
    await #expect(throws: PHPhotosError.self) { try await second.value }
    busy.isReleased.withLock { $0 = true }
    _ = try await first.value
    try await Task.sleep(for: .milliseconds(50))
    #expect(work.runs.withLock { $0 } == 0)
  }

  @Test func aTaskThatIsCancelledAlreadyWaitsForNothing() async throws {
    let work = Work()
    let task = Task { [conversions, key, reader] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await conversions.movie(key, progress: nil) { try work.make(reader, $0, $1) }
    }
    await #expect(throws: PHPhotosError.self) { try await task.value }
    #expect(work.runs.withLock { $0 } == 0)
  }

  // MARK: With movies

  @Test func aMovieIsConvertedOnce() async throws {
    let movie = try library.add(SampleFile("IMG_0005.MOV", SampleMedia.movie(duration: 1)))[0]
    let told = Mutex<[Double]>([])
    let manager = PHImageManager.default()
    let first = try await manager.playableMovie(for: movie) { value in told.withLock { $0.append(value) } }
    #expect(told.withLock { $0 }.last == 1)
    #expect(told.withLock { $0 == $0.sorted() })
    let bytes = try first.data(in: 0..<first.byteCount)
    told.withLock { $0 = [] }
    let again = try await manager.playableMovie(for: movie) { value in told.withLock { $0.append(value) } }
    #expect(try again.data(in: 0..<again.byteCount) == bytes)
    #expect(told.withLock { $0 } == [])
  }

  @Test func theMovieOfAMotionPhotoIsAMovie() async throws {
    let data = try SampleMedia.motionPhoto(size: PictureSize(width: 320, height: 240))
    let motion = try library.add(SampleFile("PXL_0001.MP.jpg", data))[0]
    let reader = try await PHImageManager.default().playableMovie(for: motion)
    #expect(reader.uniformTypeIdentifier == "public.mpeg-4")
    #expect(try reader.data(in: 4..<8) == Data("ftyp".utf8))
    #expect(reader.byteCount < data.count)
  }

  @Test func aPhotoHasNone() async throws {
    let photo = try library.add(SampleFile("IMG_0006.JPG", SampleMedia.jpeg()))[0]
    await #expect(throws: PHPhotosError.self) { try await PHImageManager.default().playableMovie(for: photo) }
  }
}
