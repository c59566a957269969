import Foundation
import PhotosTesting
import Synchronization
import TestSupport
import Testing

@_spi(Testing) @testable import Photos

/// Tests which requests wait for a conversion, with stand-ins for the conversions of most tests.
@Suite struct MovieConversionTests {
  private let conversions = MovieConversions(gracePeriod: .milliseconds(1))
  private let reader = FileReader(
    byteCount: 1, uniformTypeIdentifier: "public.mpeg-4", url: URL(fileURLWithPath: "/dev/null"))
  private let library: TemporaryLibrary
  private let key: MovieConversions.Key

  init() throws {
    library = try TemporaryLibrary(photos: 0, videos: 1)
    let asset = library.library.asShared { PHAsset.fetchAssets(with: .video, options: nil).object(at: 0) }
    key = asset.pictures.key
  }

  /// A grace period that no test outlasts.
  private static let day = DispatchTimeInterval.seconds(86_400)

  /// A conversion that runs until it is released or canceled.
  private final class Work: Sendable {
    let isReleased = Mutex(false)
    let runs = Mutex(0)
    let wasCancelled = Mutex(false)

    func make(
      _ reader: FileReader, _ isCancelled: () -> Bool, _ progress: (Double) -> Void
    ) throws -> FileReader {
      runs.withLock { $0 += 1 }
      progress(0.5)
      try eventually("the release or the cancellation of the conversion") {
        isReleased.withLock(\.self) || isCancelled()
      }
      guard isReleased.withLock(\.self) else {
        wasCancelled.withLock { $0 = true }
        throw PHPhotosError(.internalError, "it was canceled")
      }
      return reader
    }
  }

  private func movie(
    _ work: Work, of key: MovieConversions.Key? = nil, in conversions: MovieConversions? = nil,
    _ progress: MovieConversions.Progress? = nil
  ) -> Task<FileReader, any Error> {
    Task { [conversions = conversions ?? self.conversions, key = key ?? self.key, reader] in
      try await conversions.movie(key, progress: progress) { isCancelled, progress in
        try work.make(reader, isCancelled, progress)
      }
    }
  }

  /// Waits for a condition. The tasks that wait for conversions use the thread meanwhile.
  private func wait(for what: String, until isSo: () -> Bool) async throws {
    try await eventually(what, isolation: nil) { isSo() }
  }

  /// Returns a task's movie, or throws its error.
  private func end(of task: Task<FileReader, any Error>) async throws -> FileReader {
    let result: Result<FileReader, any Error> = try await answer("the end of a conversion") { done in
      Task { done(await task.result) }
    }
    return try result.get()
  }

  @Test func equalAsksShareOneConversion() async throws {
    let work = Work()
    let told = Mutex<[Double]>([])
    let first = movie(work) { value in told.withLock { $0.append(value) } }
    try await wait(for: "the first progress") { told.withLock { $0 } == [0.5] }
    // A request that joins later gets the current progress at once.
    let second = movie(work) { value in told.withLock { $0.append(value + 1) } }
    try await wait(for: "the progress of the second request") { told.withLock { $0 } == [0.5, 1.5] }
    work.isReleased.withLock { $0 = true }
    #expect(try await end(of: first).byteCount == 1)
    #expect(try await end(of: second).byteCount == 1)
    #expect(work.runs.withLock { $0 } == 1)
  }

  @Test func `a conversion goes on while another request waits for it`() async throws {
    let work = Work()
    let isThere = Mutex(false)
    let first = movie(work)
    let second = movie(work) { _ in isThere.withLock { $0 = true } }
    try await wait(for: "the second request") { isThere.withLock(\.self) }
    first.cancel()
    await #expect(throws: PHPhotosError.self) { try await end(of: first) }
    work.isReleased.withLock { $0 = true }
    #expect(try await end(of: second).byteCount == 1)
    #expect(!work.wasCancelled.withLock { $0 })
  }

  @Test func `a conversion ends when all its requests are canceled`() async throws {
    let work = Work()
    let (first, second) = (movie(work), movie(work))
    try await wait(for: "the conversion") { work.runs.withLock { $0 } == 1 }
    first.cancel()
    second.cancel()
    for task in [first, second] {
      let error = await #expect(throws: PHPhotosError.self) { try await end(of: task) }
      #expect(error?.code == .userCancelled)
    }
    try await wait(for: "the cancellation of the conversion") { work.wasCancelled.withLock { $0 } }
    // A later request starts a new conversion.
    let again = Work()
    again.isReleased.withLock { $0 = true }
    #expect(try await end(of: movie(again)).byteCount == 1)
  }

  private func otherKeys(_ count: Int) throws -> [MovieConversions.Key] {
    try library.library.asShared {
      try (0..<count).map {
        try library.add(SampleFile("IMG_\($0).MOV", SampleMedia.movie(seed: UInt64($0))))[0].pictures.key
      }
    }
  }

  @Test func oneThatIsCancelledBeforeItBeginsNeverDoes() async throws {
    let (busy, work) = (Work(), Work())
    let keys = try otherKeys(2)
    let first = movie(busy, of: keys[0])
    try await wait(for: "the first conversion") { busy.runs.withLock { $0 } == 1 }
    // This conversion is requested earlier, so it would come after the canceled one.
    let last = movie(busy, of: keys[1])
    try await wait(for: "the second request") { conversions.waiterCount == 2 }
    let second = movie(work)
    try await wait(for: "the third request") { conversions.waiterCount == 3 }
    second.cancel()
    await #expect(throws: PHPhotosError.self) { try await end(of: second) }
    busy.isReleased.withLock { $0 = true }
    for task in [first, last] { _ = try await end(of: task) }
    #expect(busy.runs.withLock { $0 } == 2 && work.runs.withLock { $0 } == 0)
  }

  private final class Order: Sendable {
    let list = Mutex<[Int]>([])
  }

  @Test func theMovieThatWasRequestedLastIsNext() async throws {
    let keys = try otherKeys(3)
    let busy = Work()
    let order = Order()
    let first = movie(busy)
    try await wait(for: "the first conversion") { busy.runs.withLock { $0 } == 1 }
    var tasks: [Task<FileReader, any Error>] = []
    // The movie that is requested a second time moves to the end of the list.
    for (count, index) in [0, 1, 2, 1].enumerated() {
      tasks.append(
        Task { [conversions, reader, key = keys[index]] in
          try await conversions.movie(key, progress: nil) { _, _ in
            order.list.withLock { $0.append(index) }
            return reader
          }
        })
      try await wait(for: "the next request") { conversions.waiterCount == count + 2 }
    }
    busy.isReleased.withLock { $0 = true }
    for task in tasks + [first] { _ = try await end(of: task) }
    #expect(order.list.withLock(\.self) == [1, 2, 0])
  }

  @Test func `an unwanted conversion continues for its grace period`() async throws {
    let conversions = MovieConversions(gracePeriod: Self.day)
    let work = Work()
    let first = movie(work, in: conversions)
    try await wait(for: "the conversion") { work.runs.withLock { $0 } == 1 }
    first.cancel()
    await #expect(throws: PHPhotosError.self) { try await end(of: first) }
    let second = movie(work, in: conversions)
    try await wait(for: "the second request") { conversions.waiterCount == 1 }
    work.isReleased.withLock { $0 = true }
    #expect(try await end(of: second).byteCount == 1)
    #expect(work.runs.withLock { $0 } == 1 && !work.wasCancelled.withLock { $0 })
  }

  @Test func `NI-07: a conversion of one use ends at once, unless another task waits for it`() async throws {
    let conversions = MovieConversions(gracePeriod: Self.day)
    let work = Work()
    func copy() -> Task<FileReader, any Error> {
      Task { [key, reader] in
        try await conversions.movie(key, endsAtOnce: true, progress: nil) { try work.make(reader, $0, $1) }
      }
    }
    let (first, second) = (copy(), copy())
    try await wait(for: "both requests") { conversions.waiterCount == 2 && work.runs.withLock { $0 } == 1 }
    first.cancel()
    await #expect(throws: PHPhotosError.self) { try await end(of: first) }
    #expect(!work.wasCancelled.withLock { $0 })
    second.cancel()
    await #expect(throws: PHPhotosError.self) { try await end(of: second) }
    try await wait(for: "the cancellation of the conversion") { work.wasCancelled.withLock { $0 } }
    work.isReleased.withLock { $0 = true }
    #expect(try await end(of: copy()).byteCount == 1)
  }

  @Test(arguments: [true, false]) func `an unwanted conversion ends at once if another one waits`(_ asksLater: Bool)
    async throws
  {
    let conversions = MovieConversions(gracePeriod: Self.day)
    let key = try otherKeys(1)[0]
    let (work, other) = (Work(), Work())
    other.isReleased.withLock { $0 = true }
    let first = movie(work, in: conversions)
    try await wait(for: "the conversion") { work.runs.withLock { $0 } == 1 }
    if asksLater {
      first.cancel()
      try await wait(for: "the cancellation of the request") { conversions.waiterCount == 0 }
    }
    let second = movie(other, of: key, in: conversions)
    if !asksLater {
      try await wait(for: "the second request") { conversions.waiterCount == 2 }
      first.cancel()
    }
    #expect(try await end(of: second).byteCount == 1)
    #expect(work.wasCancelled.withLock { $0 })
  }

  @Test func aTaskThatIsCancelledAlreadyWaitsForNothing() async throws {
    let work = Work()
    let task = Task { [conversions, key, reader] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await conversions.movie(key, progress: nil) { try work.make(reader, $0, $1) }
    }
    await #expect(throws: PHPhotosError.self) { try await end(of: task) }
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

  @Test func whetherItIsPlayableIsAskedOnce() async throws {
    let movie = try library.add(SampleFile("IMG_0007.MOV", SampleMedia.movie(duration: 1)))[0]
    #expect(try await PHImageManager.default().existingPlayableMovie(for: movie) == nil)
    #expect(MoviePipeline.shared.playable.withLock { $0[movie.pictures.key] } == false)
  }

  @Test func unfinishedFilesAreRemovedWithTheirAsset() async throws {
    let movie = try library.add(SampleFile("IMG_0008.MOV", SampleMedia.movie(duration: 1)))[0]
    let folder = library.url.appendingPathComponent("renditions").path
    let names = ["\(movie.uuid)-\(movie.renditionVersion)", "\(movie.uuid)-0-1"].flatMap {
      [".\($0)-movie.mp4.part", ".\($0)-movie.mp4.picture.part", "\($0)-movie.mp4"]
    }
    for name in names.dropFirst(3) { try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    // Making the current version's movie removes all files of an older version.
    _ = try await PHImageManager.default().playableMovie(for: movie)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [names[2]])
    for name in names { try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    library.library.forgetRenditionsForTesting(of: [movie])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test func theMovieOfAMotionPhotoIsAMovie() async throws {
    let data = try SampleMedia.motionPhoto(size: PictureSize(width: 320, height: 240))
    let motion = try library.add(SampleFile("PXL_0001.MP.jpg", data))[0]
    let reader = try await PHImageManager.default().playableMovie(for: motion)
    #expect(reader.uniformTypeIdentifier == "public.mpeg-4")
    #expect(try reader.data(in: 4..<8) == Data("ftyp".utf8))
    #expect(reader.byteCount < data.count)
  }

  /// A caller that got the movie's URL may read the file at any time.
  @Test func theMovieOfAMotionPhotoStaysAsLongAsItsAsset() async throws {
    let data = try SampleMedia.motionPhoto(size: PictureSize(width: 320, height: 240))
    let motion = try library.add(SampleFile("PXL_0002.MP.jpg", data))[0]
    let url = try #require(try PHAssetResource.assetResources(for: motion).last?.movieInsidePhoto())
    try await motion.edit { $0.filter = .noir }
    #expect(FileManager.default.fileExists(atPath: url.path))
    _ = try await PHImageManager.default().playableMovie(for: motion)
    #expect(FileManager.default.fileExists(atPath: url.path))
    library.library.forgetRenditionsForTesting(of: [motion])
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func `a photo has no playable movie`() async throws {
    let photo = try library.add(SampleFile("IMG_0006.JPG", SampleMedia.jpeg()))[0]
    await #expect(throws: PHPhotosError.self) { try await PHImageManager.default().playableMovie(for: photo) }
  }
}
